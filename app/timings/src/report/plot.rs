//! The plots of a page, as SVG without a background. Black and the two colours are changed by the page's style in the dark.

use std::sync::OnceLock;

use plotters::{
    coord::Shift,
    prelude::*,
    style::{FontStyle, register_font},
};

use super::frame_at;
use crate::{
    recording::{Frame, Recording},
    statistics::{Row, quantile, sorted},
};

const FONT: &str = "sans-serif";
/// Okabe and Ito's blue and vermilion, told apart by everyone.
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
/// [pixels]
const WIDTH: u32 = 960;
/// Points of a time line: of more frames each point's smallest and largest are drawn.
const POINTS: usize = 1200;
const BINS: usize = 80;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Plotters lays text out by a font, though the SVG names one only.
fn register() -> Result<(), String> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let register = || register_font(FONT, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok();
    if *DONE.get_or_init(register) { Ok(()) } else { Err("the font of the plots is not a font".into()) }
}

fn svg(
    height: u32,
    draw: impl Fn(&Area) -> Result<(), Box<dyn std::error::Error>>,
) -> Result<String, String> {
    register()?;
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        draw(&area).and_then(|()| area.present().map_err(Into::into)).map_err(|e| format!("a plot: {e}"))?;
    }
    // One that the page may scale.
    let (from, to) = (format!("width=\"{WIDTH}\" height=\"{height}\" "), "");
    Ok(format!("{}\n", text.replacen(&from, to, 1)))
}

/// Wall time over time, with a mark at each event.
pub(super) fn time_line(recording: &Recording) -> Result<String, String> {
    let frames = &recording.frames;
    let seconds = |frame: &Frame| frame.at_ms / 1e3;
    let (from, to) = (frames.first().map_or(0.0, seconds), frames.last().map_or(1.0, seconds));
    let most = frames.iter().map(|frame| frame.wall_ms).fold(0.0, f64::max).max(1e-3);
    let mut points = Vec::new();
    for piece in frames.chunks(frames.len().div_ceil(POINTS).max(1)) {
        let by_time = |a: &&Frame, b: &&Frame| a.wall_ms.total_cmp(&b.wall_ms);
        let mut ends: Vec<&Frame> =
            piece.iter().min_by(by_time).into_iter().chain(piece.iter().max_by(by_time)).collect();
        ends.sort_by(|a, b| a.at_ms.total_cmp(&b.at_ms));
        ends.dedup_by(|a, b| std::ptr::eq(*a, *b));
        points.extend(ends.iter().map(|frame| (seconds(frame), frame.wall_ms)));
    }
    svg(280, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(from..to.max(from + 1e-3), 0.0..1.05 * most)?;
        mesh(&mut chart, "since the start [s]", "frame [ms]")?;
        for event in &recording.events {
            let at = frame_at(recording, event.at_ms).map_or(to, |i| seconds(&frames[i]));
            let line = [(at, 0.0), (at, 1.05 * most)];
            chart.draw_series(LineSeries::new(line, ORANGE.stroke_width(1)))?;
        }
        chart.draw_series(LineSeries::new(points.iter().copied(), BLUE.stroke_width(1)))?;
        Ok(())
    })
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn mesh(chart: &mut Chart, x: &str, y: &str) -> Result<(), Box<dyn std::error::Error>> {
    chart
        .configure_mesh()
        .x_desc(x)
        .y_desc(y)
        .axis_desc_style((FONT, 15))
        .label_style((FONT, 13))
        .bold_line_style(BLACK.mix(0.15))
        .light_line_style(TRANSPARENT)
        .draw()?;
    Ok(())
}

/// Histogram, and the frame time at each percentile.
pub(super) fn distribution(frames: &[Frame]) -> Result<String, String> {
    let sorted = sorted(frames.iter().map(|frame| frame.wall_ms));
    let (least, most) = (sorted.first().copied().unwrap_or(0.0), sorted.last().copied().unwrap_or(1.0));
    // One hitch of a second must not press all others into one bin.
    let end = quantile(&sorted, 0.995).max(least + 1e-3);
    let width = (end - least) / BINS as f64;
    let mut counts = vec![0_u32; BINS];
    for ms in &sorted {
        counts[(((ms - least) / width) as usize).min(BINS - 1)] += 1;
    }
    let tallest = f64::from(counts.iter().copied().max().unwrap_or(1));
    svg(280, |area| {
        let halves = area.split_evenly((1, 2));
        let mut chart = ChartBuilder::on(&halves[0])
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(least..end, 0.0..1.05 * tallest)?;
        mesh(&mut chart, "frame [ms]; the last bar holds all that are longer", "frames")?;
        chart.draw_series(counts.iter().enumerate().map(|(i, count)| {
            let from = least + i as f64 * width;
            Rectangle::new([(from, 0.0), (from + 0.9 * width, f64::from(*count))], BLUE.filled())
        }))?;
        let mut chart = ChartBuilder::on(&halves[1])
            .margin(8)
            .margin_right(20)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..100.0, 0.0..1.05 * most.max(1e-3))?;
        mesh(&mut chart, "percentile", "frame [ms]")?;
        let curve = (0..=1000).map(|i| f64::from(i) / 10.0).map(|p| (p, quantile(&sorted, p / 1e2)));
        chart.draw_series(LineSeries::new(curve, BLUE.stroke_width(2)))?;
        Ok(())
    })
}

/// Medians of the stages as bars.
pub(super) fn stages(rows: &[(String, Row)]) -> Result<String, String> {
    let most = rows.iter().map(|(_, row)| row.median).fold(0.0, f64::max).max(1e-3);
    svg(24 * rows.len() as u32 + 8, |area| {
        for (i, (name, row)) in rows.iter().enumerate() {
            let y = 24 * i as i32 + 4;
            let length = (row.median / most * f64::from(WIDTH - 330)).round() as i32;
            let style = (FONT, 14).into_font();
            area.draw(&Text::new(name.clone(), (0, y + 2), style.clone()))?;
            area.draw(&Rectangle::new([(200, y), (200 + length.max(1), y + 16)], BLUE.filled()))?;
            area.draw(&Text::new(format!("{:.3} ms", row.median), (210 + length, y + 2), style))?;
        }
        Ok(())
    })
}
