//! Substeps between which positions stay in columns: what a turn does, with lanes, and the same bits.
//!
//! ```text
//! enter   positions, velocities: rows → columns, and the first prediction      once a frame
//! turn    velocities from positions, next prediction  in columns, with the next sweep, along the cloth
//! leave   positions: columns → rows, before the last substep: all that comes then finds rows
//! velocities of the last substep, from both, into rows
//! ```

use std::ops::Range;

use sim_api::{Mapped, SharedMut};

use crate::{
    forces::Push,
    lanes::{Before, Lanes, Particles, RowsFrom, Strip, V3, strip, strips},
    sim::{Positions, Sim},
};

/// Rows into columns, with the prediction of the first substep.
pub(super) fn enter(sim: &mut Sim) {
    sim.positions = Positions::Columns;
    let (par, turn, particle) = (sim.par, Turn::new(sim), &mut sim.state.particle);
    let enter = Enter {
        columns: Particles::new(&mut particle.columns),
        position: SharedMut::new(particle.position),
        velocity: SharedMut::new(particle.velocity),
        previous: SharedMut::new(particle.previous),
        turn: turn.in_air(particle.normal, particle.air),
    };
    // SAFETY: all columns have a row for each particle.
    unsafe { strips(&par, enter.columns.count, &enter) };
}

/// Positions into rows, after the last turn.
pub(super) fn leave(sim: &mut Sim) {
    sim.positions = Positions::Both;
    let (par, turn) = (sim.par, Turn::take(sim));
    let particle = &mut sim.state.particle;
    if let Some(turn) = turn {
        let columns = Particles::new(&mut particle.columns);
        let turn = turn.in_air(particle.normal, particle.air);
        // SAFETY: blocks share no particle, and all are there.
        par.blocks(0..columns.count, |range| unsafe { turn.particles(&columns, range) });
    }
    Particles::new(&mut particle.columns).give_positions(&par, particle.position);
}

/// Velocities of the last substep, with the bits of those from rows: positions there are its end, inertia is in columns.
pub(super) fn velocities(sim: &mut Sim) {
    sim.positions = Positions::Rows;
    let particle = &mut sim.state.particle;
    let last = Last {
        columns: Particles::new(&mut particle.columns),
        position: SharedMut::new(particle.position),
        velocity: SharedMut::new(particle.velocity),
        predicted: SharedMut::new(particle.predicted),
        per_second: 1.0 / sim.h,
    };
    // SAFETY: all columns have a row for each particle.
    unsafe { strips(&sim.par, last.columns.count, &last) };
}

#[derive(Clone, Copy)]
struct Enter<'a> {
    columns: Particles<'a>,
    position: SharedMut<'a, [f32; 4]>,
    velocity: SharedMut<'a, [f32; 4]>,
    previous: SharedMut<'a, [f32; 4]>,
    turn: TurnInAir<'a>,
}

impl Strip for Enter<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let Particles { x, w, v, inertial, .. } = &self.columns;
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            let (here, mass) = RowsFrom { rows: &self.position, start }.load::<L>();
            let before = RowsFrom { rows: &self.velocity, start }.load::<L>().0;
            RowsFrom { rows: &self.previous, start }.store::<L>(here, mass);
            let (moved, to) = self.turn.predict(start, (here, before), mass);
            x.store(start, to);
            w.store(start, mass);
            v.store(start, moved.where_positive_else(mass, before));
            inertial.store(start, to);
        }
    }
}

#[derive(Clone, Copy)]
struct Last<'a> {
    columns: Particles<'a>,
    position: SharedMut<'a, [f32; 4]>,
    velocity: SharedMut<'a, [f32; 4]>,
    predicted: SharedMut<'a, [f32; 4]>,
    /// 1 over the length of a substep [1/s].
    per_second: f32,
}

impl Strip for Last<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let Particles { v, inertial, .. } = &self.columns;
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            let (here, mass) = RowsFrom { rows: &self.position, start }.load::<L>();
            let (way, before) = (here - inertial.load(start), v.load(start));
            let moved = (before + way * L::from_f32(self.per_second)).where_positive(mass);
            RowsFrom { rows: &self.velocity, start }.store(moved, L::from_f32(0.0));
            RowsFrom { rows: &self.predicted, start }.store(before, L::from_f32(0.0));
        }
    }
}

/// Velocities of a substep and the prediction of the next. What is pinned stays: nothing holds it, or there would be rows.
#[derive(Clone, Copy)]
pub struct Turn {
    push: Push,
    /// Length of a substep [s], and 1 over it.
    h: f32,
    per_second: f32,
}

impl Turn {
    fn new(sim: &Sim) -> Self {
        Self { push: Push::new(&sim.frame.world, sim.h), h: sim.h, per_second: 1.0 / sim.h }
    }

    /// Where particles in columns are between two substeps: the sweep that comes next brings them into the next one.
    pub fn take(sim: &mut Sim) -> Option<Self> {
        std::mem::take(&mut sim.turn_is_due).then(|| Self::new(sim))
    }

    /// The same for cloth with these normals, in this air.
    pub fn in_air<'a>(self, normal: &'a mut [[f32; 4]], air: &'a mut [[f32; 4]]) -> TurnInAir<'a> {
        TurnInAir { turn: self, normal: SharedMut::new(normal), air: SharedMut::new(air) }
    }
}

/// A [`Turn`] of all that it takes.
#[derive(Clone, Copy)]
pub struct TurnInAir<'a> {
    turn: Turn,
    normal: SharedMut<'a, [f32; 4]>,
    air: SharedMut<'a, [f32; 4]>,
}

impl TurnInAir<'_> {
    /// Velocities of particles from `start` on after the forces of a substep, and where they go with them.
    ///
    /// # Safety
    /// As for [`Strip::group`].
    #[inline(always)]
    unsafe fn predict<L: Lanes>(&self, start: usize, (x, v): (V3<L>, V3<L>), w: L) -> (V3<L>, V3<L>) {
        let Turn { push, h, .. } = &self.turn;
        let mut moved = push.fallen(v);
        if push.blows() {
            // SAFETY (both calls): vouched for by the caller.
            let [normal, air] =
                [&self.normal, &self.air].mapped(|rows| unsafe { RowsFrom { rows, start }.load() });
            moved = push.blown(w, moved, normal, air.0);
        }
        (moved, (x + moved * L::from_f32(*h)).where_positive_else(w, x))
    }
}

impl Before for TurnInAir<'_> {
    unsafe fn particles(&self, columns: &Particles, range: Range<usize>) {
        // SAFETY: vouched for by the caller.
        unsafe { strip(range, &Turning { turn: *self, columns: *columns }) };
    }
}

#[derive(Clone, Copy)]
struct Turning<'a> {
    turn: TurnInAir<'a>,
    columns: Particles<'a>,
}

impl Strip for Turning<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let Particles { x, w, v, inertial, .. } = &self.columns;
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            let (here, mass): (V3<L>, L) = (x.load(start), w.load(start));
            let way = here - inertial.load(start);
            let now = v.load(start) + way * L::from_f32(self.turn.turn.per_second);
            let (moved, to) = self.turn.predict(start, (here, now), mass);
            v.store(start, moved.where_positive(mass));
            x.store(start, to);
            inertial.store(start, to);
        }
    }
}
