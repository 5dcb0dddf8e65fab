//! The device in line with what the host has, and the GPU path entered or left where that has to be.

use super::{
    Lab, Notice,
    device::{Change, Key},
};
use weft_engine::run;
use weft_engine::run::StepInput;
use weft_gpu::{Fault, GpuRun, Sources, link};

use sim_api::Hold;

/// Something is held, wherever it is.
const STILL: Hold = Hold { particle: 0, begin: [0.0; 3], end: [0.0; 3] };

impl Lab {
    /// Brings the device in line with code, scene, solver and state; enters or leaves the GPU path.
    pub(super) fn keep_device(&mut self) {
        if self.device.wanted.is_none() {
            return;
        }
        let held = self.grab.is_some() || self.replay.is_some() || !self.handles.is_empty();
        let same = self.device.key.as_ref().is_some_and(|key| self.is_as(key, held));
        let change = std::mem::take(&mut self.device.change);
        if same && (change == Change::Nothing || self.gpu.is_none() && change < Change::Given) {
            return;
        }
        let before = self.device.key.replace(Key {
            topology: self.topology,
            generation: self.run.generation.number,
            solver: self.run.solver.clone(),
            params: self.run.params.clone(),
            held,
        });
        let holds = if held { &[STILL][..] } else { &[] };
        let input = run::input(&self.scene, holds);
        let was_in = self.gpu.is_some();
        let kept = if was_in { self.adapt(change, same, &input) } else { self.enter(&input) };
        match kept {
            Ok(()) => {
                let now =
                    self.gpu.as_ref().map(|gpu| (&gpu.gpu.info.name, &gpu.list.name, gpu.gpu.link.text()));
                if let (false, Some((adapter, passes, link))) = (was_in, now) {
                    // What was wrong was mended, perhaps in another file.
                    self.problems.passes.clear();
                    let text = format!("{adapter} goes on with the passes {passes}, {link}");
                    self.device.notices.push(Notice::good("gpu", text));
                }
                self.device.refusal = None;
                let tables =
                    before.is_none_or(|key| (key.topology, key.generation) != self.code_and_tables());
                self.ask_offers(tables || !was_in, &input);
            }
            Err(fault) => self.leave(fault),
        }
        self.note_whole();
        self.fit_history();
        if std::mem::take(&mut self.device.asks_parity) {
            self.check_parity();
        }
    }

    fn code_and_tables(&self) -> (u64, u32) {
        (self.topology, self.run.generation.number)
    }

    fn is_as(&self, key: &Key, held: bool) -> bool {
        (key.topology, key.generation, key.held) == (self.topology, self.run.generation.number, held)
            && key.solver == self.run.solver
            && key.params == self.run.params
    }

    fn enter(&mut self, input: &StepInput) -> Result<(), Fault> {
        let Some(options) = &self.device.wanted else { return Ok(()) };
        let gpu = match self.device.spare.take() {
            Some(gpu) => gpu,
            None => match self.device.open(options) {
                Ok(gpu) => gpu,
                Err(why) => {
                    // Asked for again, it is looked for again; not before.
                    self.device.wanted = None;
                    return Err(Fault::Refused(why));
                }
            },
        };
        self.device.spare = Some(gpu.clone());
        let mut sources = Sources::find()?;
        sources.leave_out(&self.device.banned);
        let (run, passes) = (&self.run, options.passes.as_deref());
        let made = match GpuRun::make(gpu.clone(), sources.clone(), run, input, passes, None) {
            // What OpenGL does not bind or compile, an adapter of its own may.
            Err(Fault::Shader(error)) => {
                let Some(other) = link::instead(options, &gpu, &error) else { return Err(error.into()) };
                let made = GpuRun::make(other.clone(), sources, run, input, passes, None);
                self.device.spare = Some(other);
                made.map_err(|_| error)?
            }
            made => made?,
        };
        self.gpu = Some(made);
        Ok(())
    }

    fn adapt(&mut self, change: Change, same: bool, input: &StepInput) -> Result<(), Fault> {
        let (Some(gpu), Some(options)) = (&mut self.gpu, &self.device.wanted) else { return Ok(()) };
        let (run, wanted) = (&mut self.run, options.passes.as_deref());
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

    /// The CPU goes on.
    fn leave(&mut self, fault: Fault) {
        if let Some(mut gpu) = self.gpu.take() {
            if let Err(why) = gpu.fetch(&mut self.run) {
                self.fall_back();
                let text = format!("{why}; frame {} goes on", self.run.frame);
                self.device.notices.push(Notice::bad("gpu", text));
            }
            self.device.spare = Some(gpu.gpu);
        }
        // A device that was lost is not asked again.
        self.device.spare = self.device.spare.take().filter(|gpu| gpu.wait().is_ok());
        self.run.stages.clear();
        let why = match fault {
            Fault::Shader(error) => {
                let line = error.to_string();
                self.problems.refuse_pass(&error.file.clone(), error);
                line
            }
            fault => fault.to_string(),
        };
        self.device.notices.push(Notice::bad("gpu", format!("{why}; the CPU goes on")));
        self.device.refusal = Some(why);
    }

    /// History keeps nothing where it has no room for two frames.
    fn fit_history(&mut self) {
        let (bytes, (_, budget)) = (2 * super::trial::lasting(&self.run.state), self.history.memory());
        let much = self.gpu.is_some() && bytes > budget;
        self.history.suspend(much.then(|| {
            format!(
                "off: two frames take {mb} MB here, --history {mb} or more keeps some",
                mb = bytes.div_ceil(1_000_000)
            )
        }));
    }
}
