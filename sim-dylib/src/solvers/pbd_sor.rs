//! PBD with over-relaxed Jacobi iterations: each particle moves by omega / n of the sum that its n rows want.
//!
//! Macklin, Müller, Chentanez, Kim: Unified Particle Physics for Real-Time Applications, 2014, section 4.3. omega 1 is the
//! plain average, up to 2 converges faster where the rows agree.

use sim_api::{Kind, ParamDesc, SolverDesc, Stiffness};

use super::{
    Solver,
    pbd_gauss_seidel::{BEND, SHEAR, STIFFNESS},
    pbd_jacobi::{self, ITERATIONS},
};
use crate::{
    coarse,
    describe::{ALL_AND_COARSE, ITERATIONS_USED, RESIDUAL},
    substep::{SUBSTEPS, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "pbd_sor",
        "Position based dynamics with over-relaxed Jacobi iterations.",
        &[SUBSTEPS, ITERATIONS, STIFFNESS, SHEAR, BEND, OMEGA, coarse::SWEEPS],
    )
    .kind(Kind::Projection)
    .stiffness(Stiffness::Geometric)
    .takes(ALL_AND_COARSE)
    .readings(&[RESIDUAL, ITERATIONS_USED]),
    step,
};

const OMEGA: ParamDesc =
    ParamDesc::number("omega", "", [0.1, 1.5, 2.0], "Relaxation; 1 is the plain average.");

fn step(sim: &mut Sim) {
    let omega = sim.param(&OMEGA);
    pbd_jacobi::run(sim, |rows| omega / rows);
}
