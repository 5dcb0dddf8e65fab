//! A picture without the panel, as a file: key `p`.

use miniquad::window;

use super::App;
use weft_draw::{OffscreenTarget, Target, Viewport};
use weft_session::Notice;

/// Pixels of the file for each of the window, in both directions.
const FINER: f32 = 2.0;
/// Longest side of a file [pixels].
const LONGEST: f32 = 8192.0;

impl App {
    /// Draws what the first part of the window shows, twice as fine, into `recordings/SCENE-N.png`.
    pub(super) fn save_picture(&mut self) {
        let stem = self.session.setup().path().file_stem().and_then(|stem| stem.to_str());
        let saved = self.session.free_recording(stem.unwrap_or("weft"), "png").and_then(|path| {
            let (width, height) = window::screen_size();
            let [left, top, right, bottom] = self.first_area();
            let finer = FINER.min(LONGEST / width.max(height).max(1.0));
            let size = [right - left, bottom - top].map(|side| (side * finer).max(1.0) as u32);
            let pixels = self.pixels(size);
            #[cfg(target_arch = "wasm32")]
            crate::page::keep_picture(&path, &pixels, size[0]);
            #[cfg(not(target_arch = "wasm32"))]
            weft_draw::png::save(&path, &pixels, size.into())?;
            Ok(format!("{} x {} pixels in {}", size[0], size[1], path.display()))
        });
        self.notify(match saved {
            Ok(text) => Notice::good("picture", text),
            Err(why) => Notice::bad("picture", why),
        });
    }

    /// RGBA rows from the top.
    pub(super) fn pixels(&mut self, [width, height]: [u32; 2]) -> Vec<u8> {
        let camera = self.camera_of(width as f32 / height as f32);
        let part = Viewport { x: 0, y: 0, width: width as i32, height: height as i32 };
        self.paint_strands(camera, part);
        let mut turn = self.gl.turn();
        let (renderer, gl) = (&mut self.renderer, &mut *turn);
        let target = OffscreenTarget::new(gl, width, height);
        self.view.picture(&self.session, camera, |picture| {
            renderer.draw(gl, picture, Target::offscreen(&target));
        });
        gl.commit_frame();
        let pixels = target.read(gl);
        target.delete(gl);
        pixels
    }
}
