//! What the distance rows held, from their lambdas.

use crate::sim::Sim;

/// Tension of each row [N]: lambda is an impulse times h, negative in tension.
pub fn write_forces(sim: &mut Sim) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let distance = &mut sim.state.distance;
    let lambda = &*distance.multipliers.lambda;
    sim.par.rows(distance.force, |start, force| {
        for (force, lambda) in force.iter_mut().zip(&lambda[start..]) {
            *force = -lambda * per_h2;
        }
    });
}
