//! Solvers side by side on one state: which run beside the present one, where each is computed, and its part of the window.

mod labels;

use egui::{CollapsingHeader, Color32, Rect, RichText, Ui};

use super::{section, solver, theme, time_line::HEIGHT};
use weft_engine::run::StepError;
use weft_scene::{RunPath, SolverChoice};
use weft_session::{
    Session,
    beside::{MOST_BESIDE, Own, Twin},
};

pub(super) use labels::Labels;

use crate::view::TINTS;

/// Between two pictures [pixels].
const GAP: f32 = 2.0;
/// Height of a name with its numbers [points].
pub const LABEL: f32 = 84.0;
/// A picture with its label is this many labels high, or the label lies in it.
const LEAST: f32 = 3.0;

/// A part of the window and what it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    /// Left, top, right and bottom edge of the picture.
    pub area: [f32; 4],
    /// Height of the strip over it in which the run's name and numbers stand; 0: they stand in the picture.
    pub label: f32,
    /// The run at this place beside; `None`: the session's own.
    pub beside: Option<usize>,
}

/// The parts of `area` in which the runs of a session are shown; none while it runs alone. Before comes before after, other
/// solvers come after the present one; four lie two by two. `label`: height of what is written over each.
pub fn panes(session: &Session, [left, top, right, bottom]: [f32; 4], label: f32) -> Vec<Pane> {
    let twins = session.timeline().beside().twins();
    let is_before = |twin: &Twin| *twin.own() == Own::Code;
    let of = |before: bool| (0..twins.len()).filter(move |&i| is_before(&twins[i]) == before).map(Some);
    let order: Vec<Option<usize>> = of(true).chain([None]).chain(of(false)).collect();
    if order.len() < 2 {
        return Vec::new();
    }
    let (columns, rows) = if order.len() == 4 { (2, 2) } else { (order.len(), 1) };
    let pane = |(i, beside): (usize, Option<usize>)| {
        let [from_x, to_x] = piece([left, right], i % columns, columns);
        let [from_y, to_y] = piece([top, bottom], i / columns, rows);
        // Where it would take much of the picture it lies in it.
        let label = if to_y - from_y >= LEAST * label { label } else { 0.0 };
        Pane { area: [from_x, from_y + label, to_x, to_y], label, beside }
    };
    order.into_iter().enumerate().map(pane).collect()
}

/// Begin and end of one of `count` equal pieces, half a gap in from where it has a neighbour.
fn piece([from, to]: [f32; 2], number: usize, count: usize) -> [f32; 2] {
    let at = |number: usize| (from + number as f32 * (to - from) / count as f32).round();
    let begin = if number > 0 { 0.5 * GAP } else { 0.0 };
    let end = if number + 1 < count { 0.5 * GAP } else { 0.0 };
    [at(number) + begin, at(number + 1) - end]
}

/// The part of the panel: who runs beside, with which values.
pub(super) fn controls(ui: &mut Ui, session: &mut Session, ghosts: &mut bool) {
    let count = session.timeline().beside().twins().len();
    let title =
        if count == 0 { "side by side".to_string() } else { format!("side by side: {} runs", count + 1) };
    section::show(ui, "side by side", false, title, |ui| {
        let count = all(ui, session);
        ui.horizontal(|ui| add(ui, session, count));
        if count == 0 {
            return;
        }
        ui.horizontal(|ui| {
            let hint = "begin all of them at the state of the first";
            if ui.button("together").on_hover_text(hint).clicked() {
                session.begin_together();
            }
            ui.checkbox(ghosts, "one picture").on_hover_text("all runs in one picture, each in its colour");
            let mut same = session.timeline().beside().same_ms;
            let hint = "each solver takes as many substeps (or iterations) as the first one has time for";
            if ui.checkbox(&mut same, "same ms").on_hover_text(hint).changed() {
                session.set_same_ms(same);
            }
        });
    });
}

/// All runs; returns how many there are then.
fn all(ui: &mut Ui, session: &mut Session) -> usize {
    let count = session.timeline().beside().twins().len();
    let ends = (0..count).filter(|&place| ui.push_id(place, |ui| one(ui, session, place)).inner).last();
    // Those behind it move up.
    ends.iter().for_each(|&place| session.remove_beside(place));
    session.timeline().beside().twins().len()
}

