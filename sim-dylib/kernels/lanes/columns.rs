//! Sweeps over rows whose particles lie in strides: positions are columns while they run, so that lanes are loaded and stored
//! as they lie in memory, without the transposes of `sweep.rs`.
//!
//! ```text
//! positions (rows)  x y z w | x y z w | …   →   x x x x …   y y y y …   z z z z …   w w w w …
//! stride, adjacent  rows (a, b) (a + 1, b + 1) …    lanes: columns at a.. and at b..
//! ```
//! The operations of a row are those of `sweep.rs`, and rows that share a particle run in the order of the colours: so are the
//! bits. What takes particles from a substep to the next runs along with them.

use std::ops::Range;

use sim_api::{Colors, Mapped, Par, SharedMut};

use super::{
    Axes, Axis, Lanes, Pull, Pulled, Rows, RowsFrom, Strip, V3, along,
    pattern::{Adjacent, Pattern},
    project_at, strips,
};
use crate::{
    sim::Positions,
    state::{Stride, columns},
};

/// What a substep changes of particles, in columns.
#[derive(Clone, Copy)]
pub struct Particles<'a> {
    /// Positions, and inverse masses.
    pub x: Axes<'a>,
    pub w: Axis<'a>,
    pub v: Axes<'a>,
    /// Where inertia takes them.
    pub inertial: Axes<'a>,
    /// How many there are.
    pub count: usize,
}

impl<'a> Particles<'a> {
    pub fn new(room: &'a mut columns::Columns) -> Self {
        let count = room.x.len();
        let axis = |column: &'a mut [f32]| {
            assert_eq!(column.len(), count, "a value for each particle");
            Axis::new(column)
        };
        Self {
            x: Axes([axis(room.x), axis(room.y), axis(room.z)]),
            w: axis(room.w),
            v: Axes([axis(room.vx), axis(room.vy), axis(room.vz)]),
            inertial: Axes([axis(room.ix), axis(room.iy), axis(room.iz)]),
            count,
        }
    }

    /// Positions and inverse masses from `rows`.
    fn take_positions(&self, par: &Par, rows: &mut [[f32; 4]]) {
        self.move_positions(par, rows, false);
    }

    /// The same into `rows`.
    pub fn give_positions(&self, par: &Par, rows: &mut [[f32; 4]]) {
        self.move_positions(par, rows, true);
    }

    fn move_positions(&self, par: &Par, rows: &mut [[f32; 4]], back: bool) {
        assert_eq!(rows.len(), self.count, "a row for each particle");
        let rows = Move { x: self.x, w: self.w, rows: SharedMut::new(rows), back };
        // SAFETY: there are as many.
        unsafe { strips(par, self.count, &rows) };
    }
}

/// What is done with particles before rows pull at them.
pub trait Before: Sync {
    /// # Safety
    /// No concurrent call uses these particles, and they are there.
    unsafe fn particles(&self, columns: &Particles, range: Range<usize>);
}

/// Room for particles as columns, and the strides of the distance rows.
pub struct Columns<'a> {
    particles: Particles<'a>,
    strides: &'a Stride<'a>,
    /// Where positions are, and stay.
    positions: Positions,
    /// Once, with the next sweep.
    before: Option<&'a dyn Before>,
}

impl<'a> Columns<'a> {
    pub fn new(room: &'a mut columns::Columns, strides: &'a Stride) -> Self {
        Self { particles: Particles::new(room), strides, positions: Positions::Rows, before: None }
    }

    /// Where positions are ([`crate::sim::Sim::positions`]); before rows pull at them comes `before`.
    pub fn stay(self, positions: Positions, before: Option<&'a dyn Before>) -> Self {
        Self { positions, before, ..self }
    }
}

/// [`project_at`] of rows that only pull at their ends: in columns where the rows have strides.
pub fn pull_at<H, P: Pull>(
    par: &Par,
    colors: Colors,
    idx: &[[u32; 2]],
    particles: &mut [[f32; 4]],
    columns: &mut Columns,
    pull: &P,
) {
    if columns.strides.rows.is_empty() {
        return project_at::<H, 2>(par, colors, idx, particles, &Pulled(pull));
    }
    assert!(colors.are_of(idx), "the colours are those of another table than the rows");
    assert_eq!(particles.len(), columns.particles.count, "a value for each particle");
    if columns.positions == Positions::Rows {
        columns.particles.take_positions(par, particles);
    }
    let pulls = Pulls { particles: columns.particles, before: columns.before.take(), pull: *pull };
    along::along::<H>(par, columns.strides, idx, &pulls);
    if columns.positions != Positions::Columns {
        columns.particles.give_positions(par, particles);
    }
}

#[derive(Clone, Copy)]
struct Pulls<'a, P> {
    particles: Particles<'a>,
    before: Option<&'a dyn Before>,
    pull: P,
}

