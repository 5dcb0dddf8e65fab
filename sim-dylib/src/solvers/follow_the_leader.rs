//! Follow the leader on strands: lengths are exact after one pass, and nothing else resists.
//!
//! Müller, Kim, Chentanez: Fast Simulation of Inextensible Hair and Fur, 2012. The cheapest hair there is; it does not bend, and
//! with long steps it swings too slowly (`kernels/strands/leader.rs`). Cloth is left out: it falls.

use sim_api::{Kind, ParamDesc, SolverDesc, Takes};

use super::Solver;
use crate::{
    collide::plane,
    describe::SEGMENT,
    self_collision,
    strands::{
        self,
        leader::{self, Pass},
    },
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
    "Fraction of the next particle's correction that the velocity gives back: 1 keeps the swing; at 0 ends weigh nothing, and whip.",
);

fn step(sim: &mut Sim) {
    let correction = sim.param(&CORRECTION);
    let collides = !sim.state.collider.kind.is_empty();
    let solve = |sim: &mut Sim| {
        if collides {
            leader::follow(sim, Pass::First);
            plane::find(sim);
        }
        leader::follow(sim, Pass::Last { correction });
    };
    let touches = collides || !self_collision::off(sim);
    substep::run_settled(sim, solve, |sim| {
        if touches {
            leader::follow(sim, Pass::Settle);
        }
    });
    strands::turn_along(sim);
}
