//! The time line at the lower edge: kept frames to go to, the loop, and the switch of before and after.

use egui::{Color32, Context, DragValue, Rect, RichText, Slider, Ui, pos2, vec2};

use super::{number, panel::Action, theme};
use weft_session::Session;

/// Room that it takes at the lower edge [points].
pub(super) const HEIGHT: f32 = 66.0;
/// Narrowest picture that it has room in [points].
const NARROW: f32 = 340.0;
/// A loop is as long as this unless told otherwise [frames].
const LOOP_FRAMES: u64 = 120;

/// Where a recording is that plays.
#[derive(Clone, Copy)]
pub struct Place {
    pub step: u64,
    pub steps: u64,
    /// The first frame that differs.
    pub diverged: Option<u64>,
}

pub struct TimeLine {
    /// Length of the next loop [frames].
    pub loop_frames: u64,
}

impl Default for TimeLine {
    fn default() -> Self {
        Self { loop_frames: LOOP_FRAMES }
    }
}

impl TimeLine {
    /// At the lower edge of the picture. Of a recording that plays, else of the frames that are kept;
    /// nothing while history is off.
    pub fn show(
        &mut self,
        context: &Context,
        picture: Rect,
        (session, playing): (&Session, Option<Place>),
        actions: &mut Vec<Action>,
    ) {
        if !session.history().is_on() && playing.is_none() {
            return;
        }
        bar(context, room(context, picture, NARROW), |ui| {
            match playing {
                Some(place) => recorded(ui, place, actions),
                None => slider(ui, session, actions),
            }
            ui.horizontal(|ui| self.buttons(ui, (session, playing), actions));
        });
    }

    fn buttons(
        &mut self,
        ui: &mut Ui,
        (session, playing): (&Session, Option<Place>),
        actions: &mut Vec<Action>,
    ) {
        let run = if session.is_paused() { "run" } else { "pause" };
        for (label, key, action) in [
            ("back", ",", Action::StepBack),
            (run, "space", Action::Pause),
            ("step", ".", Action::SingleStep),
        ] {
            if ui.button(label).on_hover_text(format!("key {key}")).clicked() {
                actions.push(action);
            }
        }
        if let Some(Place { step, steps, diverged }) = playing {
            let place = format!("recording: {step} of {steps} steps, frame {}", session.run().frame);
            line(ui, RichText::new(place).small());
            let (text, color) = match diverged {
                None => ("the bits of the recording so far".to_string(), theme::of(ui).good),
                Some(frame) => (format!("DIVERGED at frame {frame}"), theme::of(ui).bad),
            };
            line(ui, RichText::new(text).small().color(color));
            return;
        }
        let looping = session.timeline().replay().is_some();
        let hint = "key l; frames repeat with the hand that was recorded and the newest code; a drag ends it";
        if ui.selectable_label(looping, "loop").on_hover_text(hint).clicked() {
            actions.push(Action::Loop);
        }
        if !looping {
            let frames = DragValue::new(&mut self.loop_frames).range(2..=100_000).suffix(" frames");
            ui.add(number::drag(ui, frames))
                .on_hover_text("how many frames: from a past frame on, else the last ones");
        }
        if session.timeline().twin().is_some() || session.code_before().is_some() {
            let hint = "key b; the code that ran before, beside the code that runs";
            let label =
                |ui: &mut Ui| ui.selectable_label(session.timeline().twin().is_some(), "before / after");
            let button = ui.add_enabled_ui(session.gpu().is_none(), label).inner;
            let button = button.on_hover_text(hint).on_disabled_hover_text("on the CPU path only (key g)");
            if button.clicked() {
                actions.push(Action::Compare);
            }
        }
        if session.has_blown_up()
            && ui.button(RichText::new("where it began").color(theme::of(ui).bad)).clicked()
        {
            actions.push(Action::WhereItBegan);
        }
        line(ui, RichText::new(state(session)).small());
    }
}

/// Where something at the lower edge of a picture has room: over panels, too, where the picture is no wider than `narrow` [points].
pub(super) fn room(context: &Context, picture: Rect, narrow: f32) -> Rect {
    if picture.width() > narrow { picture } else { context.content_rect().with_max_y(picture.bottom()) }
}

