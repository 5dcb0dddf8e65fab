//! The panel: what runs, what can be turned, how long it takes, what is wrong.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    time::Duration,
};

use weft_core::clock::Instant;

use egui::{Context, RichText, Ui};

use super::{
    beside, browser, changes::Changes, code, fields::Fields, flame::Flames, help, inspect, overlays, path,
    plot, plots::Plots, problems, reading, readings, readings::Readings, scale, solver, states, theme,
    time_line, time_line::Place,
};
use weft_session::{Notice, Session, ring::Ring};

use crate::{scenes, view::View};

/// Windows narrower than this begin with the panel rolled up [points].
const NARROW: f32 = 640.0;
/// The panel's at first [points].
const WIDTH: f32 = 300.0;
const TEXT_STEP: f32 = 1.1;
/// Pictures after which its margins are what they stay.
const SETTLED: u32 = 4;
/// Speeds to choose from, by real time.
const SPEEDS: [f32; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0];
/// Notices stay on screen this long.
pub(crate) const NOTICE_TIME: Duration = Duration::from_secs(6);

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
}

pub struct Panel {
    /// Whether the key list shows.
    pub help: bool,
    /// Width that it covers at the left edge [points]; 0 while it is folded or elsewhere.
    pub covers: f32,
    /// Of its content [points]; before the first picture, the one that it begins with.
    pub width: f32,
    /// Pictures so far, up to the one in which `inner` was measured, and what egui leaves of the width that it was given.
    shown: u32,
    inner: f32,
    pub time_line: time_line::TimeLine,
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

impl Default for Panel {
    fn default() -> Self {
        Self {
            help: false,
            covers: 0.0,
            width: WIDTH,
            shown: 0,
            inner: 0.0,
            time_line: time_line::TimeLine::default(),
            flames: Flames::default(),
            readings: Readings::default(),
            plots: Plots::default(),
            changes: Changes::default(),
            stop: String::new(),
            fields: Fields::default(),
            states: states::States::default(),
            browser: browser::Browser::default(),
        }
    }
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
    /// Time and finished crates of a build of the whole program.
    pub rebuild: Option<(Duration, usize)>,
}

impl Panel {
    /// The list of scenes as pictures, shown or not.
    pub fn toggle_browser(&mut self) {
        self.browser.open = !self.browser.open;
    }

    /// The width that the user gave it: what changed since the first pictures, in which margins settle.
    fn measure(&mut self, inner: f32) {
        self.shown += 1;
        if self.shown > SETTLED {
            self.width += inner - self.inner;
        }
        self.inner = inner;
    }

    /// Whether pictures are being made that it waits for.
    pub fn is_busy(&self) -> bool {
        self.browser.is_busy()
    }

