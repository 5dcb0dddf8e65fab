//! The scene's part of the panel: a control for each field that the field table marks, grouped by object.

use std::path::{Path, PathBuf};

use egui::{DragValue, Slider, Ui};

use super::{number, section};

use weft_scene::{Address, Edit, Row, Scene, visit};
use weft_session::{Notice, Session, session::Setup};

/// Stiffest spring on the slider [N/m]; beyond it the row is rigid (compliance 0).
const RIGID: f64 = 1e7;

/// One field, copied out of the scene.
struct Item {
    path: String,
    row: Row,
    values: Vec<f32>,
}

/// The fields of the scene, copied when it changes.
#[derive(Default)]
pub(super) struct Fields {
    items: Vec<Item>,
    /// The scene that they are of; see [`weft_session::session::Setup::revision`].
    revision: u64,
}

impl Fields {
    pub(super) fn show(&mut self, ui: &mut Ui, session: &mut Session) {
        if self.revision != session.setup().revision() {
            self.revision = session.setup().revision();
            self.items = items(&mut session.scene().clone());
        }
        let mut edits = Vec::new();
        let mut rest = self.items.as_mut_slice();
        while let Some(first) = rest.first() {
            let group = group(&first.path).to_string();
            let end = rest.iter().position(|item| self::group(&item.path) != group).unwrap_or(rest.len());
            let (mine, others) = rest.split_at_mut(end);
            rest = others;
            let title = group.replacen("cloths.", "cloth ", 1).replacen("colliders.", "collider ", 1);
            let title = title.replacen("strands.", "strands ", 1);
            section::show(ui, &group, group == "wind", title, |ui| {
                for item in mine {
                    let label = item.path.strip_prefix(&group).unwrap_or(&item.path).trim_start_matches('.');
                    let before = item.values.clone();
                    control(ui, label, &item.row, &mut item.values);
                    if before != item.values {
                        edits.push((item.path.clone(), Edit::Numbers(item.values.clone())));
                    }
                }
                if let Some(id) = group.strip_prefix("cloths.") {
                    edits.extend(textures(ui, session.setup(), id));
                }
            });
        }
        for (path, value) in edits {
            match session.edit(&path, &value) {
                // The copy has the value already.
                Ok(_) => self.revision = session.setup().revision(),
                Err(why) => {
                    self.revision = 0;
                    session.notify(Notice::bad("scene", why));
                }
            }
        }
    }
}

fn items(scene: &mut Scene) -> Vec<Item> {
    let mut items = Vec::new();
    visit(scene, Address::Id, &mut |field| {
        if field.row.slider {
            let values = field.slot.components().into_iter().map(|value| value as f32).collect();
            items.push(Item { path: field.path, row: field.row, values });
        }
    });
    items.retain(|item| !item.values.is_empty());
    // Fields of the scene itself come apart in the file (gravity, …, air damping); here they are one group.
    items.sort_by_key(|item| group(&item.path) != "world");
    items
}

/// `wind`, `cloths.flag`, …; `world` for fields of the scene itself.
fn group(path: &str) -> &str {
    let mut dots = path.match_indices('.').map(|(at, _)| at);
    let listed = ["cloths.", "strands.", "colliders."].iter().any(|list| path.starts_with(list));
    let end = if listed { dots.nth(1) } else { dots.next() };
    end.map_or("world", |end| &path[..end])
}

fn control(ui: &mut Ui, label: &str, row: &Row, values: &mut [f32]) {
    let unit = if row.unit == "1" { String::new() } else { format!(" [{}]", row.unit) };
    let range = row.min..=row.max;
    if let Some(kind) = label.rsplit_once("compliance.").map(|(_, kind)| kind) {
        stiffness(ui, kind, row, &mut values[0]);
    } else if let [value] = values {
        let mut slider =
            Slider::new(value, range).clamping(egui::SliderClamping::Edits).text(format!("{label}{unit}"));
        if row.log || (row.min >= 0.0 && row.max > 20.0) {
            let smallest = (f64::from(row.max) * 1e-6).min(1e-4);
            slider = slider.logarithmic(true).smallest_positive(smallest);
        }
        ui.add(number::slider(ui, slider)).on_hover_text(row.doc);
    } else {
        ui.horizontal(|ui| {
            for value in values.iter_mut() {
                let value = DragValue::new(value).range(range.clone()).speed(0.05);
                ui.add(number::drag(ui, value));
            }
            ui.label(format!("{label}{unit}")).on_hover_text(row.doc);
        });
    }
}

/// Compliance [m/N] turned as a stiffness k = 1/compliance [N/m].
fn stiffness(ui: &mut Ui, kind: &str, row: &Row, compliance: &mut f32) {
    let rigid = *compliance == 0.0;
    let before = if rigid { RIGID } else { 1.0 / f64::from(*compliance) };
    let mut k = before;
    let text = move |k: f64| {
        let is_rigid = k >= RIGID && (rigid || k != before);
        if is_rigid { "rigid".to_string() } else { number::shown(k as f32) }
    };
    let least = 1.0 / f64::from(row.max.min(100.0));
    let slider = Slider::new(&mut k, least..=RIGID)
        .clamping(egui::SliderClamping::Edits)
        .text(format!("k {kind} [N/m]"))
        .logarithmic(true);
    let read = move |typed: &str| if typed == text(before) { Some(before) } else { number::typed(typed) };
    let slider = number::slider(ui, slider)
        .custom_formatter(move |k, _| text(k))
        // A click into it and out again is no edit, although `k` has more digits than are shown.
        .custom_parser(number::taken(ui, read));
    ui.add(slider).on_hover_text(format!("{}; k = 1 / compliance", row.doc));
    if k != before {
        *compliance = if k >= RIGID { 0.0 } else { (1.0 / k) as f32 };
    }
}

/// A choice of pictures for one cloth.
fn textures(ui: &mut Ui, setup: &Setup, id: &str) -> Option<(String, Edit)> {
    let present = &setup.scene().cloths.iter().find(|cloth| cloth.id == id)?.look.texture;
    let mut wanted = None;
    let shown = |path: &str| if path.is_empty() { "none".to_string() } else { path.to_string() };
    egui::ComboBox::new(("texture", id), "texture").selected_text(shown(present)).show_ui(ui, |ui| {
        for path in std::iter::once(String::new()).chain(pictures(setup.folder())) {
            if ui.selectable_label(path == *present, shown(&path)).clicked() {
                wanted = Some(path);
            }
        }
    });
    Some((format!("cloths.{id}.look.texture"), Edit::Text(wanted?)))
}

/// Paths as a scene writes them, sorted.
fn pictures(folder: &Path) -> Vec<String> {
    let is_picture = |path: &PathBuf| {
        path.extension().is_some_and(|end| ["png", "jpg", "jpeg"].iter().any(|known| end == *known))
    };
    let mut names: Vec<String> = weft_core::files::list(&folder.join("textures"))
        .into_iter()
        .filter(is_picture)
        .filter_map(|path| Some(format!("textures/{}", path.file_name()?.to_str()?)))
        .collect();
    names.sort();
    names
}
