//! The part of the list that a batch of nodes writes: of the pairs whose boxes meet those that are close enough, eight at
//! once.
//!
//! ```text
//!   | vertex and triangle →  ...  ← edge and edge |      while it is written
//!   | vertex and triangle | edge and edge |              then
//! ```
//! Pairs of one form lie together, so that the narrow phase has them eight at a time too.

use std::ops::Range;

use sim_api::SharedMut;

use super::{advance::Form, corners, distance::Several};
use crate::{
    lanes::EIGHT,
    state::{Layer, Pair},
};

/// Least distance that a pair is kept at, as a share of the thickness, if it starts closer.
const LEAST: f32 = 0.05;

/// The columns that the search writes.
pub(super) struct Columns<'a> {
    corners: SharedMut<'a, [u32; 4]>,
    form: SharedMut<'a, u32>,
    limit: SharedMut<'a, f32>,
    clear: SharedMut<'a, f32>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(pair: &'a mut Pair) -> Self {
        Self {
            corners: SharedMut::new(pair.corners),
            form: SharedMut::new(pair.form),
            limit: SharedMut::new(pair.limit),
            clear: SharedMut::new(pair.clear),
        }
    }
}

pub(super) struct Part<'a, 'b> {
    layer: &'a Layer<'b>,
    columns: &'a Columns<'a>,
    /// Where the part begins; up to `next` pairs of vertex and triangle, from `back` to `end` those of two edges.
    first: usize,
    next: usize,
    back: usize,
    end: usize,
    /// Pairs that are close enough, with those that had no room.
    pub found: usize,
    /// Pairs of each form whose boxes meet, until there are eight.
    waiting: [Waiting; 2],
}

#[derive(Clone, Copy)]
struct Waiting {
    idx: [[u32; 4]; EIGHT],
    count: usize,
}

impl<'a, 'b> Part<'a, 'b> {
    pub(super) fn new(layer: &'a Layer<'b>, columns: &'a Columns<'a>, range: Range<usize>) -> Self {
        let waiting = [Waiting { idx: [[0; 4]; EIGHT], count: 0 }; 2];
        let (first, end) = (range.start, range.end);
        Self { layer, columns, first, next: first, back: end, end, found: 0, waiting }
    }

    /// Lets a pair wait if it is one. A branch for each would be guessed wrong too often.
    #[inline(always)]
    pub(super) fn take(&mut self, form: Form, idx: [u32; 4], is_one: bool) {
        let waiting = &mut self.waiting[form as usize];
        waiting.idx[waiting.count] = idx;
        waiting.count += usize::from(is_one);
        if waiting.count == EIGHT {
            self.look(form);
        }
    }

    /// Takes those that are close enough of the pairs that wait.
    #[inline(never)]
    fn look(&mut self, form: Form) {
        let Waiting { idx, count } = self.waiting[form as usize];
        self.waiting[form as usize].count = 0;
        let several = Several::of(form, self.layer.position_at_broad_phase, &idx);
        for (k, &idx) in idx[..count].iter().enumerate() {
            let [a, _, _, d] = idx;
            // Corners 0 and 3 belong to different primitives in both forms.
            let thickness = 0.5 * (self.layer.thickness[a as usize] + self.layer.thickness[d as usize]);
            let most = thickness + several.most[k];
            if several.squared[k] <= most * most {
                self.found += 1;
                if self.next < self.back {
                    self.add(form, idx, thickness, several.squared[k].sqrt());
                }
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, form: Form, idx: [u32; 4], thickness: f32, distance: f32) {
        let start = corners(self.layer.start, idx);
        // Most pairs start further apart, which their boxes show.
        let limit = if form.boxes_apart(start) >= thickness {
            thickness
        } else {
            thickness.min(form.nearest(start).distance()).max(LEAST * thickness)
        };
        let row = if form == Form::PointTriangle {
            self.next += 1;
            self.next - 1
        } else {
            self.back -= 1;
            self.back
        };
        // SAFETY: each batch writes its own part.
        unsafe {
            self.columns.corners.set(row, idx);
            self.columns.form.set(row, form as u32);
            self.columns.limit.set(row, limit);
            self.columns.clear.set(row, distance);
        }
    }

    /// Looks at what still waits and leaves no gap; returns how many pairs are in the list.
    pub(super) fn close(&mut self) -> usize {
        self.look(Form::PointTriangle);
        self.look(Form::EdgeEdge);
        let (gap, columns) = (self.back - self.next, self.columns);
        if gap > 0 {
            for row in self.back..self.end {
                // SAFETY: each batch reads and writes its own part.
                unsafe {
                    columns.corners.set(row - gap, columns.corners.get(row));
                    columns.form.set(row - gap, columns.form.get(row));
                    columns.limit.set(row - gap, columns.limit.get(row));
                    columns.clear.set(row - gap, columns.clear.get(row));
                }
            }
        }
        self.end - gap - self.first
    }
}
