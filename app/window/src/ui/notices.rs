//! The last few notices, at the lower edge of the picture.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use egui::{
    Context, FontSelection, Galley, Rect, Vec2, pos2,
    text::{LayoutJob, TextFormat},
};
use weft_core::clock::Instant;
use weft_session::Notice;

use super::{theme, time_line};

/// Notices stay on screen this long.
pub(crate) const NOTICE_TIME: Duration = Duration::from_secs(6);
/// Most of them at a time, and lines of one.
const MOST: usize = 5;
const LINES: usize = 8;
/// Widest line, and the way to the edges [points].
const WIDEST: f32 = 560.0;
const MARGIN: f32 = 12.0;
/// Narrowest picture that has room for them [points].
const NARROW: f32 = 200.0;

/// `above`: room that is taken at the edge [points].
pub(super) fn show(context: &Context, picture: Rect, notices: &VecDeque<(Instant, Notice)>, above: f32) {
    let fresh: Vec<&Notice> =
        notices.iter().filter(|(at, _)| at.elapsed() < NOTICE_TIME).map(|(_, notice)| notice).collect();
    if !fresh.is_empty() {
        let room = time_line::room(context, picture, NARROW);
        lay_out(context, room.with_max_y(room.bottom() - above), &fresh);
    }
}

/// In the lower right corner of the room, as wide as the widest; the oldest are left out where they are too many. How large they
/// are is known before they are placed: egui would place them by their size a frame ago.
fn lay_out(context: &Context, room: Rect, notices: &[&Notice]) -> Rect {
    let style = context.global_style();
    let frame = egui::Frame::popup(&style);
    let around = frame.total_margin().sum();
    let (font, gap) =
        (FontSelection::Style(egui::TextStyle::Small).resolve(&style), style.spacing.item_spacing.y);
    let widest = (room.width() - 2.0 * MARGIN - around.x).clamp(40.0, WIDEST);
    let highest = (room.height() - MARGIN - around.y).max(40.0);
    let (mut lines, mut size) = (Vec::<Arc<Galley>>::new(), Vec2::ZERO);
    for notice in notices.iter().rev().take(MOST) {
        let theme = theme::of_visuals(&style.visuals);
        let color = if notice.good { theme.good } else { theme.bad };
        let text = format!("{}: {}", notice.kind, notice.text);
        let mut job = LayoutJob::single_section(text, TextFormat::simple(font.clone(), color));
        (job.wrap.max_width, job.wrap.max_rows) = (widest, LINES);
        let line = context.fonts_mut(|fonts| fonts.layout_job(job));
        let high = size.y + line.size().y + if lines.is_empty() { 0.0 } else { gap };
        if high > highest && !lines.is_empty() {
            break;
        }
        size = Vec2::new(size.x.max(line.size().x), high);
        lines.push(line);
    }
    let corner = room.right_bottom() - Vec2::new(MARGIN, 0.0) - size - around;
    let area = egui::Area::new(egui::Id::unique("notices")).constrain(false);
    let shown = area.fixed_pos(pos2(corner.x, corner.y)).show(context, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(size.x);
            lines.into_iter().rev().for_each(|line| _ = ui.label(line));
        });
    });
    shown.response.rect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_stay_in_the_picture_from_their_first_frame_on() {
        let context = Context::default();
        let screen = Rect::from_min_size(egui::Pos2::ZERO, Vec2::new(900.0, 600.0));
        let notice =
            |words: usize| Notice::bad("scene", "a word or two ".repeat(words) + &"x".repeat(3 * words));
        let [short, long, page] = [notice(1), notice(9), notice(400)];
        let place = |room: Rect, notices: &[&Notice]| {
            let input = egui::RawInput { screen_rect: Some(screen), ..Default::default() };
            let mut place = Rect::NOTHING;
            let _ = context.run_ui(input, |ui| place = lay_out(ui.ctx(), room, notices));
            assert!(room.expand(1.0).contains_rect(place), "{place:?} of {room:?}");
            place
        };
        let narrow = Rect::from_min_max(pos2(640.0, 0.0), pos2(900.0, 540.0));
        for room in [narrow, screen, Rect::from_min_size(egui::Pos2::ZERO, Vec2::new(260.0, 120.0))] {
            place(room, &[&short]);
            let two = place(room, &[&short, &long]);
            assert_eq!(place(room, &[&short, &long]), two, "as in its first frame");
            place(room, &[&page, &page, &page, &long, &short]);
            place(room, &[&short]);
        }
    }
}
