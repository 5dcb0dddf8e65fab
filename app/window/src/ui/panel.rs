//! The panel: what runs, what can be turned, how long it takes, what is wrong.

use std::{
    collections::VecDeque,
    path::{Path, PathBuf},
    time::Duration,
};

use weft_core::clock::Instant;

use egui::{Color32, Context, RichText, Ui};

use super::{
    beside, changes::Changes, fields::Fields, help, inspect, overlays, path, plot, plots::Plots, problems,
    reading, readings, readings::Readings, scale, solver, time_line,
};
use weft_session::{Notice, Session, live::Status, ring::Ring};

use crate::{scenes, view::View};

/// Windows narrower than this begin with the panel rolled up [points].
const NARROW: f32 = 640.0;
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
    WhereItBegan,
    /// The GPU path (true), or the CPU's.
    Path(bool),
    /// Build the whole program, and go on as that.
    Rebuild,
}

#[derive(Default)]
pub struct Panel {
    /// Whether the key list shows.
    pub help: bool,
    /// Width that it covers at the left edge [points]; 0 while it is folded or elsewhere.
    pub covers: f32,
    pub time_line: time_line::TimeLine,
    readings: Readings,
    plots: Plots,
    changes: Changes,
    /// What the user writes of a condition to pause at.
    stop: String,
    fields: Fields,
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
    /// Rows of a cloth for one that is drawn.
    pub rows_for_one: u32,
    /// Time and finished crates of a build of the whole program.
    pub rebuild: Option<(Duration, usize)>,
}

pub(super) const GOOD: Color32 = Color32::from_rgb(120, 200, 130);
pub(super) const BAD: Color32 = Color32::from_rgb(255, 120, 100);
pub(super) const AMBER: Color32 = Color32::from_rgb(240, 180, 70);

impl Panel {
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
            .default_width(300.0)
            .default_height(height)
            .max_height(height)
            .resizable([true, false])
            .default_open(open)
            .show(context, |ui| {
                egui::ScrollArea::vertical()
                    .max_height(height - 40.0)
                    .min_scrolled_height(height - 60.0)
                    .show(ui, |ui| {
                        scene_row(ui, session, &mut actions);
                        reading::row(ui, session);
                        buttons(ui, session, input, &mut actions);
                        readings::alarms(ui, session);
                        live_row(ui, session, input, &mut actions);
                        time_line::row(ui, session);
                        ui.separator();
                        scale::controls(ui, &mut view.scale, session);
                        overlays::controls(ui, &mut view.overlays);
                        ui.separator();
                        path::show(ui, session, &mut actions);
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
                        if ui.small_button("keys (h)").clicked() {
                            self.help = !self.help;
                        }
                    });
            });
        let covered = window.map(|window| window.response.rect);
        let covers = covered.filter(|rect| rect.left() < 60.0 && rect.height() > 0.5 * height);
        self.covers = covers.map_or(0.0, |rect| rect.right());
        self.time_line.show(context, self.covers, session, &mut actions);
        beside::labels(context, self.covers, view.ghosts, session);
        scale::bar(context, &view.scale);
        inspect::show(context, session, &mut view.inspected);
        problems::show(context, session, &mut actions);
        let above = if session.history().is_on() { time_line::HEIGHT } else { 12.0 };
        notices(context, input.notices, above);
        if self.help {
            help::show(context, self.covers, &mut self.help);
        }
        actions
    }
}

fn scene_row(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    egui::ComboBox::from_label("scene").selected_text(name(session.setup().path())).show_ui(ui, |ui| {
        for (i, path) in scenes::beside(session.setup().path()).into_iter().enumerate() {
            let label = if i < 9 { format!("{}  {}", i + 1, name(&path)) } else { name(&path) };
            if ui.selectable_label(path.file_name() == session.setup().path().file_name(), label).clicked() {
                actions.push(Action::Scene(path));
            }
        }
    });
    ui.label(RichText::new(&session.scene().doc).small().weak());
}

fn buttons(ui: &mut Ui, session: &Session, input: &PanelInput, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let pause = if session.is_paused() { "run" } else { "pause" };
        let record = if input.recording.is_some() { "stop recording" } else { "record" };
        let buttons = [
            (pause, "space", Action::Pause),
            ("step", ".", Action::SingleStep),
            ("reset", "r", Action::Reset),
            (record, "t", Action::Record),
        ];
        for (label, key, action) in buttons {
            if ui.button(label).on_hover_text(format!("key {key}")).clicked() {
                actions.push(action);
            }
        }
    });
    ui.horizontal(|ui| speed(ui, session, input, actions));
    if let Some(frames) = input.recording {
        ui.colored_label(BAD, format!("recording: {frames} frames"));
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
        ui.colored_label(AMBER, RichText::new(format!("runs until {}", stop.text())).small());
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
            ui.label(if slow { text.color(AMBER) } else { text }).on_hover_text(
                "simulated time by the clock's; amber: the frames take longer than the time that they simulate",
            )
        }
    };
}

fn live_row(ui: &mut Ui, session: &Session, input: &PanelInput, actions: &mut Vec<Action>) {
    let live = session.live();
    if let Some((time, crates)) = input.rebuild {
        let text = format!("building the whole program… {:.0} s, {crates} crates done", time.as_secs_f32());
        ui.colored_label(AMBER, RichText::new(text).small());
    } else if live.contract_changed()
        && ui
            .button("rebuild and restart")
            .on_hover_text("key F5: sim_api changed; the state is kept")
            .clicked()
    {
        actions.push(Action::Rebuild);
    }
    let running = session.run().generation.number;
    let code = if running == 0 { "built in".to_string() } else { format!("generation {running}") };
    match &live.status {
        Status::Off(why) => ui.label(RichText::new(format!("code: {code}; {why}")).small()),
        Status::FirstBuild { crates } => {
            let text = format!("code: {code}; building the live library… {crates} crates done");
            ui.label(RichText::new(text).small())
        }
        Status::Building { since, crates } => {
            let seconds = since.elapsed().as_secs_f32();
            let text = format!("code: {code}; building… {seconds:.1} s, {crates} crates done");
            ui.colored_label(AMBER, RichText::new(text).small())
        }
        Status::Ready => {
            let mut text = format!("code: {code}");
            if let Some(build) = live.last_build {
                text += &format!("; last build {} ms", build.as_millis());
            }
            if let Some(swap) = session.recovery().last_swap() {
                text += &format!(", probe {} ms", swap.probe.as_millis());
                text += &format!(", published to running {} ms", swap.to_running.as_millis());
            }
            let (generations, mapped) = (live.loaded(), live.mapped() as f64 / 1e6);
            text += &format!("; {generations} libraries mapped, {mapped:.1} MB");
            ui.label(RichText::new(text).small())
        }
    };
    if !live.warnings.is_empty() {
        let title = RichText::new(format!("{} warning(s)", live.warnings.len())).small().color(AMBER);
        egui::CollapsingHeader::new(title).id_salt("warnings").show(ui, |ui| {
            for warning in &live.warnings {
                problems::places(ui, &warning.place);
                ui.label(RichText::new(warning.rendered.trim_end()).monospace().size(10.0));
            }
        });
    }
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
                    let color = if notice.good { GOOD } else { BAD };
                    ui.colored_label(
                        color,
                        RichText::new(format!("{}: {}", notice.kind, notice.text)).small(),
                    );
                }
            });
        },
    );
}
