//! Cost against error of all runs of a sweep, a panel for each scene; a line joins those that nothing beats.

use std::path::Path;

use weft_core::{files, project::check_folder_of, statistics};

use plotters::{coord::Shift, prelude::*};

use super::Row;
use crate::letters;

/// Of one panel, and of the names beside it [pixels].
const PANEL: (u32, u32) = (720, 560);
const NAMES: u32 = 210;
const FONT: &str = "sans-serif";

/// What counts as the error of a run.
#[derive(clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// 95th percentile of stretch, mean of the second half [%]
    #[default]
    StretchP95,
    /// Largest stretch of the second half [%]
    StretchMax,
    /// Residual of the last step, by the solver's own equation: to compare settings of one solver
    Residual,
}

impl Against {
    fn of(self, row: &Row) -> f64 {
        match self {
            Self::StretchP95 => row.stretch_p95,
            Self::StretchMax => row.stretch_max,
            Self::Residual => row.residual,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::StretchP95 => "stretch p95 [%]",
            Self::StretchMax => "largest stretch [%]",
            Self::Residual => "residual",
        }
    }

    /// Least error that is drawn.
    fn floor(self) -> f64 {
        if self == Self::Residual { 1e-12 } else { 1e-3 }
    }
}

type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Runs that no other is both cheaper and better than, the cheapest first. Those that failed are none of them.
pub(super) fn front<'a>(rows: &[&'a Row], against: Against) -> Vec<&'a Row> {
    let error = |row: &Row| against.of(row);
    let good = |row: &&&Row| row.failure.is_empty() && row.ms_p50.is_finite() && error(row).is_finite();
    let mut sorted: Vec<&Row> = rows.iter().filter(good).copied().collect();
    sorted.sort_by(|a, b| a.ms_p50.total_cmp(&b.ms_p50).then(error(a).total_cmp(&error(b))));
    let mut best = f64::INFINITY;
    sorted.retain(|row| {
        let better = error(row) < best;
        best = best.min(error(row));
        better
    });
    sorted
}

/// Said before the work.
pub(in crate::sweep) fn check(path: &Path) -> Result<(), String> {
    if path.extension().is_none_or(|end| end != "png" && end != "svg") {
        return Err("the file name must end in .png or .svg".into());
    }
    check_folder_of(path)
}

pub(super) fn draw(path: &Path, rows: &[Row], against: Against) -> Result<(), String> {
    letters::register()?;
    let mut scenes: Vec<&str> = rows.iter().map(|row| row.scene.as_str()).collect();
    scenes.dedup();
    let columns = scenes.len().clamp(1, 2) as u32;
    let lines = (scenes.len().max(1) as u32).div_ceil(columns);
    let size = (columns * PANEL.0 + NAMES, lines * PANEL.1);
    let failed = |why: String| format!("{}: {why}", path.display());
    if path.extension().is_some_and(|end| end == "svg") {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        fill(&area, rows, against, &scenes, (lines, columns)).map_err(|why| failed(why.to_string()))?;
        drop(area);
        return files::write(path, text).map_err(|why| failed(why.to_string()));
    }
    let mut pixels = vec![0; (3 * size.0 * size.1) as usize];
    let area = letters::bitmap(&mut pixels, size)?;
    fill(&area, rows, against, &scenes, (lines, columns)).map_err(|why| failed(why.to_string()))?;
    drop(area);
    weft_draw::png::save(path, &pixels, size)
}

fn fill<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    rows: &[Row],
    against: Against,
    scenes: &[&str],
    (lines, columns): (u32, u32),
) -> Drawn<B> {
    area.fill(&WHITE)?;
    let mut solvers: Vec<&str> = Vec::new();
    for row in rows {
        if !solvers.contains(&row.solver.as_str()) {
            solvers.push(&row.solver);
        }
    }
    let (width, _) = area.dim_in_pixel();
    let (panels, names) = area.split_horizontally(width - NAMES);
    let panels = panels.split_evenly((lines as usize, columns as usize));
    for (panel, scene) in panels.iter().zip(scenes) {
        let mine: Vec<&Row> = rows.iter().filter(|row| row.scene == *scene).collect();
        one(panel, scene, &mine, against, &solvers)?;
    }
    for (i, solver) in solvers.iter().enumerate() {
        let y = 40 + 24 * i as i32;
        names.draw(&Circle::new((20, y), 5, color(i).filled()))?;
        names.draw(&Text::new((*solver).to_string(), (34, y - 7), (FONT, 16)))?;
    }
    let y = 60 + 24 * solvers.len() as i32;
    names.draw(&PathElement::new([(10, y), (32, y)], BLACK.stroke_width(2)))?;
    names.draw(&Text::new("nothing beats these", (38, y - 7), (FONT, 14)))?;
    area.present()
}

