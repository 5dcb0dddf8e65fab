//! Pictures of what the device computes, drawn from where it lies.

use glam::Vec3;

use super::{Lab, device::Change};
use weft_draw::VertexNames;
use weft_gpu::{Bring, Gpu, GpuRun, surface::Sheet};

impl Lab {
    /// Whether pictures can be drawn from the device: it has what the state has, or what came after.
    pub fn paints(&self) -> bool {
        self.device.change == Change::Nothing && self.gpu.as_ref().is_some_and(GpuRun::paints)
    }

    /// Writes the vertex buffers of each cloth, a `share` of the way between the last two steps. Returns the low and the high
    /// corner of the box around all of them [m]; `None`: a device that failed, the state has to do.
    pub fn paint(&mut self, vertices: &[VertexNames], share: f32) -> Option<[Vec3; 2]> {
        let ranges = self.objects.iter().map(|object| object.particles.clone());
        let sheets =
            ranges.zip(vertices).map(|(particles, vertices)| Sheet { particles, vertices: *vertices });
        let sheets: Vec<Sheet> = sheets.collect();
        match self.gpu.as_mut()?.paint(&sheets, share) {
            Ok(corners) => corners,
            Err(why) => {
                self.device_failed(&why);
                None
            }
        }
    }

    /// The context of the picture is gone, and with it all that was made there.
    pub fn leave_context(&mut self) {
        let spare = self.device.spare.take().filter(Gpu::is_in_context);
        let run = self.gpu.take_if(|run| run.gpu.is_in_context());
        std::mem::forget((spare, run));
    }

    /// Brings the positions up to date, for whoever points at them.
    pub fn see(&mut self) {
        let Some(gpu) = &mut self.gpu else { return };
        if let Err(why) = gpu.bring(&mut self.run, Bring::Positions) {
            self.device_failed(&why);
        }
    }
}
