//! Readings over time: what is pinned in the list is plotted, of every run in its colour.

use std::{collections::VecDeque, path::PathBuf, time::Duration};

use egui::{RichText, Ui};
use egui_plot::{Line, Plot, PlotPoints};
use weft_core::{clock::Instant, files};
use weft_session::{
    Notice, Session,
    readings::{self, AnyReading, Input},
};

use super::{beside::colour, plot};

/// One point so often, as the panel's readings are taken.
const EVERY: Duration = Duration::from_millis(100);
/// Points of a line, at most: five minutes.
const POINTS: usize = 3000;

/// What is plotted.
#[derive(Default)]
pub(super) struct Plots {
    plots: Vec<Pinned>,
    taken: Option<Instant>,
}

struct Pinned {
    name: String,
    unit: String,
    /// Of each run, by its name: simulated time [s] and value.
    lines: Vec<(String, VecDeque<[f64; 2]>)>,
}

impl Plots {
    pub(super) fn is_pinned(&self, name: &str) -> bool {
        self.plots.iter().any(|plot| plot.name == name)
    }

    /// Begins or ends the plot of a reading; true: it begins.
    pub(super) fn toggle(&mut self, name: &str, unit: &str) -> bool {
        let begins = !self.is_pinned(name);
        if begins {
            self.plots.push(Pinned { name: name.into(), unit: unit.into(), lines: Vec::new() });
        } else {
            self.plots.retain(|plot| plot.name != name);
        }
        begins
    }

    /// Takes a point if it is time for one.
    pub(super) fn take(&mut self, session: &Session) {
        if self.plots.is_empty() || self.taken.is_some_and(|taken| taken.elapsed() < EVERY) {
            return;
        }
        self.taken = Some(Instant::now());
        let beside = session.timeline().beside().twins();
        let own = (session.run().solver.clone(), session.readings());
        let others = beside.iter().enumerate();
        let others =
            others.map(|(i, twin)| (format!("{} {}", i + 2, twin.run.solver), session.readings_beside(twin)));
        let runs: Vec<(String, Input)> = std::iter::once(own).chain(others).collect();
        let time = session.run().time;
        for plot in &mut self.plots {
            plot.lines.resize_with(runs.len(), Default::default);
            for ((name, points), (run, input)) in plot.lines.iter_mut().zip(&runs) {
                if name != run {
                    points.clear();
                    name.clone_from(run);
                }
                // What came after a frame that was gone back to is no past of what comes.
                while points.back().is_some_and(|last| last[0] >= time) {
                    points.pop_back();
                }
                if let Some(value) = value(input, &plot.name) {
                    points.push_back([time, value]);
                }
                if points.len() > POINTS {
                    points.pop_front();
                }
            }
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, session: &mut Session) {
        if self.plots.is_empty() {
            let hint = "a click on one of the readings plots it over time";
            ui.label(RichText::new(hint).small().weak());
        }
        let (mut ends, mut saved) = (None, None);
        for (i, plot) in self.plots.iter().enumerate() {
            ui.horizontal(|ui| {
                let unit = if plot.unit == "1" { String::new() } else { format!(" [{}]", plot.unit) };
                ui.label(RichText::new(format!("{}{unit}", plot.name.replace('_', " "))).small());
                if ui.small_button("x").on_hover_text("end this plot").clicked() {
                    ends = Some(i);
                }
                if ui.small_button("csv").on_hover_text("its points as a file in recordings").clicked() {
                    saved = Some(i);
                }
            });
            let lines = plot.lines.iter().enumerate().map(|(run, (name, points))| {
                let points: PlotPoints = points.iter().copied().collect();
                Line::new(name.clone(), points).color(colour(run))
            });
            Plot::new(("reading", &plot.name))
                .height(90.0)
                .allow_scroll(false)
                .y_axis_min_width(34.0)
                .y_grid_spacer(plot::marks)
                .show(ui, |ui| lines.for_each(|line| ui.line(line)));
        }
        if let Some(plot) = saved.and_then(|i| self.plots.get(i)) {
            let notice = match save(plot, session) {
                Ok(path) => Notice::good("plot", format!("{} is in {}", plot.name, path.display())),
                Err(why) => Notice::bad("plot", why),
            };
            session.notify(notice);
        }
        ends.map(|i| self.plots.remove(i));
    }
}

/// A reading by its name, or a number that the solver gave.
fn value(input: &Input, name: &str) -> Option<f64> {
    let found = readings::find(input.code, name).and_then(|reading: AnyReading| reading.of(input));
    found.or_else(|| input.given.get(name).copied().map(f64::from)).filter(|value| value.is_finite())
}

/// Its points as a file of their own.
fn save(plot: &Pinned, session: &Session) -> Result<PathBuf, String> {
    let path = session.free_recording(&plot.name, "csv")?;
    let unit = if plot.unit == "1" { String::new() } else { format!(" [{}]", plot.unit) };
    let mut text = format!("run,time [s],{}{unit}\n", plot.name);
    for (run, points) in &plot.lines {
        points.iter().for_each(|[time, value]| text += &format!("{run},{time:.6},{value:.9e}\n"));
    }
    files::write(&path, text).map_err(|why| format!("cannot write {}: {why}", path.display()))?;
    Ok(path)
}
