//! Relaxation: each segment takes back its error, one after another from the root to the tip.
//!
//! x0 += w0 / (w0 + w1) C n, x1 -= w1 / (w0 + w1) C n with C = |x1 - x0| - l (Jakobsen: Advanced Character Physics, 2001). A
//! sweep carries what the root does to the tip at once, what the tip does by one segment back to the root. The sum of C / (w0 + w1) over
//! all sweeps of a frame's last substep, by h², is the force that holds a segment.

use sim_api::SharedMut;

use super::groups::{Group, Numbers, Rows, Shared, Work};
use crate::{
    constraints::distance,
    lanes::{Lanes, V3},
    sim::Sim,
};

/// One sweep over all segments of strands.
pub fn sweep(sim: &mut Sim) {
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let pull = sim.in_last_substep().then(|| SharedMut::new(&mut *sim.state.segment.pull));
    let work = Relax {
        base: rows.base,
        rest: sim.state.segment.rest,
        stretch: sim.state.segment.stretch,
        position: SharedMut::new(sim.state.particle.position),
        pull,
    };
    // SAFETY: no two strands have a particle in common.
    unsafe { rows.run_all(&sim.par, &mut [], &work) };
}

struct Relax<'a> {
    /// Particle of the first segment.
    base: usize,
    rest: &'a [f32],
    stretch: &'a [f32],
    position: SharedMut<'a, [f32; 4]>,
    /// `segment.pull`, where the force is asked for.
    pull: Option<SharedMut<'a, f32>>,
}

impl Work for Relax<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, _: &mut [f32]) {
        let column = |particle| Shared { column: &self.position, first: particle };
        // What lies in a cloth or a body is moved with it.
        let [root, _] = group.borne;
        let first = if root == u32::MAX { 0 } else { (root as usize).min(group.count - 1) };
        let root = L::fetch(&column(group.particle(first)));
        let (mut before, mut mass) = (V3::from_row(root), root[3]);
        for i in first + 1..group.count {
            let particle = group.particle(i);
            let row = L::fetch(&column(particle));
            let ends = [(before, mass), (V3::from_row(row), row[3])];
            let [from, to] = self.relaxed(particle - group.stride - self.base, ends);
            L::scatter([from.x, from.y, from.z, mass], &column(particle - group.stride));
            (before, mass) = (to, row[3]);
        }
        let last = group.particle(group.count - 1);
        if group.closed {
            let row = L::fetch(&column(group.first));
            let ends = [(before, mass), (V3::from_row(row), row[3])];
            let [from, first] = self.relaxed(last - self.base, ends);
            before = from;
            L::scatter([first.x, first.y, first.z, row[3]], &column(group.first));
        }
        L::scatter([before.x, before.y, before.z, mass], &column(last));
    }
}

impl Relax<'_> {
    /// Where both ends of a segment go, of their places and inverse masses; nowhere where it is cut.
    #[inline(always)]
    fn relaxed<L: Lanes>(&self, segment: usize, ends: [(V3<L>, L); 2]) -> [V3<L>; 2] {
        let rest = L::load(&self.rest[segment..]);
        let (back, forth, change) = distance::project_stiff(ends[0], ends[1], rest, L::from_f32(1.0));
        let [from, to] = [ends[0].0 + back, ends[1].0 + forth];
        let cut = -L::load(&self.stretch[segment..]);
        if let Some(pull) = &self.pull {
            let pull = Numbers { column: pull, first: segment };
            pull.store(pull.load::<L>() + L::from_f32(0.0).where_positive_else(cut, change));
        }
        [or(cut, ends[0].0, from), or(cut, ends[1].0, to)]
    }
}

/// The first where `cut` is above 0, else the second.
#[inline(always)]
fn or<L: Lanes>(cut: L, a: V3<L>, b: V3<L>) -> V3<L> {
    V3 {
        x: a.x.where_positive_else(cut, b.x),
        y: a.y.where_positive_else(cut, b.y),
        z: a.z.where_positive_else(cut, b.z),
    }
}
