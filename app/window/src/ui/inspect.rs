//! One particle: its columns, and the rows of all tables that it is in.

use egui::{Grid, RichText, Ui};
use sim_api::{Class, Element};
use weft_core::state::{Column, State, Table, col};
use weft_session::Session;

/// Rows of a table that are listed.
const ROWS: usize = 16;

/// The particle that is marked, if one is.
pub(super) fn show(ui: &mut Ui, session: &Session, inspected: &mut Option<usize>) {
    let state = &session.run().state;
    *inspected = inspected.filter(|particle| *particle < state.get(col::particle::position).len());
    let Some(particle) = *inspected else {
        let hint = "key i marks the particle under the pointer";
        ui.label(RichText::new(hint).small().weak());
        return;
    };
    let of = session.objects().iter().find(|object| object.particles.contains(&particle));
    let name = of.map_or_else(String::new, |object| format!(" of {}", object.id));
    ui.label(format!("particle {particle}{name}"));
    if let Some(table) = state.table("particle") {
        columns(ui, session, table, particle, "particle");
    }
    for table in state.tables.iter().filter(|table| table.name != "particle") {
        let rows = rows(state, table, particle);
        if rows.is_empty() {
            continue;
        }
        let title = RichText::new(format!("{}: {} rows", table.name, rows.len())).small();
        egui::CollapsingHeader::new(title).id_salt(&table.name).show(ui, |ui| {
            for &row in rows.iter().take(ROWS) {
                ui.label(RichText::new(headline(state, table, row)).small().strong());
                columns(ui, session, table, row, &format!("{} {row}", table.name));
            }
            if rows.len() > ROWS {
                ui.label(RichText::new(format!("and {} more", rows.len() - ROWS)).small());
            }
        });
    }
}

/// Rows of a table that a particle is in.
fn rows(state: &State, table: &Table, particle: usize) -> Vec<usize> {
    if table.name == "segment" {
        return particle.checked_sub(state.first_of_strands()).into_iter().collect();
    }
    let Some(idx) = table.column("idx") else { return Vec::new() };
    let lanes = idx.element.lanes();
    let corners: &[u32] = bytemuck::cast_slice(&idx.bytes()[..idx.len() * idx.element.size()]);
    let rows = corners.chunks_exact(lanes).enumerate();
    rows.filter(|(_, corners)| corners.contains(&(particle as u32))).map(|(row, _)| row).collect()
}

/// `row 1203`; of springs with their length and by how much they are longer.
fn headline(state: &State, table: &Table, row: usize) -> String {
    let ends = state.get(col::distance::idx).get(row).filter(|_| table.name == "distance");
    let (Some(ends), Some(rest)) = (ends, state.get(col::distance::rest).get(row)) else {
        return format!("row {row}");
    };
    let position = state.get(col::particle::position);
    let [a, b] = ends.map(|end| position.get(end as usize).copied().unwrap_or_default());
    let length = (0..3).map(|i| f64::from(a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    let rest = f64::from(*rest);
    format!(
        "row {row}: length {length:.5} m, C = {:+.2e} m ({:+.2} %)",
        length - rest,
        100.0 * (length / rest - 1.0)
    )
}

/// The columns of a row, with what they are.
fn columns(ui: &mut Ui, session: &Session, table: &Table, row: usize, salt: &str) {
    let schema = &session.run().generation.schema;
    let declared = schema.tables.iter().find(|declared| declared.name == table.name);
    let doc = |name: &str| {
        let columns = declared.map_or(&[][..], |declared| &declared.columns);
        columns.iter().find(|column| column.name == name).map_or("", |column| column.doc.trim())
    };
    Grid::new(("columns", salt)).num_columns(2).spacing([10.0, 0.0]).min_row_height(0.0).show(ui, |ui| {
        let known = |column: &&Column| row < column.len() && !is_unused(column, row);
        for column in table.columns.iter().filter(known) {
            ui.label(RichText::new(&column.name).small()).on_hover_text(doc(&column.name));
            ui.label(RichText::new(value(column, row)).small().monospace());
            ui.end_row();
        }
    });
}

/// Scratch that the present solver does not write.
fn is_unused(column: &Column, row: usize) -> bool {
    let size = column.element.size();
    let values = bytemuck::pod_collect_to_vec::<u8, f32>(&column.bytes()[row * size..][..size]);
    column.class == Class::Scratch && column.element.is_float() && values.iter().all(|value| value.is_nan())
}

fn value(column: &Column, row: usize) -> String {
    let size = column.element.size();
    let bytes = &column.bytes()[row * size..][..size];
    let parts: Vec<String> = match column.element {
        Element::U32 | Element::U32x2 | Element::U32x3 | Element::U32x4 => {
            bytemuck::pod_collect_to_vec::<u8, u32>(bytes).iter().map(ToString::to_string).collect()
        }
        _ => bytemuck::pod_collect_to_vec::<u8, f32>(bytes).iter().map(|&value| number(value)).collect(),
    };
    parts.join(" ")
}

/// Five digits that count.
fn number(value: f32) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        format!("{value:.4}")
    } else {
        format!("{value:.3e}")
    }
}
