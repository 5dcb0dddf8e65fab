//! The scene's part of the panel: a control for each field that the field table marks, grouped by object.

use std::path::{Path, PathBuf};

use egui::{DragValue, Slider, Ui};

use weft_scene::{Address, Row, Scene, Slot, visit};
use weft_session::lab::Lab;

/// Stiffest spring on the slider [N/m]; beyond it the row is rigid (compliance 0).
const RIGID: f64 = 1e7;

/// One field, copied out of the scene.
struct Item {
    path: String,
    row: Row,
    values: Vec<f32>,
}

pub fn show(ui: &mut Ui, lab: &mut Lab) {
    let items = items(&mut lab.scene.clone());
    let mut edits = Vec::new();
    let mut rest = items.as_slice();
    while let Some(first) = rest.first() {
        let group = group(&first.path);
        let end = rest.iter().position(|item| self::group(&item.path) != group).unwrap_or(rest.len());
        let (mine, others) = rest.split_at(end);
        rest = others;
        let title = group.replace("cloths.", "cloth ").replace("colliders.", "collider ");
        egui::CollapsingHeader::new(title).id_salt(group).default_open(group == "wind").show(ui, |ui| {
            for item in mine {
                let label = item.path.strip_prefix(group).unwrap_or(&item.path).trim_start_matches('.');
                let mut values = item.values.clone();
                control(ui, label, &item.row, &mut values);
                if values != item.values {
                    edits.push((item.path.clone(), values));
                }
            }
            if let Some(id) = group.strip_prefix("cloths.") {
                textures(ui, lab, id);
            }
        });
    }
    if !edits.is_empty() {
        let mut scene = lab.scene.clone();
        write(&mut scene, &edits);
        if let Err(why) = lab.apply(scene) {
            lab.run.log.push(why);
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
    let listed = path.starts_with("cloths.") || path.starts_with("colliders.");
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
        ui.add(slider).on_hover_text(row.doc);
    } else {
        ui.horizontal(|ui| {
            for value in values.iter_mut() {
                ui.add(DragValue::new(value).range(range.clone()).speed(0.05).max_decimals(3));
            }
            ui.label(format!("{label}{unit}")).on_hover_text(row.doc);
        });
    }
}

/// Compliance [m/N] turned as a stiffness k = 1/compliance [N/m].
fn stiffness(ui: &mut Ui, kind: &str, row: &Row, compliance: &mut f32) {
    let before = if *compliance > 0.0 { (1.0 / f64::from(*compliance)).min(RIGID) } else { RIGID };
    let mut k = before;
    let least = 1.0 / f64::from(row.max.min(100.0));
    let slider = Slider::new(&mut k, least..=RIGID)
        .clamping(egui::SliderClamping::Edits)
        .text(format!("k {kind} [N/m]"))
        .logarithmic(true)
        .custom_formatter(|k, _| if k >= RIGID { "rigid".into() } else { format!("{k:.3}") });
    ui.add(slider).on_hover_text(format!("{}; k = 1 / compliance", row.doc));
    if k != before {
        *compliance = if k >= RIGID { 0.0 } else { (1.0 / k) as f32 };
    }
}

fn write(scene: &mut Scene, edits: &[(String, Vec<f32>)]) {
    visit(scene, Address::Id, &mut |field| {
        let Some((_, values)) = edits.iter().find(|(path, _)| *path == field.path) else { return };
        match (field.slot, values.as_slice()) {
            (Slot::Float(slot), [x]) => *slot = *x,
            (Slot::Int(slot), [x]) => *slot = *x as u32,
            (Slot::Vec2(slot), [x, y]) => *slot = [*x, *y],
            (Slot::Vec3(slot), [x, y, z]) => *slot = [*x, *y, *z],
            _ => {}
        }
    });
}

/// The pictures beside the scene, for one cloth.
fn textures(ui: &mut Ui, lab: &mut Lab, id: &str) {
    let Some(cloth) = lab.scene.cloths.iter().position(|cloth| cloth.id == id) else { return };
    let present = lab.scene.cloths[cloth].look.texture.clone();
    let mut wanted = None;
    let shown = |path: &str| if path.is_empty() { "none".to_string() } else { path.to_string() };
    egui::ComboBox::new(("texture", id), "texture").selected_text(shown(&present)).show_ui(ui, |ui| {
        for path in std::iter::once(String::new()).chain(pictures(&lab.folder())) {
            if ui.selectable_label(path == present, shown(&path)).clicked() {
                wanted = Some(path);
            }
        }
    });
    if let Some(path) = wanted {
        lab.scene.cloths[cloth].look.texture = path;
    }
}

/// Paths as a scene writes them, sorted.
fn pictures(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("textures")).into_iter().flatten().flatten();
    let is_picture = |path: &PathBuf| {
        path.extension().is_some_and(|end| ["png", "jpg", "jpeg"].iter().any(|known| end == *known))
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(is_picture)
        .filter_map(|path| Some(format!("textures/{}", path.file_name()?.to_str()?)))
        .collect();
    names.sort();
    names
}
