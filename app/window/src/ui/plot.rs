//! Frame times: the last 600 frames as lines, the median of each stage as numbers.

use egui::{RichText, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints};

use weft_core::statistics::Summary;
use weft_session::ring::{FrameTimes, Ring, STAGES, Stage};

pub(super) fn show(ui: &mut Ui, ring: &Ring) {
    let line = |name: &'static str, of: fn(&FrameTimes) -> f32| {
        let points = ring.iter().enumerate().map(|(i, frame)| [i as f64, f64::from(of(frame))]);
        Line::new(name, points.collect::<PlotPoints>())
    };
    Plot::new("frame times")
        .height(90.0)
        .include_y(0.0)
        .show_x(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .show_axes([false, true])
        .legend(Legend::default().text_style(egui::TextStyle::Small))
        .show(ui, |plot| {
            plot.line(line("frame ms", |frame| frame.wall_ms));
            plot.line(line("step ms", |frame| frame.stage_ms[Stage::Step as usize]));
        });
    let all: Vec<&FrameTimes> = ring.iter().collect();
    let median = |of: &dyn Fn(&FrameTimes) -> Option<f32>| {
        Summary::of(all.iter().filter_map(|frame| of(frame))).map(|summary| summary.p50)
    };
    let Some(wall) = median(&|frame| Some(frame.wall_ms)) else {
        return;
    };
    let step =
        median(&|frame| (frame.steps > 0).then(|| frame.stage_ms[Stage::Step as usize] / frame.steps as f32));
    let step = step.map_or_else(|| "no step".to_string(), |step| format!("a step {step:.2} ms"));
    let text =
        format!("frame {wall:.1} ms ({:.0} /s), {step}; medians of {}", 1e3 / wall.max(1e-3), all.len());
    let hint = "since the scene, the solver, the path or the pause changed, at most 600 frames";
    ui.label(RichText::new(text).small()).on_hover_text(hint);
    let stages: Vec<String> = STAGES
        .iter()
        .filter_map(|(stage, name)| {
            let ms = median(&|frame| Some(frame.stage_ms[*stage as usize]))?;
            Some(format!("{name} {ms:.2}"))
        })
        .collect();
    ui.label(RichText::new(stages.join("  ")).small()).on_hover_text(
        "ms of each part of a frame; present: showing the picture, and the rest until the next one",
    );
}
