//! The panel of the run: scene, clock, code, view, path, solver, and the runs beside.

use std::path::Path;

use egui::{RichText, Ui};

use super::{
    beside, code, overlays,
    panel::{Action, PanelInput, Speed},
    path, reading, readings, scale, solver, theme, time_line,
};
use weft_session::Session;

use crate::{scenes, view::View};

const TEXT_STEP: f32 = 1.1;
/// Speeds to choose from, by real time.
const SPEEDS: [f32; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0];

pub(super) fn show(
    ui: &mut Ui,
    session: &mut Session,
    view: &mut View,
    input: &PanelInput,
    actions: &mut Vec<Action>,
) {
    scene_row(ui, session, actions);
    reading::row(ui, session);
    buttons(ui, session, input, actions);
    readings::alarms(ui, session);
    code::row(ui, session, input, actions);
    time_line::row(ui, session);
    ui.separator();
    scale::controls(ui, &mut view.scale, session);
    overlays::controls(ui, &mut view.overlays);
    ui.separator();
    path::show(ui, session, actions);
    if input.rows_for_one > 1 {
        let text = format!("drawn 1:{}", input.rows_for_one);
        ui.label(RichText::new(text).small())
            .on_hover_text("of so many rows and columns one is drawn: particles are less than a pixel apart");
    }
    if input.hairs_for_one > 1.0 {
        let text = format!("hair drawn 1:{:.1}", input.hairs_for_one);
        ui.label(RichText::new(text).small()).on_hover_text(
            "of so many hairs one is drawn, as much wider: they are thinner than a pixel, or pictures are made fast",
        );
    }
    solver::show(ui, session);
    beside::controls(ui, session, &mut view.ghosts);
    ui.separator();
    ui.horizontal(|ui| looks(ui, actions));
}

fn scene_row(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
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
        #[cfg(not(target_arch = "wasm32"))]
        let hint = "key m: all scenes of the folder, as pictures";
        #[cfg(not(target_arch = "wasm32"))]
        if ui.button("browse").on_hover_text(hint).clicked() {
            actions.push(Action::Toggle(super::Tile::Scenes));
        }
    });
    ui.label(RichText::new(&session.scene().doc).small().weak());
}

fn buttons(ui: &mut Ui, session: &Session, input: &PanelInput, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
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
        ui.colored_label(theme::of(ui).bad, format!("recording: {frames} drawn frames"));
    }
}

/// The list of keys, the theme and the size of the text.
fn looks(ui: &mut Ui, actions: &mut Vec<Action>) {
    if ui.small_button("keys (h)").clicked() {
        actions.push(Action::Help);
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
