//! The device in line with what the host has, and the GPU path entered or left where that has to be.

use super::{
    super::{Notice, Report, Session, Setup, trial},
    Engine, Path,
    device::Refusal,
};
use crate::on_device::{self, Change, Key};
use weft_engine::run::{self, StepInput};
use weft_gpu::{Fault, Sources};

use sim_api::Hold;

/// Something is held, wherever it is.
const STILL: Hold = Hold { particle: 0, begin: [0.0; 3], end: [0.0; 3] };

impl Session {
    /// Brings the device in line with code, scene, solver and state; enters or leaves the GPU path.
    pub(crate) fn sync_gpu(&mut self) {
        let held =
            self.hand.grab().is_some() || self.timeline.replay().is_some() || !self.setup.pins.is_empty();
        self.sync_own(held);
        self.sync_beside(if held { &[STILL][..] } else { &[] });
    }

    fn sync_own(&mut self, held: bool) {
        match self.engine.sync(&self.setup, held, &mut self.report) {
            Ok(false) => return,
            Ok(true) => {}
            Err(fault) => {
                if self.engine.leave(fault, &mut self.report) {
                    self.jumped("a device was lost");
                    self.forget();
                    self.timeline.release();
                }
            }
        }
        self.engine.note_whole();
        self.fit_history();
        if std::mem::take(&mut self.engine.device.asks_parity) {
            self.check_parity();
        }
    }

    /// History keeps nothing where it has no room for two frames.
    fn fit_history(&mut self) {
        let history = &mut self.timeline.history;
        let (bytes, (_, budget)) = (2 * trial::lasting(&self.engine.run.state), history.memory());
        let much = self.engine.gpu().is_some() && bytes > budget;
        history.suspend(much.then(|| {
            format!(
                "off: two frames take {mb} MB here, --history {mb} or more keeps some",
                mb = bytes.div_ceil(1_000_000)
            )
        }));
    }
}

impl Engine {
    /// Whether anything had to be done. `held`: particles may be.
    fn sync(&mut self, setup: &Setup, held: bool, report: &mut Report) -> Result<bool, Fault> {
        let is_in = self.gpu().is_some();
        if self.device.wanted.is_none() {
            return Ok(false);
        }
        let topology = setup.topology();
        let same = self.device.key.as_ref().is_some_and(|key| key.is_of(&self.run, topology, held));
        let change = std::mem::take(&mut self.device.change);
        if same && (change == Change::Nothing || !is_in && change < Change::Given) {
            return Ok(false);
        }
        let before = self.device.key.replace(Key::of(&self.run, topology, held));
        let holds = if held { &[STILL][..] } else { &[] };
        let input = run::input(&setup.scene, holds);
        if is_in {
            self.adapt(change, same, &input)?;
        } else {
            self.enter(&input)?;
        }
        if let Some(gpu) = self.gpu().filter(|_| !is_in) {
            // What was wrong was mended, perhaps in another file.
            report.problems.passes.clear();
            let (adapter, passes, link) = (&gpu.gpu.info.name, &gpu.list.name, gpu.gpu.link.text());
            let text = format!("{adapter} goes on with the passes {passes}, {link}");
            report.notice(Notice::good("gpu", text));
        }
        self.device.refusal = None;
        let now = (topology, self.run.generation.number);
        let tables = before.is_none_or(|key| (key.topology, key.generation) != now);
        self.ask_capabilities(&setup.file.solver, tables || !is_in, &input);
        Ok(true)
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
        let made = on_device::enter(&gpu, options, sources, &mut self.run, input)?;
        self.device.spare = Some(made.gpu.clone());
        self.path = Path::Gpu(made);
        // Of the hot code, and old from now on.
        self.run.readings.clear();
        Ok(())
    }

    fn adapt(&mut self, change: Change, same: bool, input: &StepInput) -> Result<(), Fault> {
        let (Path::Gpu(gpu), Some(options)) = (&mut self.path, &self.device.wanted) else { return Ok(()) };
        on_device::follow_host(gpu, &mut self.run, (change, same), input, options.passes.as_deref())
    }

    /// The CPU goes on. True if the state could not be read back, and is an older one.
    fn leave(&mut self, fault: Fault, report: &mut Report) -> bool {
        let mut lost = false;
        if let Path::Gpu(mut gpu) = std::mem::take(&mut self.path) {
            if let Err(why) = gpu.fetch(&mut self.run) {
                self.fall_back();
                lost = true;
                let text = format!("{why}; frame {} goes on", self.run.frame);
                report.notice(Notice::bad("gpu", text));
            }
            self.device.spare = Some(gpu.gpu);
        }
        // A device that was lost is not asked again.
        self.device.spare = self.device.spare.take().filter(|gpu| gpu.wait().is_ok());
        self.run.stages.clear();
        let why = match &fault {
            Fault::Shader(error) => error.to_string(),
            fault => fault.to_string(),
        };
        // Tried again with other tables, it is the same news.
        if self.device.refusal() != Some(&*why) {
            report.notice(Notice::bad("gpu", format!("{why}; the CPU goes on")));
        }
        self.device.refusal = Some(Refusal::of(&fault, why));
        if let Fault::Shader(error) = fault {
            report.problems.refuse_pass(&error.file.clone(), error);
        }
        lost
    }
}
