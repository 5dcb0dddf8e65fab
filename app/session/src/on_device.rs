//! A run's half on a device, in line with what the host replaced since its last step: of the session's own run, and of those
//! beside it.

use weft_engine::run::{Params, Run, StepInput};
use weft_gpu::{Fault, Gpu, GpuOptions, GpuRun, Sources, link};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) type OnDevice = Box<GpuRun>;

/// Not in a box: a page has no device, so the compiler knows that there is none of these, and leaves their code out.
#[cfg(target_arch = "wasm32")]
pub(crate) type OnDevice = GpuRun;

/// What the host has that the device has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    #[default]
    Nothing,
    /// Another state in the same tables.
    State,
    /// Other values that the scene gives.
    Given,
    /// Other tables, or other code.
    Tables,
}

/// What decides which passes run.
#[derive(PartialEq)]
pub(crate) struct Key {
    pub topology: u64,
    pub generation: u32,
    solver: String,
    params: Params,
    held: bool,
}

impl Key {
    /// `held`: particles may be.
    pub(crate) fn of(run: &Run, topology: u64, held: bool) -> Self {
        let (solver, params) = (run.solver.clone(), run.params.clone());
        Self { topology, generation: run.generation.number, solver, params, held }
    }

    /// Whether it is that of `run` as it is now.
    pub(crate) fn is_of(&self, run: &Run, topology: u64, held: bool) -> bool {
        (self.topology, self.generation, self.held) == (topology, run.generation.number, held)
            && self.solver == run.solver
            && self.params == run.params
    }
}

/// Brings a run there on `gpu`, or on an adapter of its own where OpenGL does not bind or compile its passes.
pub(crate) fn enter(
    gpu: &Gpu,
    options: &GpuOptions,
    sources: Sources,
    run: &mut Run,
    input: &StepInput,
) -> Result<OnDevice, Fault> {
    let passes = options.passes.as_deref();
    match GpuRun::make(gpu.clone(), sources.clone(), run, input, passes, None) {
        Ok(made) => Ok(made.into()),
        Err(fault) => {
            let Some(other) = link::instead(options, gpu, &fault) else { return Err(fault) };
            GpuRun::make(other, sources, run, input, passes, None).map(Into::into).map_err(|_| fault)
        }
    }
}

/// Before a step: the device gets what changed on the host, and goes on with other passes where these do not do. `same`:
/// nothing changed that decides which.
pub(crate) fn follow_host(
    gpu: &mut GpuRun,
    run: &mut Run,
    (change, same): (Change, bool),
    input: &StepInput,
    wanted: Option<&str>,
) -> Result<(), Fault> {
    let renew = match change {
        Change::Nothing => false,
        Change::State => {
            gpu.upload_state(run)?;
            false
        }
        Change::Given => !gpu.upload_given(run)?,
        Change::Tables => true,
    };
    if renew || !same && gpu.offer(run, input, wanted)? != gpu.list.name {
        gpu.fetch(run)?;
        gpu.renew(run, input, wanted)?;
    }
    gpu.forget_times();
    Ok(())
}
