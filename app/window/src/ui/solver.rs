//! The solver's part of the panel, built from what the hot code declares: save a new parameter and its slider appears.

use egui::{Response, RichText, Slider, Ui};
use sim_api::{ParamDesc, ParamKind};

use super::{number, theme};
use weft_engine::idle;
use weft_scene::assemble;
use weft_session::{Capabilities, Session};

/// Height that all solvers have room in [points].
const LIST: f32 = 420.0;

pub(super) fn show(ui: &mut Ui, session: &mut Session) {
    let present = session.scene().solver.name.clone();
    egui::ComboBox::from_label("solver").selected_text(&present).height(LIST).show_ui(ui, |ui| {
        for solver in session.solvers() {
            let name = solver.name.as_str();
            let refusal =
                offers(session).and_then(|offers| offers.solvers.get(name)).filter(|_| name != present);
            if offered(ui, refusal.map(String::as_str), |ui| {
                ui.selectable_label(name == present, name).on_hover_text(solver.doc.as_str())
            }) {
                session.choose_solver(name);
            }
        }
    });
    let Some(solver) = session.solver() else {
        ui.colored_label(theme::of(ui).amber, format!("the present code has no solver `{present}`"));
        return;
    };
    for param in solver.params.as_slice() {
        let value = session.run().value(param);
        let offered = offers(session).and_then(|offers| offers.params.get(param.name.as_str())).cloned();
        let refusal = offered.or_else(|| idle(session.run(), param));
        if let Some(wanted) = turned(ui, param, value, refusal.as_ref(), offers(session)) {
            session.set_param(param, wanted);
        }
    }
    if let Some(auto) = session.auto() {
        let wanted = session.scene().auto.stretch;
        let text = RichText::new(format!("auto: {auto}, {:.2} wanted", 100.0 * wanted)).small();
        let text = if auto.error <= wanted { text } else { text.color(theme::of(ui).amber) };
        ui.label(text)
            .on_hover_text("auto of the scene: the number follows what the stretch of the cloth is off");
    }
    for pending in &session.problems().pending {
        let text = format!("line {}: {}", pending.line, pending.message);
        ui.colored_label(theme::of(ui).amber, RichText::new(text).small());
    }
}

/// Another solver for a run beside, if one was chosen.
pub(super) fn pick(ui: &mut Ui, session: &Session, present: &str) -> Option<&'static str> {
    let mut chosen = None;
    egui::ComboBox::from_id_salt("solver").selected_text(present).height(LIST).show_ui(ui, |ui| {
        for solver in session.solvers() {
            let name = solver.name.as_str();
            let label = ui.selectable_label(name == present, name).on_hover_text(solver.doc.as_str());
            if label.clicked() && name != present {
                chosen = Some(name);
            }
        }
    });
    chosen
}

/// The parameters of the run at this place beside.
pub(super) fn params_beside(ui: &mut Ui, session: &mut Session, place: usize) {
    let twin = &session.timeline().beside().twins()[place];
    let params = twin.run.description().map_or(&[][..], |solver| solver.params.as_slice());
    let values = params.iter().map(|param| twin.run.value(param));
    let values: Vec<f32> = values.collect();
    let idle: Vec<Option<String>> = params.iter().map(|param| idle(&twin.run, param)).collect();
    for ((param, value), idle) in params.iter().zip(values).zip(idle) {
        if let Some(wanted) = turned(ui, param, value, idle.as_ref(), None) {
            session.set_beside_param(place, param, wanted);
        }
    }
}

/// A parameter's control, grey where there is a reason; its new value, if it got one.
fn turned(
    ui: &mut Ui,
    param: &ParamDesc,
    value: f32,
    refusal: Option<&String>,
    offers: Option<&Capabilities>,
) -> Option<f32> {
    if param.kind == ParamKind::Choice {
        return choice(ui, param, value, offers);
    }
    let mut wanted = None;
    offered(ui, refusal.map(String::as_str), |ui| {
        let (response, turned) = slider(ui, param, value);
        wanted = turned;
        response
    });
    wanted
}

/// What the GPU path offers, while it runs.
fn offers(session: &Session) -> Option<&Capabilities> {
    session.gpu().map(|_| session.device().capabilities())
}

/// A control, grey with the reason if there is one. True: it was clicked.
pub(super) fn offered(ui: &mut Ui, refusal: Option<&str>, add: impl FnOnce(&mut Ui) -> Response) -> bool {
    let response = ui.add_enabled_ui(refusal.is_none(), add).inner;
    match refusal {
        Some(why) => response.on_disabled_hover_text(why).clicked(),
        None => response.clicked(),
    }
}

fn slider(ui: &mut Ui, param: &ParamDesc, value: f32) -> (Response, Option<f32>) {
    let mut wanted = value;
    let wide = param.min >= 0.0 && param.max > 50.0 * param.min.max(1.0);
    let text = match param.unit.as_str() {
        "" => param.name.to_string(),
        unit => format!("{} [{unit}]", param.name),
    };
    let mut slider = Slider::new(&mut wanted, param.min..=param.max).text(text).logarithmic(wide);
    if param.kind == ParamKind::Count {
        slider = slider.integer();
    }
    let response = ui.add(number::slider(ui, slider)).on_hover_text(param.doc.as_str());
    (response, (wanted != value).then_some(wanted))
}

fn choice(ui: &mut Ui, param: &ParamDesc, value: f32, offers: Option<&Capabilities>) -> Option<f32> {
    let mut wanted = None;
    let present = assemble::choices(param).nth(value as usize).unwrap_or_default();
    egui::ComboBox::from_label(param.name.as_str())
        .selected_text(present)
        .show_ui(ui, |ui| {
            for (i, name) in assemble::choices(param).enumerate() {
                let refusal = offers.and_then(|offers| offers.choices.get(&(param.name.to_string(), i)));
                if offered(ui, refusal.map(String::as_str), |ui| ui.selectable_label(name == present, name)) {
                    wanted = Some(i as f32);
                }
            }
        })
        .response
        .on_hover_text(param.doc.as_str());
    wanted
}