    /// Builds the panel, edits the session and what is shown; returns what only the window can do.
    pub fn show(
        &mut self,
        context: &Context,
        session: &mut Session,
        view: &mut View,
        input: &PanelInput,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        let height = context.content_rect().height() - 24.0;
        // On a phone it would cover the picture.
        let open = context.content_rect().width() >= NARROW;
        let window = egui::Window::new("Weft")
            .default_pos([12.0, 12.0])
            .default_width(self.width)
            .default_height(height)
            .max_height(height)
            .resizable([true, false])
            .default_open(open)
            .show(context, |ui| {
                self.measure(ui.available_width());
                egui::ScrollArea::vertical()
                    .max_height(height - 40.0)
                    .min_scrolled_height(height - 60.0)
                    .show(ui, |ui| {
                        scene_row(ui, session, &mut self.browser.open, &mut actions);
                        reading::row(ui, session);
                        buttons(ui, session, input, &mut actions);
                        readings::alarms(ui, session);
                        code::row(ui, session, input, &mut actions);
                        time_line::row(ui, session);
                        self.states.show(ui, session, &mut actions);
                        ui.separator();
                        scale::controls(ui, &mut view.scale, session);
                        overlays::controls(ui, &mut view.overlays);
                        ui.separator();
                        path::show(ui, session, &mut actions);
                        self.flames.show(ui, session);
                        if input.rows_for_one > 1 {
                            let text = format!("drawn 1:{}", input.rows_for_one);
                            ui.label(RichText::new(text).small()).on_hover_text(
                                "of so many rows and columns one is drawn: particles are less than a pixel apart",
                            );
                        }
                        solver::show(ui, session);
                        beside::controls(ui, session, &mut view.ghosts);
                        ui.separator();
                        plot::show(ui, input.ring);
                        self.readings.show(ui, session, &mut self.plots);
                        self.plots.show(ui, session);
                        stop(ui, session, &mut self.stop);
                        ui.separator();
                        self.changes.show(ui, session);
                        self.fields.show(ui, session);
                        ui.separator();
                        ui.horizontal(|ui| looks(ui, &mut self.help));
                    });
            });
        let covered = window.map(|window| window.response.rect);
        let covers = covered.filter(|rect| rect.left() < 60.0 && rect.height() > 0.5 * height);
        self.covers = covers.map_or(0.0, |rect| rect.right());
        self.time_line.show(context, self.covers, (session, input.playing), &mut actions);
        beside::labels(context, self.covers, view.ghosts, session);
        scale::bar(context, &view.scale);
        inspect::show(context, session, &mut view.inspected);
        self.browser.show(context, self.covers, session, &mut actions);
        problems::show(context, session, &mut actions);
        let above =
            if session.history().is_on() || input.playing.is_some() { time_line::HEIGHT } else { 12.0 };
        notices(context, input.notices, above);
        if self.help {
            help::show(context, self.covers, &mut self.help);
        }
        actions
    }
}

fn scene_row(ui: &mut Ui, session: &Session, browse: &mut bool, actions: &mut Vec<Action>) {
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    ui.horizontal(|ui| {
        egui::ComboBox::from_label("scene").selected_text(name(session.setup().path())).show_ui(ui, |ui| {
            for (i, path) in scenes::beside(session.setup().path()).into_iter().enumerate() {
                let label = if i < 9 { format!("{}  {}", i + 1, name(&path)) } else { name(&path) };
                if ui
                    .selectable_label(path.file_name() == session.setup().path().file_name(), label)
                    .clicked()
                {
                    actions.push(Action::Scene(path));
                }
            }
        });
        let hint = "key m: all scenes of the folder, as pictures";
        if !cfg!(target_arch = "wasm32") && ui.button("browse").on_hover_text(hint).clicked() {
            *browse = !*browse;
        }
    });
    ui.label(RichText::new(&session.scene().doc).small().weak());
}

fn buttons(ui: &mut Ui, session: &Session, input: &PanelInput, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let pause = if session.is_paused() { "run" } else { "pause" };
        let record = if input.recording.is_some() { "stop recording" } else { "record" };
        let film = if input.film.is_some() { "end film" } else { "film" };
        let buttons = [
            (pause, "space", Action::Pause),
            ("step", ".", Action::SingleStep),
            ("reset", "r", Action::Reset),
            (record, "t", Action::Record),
            (film, "f: the loop, or as many frames as one would have, as a GIF in recordings", Action::Film),
        ];
        for (label, key, action) in buttons {
            if ui.button(label).on_hover_text(format!("key {key}")).clicked() {
                actions.push(action);
            }
        }
    });
    ui.horizontal(|ui| speed(ui, session, input, actions));
    if let Some((done, all)) = input.film {
        let bar = egui::ProgressBar::new(done as f32 / all.max(1) as f32);
        ui.add(bar.text(RichText::new(format!("film: {done} of {all} frames")).small()));
    }
    if let Some(frames) = input.recording {
        ui.colored_label(theme::of(ui).bad, format!("recording: {frames} frames"));
    }
}

