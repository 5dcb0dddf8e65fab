//! What the window looks like, as it is kept between runs.

use std::time::Duration;

use miniquad::window;

use super::App;
use weft_core::clock::Instant;
use weft_draw::Palette;
use weft_session::Notice;

use crate::{
    settings::{self, Settings, Store},
    ui,
    view::{Overlays, Quantity},
};

/// From one look at whether something changed to the next.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where settings are kept, and when that was looked at.
pub(super) struct Kept {
    store: Store,
    looked: Instant,
}

impl Kept {
    pub(super) fn new(store: Store) -> Self {
        Self { store, looked: Instant::now() }
    }
}

impl App {
    /// Makes the window look as it did. Names that mean nothing any more are passed over.
    pub(super) fn take_settings(&mut self, settings: &Settings) {
        let context = &self.ui.context;
        context.set_theme(if settings.light { egui::Theme::Light } else { egui::Theme::Dark });
        context.set_zoom_factor(settings.text);
        ui::set_opened(context, settings.sections.clone());
        if let Err(why) = self.panel.set_layout(settings.layout.as_ref(), settings.panels) {
            let text = format!("{}: {why}; panels are where they are at first", settings::FILE);
            self.notify(Notice::bad("settings", text));
        }
        let scale = &mut self.view.scale;
        scale.quantity = Quantity::named(&settings.view).unwrap_or(scale.quantity);
        let palette = Palette::ALL.into_iter().find(|palette| palette.name() == settings.palette);
        scale.palette = palette.unwrap_or(scale.palette);
        self.view.overlays = Overlays::named(&settings.overlays).unwrap_or_default();
    }

    fn settings(&self) -> Settings {
        let (context, scale) = (&self.ui.context, &self.view.scale);
        let (width, height) = window::screen_size();
        let (layout, panels) = self.panel.layout();
        Settings {
            size: Some([width as u32, height as u32]),
            light: context.theme() == egui::Theme::Light,
            text: context.zoom_factor(),
            panels,
            layout: Some(layout),
            sections: ui::opened(context),
            view: scale.quantity.name.to_string(),
            palette: scale.palette.name().to_string(),
            overlays: self.view.overlays.names(),
        }
    }

    /// Once a frame: each second what changed is written.
    pub(super) fn keep_settings(&mut self) {
        if self.kept.looked.elapsed() >= LOOK_EVERY {
            self.keep_settings_now();
        }
    }

    pub(super) fn keep_settings_now(&mut self) {
        self.kept.looked = Instant::now();
        let settings = self.settings();
        if let Err(why) = self.kept.store.keep(&settings) {
            self.notify(Notice::bad("settings", why));
        }
    }
}
