//! A recorded frame on its way: one encoder, one compute pass, one submit, and its times.

use wgpu::{CommandEncoderDescriptor, ComputePassDescriptor};

use super::{super::timing::Timer, GpuRun};

impl GpuRun {
    /// Waits until the frame is done.
    pub(super) fn submit(&mut self) -> Result<(), String> {
        let mut encoder = self.gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let profiled = self.profile && self.gpu.times_dispatches();
        let marks = self.timer.as_ref().filter(|_| profiled).map(Timer::set);
        {
            let timestamp_writes = self.timer.as_mut().map(Timer::whole);
            let mut pass =
                encoder.begin_compute_pass(&ComputePassDescriptor { label: Some("frame"), timestamp_writes });
            self.recorder.encode(&self.program, &mut pass, |pass, number| {
                marks.iter().for_each(|set| _ = Timer::mark(set, pass, number));
            });
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
        self.gpu.queue.submit([encoder.finish()]);
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
        Ok(())
    }
}
