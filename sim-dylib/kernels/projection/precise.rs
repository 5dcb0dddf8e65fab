//! When sweeps keep what the last place of a position loses ([`crate::lanes::lost`]), which takes longer.

use std::ops::Range;

use crate::{lanes::lost, sim::Sim, substep::SUBSTEPS};

/// Sweeps of one substep from which on what each of them lacks may be less than the last place of a position: 1,000 over rigid links
/// 20 m away leave a tension of 1.6 % that no position has (V3).
const MANY: usize = 200;

/// Last places of a position that gravity moves a particle by in a substep, below which a constraint takes back less than one: a
/// pendulum of 0.5 m that hangs 2.75 m up swung at 0.83 of its period with 200 substeps. `weft check` warns from two of them on, for
/// which no sweep need take longer.
const PLACES: f32 = 1.0;

/// Whether this step's sweeps do, of which there are `iterations` in each substep. Forgets what an earlier step has lost.
pub fn keeps_lost(sim: &mut Sim, iterations: usize) -> bool {
    let keeps = lost_within(sim, iterations >= MANY) > 0.0;
    if keeps {
        sim.par.fill(sim.state.particle.lost, [0.0; 4]);
    }
    keeps
}

/// How far from the origin is kept what positions lose in this step [m]; 0: nowhere, for a solver has not so `many` iterations in each
/// substep that they come near, and substeps are long enough.
///
/// # Panics
/// If the solver does not list [`SUBSTEPS`].
pub fn lost_within(sim: &Sim, many: bool) -> f32 {
    let h = sim.frame.dt / sim.count(&SUBSTEPS) as f32;
    if many || is_short(sim, h) { lost::kept_within(h) } else { 0.0 }
}

/// Whether gravity moves some particle by less than [`PLACES`] of its position in a substep of `h` seconds.
fn is_short(sim: &Sim, h: f32) -> bool {
    let [x, y, z] = sim.frame.world.gravity;
    let near = (x * x + y * y + z * z).sqrt() * h * h / (PLACES * f32::EPSILON);
    let position = &*sim.state.particle.position;
    let beyond = |range: Range<usize>| {
        // No branch: nearly always all of them are looked at.
        position[range]
            .iter()
            .fold(false, |far, [x, y, z, _]| far | (x.abs() > near) | (y.abs() > near) | (z.abs() > near))
    };
    near > 0.0 && sim.par.any(position.len(), beyond)
}
