//! Verlet and relaxation: particles keep a share of their motion, then every length takes back its error, time and again.
//!
//! ```text
//! x' = x + d (x - x before) + a h²        then `iterations` times, link by link:  C = |x1 - x0| - l
//! x0 += w0 / (w0 + w1) C n                x1 -= w1 / (w0 + w1) C n
//! ```
//! Jakobsen: Advanced Character Physics, 2001; the hair of many a first course. Strands are swept from the root to the tip, cloth
//! colour by colour. What is stiff here is what has many iterations: 32 links of 30 cm stretch by 67 % with 20. Nothing but
//! lengths acts: cloth has bend rows that skip one particle, or none. The share d kept in a step would be another damping
//! at another step; here it is 1 / (1 + `damping` h).

use sim_api::{Kind, Mapped, Par, ParamDesc, SolverDesc, Stiffness, Takes};

use super::Solver;
use crate::{
    collide::plane::{self, planes},
    constraints::{Tables, multipliers},
    describe::{ATTACHMENT, DISTANCE, ITERATIONS_USED, MOUNT, ROOT, SEGMENT, TETHER},
    lanes::{Columns, lost::Lost},
    projection::{self, Constraints, Method, Models, Sweep},
    state::State,
    strands::{self, relax, roots::roots},
    substep::{self, SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "verlet",
        "Verlet steps and relaxation of lengths, as in a first course on hair: as stiff as it has iterations.",
        &[SUBSTEPS, ITERATIONS, DAMPING],
    )
    .kind(Kind::Projection)
    .for_strands()
    .stiffness(Stiffness::Geometric)
    .takes(LENGTHS)
    .readings(&[ITERATIONS_USED]),
    step,
};

const LENGTHS: &[Takes] = &[SEGMENT, DISTANCE, TETHER, ATTACHMENT, ROOT, MOUNT];
const ITERATIONS: ParamDesc =
    ParamDesc::count("iterations", [1, 10, 1000], "Sweeps over all lengths in each substep.");
const DAMPING: ParamDesc = ParamDesc::number(
    "damping",
    "1/s",
    [0.0, 0.0, 100.0],
    "Fraction of the motion that is lost in a second, for small ones.",
);

fn step(sim: &mut Sim) {
    damp(sim);
    let iterations = sim.count(&ITERATIONS);
    let cloth = strands::beside_cloth(&sim.state.particle, &sim.state.segment);
    let keeps_lost = projection::keeps_lost(sim, iterations);
    sim.state.segment.pull.fill(0.0);
    substep::run(sim, |sim| {
        plane::find(sim);
        let last = sim.in_last_substep();
        if last {
            sim.par.fill(sim.state.distance.multipliers.lambda, 0.0);
        }
        for _ in 0..iterations {
            let (par, state, h) = (&sim.par, &mut sim.state, keeps_lost.then_some(sim.h));
            planes!(state).hold(par, state.particle.position);
            if cloth {
                relax_cloth(par, state, (h, last));
            }
            roots!(state).follow(par, state.particle.position);
            relax::sweep(sim);
        }
    });
    strands::turn_along(sim);
    strands::tell_pulls(sim);
    projection::write_forces(sim);
    sim.frame.reading(ITERATIONS_USED, (iterations * sim.count(&SUBSTEPS)) as f32);
}

/// One sweep over lengths, tethers and soft pins, colour by colour. What positions lose of it is kept in substeps of `h` seconds.
fn relax_cloth(par: &Par, state: &mut State, (h, keeps_lambda): (Option<f32>, bool)) {
    let mut constraints = Constraints {
        method: Method::Rigid { shares: [1.0; 3], keeps_lambda },
        models: Models::none(),
        tables: Tables::of(state),
        multipliers: multipliers!(state),
        still: state.particle.inertial,
    };
    let mut columns = Columns::new(&mut state.particle.columns, &state.stride);
    let mut lost = h.map(|h| Lost::new(state.particle.lost, h));
    let each = &mut |sweep: &mut Sweep| constraints.project(sweep);
    projection::coloured(par, state.particle.position, &mut columns, &mut lost, each);
}

/// Takes their share from all velocities.
fn damp(sim: &mut Sim) {
    let damping = sim.param(&DAMPING);
    if damping == 0.0 {
        return;
    }
    let keep = 1.0 / (1.0 + damping * sim.frame.dt);
    sim.par.rows(sim.state.particle.velocity, |_, velocities| {
        velocities.iter_mut().for_each(|velocity| *velocity = velocity.mapped(|v| v * keep));
    });
}
