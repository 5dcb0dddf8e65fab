//! Saved passes of `shaders/sim` under the running cloth, their parity with the CPU, and devices that fail.

use std::{io::ErrorKind, path, time::Duration};

use weft_core::clock::Instant;
use weft_core::pulse;
use weft_engine::run::{self, StepInput};

use super::{
    super::{Notice, Polled, Session},
    Engine, Path,
    device::{Edited, Refusal},
};
use crate::{
    live::{Event, Look, gone, is_fresh},
    tape::Input,
};
use weft_draw::ShaderError;
use weft_gpu::{
    Fault, GpuRun, Sources,
    parity::Question,
    passes::{PASSES, placed},
};

/// An edit is to blame for what happens so long after it.
const BLAMED: Duration = Duration::from_secs(10);
/// Failures within this time are quick ones; after so many the CPU goes on.
const QUICK: Duration = Duration::from_secs(30);
const MANY: usize = 3;

/// Whether a file is one of `shaders/sim`.
pub(in super::super) fn is_pass(path: &path::Path) -> bool {
    placed(path).is_some()
}

impl Session {
    /// A file of `shaders/sim` was saved. What is right computes the next frame, what is wrong changes nothing.
    pub(in super::super) fn reload_pass(&mut self, path: &path::Path, polled: &mut Polled) {
        let wanted = self.engine.device.wanted.is_some();
        let (Some((folder, file)), true) = (placed(path), wanted || self.timeline.beside.wants_device())
        else {
            return;
        };
        let file = file.as_str();
        match weft_core::wgsl::read(path) {
            Ok(text) if !text.trim().is_empty() => {}
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return self.refuse_pass(path, file, Fault::Refused(error.to_string()), polled);
            }
            Ok(_) | Err(_) => return self.lose_pass(path, file, polled),
        }
        let mut sources = match Sources::read(&folder) {
            Ok(sources) => sources,
            Err(why) => return self.refuse_pass(path, file, Fault::Refused(why), polled),
        };
        sources.leave_out(&self.engine.device.banned);
        let beside = self.reload_beside(file, &sources, polled);
        if let Err(fault) = self.reload_own(file, &sources, polled).and(beside) {
            self.refuse_pass(path, file, fault, polled);
        }
    }

    /// A file that the passes are made of has nothing in it, or is not there.
    fn lose_pass(&mut self, path: &path::Path, file: &str, polled: &mut Polled) {
        let known = Sources::built_in().text(file).is_some()
            || self.engine.gpu().is_some_and(|gpu| gpu.sources().text(file).is_some());
        match self.live.look(path) {
            Look::Unsettled => self.look_again(Event::Shader(path.to_path_buf())),
            Look::Gone(what)
                if known && !self.report.problems.passes.iter().any(|told| told.file == file) =>
            {
                self.refuse_pass(path, file, Fault::Refused(gone(what)), polled);
            }
            Look::Gone(_) | Look::Settled => {}
        }
    }

    fn reload_own(&mut self, file: &str, sources: &Sources, polled: &mut Polled) -> Result<(), Fault> {
        if self.engine.gpu().is_some_and(|gpu| gpu.starts_over(sources)) {
            self.read_all();
        }
        let input = run::input(&self.setup.scene, &[]);
        let start = Instant::now();
        let Some((before, taken)) = self.engine.take_passes(file, sources, &input) else {
            // The CPU goes on; perhaps because of this file.
            self.report.problems.passes.retain(|other| other.file != file);
            self.engine.device.key = None;
            return Ok(());
        };
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let count = taken?;
        let (problems, Some(gpu)) = (&mut self.report.problems, self.engine.gpu()) else { return Ok(()) };
        let (runs, list, had) = (gpu.sources(), &gpu.list.name, problems.passes.len());
        problems.passes.retain(|other| sources.text(&other.file) != runs.text(&other.file));
        let mended = problems.passes.len() < had;
        polled.notices.push(Notice::good(
            "pass",
            match count {
                0 if mended => format!("{file} is as it was: the passes {list} go on"),
                0 if before == *runs => return Ok(()),
                0 => format!("{file} is not used by the passes {list}"),
                _ => format!("{file} computes: {count} pass(es) of {list} compiled, {ms:.0} ms"),
            },
        ));
        let idle = if file == PASSES { gpu.lists_for_nobody(&self.engine.run) } else { Vec::new() };
        polled.notices.extend(idle.into_iter().map(|line| Notice::bad("pass", line)));
        if count > 0 {
            self.note(|| Input::Pass { file: file.to_string() });
            let edited = Edited { file: file.to_string(), before, at: Instant::now() };
            self.engine.device.edited = Some(edited);
            self.go_on();
            self.check_parity();
            polled.notices.append(&mut self.report.take_notices());
        }
        Ok(())
    }

    /// The last good passes go on; said once.
    fn refuse_pass(&mut self, path: &path::Path, file: &str, fault: Fault, polled: &mut Polled) {
        if is_fresh(path) {
            return self.look_again(Event::Shader(path.to_path_buf()));
        }
        let error = match fault {
            Fault::Shader(error) => error,
            fault => ShaderError::new(file, fault.to_string()),
        };
        polled.notices.push(Notice::bad("pass", format!("{error} (the last good passes go on)")));
        self.report.problems.refuse_pass(file, error);
    }

    /// Compares the passes in use with the CPU on a small copy of the scene.
    pub fn check_parity(&mut self) {
        let (scene, Engine { run, threads, .. }) = (&self.setup.scene, &self.engine);
        let Some(gpu) = self.engine.gpu() else { return };
        let found = gpu.parity(&Question { scene, code: &run.generation, params: &run.params, threads });
        self.report.notice(match &found {
            Ok(parity) if parity.is_good() => Notice::good("parity", parity.text()),
            Ok(parity) => Notice::bad("parity", parity.text()),
            Err(why) => Notice::bad("parity", format!("not checked: {why}")),
        });
        self.engine.device.parity = Some(found);
    }

    /// The device does not answer, or was lost: another one goes on from the state as it last came back, with the passes
    /// from before the edit that is to blame. After three quick failures the CPU goes on.
    pub(in super::super) fn device_failed(&mut self, why: &str) {
        if self.engine.gpu().is_none() {
            return;
        }
        self.jumped("a device failed");
        // History on the device was lost with it.
        self.forget();
        self.timeline.release();
        let failure = self.engine.recover(why, &run::input(&self.setup.scene, &[]));
        let mut blamed = String::new();
        if let Some(file) = failure.blamed {
            let message = format!("{why} within {} s of this save", BLAMED.as_secs());
            self.report.problems.refuse_pass(&file, ShaderError::new(&file, message));
            blamed = format!(" after the edit of {file}");
        }
        let text = match failure.stop {
            None => format!("{why}{blamed}; the device was opened again, the passes from before go on"),
            Some(stop) => {
                self.timeline.history.suspend(None);
                format!("{why}{blamed}; {stop}: the CPU goes on")
            }
        };
        self.report.problems.device = Some(text.clone());
        self.report.notice(Notice::bad("gpu", text));
    }
}

