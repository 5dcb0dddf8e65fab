//! The GPU path and the picture: what it draws from, and what of its state comes back.

use super::App;
use weft_draw::{Camera, Viewport};
use weft_gpu::ReadbackScope;

impl App {
    /// Has the device write what is drawn.
    pub(super) fn paint(&mut self) {
        let cloths: Vec<_> = self.view.cloths(&self.session).collect();
        let strands: Vec<_> = self.view.strands(&self.session).collect();
        let mut turn = self.gl.turn();
        let vertices = self.renderer.vertices(&mut *turn, &cloths);
        let tables = self.renderer.strand_tables(&mut *turn, &strands);
        drop((cloths, strands, turn));
        self.view.painted = self.session.paint((&vertices, &tables), self.share());
    }

    /// The same of strands, as closely as they are drawn in a picture of this size.
    pub(super) fn paint_strands(&mut self, camera: Camera, viewport: Viewport) {
        if self.view.painted.as_ref().is_none_or(|painted| painted.strands.is_empty()) {
            return;
        }
        let mut turn = self.gl.turn();
        let (renderer, gl) = (&mut self.renderer, &mut *turn);
        let jobs =
            self.view.picture(&self.session, camera, |picture| renderer.ribbon_jobs(gl, picture, viewport));
        drop(turn);
        match self.session.write_ribbons(&jobs) {
            Some(done) => self.renderer.take_ribbons(&mut *self.gl.turn(), &jobs, &done),
            // A device that failed: the state has to do.
            None => self.view.update(&self.session, 1.0, self.pointer.over_collider),
        }
    }

    /// What of the next frames comes back from the GPU path.
    pub(super) fn ask_device(&mut self) {
        let shown = self.view.scale.quantity;
        let on_host = self.session.hand().grab().is_some() || !self.session.marked().is_empty();
        let scope = match (shown.is_look(), self.session.paints() && !on_host) {
            _ if self.view.inspected.is_some() || !self.view.overlays.is_empty() => ReadbackScope::All,
            (false, _) if shown.column.is_empty() => ReadbackScope::All,
            (false, _) => ReadbackScope::Numbers(shown.column),
            (true, true) => ReadbackScope::Drawn,
            (true, false) => ReadbackScope::Positions,
        };
        self.session.set_readback(scope);
        if !scope.is_drawn() {
            // What no step before brought, for it was drawn from the device.
            self.session.read(scope);
        }
    }
}
