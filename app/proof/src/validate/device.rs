//! Where a case runs: the hot code, or an adapter on the GPU path.

use super::{Miss, Trial, chebyshev::GIVEN_UP, fixture::Fixture};
use weft_engine::run::{self, StepError};
use weft_gpu::{Gpu, GpuOptions, GpuRun, Sources, passes::Passes};
use weft_scene::assemble;
use weft_session::Session;

/// An adapter, and what it offers.
pub(super) struct Device {
    options: GpuOptions,
    gpu: Gpu,
    sources: Sources,
    passes: Passes,
}

impl Device {
    pub(super) fn open(options: &GpuOptions) -> Result<Self, String> {
        let sources = Sources::find()?;
        let passes = Passes::read(&sources).map_err(|error| error.report)?;
        Ok(Self { options: options.clone(), gpu: Gpu::open(options.adapter.as_deref())?, sources, passes })
    }

    pub(super) fn offers(&self, solver: &str) -> bool {
        self.passes.lists.iter().any(|list| list.solver == solver)
    }
}

impl Trial<'_> {
    /// The run, made ready, where this trial takes place. It moves there at its first step.
    pub fn placed(&self, fixture: Fixture) -> Fixture {
        let Some(device) = self.device else { return fixture };
        let (gpu, sources) = (device.gpu.clone(), device.sources.clone());
        let mut there: Option<GpuRun> = None;
        fixture.moved_by(Box::new(move |run, input| {
            let open = || GpuRun::make(gpu.clone(), sources.clone(), run, input, None, None);
            let mut moved = there.take().map_or_else(open, Ok)?;
            moved.step(run, input)?;
            moved.fetch(run).map_err(StepError::Gpu)?;
            there = Some(moved);
            run.not_finite().map_or(Ok(()), Err)
        }))
    }

    /// Refuses accelerated iterations of strands on the GPU path, which does not offer them: passes work out no residual, so that
    /// they would not be given up where they make things worse, as they do of segments as stiff as those of hair.
    pub fn gives_up_or_is_plain(&self) -> Result<(), Miss> {
        if self.device.is_some() && self.about.gives(GIVEN_UP) {
            return Err(Miss::NotOffered(
                "its passes do not give up acceleration that makes things worse".to_string(),
            ));
        }
        Ok(())
    }

    /// The same for a scene.
    pub fn place(&self, session: &mut Session) -> Result<(), Miss> {
        let Some(device) = self.device else { return Ok(()) };
        GpuRun::offered(
            Some(&device.gpu),
            &device.sources,
            session.run(),
            &run::input(session.scene(), &[]),
        )?;
        Ok(session.use_gpu(&device.options)?)
    }

    /// Values and names of a choice of this trial's solver, as far as it can run with them here; empty if it has no such
    /// parameter.
    pub fn variants(&self, param: &str) -> Vec<(f32, &'static str)> {
        let Some(known) = self.about.param(param) else { return Vec::new() };
        let here = |choice: &str| {
            self.device.is_none_or(|device| {
                let mut lists = device.passes.lists.iter().filter(|list| list.solver == self.solver);
                lists.any(|list| list.bears(param, choice))
            })
        };
        (0..).map(|i| i as f32).zip(assemble::choices(known)).filter(|(_, name)| here(name)).collect()
    }
}
