//! The panel of readings: sizes, stability, and all of them in a list.

use std::time::Duration;

use weft_core::clock::Instant;

use egui::{Grid, RichText, Ui};

use super::{panel::Action, plots::Plots, theme, tile::Tile};
use weft_session::{Session, readings};

/// The list is taken this often: some readings cost more than a look, and faster digits cannot be read.
const TAKE_EVERY: Duration = Duration::from_millis(200);

/// The list as it was last taken.
#[derive(Default)]
pub(super) struct Readings {
    lines: Vec<Line>,
    taken: Option<Instant>,
}

struct Line {
    name: String,
    unit: String,
    value: String,
    doc: &'static str,
    /// Of the largest.
    place: Option<String>,
    bad: bool,
}

impl Readings {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        plots: &mut Plots,
        actions: &mut Vec<Action>,
    ) {
        let (particles, constraints) = session.sizes();
        let sizes = format!("{particles} particles, {constraints} constraints");
        ui.label(RichText::new(sizes).small());
        let (rows, energy) = (
            &session.report().measured().rows,
            readings::text(session.report().measured().total_energy(), "J"),
        );
        let title = format!("stretch p95 {:.2} %, energy {energy}", rows.stretch.p95 * 100.0);
        ui.label(RichText::new(title).small());
        stability(ui, session);
        if self.taken.is_none_or(|taken| taken.elapsed() >= TAKE_EVERY) {
            self.take(session);
        }
        Grid::new("readings").num_columns(2).spacing([12.0, 0.0]).min_row_height(0.0).show(ui, |ui| {
            for line in &self.lines {
                let name = RichText::new(line.name.replace('_', " ")).small();
                let name = ui.selectable_label(plots.is_pinned(&line.name), name);
                if name.on_hover_text(format!("{}; a click plots it", line.doc)).clicked()
                    && plots.toggle(&line.name, &line.unit)
                {
                    actions.push(Action::Open(Tile::Plots));
                }
                let value = RichText::new(&line.value).small().monospace();
                ui.label(if line.bad { value.color(theme::of(ui).bad) } else { value });
                ui.end_row();
                if let Some(place) = &line.place {
                    ui.label("");
                    ui.label(RichText::new(place).small().weak());
                    ui.end_row();
                }
            }
        });
    }

    fn take(&mut self, session: &Session) {
        self.taken = Some(Instant::now());
        let line = |name: &str, value, unit, doc, must_be_0: bool| Line {
            name: name.to_string(),
            unit: String::from(unit),
            value: readings::text(value, unit),
            doc,
            place: readings::place(name, &session.readings()),
            bad: value > 0.0 && must_be_0,
        };
        self.lines.clear();
        for reading in readings::all(&session.run().generation) {
            let line = |value| line(reading.name, value, reading.unit, reading.doc, reading.must_be_0);
            self.lines.extend(reading.of(&session.readings()).map(line));
        }
        let others = readings::others(&session.readings());
        self.lines.extend(others.map(|(name, value)| line(name, value, "", "given by the solver", false)));
    }
}

/// What must be 0 and is not: it stays red while it is so, wherever the list is scrolled.
pub(super) fn alarms(ui: &mut Ui, session: &Session) {
    for (reading, value) in readings::alarms(&session.readings()) {
        let text = format!("{} {}", reading.name.replace('_', " "), readings::text(value, reading.unit));
        ui.colored_label(theme::of(ui).bad, RichText::new(text).strong()).on_hover_text(reading.doc);
    }
}

/// Amber above 1: the run goes on, but it gains energy.
fn stability(ui: &mut Ui, session: &Session) {
    let Some(verdict) = &session.report().stability().latest else { return };
    let text = RichText::new(verdict.to_string()).small();
    let text = if verdict.dt_over_dt_max.is_some_and(|ratio| ratio > 1.0) {
        text.color(theme::of(ui).amber)
    } else {
        text
    };
    ui.label(text).on_hover_text(
        "largest frequency of the elastic system at the present state (Lanczos, an upper bound), about once a second; \
         for an explicit solver with the stiffness it takes, and its substep by the longest stable one",
    );
}
