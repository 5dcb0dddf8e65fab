//! Names and numbers of the runs over their pictures.

use std::time::Duration;

use egui::{Context, Rect, RichText, pos2};

use super::{LABEL, Pane, code, colour, free, name, panes, stands, swatch, with_values};
use crate::ui::theme;
use weft_core::clock::Instant;
use weft_engine::run::Run;
use weft_scene::RunPath;
use weft_session::{
    Session,
    beside::Twin,
    readings::{Measured, text},
};

/// Numbers over pictures are taken this often: faster digits cannot be read.
const TAKE_EVERY: Duration = Duration::from_millis(100);

/// As they were last taken.
#[derive(Default)]
pub(in super::super) struct Labels {
    lines: Vec<Lines>,
    taken: Option<Instant>,
}

impl Labels {
    pub(in super::super) fn show(
        &mut self,
        context: &Context,
        picture: Rect,
        ghosts: bool,
        session: &Session,
    ) {
        let area = free(session, picture);
        let shown = panes(session, area, if ghosts { 0.0 } else { LABEL });
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
            pos2(area[0] + 8.0, area[1] + 8.0 + LABEL * i as f32)
        } else {
            let edge = if pane.label > 0.0 { 1.0 } else { 8.0 };
            pos2(left + edge, top - pane.label + edge)
        };
        let width = if ghosts { 460.0 } else { right - left - 30.0 };
        let popup = egui::Area::new(egui::Id::unique("run").with(run))
            .fixed_pos(at)
            .interactable(false)
            .constrain(false);
        popup.show(context, |ui| {
            egui::Frame::popup(ui.style()).fill(theme::of(ui).over).show(ui, |ui| {
                ui.set_max_width(width);
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
                let name = RichText::new(&lines.name).small();
                let stands = matches!(lines.apart, Apart::Stands(_));
                ui.horizontal(|ui| {
                    if ghosts {
                        swatch(ui, colour(run));
                    }
                    ui.label(if stands { name.weak() } else { name.strong() });
                });
                for numbers in &lines.numbers {
                    ui.label(RichText::new(numbers).small());
                }
                match &lines.apart {
                    Apart::Lead(text) => ui.label(RichText::new(text).small().weak()),
                    Apart::Equal(text) => ui.colored_label(theme::of(ui).good, RichText::new(text).small()),
                    Apart::Some(text) => ui.label(RichText::new(text).small()),
                    Apart::Stands(text) => {
                        ui.add(egui::Label::new(RichText::new(text).small().weak()).wrap())
                    }
                }
            });
        });
    }
}

struct Lines {
    name: String,
    /// None of a run that stands still: they would be old ones.
    numbers: Vec<String>,
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
        let path = if session.gpu().is_some() { RunPath::Gpu } else { RunPath::Cpu };
        return Lines {
            name: format!("{compared}{}", with_values(&session.scene().solver, path)),
            numbers: numbers(runs.ms(), session.report().measured(), run, path),
            apart: Apart::Lead("the others are compared with this one".into()),
        };
    };
    let numbers = match &twin.problem {
        None => numbers(twin.ms(), twin.measured(), &twin.run, twin.path()),
        Some(_) => Vec::new(),
    };
    Lines { name: name(twin), numbers, apart: apart(twin, session) }
}

/// Cost and error of one run, and what its solver should keep.
fn numbers(ms: f32, measured: &Measured, run: &Run, path: RunPath) -> Vec<String> {
    let stretch = &measured.rows.stretch;
    // Before the first step there is no time of one.
    let mut cost = if ms > 0.0 { format!("{ms:.2} ms a step") } else { "no time yet".to_string() };
    if stretch.count > 0 {
        cost += &format!(", stretch p95 {:.2} %, max {:+.1} %", 100.0 * stretch.p95, 100.0 * stretch.max);
    }
    let mut kept = Vec::new();
    let left_out = run.constraints_left_out();
    kept.extend((left_out > 0).then(|| format!("leaves {left_out} constraints out")));
    let residual = run.readings.get("residual").filter(|residual| residual.is_finite());
    kept.extend(match path {
        RunPath::Cpu => residual.map(|residual| format!("residual {residual:.1e}")),
        // Passes work none out.
        RunPath::Gpu => Some("residual n/a".to_string()),
    });
    kept.push(text(measured.total_energy(), "J"));
    kept.push(text(measured.motion.momentum.length(), "kg m/s"));
    vec![cost, kept.join(", ")]
}

fn apart(twin: &Twin, session: &Session) -> Apart {
    let found = &twin.difference;
    let rest = f64::from(weft_session::spacing(&session.run().state)).max(f64::MIN_POSITIVE);
    let steps = if found.steps == 1 { "1 step".to_string() } else { format!("{} steps", found.steps) };
    match (&twin.problem, found) {
        (Some(problem), _) => Apart::Stands(stands(problem)),
        (None, found) if found.steps == 0 => Apart::Lead("no step yet".into()),
        (None, found) if found.largest == 0.0 => Apart::Equal(format!("equal, bit for bit, for {steps}")),
        (None, found) => Apart::Some(format!(
            "apart {} ({:.1} rest lengths), most {} in {steps}",
            text(found.now, "m"),
            found.now / rest,
            text(found.largest, "m"),
        )),
    }
}
