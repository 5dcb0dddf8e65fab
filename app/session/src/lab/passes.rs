//! Saved passes of `shaders/sim` under the running cloth, their parity with the CPU, and devices that fail.

use std::{
    path::Path,
    time::{Duration, Instant},
};
use weft_core::pulse;
use weft_engine::run;

use super::{Lab, Notice, Polled, device::Edited};
use weft_draw::ShaderError;
use weft_gpu::{Fault, GpuRun, Sources, parity::Question, passes::placed};

/// An edit is to blame for what happens so long after it.
const BLAMED: Duration = Duration::from_secs(10);
/// Failures within this time are quick ones; after so many the CPU goes on.
const QUICK: Duration = Duration::from_secs(30);
const MANY: usize = 3;

/// Whether a file is one of `shaders/sim`.
pub(super) fn is_pass(path: &Path) -> bool {
    placed(path).is_some()
}

impl Lab {
    /// A file of `shaders/sim` was saved. What is right computes the next frame, what is wrong changes nothing.
    pub(super) fn reload_pass(&mut self, path: &Path, polled: &mut Polled) {
        let (Some((folder, file)), Some(options)) = (placed(path), &self.device.wanted) else { return };
        let file = file.as_str();
        // Editors empty a file before they write it, or rename a new one into its place: another event follows.
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let Ok(mut sources) = Sources::read(&folder).map_err(drop) else { return };
        if text.trim().is_empty() {
            return;
        }
        sources.leave_out(&self.device.banned);
        let wanted = options.passes.clone();
        if self.gpu.as_ref().is_some_and(|gpu| gpu.starts_over(&sources)) {
            self.catch_up();
        }
        let Some(gpu) = &mut self.gpu else {
            // The CPU goes on; perhaps because of this file.
            self.problems.passes.retain(|other| other.file != file);
            return self.forget_refusal();
        };
        let (start, before) = (Instant::now(), gpu.sources().clone());
        let input = run::input(&self.scene, &[]);
        pulse::shader(file);
        let taken = {
            let _inside = pulse::enter(pulse::Phase::Build, None);
            gpu.reload(&self.run, &input, wanted.as_deref(), file, &sources)
        };
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let error = match taken {
            Ok(count) => {
                let runs = gpu.sources();
                let had = self.problems.passes.len();
                self.problems.passes.retain(|other| sources.text(&other.file) != runs.text(&other.file));
                let mended = self.problems.passes.len() < had;
                let list = &gpu.list.name;
                polled.notices.push(Notice::good(
                    "pass",
                    match count {
                        0 if mended => format!("{file} is as it was: the passes {list} go on"),
                        0 if before == *runs => return,
                        0 => format!("{file} is not used by the passes {list}"),
                        _ => format!("{file} computes: {count} pass(es) of {list} compiled, {ms:.0} ms"),
                    },
                ));
                if count > 0 {
                    self.device.edited = Some(Edited { file: file.to_string(), before, at: Instant::now() });
                    self.go_on();
                    self.check_parity();
                    polled.notices.append(&mut self.device.notices);
                }
                return;
            }
            Err(Fault::Shader(error)) => error,
            Err(fault) => ShaderError::new(file, fault.to_string()),
        };
        polled.notices.push(Notice::bad("pass", format!("{error} (the last good passes go on)")));
        self.problems.refuse_pass(file, error);
    }

    /// Compares the passes in use with the CPU on a small copy of the scene.
    pub fn check_parity(&mut self) {
        let Some(gpu) = &self.gpu else { return };
        let question = Question {
            scene: &self.scene,
            code: &self.run.generation,
            params: &self.run.params,
            threads: &self.threads,
        };
        let found = gpu.parity(&question);
        self.device.notices.push(match &found {
            Ok(parity) if parity.is_good() => Notice::good("parity", parity.text()),
            Ok(parity) => Notice::bad("parity", format!("{}: the twins differ", parity.text())),
            Err(why) => Notice::bad("parity", format!("not checked: {why}")),
        });
        self.device.parity = Some(found);
    }

    /// The device does not answer, or was lost: another one goes on from the state as it last came back, with the passes
    /// from before the edit that is to blame. After three quick failures the CPU goes on.
    pub(super) fn device_failed(&mut self, why: &str) {
        let device = &mut self.device;
        let now = Instant::now();
        device.failures.retain(|at| now - *at < QUICK);
        device.failures.push(now);
        let Some(lost) = self.gpu.take() else { return };
        device.spare = None;
        let mut sources = lost.sources().clone();
        let edited = device.edited.take().filter(|edited| edited.at.elapsed() < BLAMED);
        if let Some(edited) = &edited {
            let text = sources.text(&edited.file).unwrap_or_default().to_string();
            sources = edited.before.clone();
            let message = format!("{why} within {} s of this save", BLAMED.as_secs());
            self.problems.refuse_pass(&edited.file, ShaderError::new(&edited.file, message));
            device.banned.push((edited.file.clone(), text));
        }
        let blamed = edited.map_or_else(String::new, |edited| format!(" after the edit of {}", edited.file));
        drop(lost);
        self.fall_back();
        let device = &mut self.device;
        let options = device.wanted.clone().unwrap_or_default();
        let reopened = if device.failures.len() >= MANY || !device.recovers {
            Err(format!("{} failure(s) within {} s", device.failures.len(), QUICK.as_secs()))
        } else {
            let input = run::input(&self.scene, &[]);
            device
                .open(&options)
                .and_then(|gpu| GpuRun::new(gpu, sources, &self.run, &input, options.passes.as_deref()))
        };
        let text = match reopened {
            Ok(gpu) => {
                self.gpu = Some(gpu);
                self.note_whole();
                format!("{why}{blamed}; the device was opened again, the passes from before go on")
            }
            Err(stop) => {
                (self.device.wanted, self.device.refusal) = (None, Some(why.to_string()));
                self.history.suspend(None);
                format!("{why}{blamed}; {stop}: the CPU goes on")
            }
        };
        self.problems.device = Some(text.clone());
        self.device.notices.push(Notice::bad("gpu", text));
    }
}
