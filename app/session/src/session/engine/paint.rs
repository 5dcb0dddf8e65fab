//! Pictures of what the device computes, drawn from where it lies.

use glam::Vec3;

use super::{super::Session, Path};
use crate::on_device::Change;
use weft_draw::VertexNames;
use weft_gpu::{Gpu, GpuRun, surface::Sheet};

impl Session {
    /// Whether pictures can be drawn from the device: it has what the state has, or what came after.
    pub fn paints(&self) -> bool {
        let engine = &self.engine;
        let cloth_only = self.setup.scene().strands.is_empty();
        cloth_only && engine.device.change == Change::Nothing && engine.gpu().is_some_and(GpuRun::paints)
    }

    /// Writes the vertex buffers of each cloth, a `share` of the way between the last two steps. Returns the low and the high
    /// corner of the box around all of them [m]; `None`: a device that failed, the state has to do.
    pub fn paint(&mut self, vertices: &[VertexNames], share: f32) -> Option<[Vec3; 2]> {
        let ranges = self.setup.objects().iter().map(|object| object.particles.clone());
        let sheets =
            ranges.zip(vertices).map(|(particles, vertices)| Sheet { particles, vertices: *vertices });
        let sheets: Vec<Sheet> = sheets.collect();
        match self.engine.parts().1?.paint(&sheets, share) {
            Ok(corners) => corners,
            Err(why) => {
                self.device_failed(&why);
                None
            }
        }
    }

    /// The context of the picture is gone, and with it all that was made there.
    pub fn leave_context(&mut self) {
        self.timeline.beside.leave_context();
        let engine = &mut self.engine;
        std::mem::forget(engine.device.spare.take().filter(Gpu::is_in_context));
        if engine.gpu().is_some_and(|run| run.gpu.is_in_context())
            && let Path::Gpu(gpu) = std::mem::take(&mut engine.path)
        {
            std::mem::forget(gpu);
        }
    }
}
