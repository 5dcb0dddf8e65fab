//! Which rows that touch may be projected at the same time: the cloth is cut into slabs along its longest side.
//!
//! ```text
//!   |   0   |   1   |   2   |   3   |      classes: rows inside a slab,             all slabs at once
//!           0       1       2                      rows across a cut, even cuts     all of them at once
//!                                                  rows across a cut, odd cuts      all of them at once
//!                                                  rows across more than one cut    one after another
//! ```
//! Two rows that run at once share no particle. Slabs depend on the particles alone and hold as many each, so rows have
//! the same order, and results the same bits, on any number of threads. A cut is far enough from the next that few rows
//! cross both.
//!
//! Rejected: greedy colours, in which a pile has dozens of a few rows each, so that most of the time goes into waiting.

use std::ops::Range;

use glam::Vec3;

use super::batches;
use crate::{
    normals::xyz,
    sim::Sim,
    state::{Batch, Pair},
};

/// Slabs at most.
pub(super) const MOST: usize = 16;
/// Inside a slab, across a cut, across more.
const CLASSES: usize = 2 * MOST + 1;
/// Least width of a slab, in mean lengths of an edge along the same axis.
const WIDTH: f32 = 4.0;
/// Parts in which particles are counted along the axis.
const BINS: usize = 256;

/// Fills `layer.slab` for the positions `layer.position_at_broad_phase`.
pub(super) fn assign(sim: &mut Sim) {
    let (layer, edge) = (&mut sim.state.layer, &sim.state.edge);
    let (mut lower, mut upper, mut total) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0);
    for (seen, thickness) in layer.position_at_broad_phase.iter().zip(layer.thickness) {
        if *thickness > 0.0 {
            (lower, upper) = (lower.min(xyz(*seen)), upper.max(xyz(*seen)));
            total += 1;
        }
    }
    let size = upper - lower;
    let axis = if size.x >= size.y.max(size.z) { 0 } else { 1 + usize::from(size.z > size.y) };
    let mut lengths = 0.0;
    for [a, b] in edge.ends {
        lengths += f64::from(
            (layer.position_at_broad_phase[*a as usize][axis]
                - layer.position_at_broad_phase[*b as usize][axis])
                .abs(),
        );
    }
    let width = WIDTH * (lengths / edge.ends.len().max(1) as f64) as f32;
    let count = ((size[axis] / width.max(f32::MIN_POSITIVE)) as usize).clamp(1, MOST);
    let per_bin = BINS as f32 / size[axis].max(f32::MIN_POSITIVE);
    let bin = |seen: [f32; 4]| (((seen[axis] - lower[axis]) * per_bin) as usize).min(BINS - 1);
    let mut slab_of = [0_u32; BINS];
    for (seen, thickness) in layer.position_at_broad_phase.iter().zip(layer.thickness) {
        slab_of[bin(*seen)] += u32::from(*thickness > 0.0);
    }
    let mut before = 0;
    for slab in &mut slab_of {
        let here = *slab;
        *slab = (before as usize * count / total.max(1)).min(count - 1) as u32;
        before += here;
    }
    for (slab, seen) in layer.slab.iter_mut().zip(&*layer.position_at_broad_phase) {
        *slab = slab_of[bin(*seen)];
    }
}

/// The class of a row.
#[inline(always)]
pub(super) fn class(slab: &[u32], idx: [u32; 4]) -> u32 {
    let [a, b, c, d] =
        [slab[idx[0] as usize], slab[idx[1] as usize], slab[idx[2] as usize], slab[idx[3] as usize]];
    let (first, last) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
    match last - first {
        0 => first,
        1 => MOST as u32 + first,
        _ => 2 * MOST as u32,
    }
}

/// Where the rows of each class begin in `pair.touch_order`.
pub(super) struct Classes([usize; CLASSES + 1]);

impl Classes {
    /// Sorts the rows that touch; those of one class stay in the order of the list.
    pub(super) fn sort(batch: &Batch, pair: &mut Pair) -> Self {
        let mut starts = [0; CLASSES + 1];
        for i in 0..batch.first.len() {
            for row in batches::touching(batch, i) {
                starts[pair.touch_class[row] as usize + 1] += 1;
            }
        }
        for class in 0..CLASSES {
            starts[class + 1] += starts[class];
        }
        let mut next = starts;
        for i in 0..batch.first.len() {
            for row in batches::touching(batch, i) {
                let place = &mut next[pair.touch_class[row] as usize];
                pair.touch_order[*place] = row as u32;
                *place += 1;
            }
        }
        Self(starts)
    }

    /// Places in `pair.touch_order` of one class.
    #[inline(always)]
    pub(super) fn rows(&self, class: usize) -> Range<usize> {
        self.0[class]..self.0[class + 1]
    }
}

/// Classes that run at once: the first, the distance to the next, and how many there are.
pub(super) const PHASES: [[usize; 3]; 4] =
    [[0, 1, MOST], [MOST, 2, MOST / 2], [MOST + 1, 2, MOST / 2], [2 * MOST, 1, 1]];
