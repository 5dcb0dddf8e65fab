//! What a step's time goes into, by thread, as bars over each other: the last step, and the medians of those before it.

use std::{collections::VecDeque, time::Duration};

use egui::{Align2, Color32, CornerRadius, FontId, Rect, RichText, Sense, Ui, pos2, vec2};
use weft_core::{clock::Instant, stages, statistics::Summary};
use weft_gpu::GpuRun;
use weft_session::Session;

/// Steps that medians are taken of, at most.
const STEPS: usize = 120;
/// Medians are taken this often.
const TAKE_EVERY: Duration = Duration::from_millis(250);
/// Of a row, and of the space for its name [points].
const ROW: f32 = 15.0;
const NAMES: f32 = 18.0;
/// Threads that have a row.
const MOST: usize = 16;

/// Steps since the stages or the threads were other ones.
#[derive(Default)]
pub(super) struct Flames {
    /// Stages of a step.
    names: Vec<String>,
    /// Numbers of a stage: its time, then of each thread how long it was at work; no thread where there is one alone.
    threads: usize,
    /// One list of numbers [ms] a step, stage by stage.
    steps: VecDeque<Vec<f32>>,
    /// The frame of the last one.
    frame: u64,
    medians: Vec<f32>,
    taken: Option<Instant>,
}

impl Flames {
    /// It counts while it is shown.
    pub(super) fn show(&mut self, ui: &mut Ui, session: &mut Session) {
        session.ask_threads();
        self.take(session);
        let Some(last) = self.steps.back() else {
            ui.label(RichText::new("no step yet").small().weak());
            return;
        };
        self.draw(ui, "the last step", last);
        self.draw(ui, &format!("medians of {} steps", self.steps.len()), &self.medians);
    }

    /// Takes the last step if it is a new one.
    fn take(&mut self, session: &Session) {
        let run = session.run();
        if run.frame == self.frame && !self.steps.is_empty() {
            return;
        }
        self.frame = run.frame;
        if let Some(gpu) = session.gpu() {
            self.take_passes(gpu);
        } else {
            let threads = run.stages.by_thread().map(|(_, times)| times.len()).max().unwrap_or(0);
            self.begin(run.stages.iter().map(|(name, _)| name), threads);
            let mut numbers = self.spare();
            for ((_, time), (_, by_thread)) in run.stages.iter().zip(run.stages.by_thread()) {
                numbers.push(time.as_secs_f32() * 1e3);
                numbers.extend(by_thread.iter().map(|time| time.as_secs_f32() * 1e3));
            }
            self.add(numbers);
        }
        if self.taken.is_none_or(|taken| taken.elapsed() >= TAKE_EVERY) {
            self.taken = Some(Instant::now());
            let median = |i: usize| Summary::of(self.steps.iter().map(|step| step[i])).map_or(0.0, |s| s.p50);
            self.medians = (0..self.names.len() * (1 + self.threads)).map(median).collect();
        }
    }

    /// The device has one row.
    fn take_passes(&mut self, gpu: &GpuRun) {
        self.begin(gpu.pass_ms.keys().map(String::as_str), 0);
        let mut numbers = self.spare();
        numbers.extend(gpu.pass_ms.values());
        self.add(numbers);
    }

    /// Without stages there was no step: none of none would be -0 ms.
    fn add(&mut self, numbers: Vec<f32>) {
        if !numbers.is_empty() {
            self.steps.push_back(numbers);
        }
    }

