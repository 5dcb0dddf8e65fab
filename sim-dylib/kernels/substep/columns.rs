//! Substeps between which positions stay in columns: what a turn does, with lanes, and the same bits.
//!
//! ```text
//! enter   positions, velocities, inertial positions   rows → columns      once a frame
//! turn    velocities from positions, next prediction  in columns, with the next sweep, along the cloth
//! leave   columns → rows, before the last substep: all that comes after it finds rows
//! ```

use std::ops::Range;

use sim_api::SharedMut;

use crate::{
    forces::Push,
    lanes::{Before, Lanes, Particles, RowsFrom, Strip, V3, strip, strips},
    sim::Sim,
};

/// Rows into columns.
pub(super) fn enter(sim: &mut Sim) {
    sim.in_columns = true;
    go(sim, Way::Enter);
}

/// Columns into rows, after the last turn.
pub(super) fn leave(sim: &mut Sim) {
    sim.in_columns = false;
    let (par, turn) = (sim.par, Turn::take(sim));
    if let Some(turn) = turn {
        let particle = &mut sim.state.particle;
        let columns = Particles::new(&mut particle.columns);
        let turn = turn.in_air(particle.normal, particle.air);
        // SAFETY: blocks share no particle, and all are there.
        par.blocks(0..columns.count, |range| unsafe { turn.particles(&columns, range) });
    }
    go(sim, Way::Leave);
}

fn go(sim: &mut Sim, way: Way) {
    let (par, particle) = (sim.par, &mut sim.state.particle);
    let motion = Motion {
        way,
        columns: Particles::new(&mut particle.columns),
        position: SharedMut::new(particle.position),
        velocity: SharedMut::new(particle.velocity),
        inertial: SharedMut::new(particle.inertial),
    };
    // SAFETY: all columns have a row for each particle.
    unsafe { strips(&par, motion.columns.count, &motion) };
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Enter,
    Leave,
}

struct Motion<'a> {
    way: Way,
    columns: Particles<'a>,
    position: SharedMut<'a, [f32; 4]>,
    velocity: SharedMut<'a, [f32; 4]>,
    inertial: SharedMut<'a, [f32; 4]>,
}

impl Strip for Motion<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let Particles { x, w, v, inertial, .. } = &self.columns;
        let position = RowsFrom { rows: &self.position, start };
        let velocity = RowsFrom { rows: &self.velocity, start };
        let inertial_rows = RowsFrom { rows: &self.inertial, start };
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            match self.way {
                Way::Enter => {
                    let (here, mass) = position.load::<L>();
                    x.store(start, here);
                    w.store(start, mass);
                    v.store(start, velocity.load::<L>().0);
                    inertial.store(start, inertial_rows.load::<L>().0);
                }
                Way::Leave => {
                    let mass = w.load(start);
                    position.store::<L>(x.load(start), mass);
                    velocity.store::<L>(v.load(start), L::from_f32(0.0));
                    inertial_rows.store::<L>(inertial.load(start), mass);
                }
            }
        }
    }
}

/// Velocities of a substep and the prediction of the next. What is pinned stays: nothing holds it, or there would be rows.
pub struct Turn {
    push: Push,
    /// Length of a substep [s], and 1 over it.
    h: f32,
    per_second: f32,
}

impl Turn {
    /// Where particles in columns are between two substeps: the sweep that comes next brings them into the next one.
    pub fn take(sim: &mut Sim) -> Option<Self> {
        let due = std::mem::take(&mut sim.turn_is_due);
        due.then(|| Self { push: Push::new(&sim.frame.world, sim.h), h: sim.h, per_second: 1.0 / sim.h })
    }

    /// The same for cloth with these normals, in this air.
    pub fn in_air<'a>(self, normal: &'a mut [[f32; 4]], air: &'a mut [[f32; 4]]) -> TurnInAir<'a> {
        TurnInAir { turn: self, normal: SharedMut::new(normal), air: SharedMut::new(air) }
    }
}

/// A [`Turn`] of all that it takes.
pub struct TurnInAir<'a> {
    turn: Turn,
    normal: SharedMut<'a, [f32; 4]>,
    air: SharedMut<'a, [f32; 4]>,
}

impl Before for TurnInAir<'_> {
    unsafe fn particles(&self, columns: &Particles, range: Range<usize>) {
        // SAFETY: vouched for by the caller.
        unsafe { strip(range, &Turning { turn: self, columns }) };
    }
}

struct Turning<'t, 'a> {
    turn: &'t TurnInAir<'a>,
    columns: &'t Particles<'t>,
}

impl Strip for Turning<'_, '_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let Particles { x, w, v, inertial, .. } = self.columns;
        let TurnInAir { turn, normal, air } = self.turn;
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            let (here, mass): (V3<L>, L) = (x.load(start), w.load(start));
            let way = here - inertial.load(start);
            let moved = turn.push.fallen(v.load(start) + way * L::from_f32(turn.per_second));
            let moved = if turn.push.blows() {
                let (normal, area) = RowsFrom { rows: normal, start }.load();
                turn.push.blown(mass, moved, (normal, area), RowsFrom { rows: air, start }.load().0)
            } else {
                moved
            };
            let to = (here + moved * L::from_f32(turn.h)).where_positive_else(mass, here);
            v.store(start, moved.where_positive(mass));
            x.store(start, to);
            inertial.store(start, to);
        }
    }
}
