//! Solvers side by side on one state: which run beside the present one, and the numbers of each over its picture.

use std::time::Duration;

use egui::{CollapsingHeader, Color32, Context, Rect, RichText, Ui, pos2};

use super::{section, solver, theme, time_line::HEIGHT};
use weft_core::clock::Instant;
use weft_scene::SolverChoice;
use weft_session::{
    Session,
    beside::{MOST_BESIDE, Own, Twin},
    readings::{Measured, text},
};

use crate::view::TINTS;

/// Numbers over pictures are taken this often: faster digits cannot be read.
const TAKE_EVERY: Duration = Duration::from_millis(100);
/// Between two pictures [pixels].
const GAP: f32 = 2.0;

/// A part of the window and what it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    /// Left, top, right and bottom edge.
    pub area: [f32; 4],
    /// The run at this place beside; `None`: the session's own.
    pub beside: Option<usize>,
}

/// The parts of `area` in which the runs of a session are shown; none while it runs alone. Before comes before after, other
/// solvers come after the present one; four lie two by two.
pub fn panes(session: &Session, [left, top, right, bottom]: [f32; 4]) -> Vec<Pane> {
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
        Pane { area: [from_x, from_y, to_x, to_y], beside }
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
        for place in 0..count {
            ui.push_id(place, |ui| one(ui, session, place));
        }
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

fn one(ui: &mut Ui, session: &mut Session, place: usize) {
    let twin = &session.timeline().beside().twins()[place];
    let (name, tint) = (name(twin), colour(place + 1));
    let choice = twin.choice().cloned();
    let mut ends = false;
    ui.horizontal(|ui| {
        swatch(ui, tint);
        match &choice {
            None => _ = ui.label(&name),
            Some(choice) => {
                if let Some(chosen) = solver::pick(ui, session, &choice.name) {
                    session.choose_beside(place, chosen);
                }
            }
        }
        ends = ui.small_button("x").on_hover_text("end this run").clicked();
    });
    if choice.is_some() {
        CollapsingHeader::new(RichText::new("parameters").small()).id_salt("values").show(ui, |ui| {
            solver::params_beside(ui, session, place);
        });
    }
    if ends {
        session.remove_beside(place);
    }
}

fn add(ui: &mut Ui, session: &mut Session, count: usize) {
    let full = count >= MOST_BESIDE || session.gpu().is_some();
    let why = if count >= MOST_BESIDE {
        "there is room for four pictures"
    } else {
        "on the CPU path only (key g); `weft run --runs` takes both paths"
    };
    let button = ui.add_enabled(!full, egui::Button::new("add a solver (n)"));
    let button = button.on_hover_text("another solver beside this one, on the same state");
    if button.on_disabled_hover_text(why).clicked() {
        another(session);
    }
}

/// The next solver of the list that does not run yet, beside those that do. Says why there is none.
pub(crate) fn try_another(session: &mut Session) -> Result<String, String> {
    let beside = session.timeline().beside().twins();
    let runs =
        |name: &str| name == session.scene().solver.name || beside.iter().any(|twin| twin.run.solver == name);
    let solvers = session.solvers();
    let at = solvers.iter().position(|solver| runs(solver.name.as_str())).unwrap_or(0);
    let after = solvers.iter().cycle().skip(at).take(solvers.len());
    let free = after.map(|solver| solver.name.as_str()).find(|name| !runs(name));
    let name = free.ok_or("every solver runs already")?;
    let mut choice = session.setup().file().solver.clone();
    choice.choose(name);
    session.add_beside(choice)?;
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
        Some(choice) => with_values(choice),
    }
}

/// `xpbd: iterations 1, substeps 23`: the solver, with what the scene or the panel says of it.
fn with_values(choice: &SolverChoice) -> String {
    let values: Vec<String> = choice.params.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if values.is_empty() { choice.name.clone() } else { format!("{}: {}", choice.name, values.join(", ")) }
}

fn code(generation: u32) -> String {
    if generation == 0 { "built in".to_string() } else { format!("generation {generation}") }
}

/// What the time line leaves free of the picture for runs beside each other: left, top, right and bottom edge [points].
pub fn free(session: &Session, picture: Rect) -> [f32; 4] {
    let below = if session.history().is_on() { HEIGHT } else { 0.0 };
    [picture.left(), picture.top(), picture.right(), picture.bottom() - below]
}

/// Nothing is drawn under the time line where several pictures stand above it.
pub(super) fn backdrop(ui: &Ui, picture: Option<Rect>, ghosts: bool, session: &Session) {
    let Some(picture) = picture.filter(|_| !ghosts) else { return };
    let area = free(session, picture);
    if !panes(session, area).is_empty() {
        let under = Rect::from_x_y_ranges(picture.x_range(), area[3]..=picture.bottom());
        ui.painter().rect_filled(under, 0.0, theme::of(ui).backdrop);
    }
}

/// Names and numbers of the runs over their pictures, as they were last taken.
#[derive(Default)]
pub(super) struct Labels {
    lines: Vec<Lines>,
    taken: Option<Instant>,
}

