//! Pictures of what the device computes, drawn from where it lies.

use super::{super::Session, Path};
use crate::on_device::Change;
use weft_draw::{RibbonJob, RibbonsDone, StrandTables, VertexNames};
use weft_gpu::{
    Gpu, GpuRun,
    ribbons::StrandList,
    surface::{Painted, Sheet},
};

impl Session {
    /// Whether pictures can be drawn from the device: it has what the state has, or what came after.
    pub fn paints(&self) -> bool {
        let engine = &self.engine;
        let lists = &self.setup.objects()[self.setup.scene().cloths.len()..];
        let all = |gpu: &GpuRun| {
            gpu.paints() && lists.iter().all(|object| gpu.paints_strands(object.particles.len()))
        };
        engine.device.change == Change::Nothing && engine.gpu().is_some_and(all)
    }

    /// Writes the vertex buffers of each cloth, a `share` of the way between the last two steps, and looks at each list of strands
    /// there. `None`: a device that failed, the state has to do.
    pub fn paint(
        &mut self,
        (vertices, tables): (&[VertexNames], &[StrandTables]),
        share: f32,
    ) -> Option<Painted> {
        let cloths = self.setup.scene().cloths.len();
        let ranges = || self.setup.objects().iter().map(|object| object.particles.clone());
        let sheets = ranges().take(cloths).zip(vertices);
        let sheets = sheets.map(|(particles, vertices)| Sheet { particles, vertices: *vertices });
        let strands = ranges().skip(cloths).zip(tables);
        let strands = strands.map(|(particles, tables)| StrandList { particles, tables: *tables });
        let (sheets, strands): (Vec<Sheet>, Vec<StrandList>) = (sheets.collect(), strands.collect());
        let painted = self.engine.parts().1?.paint((&sheets, &strands), share);
        let painted = painted.map_err(|why| self.device_failed(&why)).ok()?;
        // Of cloth without a place that is a number.
        (painted.cloth.is_some() || sheets.is_empty()).then_some(painted)
    }

    /// Writes what is drawn of strands that were painted; `None` as there.
    pub fn write_ribbons(&mut self, jobs: &[RibbonJob]) -> Option<Vec<RibbonsDone>> {
        let done = self.engine.parts().1?.write_ribbons(jobs);
        done.map_err(|why| self.device_failed(&why)).ok()
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
