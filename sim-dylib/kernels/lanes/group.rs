//! A group of rows as a kernel sees it, and the columns it reads and writes by row.

use std::ops::Range;

use sim_api::{SharedMut, checked};

use super::{Lanes, RowsAt, RowsAtMut, V3};

const MAX_LANES: usize = 16;

/// One corner of each row: a point or vector, and w (an inverse mass in the position column).
#[derive(Clone, Copy)]
pub struct Point<L> {
    pub x: V3<L>,
    pub w: L,
}

/// Points and inverse masses apart, as constraints take them.
#[inline(always)]
pub fn split<L: Lanes, const N: usize>(x: &[Point<L>; N]) -> ([V3<L>; N], [L; N]) {
    let (mut points, mut w) = ([V3::zero(); N], [L::from_f32(0.0); N]);
    for corner in 0..N {
        (points[corner], w[corner]) = (x[corner].x, x[corner].w);
    }
    (points, w)
}

/// Consecutive rows of a constraint table, one for each lane. Only a sweep makes them, and each row is in exactly one
/// group.
pub struct Rows<'a, const N: usize> {
    /// The first of them; of rows that all have the same values any others that do, for columns that are only read.
    pub(super) start: usize,
    /// The first of them, for columns that are written.
    pub(super) own: usize,
    /// The particles of each row.
    pub(super) idx: &'a [[u32; N]],
    /// Lanes hold rows in the order of [`Lanes::crossed`].
    pub(super) crossed: bool,
    /// The first rows run with another group, and are not stored.
    pub(super) skip: usize,
}

impl<'a, const N: usize> Rows<'a, N> {
    /// As many rows from `start` on as there are lanes.
    #[inline(always)]
    pub(super) fn new<L: Lanes>(start: usize, idx: &'a [[u32; N]]) -> Self {
        Self { start, own: start, idx: &idx[start..start + L::COUNT], crossed: false, skip: 0 }
    }

    /// [`Rows::new`] without a look at the number of rows.
    ///
    /// # Safety
    /// There are as many.
    #[inline(always)]
    pub(super) unsafe fn new_unchecked<L: Lanes>(start: usize, idx: &'a [[u32; N]]) -> Self {
        checked!(start + L::COUNT <= idx.len(), "row {start} of {}", idx.len());
        // SAFETY: vouched for by the caller.
        let idx = unsafe { idx.get_unchecked(start..start + L::COUNT) };
        Self { start, own: start, idx, crossed: false, skip: 0 }
    }

    /// A value for each row, into their lanes.
    #[inline(always)]
    fn lanes<L: Lanes>(&self, values: &[f32]) -> L {
        let lanes = L::load(values);
        if self.crossed { lanes.crossed() } else { lanes }
    }

    /// 1 where a row is stored, 0 where another group does that.
    #[inline(always)]
    pub(super) fn stored<L: Lanes>(&self) -> L {
        /// As many zeros as there are lanes, then as many ones.
        const STEP: [f32; 2 * MAX_LANES] = {
            let (mut step, mut lane) = ([0.0; 2 * MAX_LANES], MAX_LANES);
            while lane < 2 * MAX_LANES {
                step[lane] = 1.0;
                lane += 1;
            }
            step
        };
        self.lanes(&STEP[MAX_LANES - self.skip.min(MAX_LANES)..])
    }

