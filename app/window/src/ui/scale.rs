//! The view: its part of the panel, and the scale bar over the picture.

use egui::{
    Align2, Color32, ComboBox, Context, DragValue, FontId, Mesh, Rect, RichText, Sense, Shape, Stroke, Ui,
    pos2, vec2,
};

use super::{number, theme};
use weft_draw::Palette;
use weft_session::Session;

use crate::view::{QUANTITIES, Range, Scale, columns};

/// Height of the list of views [points].
const LIST: f32 = 420.0;
/// Of the bar [points].
const BAR: (f32, f32) = (18.0, 220.0);
/// Room for the numbers beside it [points].
const NUMBERS: f32 = 62.0;

/// What is shown, how, and over which range.
pub(super) fn controls(ui: &mut Ui, scale: &mut Scale, session: &Session) {
    ComboBox::from_label("view (v)").selected_text(scale.quantity.name).height(LIST).show_ui(ui, |ui| {
        let state = &session.run().state;
        for quantity in QUANTITIES.iter().filter(|quantity| quantity.says_something(state)) {
            ui.selectable_value(&mut scale.quantity, quantity, quantity.name).on_hover_text(quantity.doc);
        }
        let run = session.run();
        for table in columns::tables(&run.state) {
            ui.separator();
            ui.label(RichText::new(table).small().weak());
            for quantity in columns::of_table(&run.generation, table) {
                let name = quantity.shown_column().map_or(quantity.name, |(_, column)| column);
                ui.selectable_value(&mut scale.quantity, quantity, name).on_hover_text(quantity.doc);
            }
        }
    });
    if scale.quantity.is_look() {
        return;
    }
    ui.horizontal(|ui| {
        for palette in Palette::ALL {
            ui.selectable_value(&mut scale.palette, palette, palette.name());
        }
        ui.label("colours");
        ui.checkbox(&mut scale.log, "log")
            .on_hover_text("by the logarithm of the size, over the last four decades");
    });
    ui.horizontal(|ui| {
        for (percent, name) in [(95.0, "95 %"), (100.0, "all")] {
            ui.selectable_value(&mut scale.range, Range::Percentile(percent), name)
                .on_hover_text("the scale ends where this share of the particles does");
        }
        let fixed = matches!(scale.range, Range::Fixed(_));
        if ui.selectable_label(fixed, "fixed").on_hover_text("the scale ends at this number").clicked() {
            scale.range = Range::Fixed(round(scale.top()));
        }
        if let Range::Fixed(top) = &mut scale.range {
            let speed = 0.01 * f64::from(*top).max(1e-3);
            let range = 1e-6..=1e9;
            let top = DragValue::new(top).range(range).speed(speed);
            ui.add(number::drag(ui, top).suffix(format!(" {}", scale.quantity.unit)));
        }
        ui.label("range");
    });
}

/// Two digits.
fn round(value: f32) -> f32 {
    let unit = 10.0_f32.powf(value.max(1e-6).log10().floor() - 1.0);
    ((value / unit).round() * unit).max(1e-6)
}

/// The bar at the right edge of the picture: colours, round numbers and the unit. Nothing while a texture shows.
pub(super) fn bar(context: &Context, picture: Rect, scale: &Scale) {
    if scale.quantity.is_look() {
        return;
    }
    egui::Area::new(egui::Id::unique("scale"))
        .pivot(Align2::RIGHT_CENTER)
        .fixed_pos(picture.right_center() - vec2(12.0, 0.0))
        .interactable(false)
        .show(context, |ui| {
            egui::Frame::popup(ui.style()).fill(theme::of(ui).over).show(ui, |ui| {
                ui.set_width(NUMBERS + BAR.0 + 10.0);
                ui.label(format!("{}\n{}", scale.quantity.name, scale.unit()));
                ui.add_space(6.0);
                let size = vec2(NUMBERS + BAR.0, BAR.1 + 12.0);
                let (room, _) = ui.allocate_exact_size(size, Sense::hover());
                let left_top = pos2(room.right() - BAR.0, room.top() + 6.0);
                paint(ui, Rect::from_min_size(left_top, BAR.into()), scale);
            });
        });
}

fn paint(ui: &Ui, bar: Rect, scale: &Scale) {
    let painter = ui.painter();
    let knots = scale.palette.knots();
    let height = |share: f32| bar.bottom() - share * bar.height();
    let mut mesh = Mesh::default();
    for (i, knot) in knots.iter().enumerate() {
        let [r, g, b] = [knot[0], knot[1], knot[2]].map(|part| (part * 255.0).round() as u8);
        let y = height(i as f32 / (knots.len() - 1) as f32);
        mesh.colored_vertex(pos2(bar.left(), y), Color32::from_rgb(r, g, b));
        mesh.colored_vertex(pos2(bar.right(), y), Color32::from_rgb(r, g, b));
        if i > 0 {
            let first = 2 * i as u32 - 2;
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
    }
    painter.add(Shape::mesh(mesh));
    let text = ui.visuals().strong_text_color();
    painter.rect_stroke(bar, 0.0, Stroke::new(1.0, Color32::from_gray(120)), egui::StrokeKind::Outside);
    for (share, mark) in scale.marks() {
        let y = height(share);
        painter.line_segment([pos2(bar.left() - 4.0, y), pos2(bar.left(), y)], Stroke::new(1.0, text));
        painter.text(pos2(bar.left() - 7.0, y), Align2::RIGHT_CENTER, mark, FontId::monospace(12.0), text);
    }
}
