//! Substeps between which positions stay in columns: what a turn does, with lanes, and the same bits.
//!
//! ```text
//! enter   positions, velocities, inertial positions   rows → columns      once a frame
//! turn    velocities from positions, next prediction                      in columns
//! leave   columns → rows, before the last substep: all that comes after it finds rows
//! ```

use sim_api::SharedMut;

use crate::{
    forces::Push,
    lanes::{Axes, Axis, Lanes, RowsFrom, Strip, V3, strips},
    sim::Sim,
};

/// Rows into columns.
pub(super) fn enter(sim: &mut Sim) {
    sim.in_columns = true;
    go(sim, Way::Enter);
}

/// Velocities of a substep and the prediction of the next. What is pinned stays: nothing holds it, or there would be rows.
pub(super) fn turn(sim: &mut Sim) {
    go(sim, Way::Turn);
}

/// Columns into rows.
pub(super) fn leave(sim: &mut Sim) {
    sim.in_columns = false;
    go(sim, Way::Leave);
}

fn go(sim: &mut Sim, way: Way) {
    let (par, count) = (sim.par, sim.state.particle.position.len());
    // SAFETY: all columns have a row for each particle.
    unsafe { strips(&par, count, &Motion::of(sim, way)) };
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Enter,
    Turn,
    Leave,
}

struct Motion<'a> {
    way: Way,
    push: Push,
    /// Length of a substep [s], and 1 over it.
    h: f32,
    per_second: f32,
    x: Axes<'a>,
    w: Axis<'a>,
    v: Axes<'a>,
    inertial: Axes<'a>,
    position: SharedMut<'a, [f32; 4]>,
    velocity: SharedMut<'a, [f32; 4]>,
    inertial_rows: SharedMut<'a, [f32; 4]>,
    normal: SharedMut<'a, [f32; 4]>,
    air: SharedMut<'a, [f32; 4]>,
}

impl<'a> Motion<'a> {
    fn of(sim: &'a mut Sim, way: Way) -> Self {
        let particle = &mut sim.state.particle;
        let columns = &mut particle.columns;
        Self {
            way,
            push: Push::new(&sim.frame.world, sim.h),
            h: sim.h,
            per_second: 1.0 / sim.h,
            x: Axes([Axis::new(columns.x), Axis::new(columns.y), Axis::new(columns.z)]),
            w: Axis::new(columns.w),
            v: Axes([Axis::new(columns.vx), Axis::new(columns.vy), Axis::new(columns.vz)]),
            inertial: Axes([Axis::new(columns.ix), Axis::new(columns.iy), Axis::new(columns.iz)]),
            position: SharedMut::new(particle.position),
            velocity: SharedMut::new(particle.velocity),
            inertial_rows: SharedMut::new(particle.inertial),
            normal: SharedMut::new(particle.normal),
            air: SharedMut::new(particle.air),
        }
    }

    /// # Safety
    /// As for [`Strip::group`].
    #[inline(always)]
    unsafe fn turn<L: Lanes>(&self, start: usize) {
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            let (here, w): (V3<L>, L) = (self.x.load(start), self.w.load(start));
            let way = here - self.inertial.load(start);
            let moved = self.v.load(start) + way * L::from_f32(self.per_second);
            let moved = if self.push.blows() {
                let (normal, area) = RowsFrom { rows: &self.normal, start }.load();
                let (air, _) = RowsFrom { rows: &self.air, start }.load();
                self.push.blown(w, self.push.fallen(moved), (normal, area), air)
            } else {
                self.push.fallen(moved)
            };
            let to = here + moved * L::from_f32(self.h);
            let to = to.where_positive_else(w, here);
            self.v.store(start, moved.where_positive(w));
            self.x.store(start, to);
            self.inertial.store(start, to);
        }
    }
}

impl Strip for Motion<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let position = RowsFrom { rows: &self.position, start };
        let velocity = RowsFrom { rows: &self.velocity, start };
        let inertial = RowsFrom { rows: &self.inertial_rows, start };
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            match self.way {
                Way::Enter => {
                    let (x, w) = position.load::<L>();
                    self.x.store(start, x);
                    self.w.store(start, w);
                    self.v.store(start, velocity.load::<L>().0);
                    self.inertial.store(start, inertial.load::<L>().0);
                }
                Way::Turn => self.turn::<L>(start),
                Way::Leave => {
                    let w = self.w.load(start);
                    position.store::<L>(self.x.load(start), w);
                    velocity.store::<L>(self.v.load(start), L::from_f32(0.0));
                    inertial.store::<L>(self.inertial.load(start), w);
                }
            }
        }
    }
}
