//! A recorded frame on its way: one encoder, one compute pass, one submit, and its times.

use std::time::Duration;

use weft_core::clock::Instant;
use weft_core::pulse;

use wgpu::{Buffer, CommandEncoder, CommandEncoderDescriptor, ComputePassDescriptor};

use super::{
    super::{bodies, passes::Condition, timing::Timer},
    GpuRun, torn,
};

/// A frame that takes longer than this, and than ten times the slowest one, is taken to hang.
const HANG_LIMIT: Duration = Duration::from_secs(3);
/// The same for the first frames, when nothing is known of them.
const FIRST_LIMIT: Duration = Duration::from_secs(30);
const FIRST: u64 = 2;

impl GpuRun {
    /// Times of other passes, or of other rows, say nothing.
    pub fn forget_times(&mut self) {
        (self.frames, self.slowest) = (0, Duration::ZERO);
    }

    /// The first frame may not take longer than others.
    pub(in super::super) fn expect_quick(&mut self) {
        self.frames = FIRST;
    }

    /// Waits until the frame is done.
    pub(super) fn submit(&mut self, frame: u64) -> Result<(), String> {
        let start = Instant::now();
        let limit = if self.frames < FIRST { FIRST_LIMIT } else { HANG_LIMIT.max(self.slowest * 10) };
        let _inside = pulse::enter_device(frame, limit);
        let mut encoder = self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        self.guard.before(&mut encoder, &self.buffers);
        if let Some(surface) = &mut self.surface {
            surface.keep(&mut encoder, &self.buffers);
        }
        let profiled = self.profile && self.gpu.times_dispatches();
        let marks = self.timer.as_ref().filter(|_| profiled).map(Timer::set);
        {
            let timestamp_writes = self.timer.as_mut().map(Timer::whole);
            let mut pass =
                encoder.begin_compute_pass(&ComputePassDescriptor { label: Some("frame"), timestamp_writes });
            self.recorder.encode(&self.program, &mut pass, |pass, number| {
                marks.iter().for_each(|set| _ = Timer::mark(set, pass, number));
            })?;
            if let Some(set) = &marks {
                Timer::mark(set, &mut pass, self.recorder.commands.len());
            }
        }
        if let Some(timer) = &mut self.timer {
            if profiled {
                timer.marked(self.recorder.commands.len() + 1);
            }
            timer.resolve(&mut encoder);
        }
        self.after(&mut encoder);
        self.after_returns(&mut encoder)?;
        self.gpu.queue.submit([encoder.finish()]);
        self.ask();
        self.returns.ask();
        self.gpu.wait()?;
        if let Some(timer) = &self.timer {
            let (whole, marks) = timer.read(&self.gpu)?;
            self.frame_ms = Some(whole);
            if profiled {
                self.pass_ms.clear();
                for (command, span) in self.recorder.commands.iter().zip(marks.windows(2)) {
                    let file = self.program.passes[command.pass].file.clone();
                    *self.pass_ms.entry(file).or_default() += (span[1] - span[0]) as f32;
                }
            }
        }
        self.frames += 1;
        self.slowest = self.slowest.max(start.elapsed());
        Ok(())
    }

    /// Puts what comes back after every frame behind its passes: bodies with a mass, then how many threads broke.
    fn after_returns(&mut self, encoder: &mut CommandEncoder) -> Result<(), String> {
        let holds = |condition: &Condition| self.lasting.contains(condition);
        let bodies = bodies::COLUMNS.map(|key| (key.table, key.column));
        let bodies = bodies.iter().filter(|_| holds(&Condition::Bodies));
        let wanted = bodies.chain([&torn::COUNT].into_iter().filter(|_| self.tears()));
        let column = |&(table, name): &(&str, &str)| self.columns.index(table, name);
        let sources: Vec<(&Buffer, u64)> = wanted
            .filter_map(column)
            .filter(|column| self.buffers.has(*column))
            .map(|at| (self.buffers.buffer(self.buffers.place(at)), self.columns.list[at].bytes()))
            .collect();
        self.returns.copy(&self.gpu, encoder, &sources)
    }
}
