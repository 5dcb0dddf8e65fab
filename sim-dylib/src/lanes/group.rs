//! A group of rows as a kernel sees it, and the columns it reads and writes by row.

use std::ops::Range;

use sim_api::SharedMut;

use super::{Lanes, RowsAt, V3};

const MAX_LANES: usize = 8;

/// One end of each row: a point or vector, and w (an inverse mass in the position column).
pub struct Pair<L> {
    pub x: V3<L>,
    pub w: L,
}

/// Consecutive rows of a constraint table, one for each lane. Only a sweep makes them, and each row is in exactly one
/// group.
pub struct Rows<'a> {
    pub(super) start: usize,
    /// The particles of each row.
    pub(super) ends: &'a [[u32; 2]],
}

impl Rows<'_> {
    #[inline(always)]
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.ends.len()
    }

    /// A read-only column of the table.
    #[inline(always)]
    pub fn load<L: Lanes>(&self, column: &[f32]) -> L {
        L::load(&column[self.range()])
    }

    /// A number made of each row of a read-only column of the table.
    #[inline(always)]
    pub fn map<L: Lanes, T: Copy>(&self, column: &[T], f: impl Fn(T) -> f32) -> L {
        let mut values = [0.0; MAX_LANES];
        for (value, &row) in values.iter_mut().zip(&column[self.range()]) {
            *value = f(row);
        }
        L::load(&values)
    }

    /// A read-only column of the particles at one end (0 or 1) of each row.
    #[inline(always)]
    pub fn fetch<L: Lanes>(&self, column: &[[f32; 4]], end: usize) -> Pair<L> {
        let [x, y, z, w] = L::fetch(&End { column, rows: self, side: end });
        Pair { x: V3 { x, y, z }, w }
    }
}

/// One end of each row in a read-only column of the particles.
struct End<'a> {
    column: &'a [[f32; 4]],
    rows: &'a Rows<'a>,
    side: usize,
}

impl RowsAt for End<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.column[self.rows.ends[lane][self.side] as usize]
    }
}

/// A column of the table that a kernel reads and writes, each row in its own group only.
pub struct RowsMut<'a> {
    rows: SharedMut<'a, f32>,
}

impl<'a> RowsMut<'a> {
    pub fn new(column: &'a mut [f32]) -> Self {
        Self { rows: SharedMut::new(column) }
    }

    #[inline(always)]
    pub fn load<L: Lanes>(&self, rows: &Rows) -> L {
        // SAFETY: a sweep hands each row to one group only; nothing else borrows the column.
        L::load(unsafe { self.rows.rows_mut(rows.range()) })
    }

    #[inline(always)]
    pub fn store<L: Lanes>(&self, rows: &Rows, lanes: L) {
        // SAFETY: as in `load`.
        lanes.store(unsafe { self.rows.rows_mut(rows.range()) });
    }
}
