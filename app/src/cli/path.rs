//! On the processor or on an adapter: `--path` and what goes with it.

use clap::{Args, ValueEnum};

use weft_core::command::CommandError;
use weft_gpu::{Gpu, GpuOptions, LinkChoice};

/// Where a run goes on.
#[derive(Args)]
pub(super) struct Where {
    /// Where the solver runs
    #[arg(long, value_enum, default_value_t)]
    pub path: Path,
    /// For the GPU path: part of the name of an adapter; `weft adapters` lists them
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// With --path gpu: a list of shaders/sim/passes.ron instead of the first that fits
    #[arg(long, value_name = "LIST")]
    pub passes: Option<String>,
    /// For the GPU path and a picture: how the picture gets what is computed [default: auto]
    #[arg(long, value_enum, value_name = "LINK")]
    pub link: Option<LinkChoice>,
}

impl Where {
    /// The GPU path, if it is asked for.
    pub(super) fn gpu(self) -> Result<Option<GpuOptions>, CommandError> {
        let on_gpu = self.path == Path::Gpu;
        self.fits(on_gpu)?;
        on_gpu.then(|| self.device()).transpose()
    }

    /// Whether all that is said of the GPU path is for a run there.
    pub(super) fn fits(&self, on_gpu: bool) -> Result<(), CommandError> {
        let link = self.link.and_then(|link| Some(link.to_possible_value()?.get_name().to_string()));
        let given = [("--adapter", &self.adapter), ("--passes", &self.passes), ("--link", &link)];
        let idle = given.iter().find_map(|(option, given)| Some((option, given.as_ref()?)));
        match idle.filter(|_| !on_gpu) {
            Some((option, given)) => Err(CommandError::Usage(format!(
                "{option} {given}: nothing here runs on the GPU path; add --path gpu"
            ))),
            None => Ok(()),
        }
    }

    /// How a device is asked for, now or later.
    ///
    /// # Errors
    /// The name of an adapter that none has.
    pub(super) fn device(self) -> Result<GpuOptions, CommandError> {
        let options =
            GpuOptions { adapter: self.adapter, passes: self.passes, link: self.link.unwrap_or_default() };
        named_adapter(&options)?;
        Ok(options)
    }
}

/// Where a solver runs.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Path {
    /// The hot code, on the processor's cores
    #[default]
    Cpu,
    /// The passes of shaders/sim, on an adapter
    Gpu,
}

/// An adapter that is asked for by name has to be there.
pub(super) fn named_adapter(options: &GpuOptions) -> Result<(), CommandError> {
    options.adapter.as_deref().map_or(Ok(()), Gpu::named).map_err(CommandError::Usage)
}