/// Over the lower edge of the room. Returns its place.
fn bar(context: &Context, room: Rect, show: impl FnOnce(&mut Ui)) -> Rect {
    let area = egui::Area::new(egui::Id::unique("time line"));
    let area = area.fixed_pos(pos2(room.left() + 12.0, room.bottom() - HEIGHT + 4.0));
    // egui would move what was wider a frame ago.
    let shown = area.constrain(false).show(context, |ui| {
        let frame = egui::Frame::popup(ui.style()).fill(theme::of(ui).over);
        frame.show(ui, |ui| {
            ui.set_width(room.width() - 38.0);
            show(ui);
        });
    });
    shown.response.rect
}

/// In what is left of the row; the rest of it under the pointer.
fn line(ui: &mut Ui, text: RichText) {
    ui.add(egui::Label::new(text).truncate());
}

/// `frame 812, 13.53 s; pass 3, the bits of the pass before`.
fn state(session: &Session) -> String {
    let place = format!("frame {}, {:.2} s", session.run().frame, session.run().time);
    let Some(replay) = session.timeline().replay() else { return place };
    let same = match replay.same {
        Some(true) => ": the bits of the pass before",
        Some(false) => ": not as the pass before",
        None => "",
    };
    format!("{place}; pass {} of frames {} to {}{same}", replay.passes + 1, replay.start, replay.end)
}

/// How much is kept, for the panel.
pub(super) fn row(ui: &mut Ui, session: &Session) {
    if let Some(why) = session.history().off() {
        ui.label(RichText::new(format!("history: {why}")).small());
        return;
    }
    let (used, budget, count, seconds) = session.timeline().kept();
    let text =
        format!("history: {seconds:.1} s, {count} frames, {} of {} MB", used / 1_000_000, budget / 1_000_000);
    ui.label(RichText::new(text).small());
    if let Some(began) = session.timeline().blow_up() {
        ui.colored_label(theme::of(ui).bad, RichText::new(&began.text).small());
    }
}

/// All of a recording.
fn recorded(ui: &mut Ui, place: Place, actions: &mut Vec<Action>) {
    let mut step = place.step;
    ui.spacing_mut().slider_width = ui.available_width();
    ui.add(Slider::new(&mut step, 0..=place.steps.max(1)).show_value(false));
    if step != place.step {
        actions.push(Action::GoTo(step));
    }
}

fn slider(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let now = session.run().frame;
    let Some(frames) = session.timeline().frames(now).filter(|frames| frames.start() < frames.end()) else {
        ui.add_space(18.0);
        return;
    };
    let mut frame = now;
    ui.spacing_mut().slider_width = ui.available_width();
    let slider = ui.add(Slider::new(&mut frame, frames.clone()).show_value(false));
    // The handle's centre moves inside the bar by its radius.
    let bar = slider.rect.shrink2(vec2(0.5 * slider.rect.height(), 0.0));
    let (first, last) = (*frames.start() as f32, *frames.end() as f32);
    let at = |frame: u64| bar.left() + (frame as f32 - first) / (last - first) * bar.width();
    let mark = |from: u64, to: u64, color: Color32| {
        let under =
            Rect::from_x_y_ranges(at(from)..=(at(to).max(at(from) + 2.0)), bar.bottom() - 3.0..=bar.bottom());
        ui.painter().rect_filled(under, 0.0, color);
    };
    if let Some(replay) = session.timeline().replay() {
        mark(replay.start, replay.end, theme::of(ui).good);
    }
    if let Some(alarm) = session.timeline().alarm().filter(|alarm| frames.contains(alarm)) {
        mark(alarm, alarm, theme::of(ui).amber);
    }
    if let Some(began) = session.timeline().blow_up() {
        mark(began.frame.max(*frames.start()), began.end.min(*frames.end()), theme::of(ui).bad);
    }
    if frame != now {
        actions.push(Action::GoTo(frame));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_at_the_edge_in_the_first_frame_after_the_window_changed() {
        let context = Context::default();
        let place = |width: f32, height: f32| {
            let room = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
            let input = egui::RawInput { screen_rect: Some(room), ..Default::default() };
            let mut place = Rect::NOTHING;
            let _ = context.run_ui(input, |ui| {
                place = bar(ui.ctx(), room, |ui| _ = ui.allocate_space(vec2(ui.available_width(), 40.0)));
            });
            place
        };
        place(900.0, 600.0);
        for (width, height) in [(500.0, 300.0), (1200.0, 900.0), (400.0, 800.0)] {
            let first = place(width, height);
            assert_eq!(first.left_top(), pos2(12.0, height - HEIGHT + 4.0));
            assert!(first.right() < width && first.bottom() < height, "{first:?} in {width} x {height}");
            assert_eq!(place(width, height), first);
        }
    }
}