fn one<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    scene: &str,
    rows: &[&Row],
    against: Against,
    solvers: &[&str],
) -> Drawn<B> {
    let point = |row: &Row| (row.ms_p50, against.of(row).max(against.floor()));
    let drawn: Vec<&Row> = rows
        .iter()
        .filter(|row| row.failure.is_empty() && row.ms_p50 > 0.0 && against.of(row).is_finite())
        .copied()
        .collect();
    let reach = |of: fn(&(f64, f64)) -> f64| {
        let values = || drawn.iter().map(|row| of(&point(row)));
        let (low, high) = (statistics::least(values()), statistics::largest(values()));
        if low.is_finite() { low / 1.5..high * 1.5 } else { 0.1..1.0 }
    };
    let (x, y) = (reach(|point| point.0), reach(|point| point.1));
    let name =
        Path::new(scene).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption(name, (FONT, 20))
        .x_label_area_size(46)
        .y_label_area_size(70)
        .build_cartesian_2d(x.log_scale(), y.log_scale())?;
    chart
        .configure_mesh()
        .x_desc("median time of a step [ms]")
        .y_desc(against.title())
        .axis_desc_style((FONT, 16))
        .label_style((FONT, 14))
        .x_label_formatter(&|x| number(*x))
        .y_label_formatter(&|y| number(*y))
        .bold_line_style(BLACK.mix(0.18))
        .light_line_style(BLACK.mix(0.05))
        .draw()?;
    let best: Vec<(f64, f64)> = front(rows, against).into_iter().map(point).collect();
    chart.draw_series(LineSeries::new(best, BLACK.stroke_width(2)))?;
    for (i, solver) in solvers.iter().enumerate() {
        let mine = drawn.iter().filter(|row| row.solver == *solver);
        chart.draw_series(mine.map(|row| Circle::new(point(row), 5, color(i).filled())))?;
    }
    Ok(())
}

/// Solvers around the circle of hues, light and dark in turn.
fn color(i: usize) -> HSLColor {
    HSLColor((i as f64 * 0.381_966) % 1.0, 0.75, if i.is_multiple_of(2) { 0.40 } else { 0.55 })
}

fn number(value: f64) -> String {
    match value {
        ..1e-3 => format!("{value:.0e}"),
        100.0.. => format!("{value:.0}"),
        _ => format!("{}", (value * 1e4).round() / 1e4),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Cell, *};

    #[test]
    fn the_front_has_what_nothing_beats() {
        let row = |ms: f64, stretch: f64, failure: &str| {
            let cell = Cell { scene: "a".into(), solver: "s".into(), set: Vec::new() };
            let mut row = Row::new(&cell, 1, 1);
            (row.ms_p50, row.stretch_p95, row.failure) = (ms, stretch, failure.to_string());
            row
        };
        let rows = [
            row(1.0, 9.0, ""),
            row(2.0, 9.5, ""),
            row(3.0, 4.0, ""),
            row(0.5, 0.1, "NaN"),
            row(4.0, 4.0, ""),
            row(5.0, 1.0, ""),
            row(f64::NAN, 0.0, ""),
        ];
        let all: Vec<&Row> = rows.iter().collect();
        let times: Vec<f64> = front(&all, Against::StretchP95).iter().map(|row| row.ms_p50).collect();
        assert_eq!(times, [1.0, 3.0, 5.0]);
        assert!(front(&[], Against::StretchP95).is_empty());
        assert!(front(&all, Against::Residual).is_empty(), "none of them gives one");
    }
}
