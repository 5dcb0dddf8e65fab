//! Frames of solvers that have none: they are carried along their segments.

use sim_api::{SharedMut, SolverDesc};

use super::{
    groups::{Group, Read, Rows, Shared, Work},
    rotation::Rotation,
    seat,
};
use crate::{
    lanes::{Lanes, V3},
    sim::Sim,
    state::Segment,
};

/// After a step: the frames of a solver that has none are turned by the least rotation that brings them along their segments.
pub fn carry(sim: &mut Sim, solver: &SolverDesc) {
    if sim.state.strand.span.is_empty() || solver.taken(Segment::TABLE.name.as_str()).is_some() {
        return;
    }
    turn_along(sim);
}

/// Turns stubs with their seats, and all other frames by the least rotation along their segments; then none spins.
pub fn turn_along(sim: &mut Sim) {
    seat(sim);
    sim.state.segment.spin.fill([0.0; 4]);
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let work = Turn {
        base: rows.base,
        stretch: sim.state.segment.stretch,
        position: sim.state.particle.position,
        rotation: SharedMut::new(sim.state.segment.rotation),
    };
    // SAFETY: no two strands have a segment in common.
    unsafe { rows.run_all(&sim.par, &mut [], &work) };
}

struct Turn<'a> {
    /// Particle of the first segment.
    base: usize,
    stretch: &'a [f32],
    position: &'a [[f32; 4]],
    rotation: SharedMut<'a, [f32; 4]>,
}

impl Work for Turn<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, _: &mut [f32]) {
        // Of an open strand the last row is no segment, and stays as stubs do and what is cut.
        let mut from: V3<L> = self.place(group, 0);
        for i in 0..group.count {
            let first = group.particle(i) - self.base;
            let rotation = Shared { column: &self.rotation, first };
            let frame = Rotation::new(L::fetch(&rotation));
            let to = self.place(group, group.next(i));
            let turned = frame.onto(to - from);
            let free = L::load(&self.stretch[first..]);
            let (own, [x, y, z, w]) = (frame.lanes(), turned.lanes());
            let kept = [
                x.where_positive_else(free, own[0]),
                y.where_positive_else(free, own[1]),
                z.where_positive_else(free, own[2]),
                w.where_positive_else(free, own[3]),
            ];
            L::scatter(kept, &rotation);
            from = to;
        }
    }
}

impl Turn<'_> {
    #[inline(always)]
    fn place<L: Lanes>(&self, group: Group, i: usize) -> V3<L> {
        V3::from_row(L::fetch(&Read { column: self.position, first: group.particle(i) }))
    }
}
