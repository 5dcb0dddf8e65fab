//! The GPU path and the picture: what it draws from, and what of its state comes back.

use super::App;
use weft_gpu::ReadbackScope;

impl App {
    /// Has the device write what is drawn.
    pub(super) fn paint(&mut self) {
        let cloths: Vec<_> = self.view.cloths(&self.session).collect();
        let vertices = self.renderer.vertices(&mut *self.gl.turn(), &cloths);
        drop(cloths);
        self.view.painted = self.session.paint(&vertices, self.share());
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
    }
}
