//! Follow the leader on strands: lengths are exact after one pass, and nothing else resists.
//!
//! Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur, 2012. The cheapest hair there is; it does not bend, and
//! with long steps it swings too slowly (`kernels/strands/leader.rs`). Cloth is left out: it falls.

use sim_api::{Kind, ParamDesc, SolverDesc, Takes};

use super::Solver;
use crate::{
    collide::plane::{self, planes},
    describe::SEGMENT,
    strands::{self, leader},
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "follow_the_leader",
        "Lengths of strands by one pass from the root to the tip; no bending, no weight at a tip, no cloth.",
        &[SUBSTEPS, CORRECTION],
    )
    .kind(Kind::Projection)
    .for_strands()
    .takes(STRANDS),
    step,
};

const STRANDS: &[Takes] = &[SEGMENT];
const CORRECTION: ParamDesc = ParamDesc::number(
    "correction",
    "",
    [0.0, 0.95, 1.0],
    "Fraction of the next particle's correction that the velocity gives back: 0 drags like honey, 1 keeps the swing.",
);

fn step(sim: &mut Sim) {
    let correction = sim.param(&CORRECTION);
    substep::run(sim, |sim| {
        if !sim.state.collider.kind.is_empty() {
            leader::follow(sim, None);
            plane::find(sim);
            let (par, state) = (&sim.par, &mut sim.state);
            planes!(state).hold(par, state.particle.position);
        }
        leader::follow(sim, Some(correction));
    });
    strands::turn_along(sim);
}