/// The list of keys, the theme and the size of the text.
fn looks(ui: &mut Ui, help: &mut bool) {
    if ui.small_button("keys (h)").clicked() {
        *help = !*help;
    }
    let (name, other) =
        if ui.visuals().dark_mode { ("light", egui::Theme::Light) } else { ("dark", egui::Theme::Dark) };
    if ui.small_button(name).on_hover_text("the panel in light or dark colours; kept between runs").clicked()
    {
        ui.ctx().set_theme(other);
    }
    for (name, by, key) in [("A-", 1.0 / TEXT_STEP, "ctrl -"), ("A+", TEXT_STEP, "ctrl +")] {
        if ui
            .small_button(name)
            .on_hover_text(format!("size of the text ({key}); kept between runs"))
            .clicked()
        {
            let zoom = ui.ctx().zoom_factor() * by;
            ui.ctx().set_zoom_factor(zoom.clamp(0.5, 3.0));
        }
    }
}

/// A condition to pause at.
fn stop(ui: &mut Ui, session: &mut Session, text: &mut String) {
    ui.horizontal(|ui| {
        let waits = session.stop().map(|stop| stop.text().to_string());
        ui.label(RichText::new("pause when").small());
        let field = egui::TextEdit::singleline(text).hint_text("stretch_max > 0.2").desired_width(150.0);
        let field = ui
            .add(field)
            .on_hover_text("a condition over the readings, `frame` and `time`, such as max_speed > 10");
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let button = ui.small_button(if waits.is_some() { "end" } else { "set" });
        if button.clicked() || entered {
            let wanted = if waits.is_some() && !entered { "" } else { text.as_str() };
            if let Err(why) = session.set_stop(wanted) {
                session.notify(Notice::bad("pause when", why));
            } else if session.stop().is_some() {
                session.set_paused(false);
            }
        }
    });
    if let Some(stop) = session.stop() {
        ui.colored_label(theme::of(ui).amber, RichText::new(format!("runs until {}", stop.text())).small());
    }
}

/// How fast the cloth's clock is to go, and how fast it goes.
fn speed(ui: &mut Ui, session: &Session, input: &PanelInput, actions: &mut Vec<Action>) {
    let name = |speed: Speed| match speed {
        Speed::Times(times) => format!("{times}x"),
        Speed::Free => "free".to_string(),
    };
    let combo = egui::ComboBox::from_id_salt("speed").selected_text(name(input.speed)).width(54.0);
    let hint = "speed of the cloth by real time; free: as many steps as a frame has time for";
    combo
        .show_ui(ui, |ui| {
            for speed in SPEEDS.into_iter().map(Speed::Times).chain([Speed::Free]) {
                if ui.selectable_label(speed == input.speed, name(speed)).clicked() {
                    actions.push(Action::Speed(speed));
                }
            }
        })
        .response
        .on_hover_text(hint);
    let time = format!("t = {:.2} s", session.run().time);
    match (input.real_time, input.speed) {
        _ if session.is_paused() => ui.label(RichText::new(format!("{time}, paused")).small()),
        (None, _) => ui.label(RichText::new(time).small()),
        (Some(ratio), speed) => {
            let text = RichText::new(format!("{time}, {ratio:.2}x real time")).small();
            let slow = matches!(speed, Speed::Times(times) if ratio < 0.9 * f64::from(times));
            ui.label(if slow { text.color(theme::of(ui).amber) } else { text }).on_hover_text(
                "simulated time by the clock's; amber: the frames take longer than the time that they simulate",
            )
        }
    };
}

/// The last few notices, at the lower edge.
fn notices(context: &Context, notices: &VecDeque<(Instant, Notice)>, above: f32) {
    let fresh = notices.iter().filter(|(at, _)| at.elapsed() < NOTICE_TIME);
    let fresh: Vec<&Notice> = fresh.map(|(_, notice)| notice).collect();
    if fresh.is_empty() {
        return;
    }
    egui::Area::new(egui::Id::unique("notices")).anchor(egui::Align2::RIGHT_BOTTOM, [-12.0, -above]).show(
        context,
        |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(560.0);
                for notice in fresh.iter().skip(fresh.len().saturating_sub(5)) {
                    let color = if notice.good { theme::of(ui).good } else { theme::of(ui).bad };
                    ui.colored_label(
                        color,
                        RichText::new(format!("{}: {}", notice.kind, notice.text)).small(),
                    );
                }
            });
        },
    );
}
