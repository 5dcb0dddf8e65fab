//! Before and after beside each other: which part of the window shows which, and what the pointer points at there.

use miniquad::window;

use super::App;
use weft_draw::{Target, Viewport};

impl App {
    /// Left edge, middle and right edge of the two halves [pixels]; `None` while one cloth fills the window.
    pub(super) fn split(&self) -> Option<[f32; 3]> {
        self.session.timeline().twin()?;
        let (width, _) = window::screen_size();
        // The panel would hide half of the left one.
        let covered = self.panel.covers * window::dpi_scale();
        let left = if covered < 0.5 * width { covered } else { 0.0 };
        Some([left, (0.5 * (left + width)).round(), width])
    }

    /// A place in the window as a place in the half it lies in, and the size of that [pixels].
    pub(super) fn in_view(&self, x: f32, y: f32) -> (f32, f32, f32, f32) {
        let (width, height) = window::screen_size();
        match self.split() {
            Some([left, middle, _]) if x < middle => (x - left, y, middle - left, height),
            Some([_, middle, right]) => (x - middle, y, right - middle, height),
            None => (x, y, width, height),
        }
    }

    /// The cloth, or both of them: the code before on the left, the present one on the right, with one camera.
    pub(super) fn draw_pictures(&mut self) {
        let (width, height) = window::screen_size();
        let (split, whole) = (self.split(), Target::window(width, height));
        let mut turn = self.gl.turn();
        let (renderer, gl) = (&mut self.renderer, &mut *turn);
        let Some([left, middle, right]) = split else {
            return self
                .view
                .picture(&self.session, self.camera, |picture| renderer.draw(gl, picture, whole));
        };
        let part = |from: f32, to: f32| Viewport {
            x: from as i32,
            y: 0,
            width: (to - from) as i32,
            height: height as i32,
        };
        self.view.picture_before(&self.session, self.camera, |picture| {
            renderer.draw(gl, picture, whole.part(part(left, middle), true));
        });
        self.view.picture(&self.session, self.camera, |picture| {
            renderer.draw(gl, picture, whole.part(part(middle, right), false));
        });
    }

    /// Has the device write what is drawn.
    pub(super) fn paint(&mut self) {
        let cloths: Vec<_> = self.view.cloths(&self.session).collect();
        let vertices = self.renderer.vertices(&mut *self.gl.turn(), &cloths);
        drop(cloths);
        self.view.painted = self.session.paint(&vertices, self.share());
    }
}