impl<P: Pull> along::Ends for Pulls<'_, P> {
    /// And the inverse mass of one particle: mostly that of all.
    type Of<L: Lanes> = (P::Of<L>, L);

    fn count(&self) -> usize {
        self.particles.count
    }

    unsafe fn particles(&self, range: Range<usize>) {
        // SAFETY: vouched for by the caller.
        self.before
            .into_iter()
            .for_each(|before| unsafe { before.particles(&self.particles, range.clone()) });
    }

    #[inline(always)]
    unsafe fn read<L: Lanes>(&self, rows: &Rows<2>, particle: usize) -> Self::Of<L> {
        // SAFETY: vouched for by the caller.
        (self.pull.read(rows), L::from_f32(unsafe { self.particles.w.get(particle) }))
    }

    #[inline(always)]
    unsafe fn group<L: Lanes, W: Pattern>(&self, rows: &Rows<2>, (of, mass): Self::Of<L>, at: [usize; 2]) {
        let (Axes([x, y, z]), w) = (self.particles.x, self.particles.w);
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            let ([ax, bx], [ay, by], [az, bz]) = (W::load::<L>(x, at), W::load(y, at), W::load(z, at));
            let ends = [V3 { x: ax, y: ay, z: az }, V3 { x: bx, y: by, z: bz }];
            let d = ends[1] - ends[0];
            // The same, but less of it changes from group to group, and both ends move as far.
            if rows.skip == 0 && W::all_are(w, at, mass) {
                let scales = self.pull.scales(rows, of, d.dot(d), [mass; 2]);
                self.store::<L, W>(closer(ends, d, scales), at);
            } else {
                let scales = self.pull.scales(rows, of, d.dot(d), W::load(w, at));
                let [mut a, mut b] = closer(ends, d, scales);
                if rows.skip > 0 {
                    let stored = rows.stored::<L>();
                    a = a.where_positive_else(stored, ends[0]);
                    b = b.where_positive_else(stored, ends[1]);
                }
                self.store::<L, W>([a, b], at);
            }
        }
    }
}

impl<P> Pulls<'_, P> {
    /// # Safety
    /// As for [`along::Ends::group`].
    #[inline(always)]
    unsafe fn store<L: Lanes, W: Pattern>(&self, [a, b]: [V3<L>; 2], at: [usize; 2]) {
        let Axes([x, y, z]) = self.particles.x;
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            W::store::<L>([a.x, b.x], x, at);
            W::store::<L>([a.y, b.y], y, at);
            W::store::<L>([a.z, b.z], z, at);
        }
    }
}

/// Ends, d apart, as [`Pull::scales`] has them.
#[inline(always)]
fn closer<L: Lanes>([a, b]: [V3<L>; 2], d: V3<L>, [s0, s1]: [L; 2]) -> [V3<L>; 2] {
    [a - d * s0, b + d * s1]
}

/// A number for each row.
pub trait RowShare: Copy + Sync {
    /// Implementations put `#[inline(always)]` on it.
    fn of<L: Lanes>(&self, rows: &Rows<2>) -> L;
}

/// Adds the number of each row to both of its ends in `column`, colour by colour.
pub fn add_at_ends(
    par: &Par,
    colors: Colors,
    idx: &[[u32; 2]],
    column: &mut [f32],
    strides: &Stride,
    share: &impl RowShare,
) {
    assert!(colors.are_of(idx), "the colours are those of another table than the rows");
    assert!(idx.is_empty() || colors.end() <= column.len(), "a number for each particle");
    let count = column.len();
    let adds = Adds { column: Axis::new(column), count, share: *share };
    // A page has few threads, and each byte of it is waited for.
    if !strides.rows.is_empty() && cfg!(not(target_arch = "wasm32")) {
        return along::along::<()>(par, strides, idx, &adds);
    }
    for (row, ends) in idx.iter().enumerate() {
        let at = ends.mapped(|end| end as usize);
        // SAFETY: the particles of all rows are there, and nothing else runs.
        unsafe {
            along::Ends::group::<super::One, Adjacent>(&adds, &Rows::new::<super::One>(row, idx), (), at)
        };
    }
}

#[derive(Clone, Copy)]
struct Adds<'a, S> {
    column: Axis<'a>,
    count: usize,
    share: S,
}

impl<S: RowShare> along::Ends for Adds<'_, S> {
    type Of<L: Lanes> = ();

    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    unsafe fn read<L: Lanes>(&self, _: &Rows<2>, _: usize) {}

    #[inline(always)]
    unsafe fn group<L: Lanes, W: Pattern>(&self, rows: &Rows<2>, (): (), at: [usize; 2]) {
        // SAFETY (both calls): vouched for by the caller.
        unsafe {
            let (before, share) = (W::load::<L>(self.column, at), self.share.of::<L>(rows));
            let share = if rows.skip > 0 { share.where_positive(rows.stored()) } else { share };
            W::store::<L>([before[0] + share, before[1] + share], self.column, at);
        }
    }
}

/// Positions into columns, or back.
#[derive(Clone, Copy)]
struct Move<'a> {
    x: Axes<'a>,
    w: Axis<'a>,
    rows: SharedMut<'a, [f32; 4]>,
    back: bool,
}

impl Strip for Move<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let rows = RowsFrom { rows: &self.rows, start };
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            if self.back {
                return rows.store::<L>(self.x.load(start), self.w.load(start));
            }
            let (x, w) = rows.load::<L>();
            self.x.store(start, x);
            self.w.store(start, w);
        }
    }
}
