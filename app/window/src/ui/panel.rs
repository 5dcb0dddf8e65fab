//! All that lies over and beside the picture: panels as tiles, labels, time line, notices.

use std::{collections::VecDeque, path::PathBuf, time::Duration};

use weft_core::clock::Instant;

use egui::{Context, Rect, Ui};

use super::{
    beside, browser, changes::Changes, dock::Dock, fields::Fields, flame::Flames, help, inspect, menu,
    notices, number, plot::Times, plots::Plots, problems, readings::Readings, run, scale, states, stop,
    tile::Tile, time_line, time_line::Place,
};
use weft_session::{Notice, Session, ring::Ring};

use crate::view::View;

/// How fast the cloth's clock goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// So many times real time.
    Times(f32),
    /// As many steps as a frame has time for.
    Free,
}

/// What the user asked for; the window does it.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Pause,
    SingleStep,
    Reset,
    Speed(Speed),
    Record,
    Scene(PathBuf),
    StepBack,
    /// To a kept frame.
    GoTo(u64),
    Loop,
    /// Before and after side by side.
    Compare,
    /// Another solver beside the present one.
    Beside,
    /// The particle under the pointer, all that is known of it.
    Inspect,
    /// A file without the panel.
    Picture,
    /// Begin a film, or end it.
    Film,
    WhereItBegan,
    /// States by name.
    SaveState(String),
    LoadState(String),
    DeleteState(String),
    /// The GPU path (true), or the CPU's.
    Path(bool),
    /// Build the whole program, and go on as that.
    Rebuild,
    /// A panel, opened in front or closed.
    Toggle(Tile),
    Open(Tile),
    /// All panels away, or back.
    Panels,
    /// The list of keys.
    Help,
}

#[derive(Default)]
pub struct Panel {
    /// Whether the key list shows.
    pub help: bool,
    pub time_line: time_line::TimeLine,
    dock: Dock,
    parts: Parts,
}

/// What panels keep from frame to frame.
#[derive(Default)]
struct Parts {
    labels: beside::Labels,
    times: Times,
    flames: Flames,
    readings: Readings,
    plots: Plots,
    changes: Changes,
    /// What the user writes of a condition to pause at.
    stop: String,
    fields: Fields,
    browser: browser::Browser,
    states: states::States,
}

/// What the panel shows besides the session.
pub struct PanelInput<'a> {
    pub ring: &'a Ring,
    pub notices: &'a VecDeque<(Instant, Notice)>,
    pub speed: Speed,
    /// How fast it runs, by real time.
    pub real_time: Option<f64>,
    /// Frames recorded so far, while a recording runs.
    pub recording: Option<u64>,
    /// Where a recording is that plays.
    pub playing: Option<Place>,
    /// Frames in the film that is being made, and how many it will have.
    pub film: Option<(u64, u64)>,
    /// Rows of a cloth for one that is drawn.
    pub rows_for_one: u32,
    /// Hairs for one that is drawn.
    pub hairs_for_one: f32,
    /// Time and finished crates of a build of the whole program.
    pub rebuild: Option<(Duration, usize)>,
}

impl Panel {
    /// Opens a panel in front of others, or closes it if it is there.
    pub fn toggle(&mut self, tile: Tile) {
        self.dock.set(tile, !self.dock.shows(tile));
    }

    pub fn open(&mut self, tile: Tile) {
        self.dock.set(tile, true);
    }

    /// All panels away, or back.
    pub fn toggle_all(&mut self) {
        self.dock.toggle_all();
    }

    /// Where the panels are and whether they are there, as it is kept between runs.
    pub fn layout(&self) -> (serde_json::Value, Option<bool>) {
        (self.dock.layout(), self.dock.wanted)
    }

    /// As it was kept. Says why it is no layout; the panels are as they are at first then.
    pub fn set_layout(
        &mut self,
        layout: Option<&serde_json::Value>,
        open: Option<bool>,
    ) -> Result<(), String> {
        self.dock.wanted = open;
        layout.map_or(Ok(()), |layout| self.dock.take(layout))
    }

    /// Where the picture is [points]; `None`: in the whole window, under what covers it.
    pub fn picture(&self) -> Option<Rect> {
        self.dock.picture()
    }

    /// Whether panels were not shown yet.
    pub fn is_new(&self) -> bool {
        self.dock.is_new()
    }

    /// Whether pictures are being made that it waits for.
    pub fn is_busy(&self) -> bool {
        self.parts.browser.is_busy()
    }

    /// Builds all of it, edits the session and what is shown; returns what only the window can do.
    pub fn show(
        &mut self,
        context: &Context,
        session: &mut Session,
        view: &mut View,
        input: &PanelInput,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        self.parts.plots.take(session);
        let (dock, parts) = (&mut self.dock, &mut self.parts);
        context.root_ui(|ui| {
            beside::backdrop(ui, dock.picture(), view.ghosts, session);
            dock.show(ui, &mut |ui, tile| parts.show(ui, tile, (session, view, input), &mut actions));
        });
        if let Some(why) = number::refused(context) {
            session.notify(Notice::bad("panel", why));
        }
        if !dock.has(Tile::Particle) {
            view.inspected = None;
        }
        parts.browser.rest(dock);
        let picture = dock.picture().unwrap_or_else(|| context.content_rect());
        self.time_line.show(context, picture, (session, input.playing), &mut actions);
        self.parts.labels.show(context, picture, view.ghosts, session);
        scale::bar(context, picture, &view.scale);
        menu::show(context, picture, &mut self.dock);
        problems::show(context, picture, session, &mut actions);
        let above =
            if session.history().is_on() || input.playing.is_some() { time_line::HEIGHT } else { 12.0 };
        notices::show(context, picture, input.notices, above);
        if self.help {
            help::show(context, picture, &mut self.help);
        }
        actions
    }
}

impl Parts {
    /// What a panel shows.
    fn show(
        &mut self,
        ui: &mut Ui,
        tile: Tile,
        (session, view, input): (&mut Session, &mut View, &PanelInput),
        actions: &mut Vec<Action>,
    ) {
        match tile {
            Tile::Picture => {}
            Tile::Run => run::show(ui, session, view, input, actions),
            Tile::Scene => {
                self.changes.show(ui, session);
                self.fields.show(ui, session);
            }
            Tile::States => self.states.show(ui, session, actions),
            Tile::Times => self.times.show(ui, input.ring),
            Tile::Readings => {
                self.readings.show(ui, session, &mut self.plots, actions);
                stop::row(ui, session, &mut self.stop);
            }
            Tile::Step => self.flames.show(ui, session),
            Tile::Plots => self.plots.show(ui, session),
            Tile::Particle => inspect::show(ui, session, &mut view.inspected),
            #[cfg(not(target_arch = "wasm32"))]
            Tile::Scenes => self.browser.show(ui, session, actions),
        }
    }
}
