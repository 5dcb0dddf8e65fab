//! Frame times: the last 600 frames as lines, the median of each stage as numbers.

use std::time::Duration;

use egui::{RichText, Ui};
use egui_plot::{GridInput, GridMark, Legend, Line, Plot, PlotPoints};

use weft_core::{clock::Instant, statistics::Summary};
use weft_session::ring::{FrameTimes, Ring, STAGES, Stage};

use crate::view::ticks;

/// Medians are taken this often: each sorts all frames.
const TAKE_EVERY: Duration = Duration::from_millis(250);
/// Points of a line, at most: two pixels to each. Of more frames the longest of each few is one.
const POINTS: usize = 150;

/// Round numbers of an axis up the side, so far from each other that there is room for what they say: two or three.
pub(super) fn marks(GridInput { bounds: (low, high), .. }: GridInput) -> Vec<GridMark> {
    let step = f64::from(ticks(2.0 * (high - low) as f32).0);
    if !(step > 0.0 && low.is_finite()) {
        return Vec::new();
    }
    let numbers = (low / step).ceil() as i64..=(high / step).floor() as i64;
    numbers.map(|number| GridMark { value: number as f64 * step, step_size: step }).collect()
}

/// The medians as they were last taken.
#[derive(Default)]
pub(super) struct Times {
    frame: String,
    stages: String,
    taken: Option<Instant>,
}

impl Times {
    pub(super) fn show(&mut self, ui: &mut Ui, ring: &Ring) {
        let all: Vec<&FrameTimes> = ring.iter().collect();
        let frames = all.len().div_ceil(POINTS).max(1);
        let line = |name: &'static str, of: fn(&FrameTimes) -> f32| {
            let longest = |few: &[&FrameTimes]| few.iter().map(|frame| of(frame)).fold(0.0, f32::max);
            let points = all.chunks(frames).enumerate();
            let points = points.map(|(i, few)| [(i * frames) as f64, f64::from(longest(few))]);
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
            .y_grid_spacer(marks)
            .legend(Legend::default().text_style(egui::TextStyle::Small))
            .show(ui, |plot| {
                plot.line(line("frame ms", |frame| frame.wall_ms));
                plot.line(line("step ms", |frame| frame.stage_ms[Stage::Step as usize]));
            });
        if self.taken.is_none_or(|taken| taken.elapsed() >= TAKE_EVERY) {
            self.take(&all);
        }
        let hint = "since the scene, the solver, the path or the pause changed, at most 600 frames";
        ui.label(RichText::new(&self.frame).small()).on_hover_text(hint);
        ui.label(RichText::new(&self.stages).small()).on_hover_text(
            "ms of each part of a frame; present: showing the picture, and the rest until the next one",
        );
    }

    fn take(&mut self, all: &[&FrameTimes]) {
        let median = |of: &dyn Fn(&FrameTimes) -> Option<f32>| {
            Summary::of(all.iter().filter_map(|frame| of(frame))).map(|summary| summary.p50)
        };
        let Some(wall) = median(&|frame| Some(frame.wall_ms)) else {
            *self = Self::default();
            return;
        };
        self.taken = Some(Instant::now());
        let step = median(&|frame| {
            (frame.steps > 0).then(|| frame.stage_ms[Stage::Step as usize] / frame.steps as f32)
        });
        let step = step.map_or_else(|| "no step".to_string(), |step| format!("a step {step:.2} ms"));
        let rate = 1e3 / wall.max(1e-3);
        self.frame = format!("frame {wall:.1} ms ({rate:.0} /s), {step}; medians of {}", all.len());
        let stages = STAGES.iter().filter_map(|(stage, name)| {
            let ms = median(&|frame| Some(frame.stage_ms[*stage as usize]))?;
            Some(format!("{name} {ms:.2}"))
        });
        self.stages = stages.collect::<Vec<_>>().join("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_range_has_two_to_four_round_numbers() {
        for bounds in [(0.0, 12.0), (0.0, 63.0), (0.0, 99.0), (0.0, 180.0), (-0.013, 0.2), (1e4, 1.02e4)] {
            let marks = marks(GridInput { bounds, base_step_size: 1.0 });
            assert!((2..=4).contains(&marks.len()), "{bounds:?}: {marks:?}");
            assert!(marks.iter().all(|mark| (bounds.0..=bounds.1).contains(&mark.value)), "{marks:?}");
        }
        for bounds in [(1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(marks(GridInput { bounds, base_step_size: 1.0 }).len() < 5);
        }
    }
}