/// One run; true if it is to end.
fn one(ui: &mut Ui, session: &mut Session, place: usize) -> bool {
    let twin = &session.timeline().beside().twins()[place];
    let (name, tint, path) = (name(twin), colour(place + 1), twin.path());
    let (choice, problem) = (twin.choice().cloned(), twin.problem.as_ref().map(stands));
    let adapter = twin.gpu().map(|gpu| format!("{}; passes {}", gpu.gpu.info.name, gpu.passes_text()));
    let mut ends = false;
    ui.horizontal_wrapped(|ui| {
        swatch(ui, tint);
        // First in its row: a long name would push it out of the panel.
        ends = ui.small_button("x").on_hover_text("end this run").clicked();
        match &choice {
            None => _ = ui.label(&name),
            Some(choice) => {
                if let Some(chosen) = solver::pick(ui, session, &choice.name) {
                    session.choose_beside(place, chosen);
                }
                for (other, name) in [(RunPath::Cpu, "CPU"), (RunPath::Gpu, "GPU")] {
                    let label = ui.selectable_label(path == other, name);
                    let hint = adapter.as_deref().filter(|_| other == RunPath::Gpu);
                    let hint =
                        hint.unwrap_or("where this run is computed; its columns move once, bit for bit");
                    if label.on_hover_text(hint).clicked() && path != other {
                        session.set_beside_path(place, other);
                    }
                }
            }
        }
    });
    if let Some(why) = problem {
        ui.label(RichText::new(why).small().weak());
    }
    if choice.is_some() {
        CollapsingHeader::new(RichText::new("parameters").small()).id_salt("values").show(ui, |ui| {
            solver::params_beside(ui, session, place);
        });
    }
    ends
}

fn add(ui: &mut Ui, session: &mut Session, count: usize) {
    let full = count >= MOST_BESIDE;
    let button = ui.add_enabled(!full, egui::Button::new("add a solver (n)"));
    let button = button.on_hover_text("another solver beside this one, on the same state");
    if button.on_disabled_hover_text("there is room for four pictures").clicked() {
        another(session);
    }
}

/// The next solver of the list that does not run yet, beside those that do and on the path of the first. Says why there is none.
pub(crate) fn try_another(session: &mut Session) -> Result<String, String> {
    let beside = session.timeline().beside().twins();
    let runs =
        |name: &str| name == session.scene().solver.name || beside.iter().any(|twin| twin.run.solver == name);
    let solvers = session.solvers();
    let at = solvers.iter().position(|solver| runs(solver.name.as_str())).unwrap_or(0);
    let after = solvers.iter().cycle().skip(at).take(solvers.len());
    let refused = &session.device().capabilities().solvers;
    let on_device = session.gpu().is_some();
    let mut free = after.map(|solver| solver.name.as_str()).filter(|name| !runs(name));
    let free = free.find(|name| !on_device || !refused.contains_key(*name));
    let name = free.ok_or("every solver that this path has runs already")?;
    let mut choice = session.setup().file().solver.clone();
    choice.choose(name);
    session.add_beside(choice)?;
    if on_device {
        session.set_beside_path(session.timeline().beside().twins().len() - 1, RunPath::Gpu);
    }
    Ok(format!("{name} beside {}", session.scene().solver.name))
}

fn another(session: &mut Session) {
    if let Err(why) = try_another(session) {
        session.notify(weft_session::Notice::bad("beside", why));
    }
}

