//! The picture: residual against iterations and against time, as SVG and PNG.

use std::{ops::Range, path::Path};

use plotters::{coord::Shift, prelude::*};

use weft_core::files;

use super::{Curve, Point};
use crate::letters;

/// [pixels]
const SIZE: (u32, u32) = (1280, 620);
/// Room for the names of the solvers [pixels].
const LEGEND: u32 = 190;
const FONT: &str = "sans-serif";

/// Okabe and Ito's colours, told apart by everyone, and three more; then again with other markers.
const COLORS: [RGBColor; 10] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(60, 60, 60),
    RGBColor(117, 80, 170),
    RGBColor(140, 86, 75),
    RGBColor(150, 150, 150),
];

/// Writes `convergence.svg` and `convergence.png` into a folder.
///
/// `floors`: the residuals that single precision leaves, of each reference.
pub(super) fn draw(folder: &Path, title: &str, curves: &[Curve], floors: &[f64]) -> Result<(), String> {
    letters::register()?;
    let (svg, png) = (folder.join("convergence.svg"), folder.join("convergence.png"));
    let mut text = String::new();
    fill(&SVGBackend::with_string(&mut text, SIZE).into_drawing_area(), title, curves, floors)
        .map_err(|e| format!("{}: {e}", svg.display()))?;
    files::write(&svg, text).map_err(|e| format!("{}: {e}", svg.display()))?;
    let mut pixels = vec![0; (3 * SIZE.0 * SIZE.1) as usize];
    fill(&letters::bitmap(&mut pixels, SIZE)?, title, curves, floors)
        .map_err(|e| format!("{}: {e}", png.display()))?;
    weft_draw::png::save(&png, &pixels, SIZE)
}

type Area<B> = DrawingArea<B, Shift>;
type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

fn fill<B: DrawingBackend>(area: &Area<B>, title: &str, curves: &[Curve], floors: &[f64]) -> Drawn<B> {
    area.fill(&WHITE)?;
    let area = area.titled(title, (FONT, 22))?;
    let (width, _) = area.dim_in_pixel();
    let (panels, legend) = area.split_horizontally(width - LEGEND);
    let halves = panels.split_evenly((1, 2));
    panel(&halves[0], "iterations", curves, floors, |point| point.iterations.map(f64::from))?;
    panel(&halves[1], "time of the step [ms]", curves, floors, |point| Some(point.ms))?;
    names(&legend, curves)?;
    area.present()
}

/// Both axes logarithmic.
fn panel<B: DrawingBackend>(
    area: &Area<B>,
    label: &str,
    curves: &[Curve],
    floors: &[f64],
    of: impl Fn(&Point) -> Option<f64>,
) -> Drawn<B> {
    let good = |point: &Point| of(point).map(|x| (x, point.residual)).filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let series: Vec<Vec<(f64, f64)>> =
        curves.iter().map(|curve| curve.points.iter().filter_map(good).collect()).collect();
    let all = || series.iter().flatten().filter(|(x, y)| x.is_finite() && y.is_finite());
    let (x, y) = (
        reach(all().map(|p| p.0), 1.15),
        decades(&reach(all().map(|p| p.1).chain(floors.iter().copied()), 1.0)),
    );
    let across = [x.start, x.end];
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d(x.log_scale(), y.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(label)
        .y_desc("relative residual |M(x - x~) + h² dE/dx| (1 at x~)")
        .axis_desc_style((FONT, 17))
        .label_style((FONT, 15))
        .x_label_formatter(&|x| number(*x))
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .bold_line_style(BLACK.mix(0.18))
        .light_line_style(BLACK.mix(0.05))
        .draw()?;
    for &floor in floors {
        let ends = across.map(|x| (x, floor));
        chart.draw_series(DashedLineSeries::new(ends, 2, 4, BLACK.mix(0.6).stroke_width(1)))?;
    }
    for ((i, curve), points) in curves.iter().enumerate().zip(&series) {
        let style = COLORS[i % COLORS.len()].stroke_width(2);
        if curve.implicit {
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
        } else {
            chart.draw_series(DashedLineSeries::new(points.iter().copied(), 6, 5, style))?;
        }
        chart.draw_series(points.iter().map(|point| marker(*point, i)))?;
    }
    Ok(())
}

/// A filled dot for the first round of colours, a ring for the second.
fn marker<C>(at: C, i: usize) -> Circle<C, i32> {
    let color = COLORS[i % COLORS.len()];
    Circle::new(at, 4, if i < COLORS.len() { color.filled() } else { color.stroke_width(2) })
}

fn names<B: DrawingBackend>(area: &Area<B>, curves: &[Curve]) -> Drawn<B> {
    for (i, curve) in curves.iter().enumerate() {
        let (y, color) = (26 + 24 * i as i32, COLORS[i % COLORS.len()]);
        let pieces: &[(i32, i32)] = if curve.implicit { &[(4, 34)] } else { &[(4, 12), (26, 34)] };
        for &(from, to) in pieces {
            area.draw(&PathElement::new([(from, y), (to, y)], color.stroke_width(2)))?;
        }
        area.draw(&marker((19, y), i))?;
        area.draw(&Text::new(curve.solver.clone(), (42, y - 6), (FONT, 16)))?;
    }
    let mut lines = vec!["dotted: what single", "precision leaves"];
    if curves.iter().any(|curve| !curve.implicit) {
        lines.extend(["dashed: rigid constraints,", "another equation"]);
    }
    for (i, line) in lines.into_iter().enumerate() {
        let y = 40 + 24 * curves.len() as i32 + 18 * i as i32;
        area.draw(&Text::new(line, (4, y), (FONT, 14).into_font().color(&BLACK.mix(0.6))))?;
    }
    Ok(())
}

/// From the least to the greatest with some room around; 1 to 10 without values.
fn reach(values: impl Iterator<Item = f64>, room: f64) -> Range<f64> {
    let (least, most) = values.fold((f64::INFINITY, 0.0), |(l, m), v| (f64::min(l, v), f64::max(m, v)));
    if most > 0.0 { least / room..most * room } else { 1.0..10.0 }
}

/// Widened to whole powers of ten, so that both ends have a label.
fn decades(range: &Range<f64>) -> Range<f64> {
    10.0_f64.powf(range.start.log10().floor())..10.0_f64.powf(range.end.log10().ceil())
}

fn number(value: f64) -> String {
    if value >= 1.0 { format!("{value:.0}") } else { format!("{value}") }
}