    /// Steps of other stages, or of other threads, are no part of the medians.
    fn begin<'a>(&mut self, names: impl Iterator<Item = &'a str> + Clone, threads: usize) {
        if threads != self.threads || !names.clone().eq(self.names.iter().map(String::as_str)) {
            self.steps.clear();
            (self.threads, self.taken) = (threads, None);
            self.names.clear();
            self.names.extend(names.map(str::to_string));
        }
    }

    /// Memory for the numbers of a step.
    fn spare(&mut self) -> Vec<f32> {
        let mut numbers =
            if self.steps.len() >= STEPS { self.steps.pop_front() } else { None }.unwrap_or_default();
        numbers.clear();
        numbers
    }

    fn draw(&self, ui: &mut Ui, title: &str, numbers: &[f32]) {
        let each = 1 + self.threads;
        let stage = |i: usize| numbers.get(i * each).copied().unwrap_or(0.0);
        let whole: f32 = (0..self.names.len()).map(stage).sum();
        let more =
            if self.threads > MOST { format!(", {MOST} of {} threads", self.threads) } else { String::new() };
        ui.label(RichText::new(format!("{title}: {whole:.3} ms{more}")).small());
        if whole <= 0.0 {
            return;
        }
        let rows = self.threads.clamp(1, MOST);
        let size = vec2(ui.available_width(), ROW * rows as f32);
        let (area, response) = ui.allocate_exact_size(size, Sense::hover());
        let painter = ui.painter_at(area);
        let place = |ms: f32| area.left() + NAMES + ms / whole * (area.width() - NAMES);
        let pointer = response.hover_pos();
        for row in 0..rows {
            let top = area.top() + ROW * row as f32;
            let name = FontId::proportional(10.0);
            let at = pos2(area.left(), top + 0.5 * ROW);
            painter.text(at, Align2::LEFT_CENTER, row + 1, name, ui.visuals().weak_text_color());
            let mut begin = 0.0;
            for (i, name) in self.names.iter().enumerate() {
                let time = stage(i);
                let at_work = if self.threads == 0 { time } else { numbers[i * each + 1 + row].min(time) };
                let bar = Rect::from_min_max(
                    pos2(place(begin), top),
                    pos2(place(begin + at_work).max(place(begin) + 1.0), top + ROW - 1.0),
                );
                begin += time;
                if at_work <= 0.0 {
                    continue;
                }
                painter.rect_filled(bar, CornerRadius::ZERO, color(name));
                let text = egui::WidgetText::from(RichText::new(name).size(10.0));
                let room = bar.width() - 4.0;
                if room > 4.5 * name.len() as f32 {
                    let text =
                        text.into_galley(ui, Some(egui::TextWrapMode::Extend), room, egui::TextStyle::Small);
                    painter.galley_with_override_text_color(bar.min + vec2(2.0, 1.0), text, Color32::BLACK);
                }
                if pointer.is_some_and(|at| bar.contains(at)) {
                    let share = 100.0 * at_work / whole;
                    let of = if self.threads == 0 { String::new() } else { format!(", thread {}", row + 1) };
                    response
                        .show_tooltip_text(format!("{name}{of}: {at_work:.3} ms, {share:.1} % of the step"));
                }
            }
        }
    }
}

fn color(name: &str) -> Color32 {
    let [hue, light] = stages::tone(name).map(f32::from);
    egui::ecolor::Hsva::new(hue / 360.0, 0.6, 0.85 + light / 100.0, 1.0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_stages_or_threads_begin_anew_and_memory_is_used_again() {
        let mut flames = Flames::default();
        for step in 0..STEPS + 5 {
            flames.begin(["solve", "contact"].into_iter(), 2);
            let mut numbers = flames.spare();
            numbers.extend([step as f32; 6]);
            flames.steps.push_back(numbers);
        }
        assert_eq!(flames.steps.len(), STEPS);
        assert_eq!(flames.steps.front().map(|step| step[0]), Some(5.0));
        flames.begin(["solve"].into_iter(), 2);
        assert!(flames.steps.is_empty() && flames.names == ["solve"]);
        flames.steps.push_back(vec![1.0; 3]);
        flames.begin(["solve"].into_iter(), 0);
        assert!(flames.steps.is_empty() && flames.threads == 0);
        flames.add(Vec::new());
        assert!(flames.steps.is_empty(), "no stage, no step");
    }
}