fn swatch(ui: &mut Ui, color: Color32) {
    let (room, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
    ui.painter().rect_filled(room, 2.0, color);
}

/// Of a run in one picture.
pub(super) fn colour(run: usize) -> Color32 {
    let part = |linear: f32| (linear.powf(1.0 / 2.2) * 255.0).round() as u8;
    let [r, g, b] = TINTS[run.min(TINTS.len() - 1)].map(part);
    Color32::from_rgb(r, g, b)
}

fn name(twin: &Twin) -> String {
    match twin.choice() {
        None => format!("before: {}", code(twin.run.generation.number)),
        Some(choice) => with_values(choice, twin.path()),
    }
}

/// `xpbd@gpu: iterations 1, substeps 23`: the solver and its path, with what the scene or the panel says of it.
fn with_values(choice: &SolverChoice, path: RunPath) -> String {
    let values: Vec<String> = choice.params.iter().map(|(name, value)| format!("{name} {value}")).collect();
    let path = if path == RunPath::Gpu { "@gpu" } else { "" };
    let colon = if values.is_empty() { "" } else { ": " };
    format!("{}{path}{colon}{}", choice.name, values.join(", "))
}

/// Of a run that does not go on: why, and what to do.
fn stands(why: &StepError) -> String {
    let todo = match why {
        StepError::NotOffered(_) => "the CPU path or another solver",
        StepError::Gpu(_) => "`together` tries again",
        _ => return format!("stands still: {why}"),
    };
    format!("stands still: {why}; {todo}")
}

fn code(generation: u32) -> String {
    if generation == 0 { "built in".to_string() } else { format!("generation {generation}") }
}

/// What the time line leaves free of the picture for runs beside each other: left, top, right and bottom edge [points].
pub fn free(session: &Session, picture: Rect) -> [f32; 4] {
    let below = if session.history().is_on() { HEIGHT } else { 0.0 };
    [picture.left(), picture.top(), picture.right(), picture.bottom() - below]
}

/// Nothing is drawn under the time line, and under the labels, of several pictures.
pub(super) fn backdrop(ui: &Ui, picture: Option<Rect>, ghosts: bool, session: &Session) {
    let Some(picture) = picture.filter(|_| !ghosts) else { return };
    let area = free(session, picture);
    let panes = panes(session, area, LABEL);
    let labels = panes.iter().map(|Pane { area: [left, top, right, _], label, .. }| {
        Rect::from_x_y_ranges(*left..=*right, top - label..=*top)
    });
    let under = Rect::from_x_y_ranges(picture.x_range(), area[3]..=picture.bottom());
    let under = (!panes.is_empty()).then_some(under);
    for place in under.into_iter().chain(labels) {
        ui.painter().rect_filled(place, 0.0, theme::of(ui).backdrop);
    }
}

#[cfg(test)]
mod tests {
    use egui::{Event, Modifiers, PointerButton, RawInput, pos2, vec2};
    use weft_session::Options;

    use super::*;

    #[test]
    fn pieces_cover_all_but_the_gaps() {
        assert_eq!(piece([10.0, 110.0], 0, 1), [10.0, 110.0]);
        assert_eq!(piece([10.0, 110.0], 0, 2), [10.0, 59.0]);
        assert_eq!(piece([10.0, 110.0], 1, 2), [61.0, 110.0]);
        assert_eq!(piece([0.0, 100.0], 1, 3), [34.0, 66.0]);
    }

    #[test]
    fn any_of_the_runs_can_be_ended() {
        let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/hanging.ron").into();
        let mut session = Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap();
        for name in ["vbd", "verlet", "pbd_sor"] {
            let mut choice = session.scene().solver.clone();
            choice.choose(name);
            session.add_beside(choice).unwrap();
        }
        let context = egui::Context::default();
        let mut frame = |events: Vec<Event>| {
            let screen_rect = Some(egui::Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 400.0)));
            let input = RawInput { events, screen_rect, ..RawInput::default() };
            let mut output = context.run_pass(input, |context| {
                egui::Area::new(egui::Id::unique("runs"))
                    .fixed_pos(pos2(0.0, 0.0))
                    .show(context, |ui| all(ui, &mut session));
            });
            output.textures_delta.clear();
            session.timeline().beside().twins().len()
        };
        let mut counts = vec![frame(Vec::new()), frame(Vec::new())];
        let button = |pos, pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        // Down the column of their buttons, until the first is hit, and so on.
        for y in (0..400).step_by(5).cycle().take(400) {
            let at = pos2(34.0, y as f32);
            frame(vec![Event::PointerMoved(at)]);
            frame(vec![button(at, true)]);
            counts.push(frame(vec![button(at, false)]));
        }
        counts.dedup();
        assert_eq!(counts, [3, 2, 1, 0]);
    }
}