impl Labels {
    pub(super) fn show(&mut self, context: &Context, picture: Rect, ghosts: bool, session: &Session) {
        let area = free(session, picture);
        let shown = panes(session, area);
        let is_old = self.taken.is_none_or(|taken| taken.elapsed() >= TAKE_EVERY);
        if is_old || self.lines.len() != shown.len() {
            self.lines = shown.iter().map(|pane| lines(session, pane.beside)).collect();
            self.taken = Some(Instant::now());
        }
        labels(context, area, ghosts, shown.iter().zip(&self.lines));
    }
}

fn labels<'a>(
    context: &Context,
    area: [f32; 4],
    ghosts: bool,
    shown: impl Iterator<Item = (&'a Pane, &'a Lines)>,
) {
    for (i, (pane, lines)) in shown.enumerate() {
        let [left, top, right, _] = pane.area;
        let run = pane.beside.map_or(0, |place| place + 1);
        // In one picture they stand above each other.
        let at = if ghosts {
            pos2(area[0] + 8.0, area[1] + 8.0 + 76.0 * i as f32)
        } else {
            pos2(left + 8.0, top + 8.0)
        };
        let width = if ghosts { 460.0 } else { right - left - 30.0 };
        let popup = egui::Area::new(egui::Id::unique("run").with(run)).fixed_pos(at).interactable(false);
        popup.show(context, |ui| {
            egui::Frame::popup(ui.style()).fill(theme::of(ui).over).show(ui, |ui| {
                ui.set_max_width(width);
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
                ui.horizontal(|ui| {
                    if ghosts {
                        swatch(ui, colour(run));
                    }
                    ui.label(RichText::new(&lines.name).small().strong());
                });
                for numbers in &lines.numbers {
                    ui.label(RichText::new(numbers).small());
                }
                match &lines.apart {
                    Apart::Lead(text) => ui.label(RichText::new(text).small().weak()),
                    Apart::Equal(text) => ui.colored_label(theme::of(ui).good, RichText::new(text).small()),
                    Apart::Some(text) => ui.label(RichText::new(text).small()),
                    Apart::Stands(text) => ui.colored_label(theme::of(ui).bad, RichText::new(text).small()),
                }
            });
        });
    }
}

struct Lines {
    name: String,
    numbers: [String; 2],
    apart: Apart,
}

enum Apart {
    /// Of the run that the others are compared with.
    Lead(String),
    Equal(String),
    Some(String),
    /// It stands still, and why.
    Stands(String),
}

fn lines(session: &Session, beside: Option<usize>) -> Lines {
    let runs = session.timeline().beside();
    let Some(twin) = beside.and_then(|place| runs.twins().get(place)) else {
        let run = session.run();
        let compared =
            runs.code().map_or(String::new(), |_| format!("after: {}, ", code(run.generation.number)));
        return Lines {
            name: format!("{compared}{}", with_values(&session.scene().solver)),
            numbers: numbers(runs.ms(), session.report().measured(), run),
            apart: Apart::Lead("the others are compared with this one".into()),
        };
    };
    Lines {
        name: name(twin),
        numbers: numbers(twin.ms(), twin.measured(), &twin.run),
        apart: apart(twin, session),
    }
}

/// Cost and error of one run, and what its solver should keep.
fn numbers(ms: f32, measured: &Measured, run: &weft_engine::run::Run) -> [String; 2] {
    let stretch = &measured.rows.stretch;
    let mut cost = format!("{ms:.2} ms a step");
    if stretch.count > 0 {
        cost += &format!(", stretch p95 {:.2} %, max {:.1} %", 100.0 * stretch.p95, 100.0 * stretch.max);
    }
    let mut kept = Vec::new();
    let left_out = run.constraints_left_out();
    kept.extend((left_out > 0).then(|| format!("leaves {left_out} constraints out")));
    let residual = run.readings.get("residual").filter(|residual| residual.is_finite());
    kept.extend(residual.map(|residual| format!("residual {residual:.1e}")));
    kept.push(text(measured.total_energy(), "J"));
    kept.push(text(measured.motion.momentum.length(), "kg m/s"));
    [cost, kept.join(", ")]
}

fn apart(twin: &Twin, session: &Session) -> Apart {
    let found = &twin.difference;
    let rest = f64::from(weft_session::spacing(&session.run().state)).max(f64::MIN_POSITIVE);
    match (&twin.problem, found) {
        (Some(problem), _) => Apart::Stands(problem.to_string()),
        (None, found) if found.steps == 0 => Apart::Lead("no step yet".into()),
        (None, found) if found.largest == 0.0 => {
            Apart::Equal(format!("equal, bit for bit, for {} steps", found.steps))
        }
        (None, found) => Apart::Some(format!(
            "apart {} ({:.1} rest lengths), most {} in {} steps",
            text(found.now, "m"),
            found.now / rest,
            text(found.largest, "m"),
            found.steps
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_but_the_gaps() {
        assert_eq!(piece([10.0, 110.0], 0, 1), [10.0, 110.0]);
        assert_eq!(piece([10.0, 110.0], 0, 2), [10.0, 59.0]);
        assert_eq!(piece([10.0, 110.0], 1, 2), [61.0, 110.0]);
        assert_eq!(piece([0.0, 100.0], 1, 3), [34.0, 66.0]);
    }
}
