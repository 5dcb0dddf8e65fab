//! The hot code: everything that decides how cloth moves. Edit any file here while Weft runs.
//!
//! One step, in calling order:
//! 1. [`sim_api`] is the door: the host calls `step`, which binds the tables (`state.rs`) and picks the solver.
//! 2. A solver (`solvers/*.rs`) names its parameters and supplies `solve`, or drives the whole step itself.
//! 3. `substep.rs` is the driver: forces → predict → `solve` → contact → velocities, a number of times a frame.
//! 4. `projection.rs` takes a position-based solver through all tables; `elastic.rs` is the same tables as one energy,
//!    which the force-based and implicit solvers (`implicit.rs`) share.
//! 5. Constraints (`constraints/*.rs`) are pure functions; `lanes.rs` runs them eight rows at a time under a colour.
//! 6. `collide.rs` keeps particles out of colliders, with friction and restitution.
//!    `self_collision.rs` keeps cloth out of cloth.
//! 7. `gas.rs` keeps balloons round; `strands.rs` turns hair into the wind, keeps its frames, lets it feel other hair
//!    and solves it as rods.
//! 8. `outcome.rs` writes accelerations and stresses after any solver; `tear.rs` breaks what was pulled too far.
//!
//! This file and the solvers are the crate `sim`, all else is `sim_kernels` (`sim-dylib/kernels`), so that a save of a solver
//! compiles the solvers alone.
//!
//! Rules of both: no threads, no statics, no files, no allocation in a step. Columns belong to the host.
//! In a step use component-wise vector operations only (`Vec3`, lanes of `Vec4`); `Vec4::dot` and `Mat4` products sum
//! in an order that depends on the platform.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests need not be fast"))]

pub mod solvers;

pub use sim_kernels::{
    coarse, collide, constraints, elastic, forces, gas, lanes, momentum, outcome, projection, self_collision,
    state, strands, substep, tear,
};
use sim_kernels::{describe, implicit, normals};

use sim_api::{Api, FINGERPRINT, Frame, List, Status, catch_step};

static API: Api = Api {
    fingerprint: FINGERPRINT,
    size: size_of::<Api>(),
    tables: List::new(state::TABLES),
    solvers: List::new(&solvers::DESCRIPTIONS),
    readings: List::new(describe::OF_THE_STEP),
    step,
};

/// The one export of the library.
#[unsafe(no_mangle)]
pub extern "C" fn sim_api() -> *const Api {
    &raw const API
}

unsafe extern "C" fn step(frame: *mut Frame) -> Status {
    let run = |frame: &Frame| {
        let Some(solver) = solvers::SOLVERS.get(frame.solver as usize) else {
            return Status::BadFrame;
        };
        // SAFETY: the host bound the tables to this library's schema; each is viewed once.
        let Some(state) = (unsafe { state::State::bind(frame.tables()) }) else {
            return Status::BadFrame;
        };
        let mut sim = substep::Sim::new(frame, solver, state);
        outcome::begin(&mut sim);
        gas::leak(&mut sim);
        self_collision::begin(&mut sim);
        strands::grid::feel(&mut sim);
        (solver.step)(&mut sim);
        strands::carry(&mut sim, &solver.description);
        self_collision::finish(&mut sim);
        outcome::finish(&mut sim);
        tear::finish(&mut sim);
        Status::Ok
    };
    // SAFETY: `frame` is the host's, valid for this call.
    unsafe { catch_step(frame, run) }
}