    #[inline(always)]
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.idx.len()
    }

    /// A read-only column of the table with up to four values a row.
    #[inline(always)]
    pub fn load4<L: Lanes>(&self, column: &[[f32; 4]]) -> [L; 4] {
        checked!(!self.crossed, "values of four are loaded in the order of the rows");
        L::fetch(&At { column: &column[self.range()] })
    }

    /// A read-only column of the table.
    #[inline(always)]
    pub fn load<L: Lanes>(&self, column: &[f32]) -> L {
        self.lanes(&column[self.range()])
    }

    /// The same of a column in which rows that are otherwise alike differ.
    #[inline(always)]
    pub fn load_own<L: Lanes>(&self, column: &[f32]) -> L {
        self.lanes(&column[self.own..self.own + self.idx.len()])
    }

    /// A number made of each row of a read-only column of the table.
    #[inline(always)]
    pub fn map<L: Lanes, T: Copy + PartialEq>(&self, column: &[T], f: impl Fn(T) -> f32) -> L {
        let column = &column[self.range()];
        // Mostly all are the same, as the kinds of the rows of one colour are: no way through memory.
        let first = column[0];
        if column.iter().filter(|&&row| row != first).count() == 0 {
            return L::from_f32(f(first));
        }
        let mut values = [0.0; MAX_LANES];
        for (value, &row) in values.iter_mut().zip(column) {
            *value = f(row);
        }
        self.lanes(&values)
    }

    /// 1 where a read-only column of the table has this value, else 0.
    #[inline(always)]
    pub fn equal<L: Lanes>(&self, column: &[u32], value: u32) -> L {
        let (mut values, column) = ([0.0; MAX_LANES], &column[self.range()]);
        for lane in 0..L::COUNT {
            values[lane] = u8::from(column[lane] == value).into();
        }
        self.lanes(&values)
    }

    /// 1 where all particles of the row lie in one run of `size` consecutive particles, else 0.
    #[inline(always)]
    pub fn within<L: Lanes>(&self, size: u32) -> L {
        let mut values = [0.0; MAX_LANES];
        for lane in 0..L::COUNT {
            let mut inside = true;
            for corner in 1..N {
                inside &= self.idx[lane][corner] / size == self.idx[lane][0] / size;
            }
            values[lane] = u8::from(inside).into();
        }
        self.lanes(&values)
    }

    /// A read-only column of the particles at one corner (0..N) of each row.
    #[inline(always)]
    pub fn fetch<L: Lanes>(&self, column: &[[f32; 4]], corner: usize) -> Point<L> {
        checked!(!self.crossed, "particles are fetched in the order of the rows");
        let [x, y, z, w] = L::fetch(&Corner { column, rows: self, corner });
        Point { x: V3 { x, y, z }, w }
    }

    /// Places in a column of the particles of those that a column of the table names.
    #[inline(always)]
    pub fn look_up<L: Lanes>(&self, column: &[[f32; 4]], particles: &[u32]) -> V3<L> {
        super::vertex::fetch(column, &particles[self.range()]).x
    }

    /// The same at all corners.
    #[inline(always)]
    pub fn fetch_all<L: Lanes>(&self, column: &[[f32; 4]]) -> [Point<L>; N] {
        let mut points = [Point { x: V3::zero(), w: L::from_f32(0.0) }; N];
        for corner in 0..N {
            points[corner] = self.fetch(column, corner);
        }
        points
    }
}

/// One corner of each row in a read-only column of the particles.
struct Corner<'a, const N: usize> {
    column: &'a [[f32; 4]],
    rows: &'a Rows<'a, N>,
    corner: usize,
}

impl<const N: usize> RowsAt for Corner<'_, N> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.column[self.rows.idx[lane][self.corner] as usize]
    }
}

/// Consecutive rows of a column.
struct At<'a> {
    column: &'a [[f32; 4]],
}

impl RowsAt for At<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.column[lane]
    }
}

/// A column of the table that a kernel reads and writes, each row in its own group only.
///
/// What it relies on and the compiler does not see: one sweep at a time has it. A kernel that lends it to a second kernel, or
/// that a job hands to a sweep of its own, would write a row from two threads; no solver sweeps inside of a job.
#[derive(Clone, Copy)]
pub struct RowsMut<'a, T = f32> {
    rows: SharedMut<'a, T>,
}

impl<'a, T: Copy> RowsMut<'a, T> {
    #[inline]
    pub fn new(column: &'a mut [T]) -> Self {
        Self { rows: SharedMut::new(column) }
    }

    /// The rows of a group.
    #[inline(always)]
    #[allow(clippy::mut_from_ref, reason = "no two groups share a row")]
    fn of<const N: usize>(&self, rows: &Rows<N>) -> &mut [T] {
        // SAFETY: a sweep hands each row to one group only; nothing else borrows the column.
        unsafe { self.rows.rows_mut(rows.own..rows.own + rows.idx.len()) }
    }
}

impl RowsMut<'_> {
    #[inline(always)]
    pub fn load<L: Lanes, const N: usize>(&self, rows: &Rows<N>) -> L {
        rows.lanes(self.of(rows))
    }

    #[inline(always)]
    pub fn store<L: Lanes, const N: usize>(&self, rows: &Rows<N>, lanes: L) {
        let lanes =
            if rows.skip == 0 { lanes } else { lanes.where_positive_else(rows.stored(), self.load(rows)) };
        let lanes = if rows.crossed { lanes.crossed() } else { lanes };
        lanes.store(self.of(rows));
    }
}

impl RowsMut<'_, [f32; 4]> {
    #[inline(always)]
    pub fn load4<L: Lanes, const N: usize>(&self, rows: &Rows<N>) -> [L; 4] {
        checked!(!rows.crossed && rows.skip == 0, "values of four are loaded in the order of the rows");
        L::fetch(&At { column: self.of(rows) })
    }

    #[inline(always)]
    pub fn store4<L: Lanes, const N: usize>(&self, rows: &Rows<N>, lanes: [L; 4]) {
        checked!(!rows.crossed && rows.skip == 0, "values of four are stored in the order of the rows");
        let column = std::cell::Cell::from_mut(self.of(rows)).as_slice_of_cells();
        L::scatter(lanes, &AtMut { column });
    }
}

/// Consecutive rows of a column, to write.
pub(super) struct AtMut<'a> {
    pub(super) column: &'a [std::cell::Cell<[f32; 4]>],
}

impl RowsAt for AtMut<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.column[lane].get()
    }
}

impl RowsAtMut for AtMut<'_> {
    #[inline(always)]
    fn set(&self, lane: usize, row: [f32; 4]) {
        self.column[lane].set(row);
    }
}
