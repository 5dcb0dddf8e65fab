//! Pictures of a run without a window: `--shot` and `--film`.

use std::path::Path;

use weft_core::say;
use weft_draw::{offscreen::Offscreen, png};
use weft_session::Session;

use weft_window::view::{self, Overlays, Scale, View};

use crate::legend;

/// A graphics context of its own, and what it shows.
pub(crate) struct Studio {
    offscreen: Offscreen,
    view: View,
}

impl Studio {
    pub(crate) fn new(session: &Session, scale: Scale, overlays: Overlays) -> Result<Self, String> {
        let offscreen = Offscreen::new(&view::shaders(session, &[]))?;
        let mut view = View::default();
        (view.scale, view.overlays) = (scale, overlays);
        Ok(Self { offscreen, view })
    }

    /// RGBA rows from the top, with what the colours mean.
    pub(crate) fn pixels(&mut self, session: &Session, size: (u32, u32)) -> Result<Vec<u8>, String> {
        let mut pixels = picture(session, &mut self.view, &mut self.offscreen, size)?;
        legend::draw(&mut pixels, size, &self.view.scale)?;
        Ok(pixels)
    }

    pub(crate) fn save(&mut self, session: &Session, size: (u32, u32), path: &Path) -> Result<(), String> {
        let pixels = self.pixels(session, size)?;
        png::save(path, &pixels, size)?;
        if self.view.scale.quantity.is_look() {
            say::warn(format_args!("drew {}", path.display()));
        } else {
            say::warn(format_args!("drew {}: {}", path.display(), self.view.scale.line()));
        }
        Ok(())
    }
}

/// The present state as the scene's camera sees it: RGBA rows from the top.
pub(crate) fn picture(
    session: &Session,
    view: &mut View,
    offscreen: &mut Offscreen,
    (width, height): (u32, u32),
) -> Result<Vec<u8>, String> {
    view.update(session, 1.0, None);
    let folder = session.setup().folder();
    let (renderer, mut gl) = offscreen.parts();
    view.load_textures(session.scene(), folder, renderer, &mut *gl)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    drop(gl);
    let camera = view.clear(session, view::camera(&session.scene().camera));
    Ok(view.picture(session, camera, |picture| offscreen.render(picture, width, height)))
}