/// What became of a device that failed.
struct Failure {
    /// The file whose edit is to blame; its text is banned.
    blamed: Option<String>,
    /// Why the CPU goes on.
    stop: Option<String>,
}

impl Engine {
    /// Takes `file` of `sources`, or all that changed there. Returns the texts before and how many passes were compiled;
    /// `None` on the CPU path.
    fn take_passes(
        &mut self,
        file: &str,
        sources: &Sources,
        input: &StepInput,
    ) -> Option<(Sources, Result<usize, Fault>)> {
        let Path::Gpu(gpu) = &mut self.path else { return None };
        let before = gpu.sources().clone();
        let wanted = self.device.wanted.as_ref().and_then(|options| options.passes.clone());
        pulse::shader(file);
        let _inside = pulse::enter(pulse::Phase::Build, None);
        Some((before, gpu.reload(&mut self.run, input, wanted.as_deref(), file, sources)))
    }

    /// Drops the device and opens one again, from the state that last came back.
    fn recover(&mut self, why: &str, input: &StepInput) -> Failure {
        let now = Instant::now();
        let device = &mut self.device;
        device.failures.retain(|at| now - *at < QUICK);
        device.failures.push(now);
        device.spare = None;
        let edited = device.edited.take().filter(|edited| edited.at.elapsed() < BLAMED);
        let Path::Gpu(lost) = std::mem::take(&mut self.path) else {
            return Failure { blamed: None, stop: None };
        };
        let mut sources = lost.sources().clone();
        let blamed = edited.map(|edited| {
            let text = sources.text(&edited.file).unwrap_or_default().to_string();
            sources = edited.before;
            device.banned.push((edited.file.clone(), text));
            edited.file
        });
        drop(lost);
        self.fall_back();
        let device = &mut self.device;
        let options = device.wanted.clone().unwrap_or_default();
        let reopened = if device.failures.len() >= MANY || !device.recovers {
            Err(format!("{} failure(s) within {} s", device.failures.len(), QUICK.as_secs()))
        } else {
            device
                .open(&options)
                .and_then(|gpu| GpuRun::new(gpu, sources, &mut self.run, input, options.passes.as_deref()))
        };
        let stop = match reopened {
            Ok(gpu) => {
                self.path = Path::Gpu(gpu.into());
                self.note_whole();
                None
            }
            Err(stop) => {
                (self.device.wanted, self.device.refusal) = (None, Some(Refusal::Failed(why.to_string())));
                Some(stop)
            }
        };
        Failure { blamed, stop }
    }
}
