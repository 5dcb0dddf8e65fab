//! The state of a cloth from one set of tables into another.

use sim_api::Class;
use weft_core::state::{Column, State};
use weft_scene::assemble::Object;

/// Copies what a cloth is in the middle of: the state columns of its rows, parked ones too.
pub(super) fn carry(from: &State, before: &Object, to: &mut State, now: &Object) {
    for table in &from.tables {
        let Some(target) = to.table_mut(&table.name) else { continue };
        let (Some(rows), Some(into)) = (before.rows(&table.name), now.rows(&table.name)) else { continue };
        if rows.len() != into.len() {
            continue;
        }
        let old_rows = rows_by_scene(&table.coloring.order, rows);
        let new_rows = rows_by_scene(&target.coloring.order, into);
        let state = |column: &&Column| column.class == Class::State;
        for column in table.columns.iter().filter(state) {
            let fits = |out: &&mut Column| out.class == Class::State && out.element == column.element;
            if let Some(out) = target.column_mut(&column.name).filter(fits) {
                // The inverse mass in w is the scene's; the position is the run's.
                let position = table.name == "particle" && column.name == "position";
                let keep = if position { 12 } else { column.element.size() };
                copy_rows(column, &old_rows, out, &new_rows, keep);
            }
        }
        for column in &table.parked {
            let same = |other: &Column| other.name == column.name && other.element == column.element;
            if !target.parked.iter().any(same) {
                target.parked.push(Column::new(
                    &column.name,
                    column.element,
                    column.class,
                    target.rows + target.dead,
                ));
            }
            if let Some(out) = target.parked.iter_mut().find(|other| same(other)) {
                copy_rows(column, &old_rows, out, &new_rows, column.element.size());
            }
        }
    }
}

/// Copies the first `keep` bytes of each row.
fn copy_rows(from: &Column, old_rows: &[usize], to: &mut Column, new_rows: &[usize], keep: usize) {
    let size = from.element.size();
    let (source, target) = (from.bytes(), to.bytes_mut());
    for (&a, &b) in old_rows.iter().zip(new_rows) {
        target[b * size..b * size + keep].copy_from_slice(&source[a * size..a * size + keep]);
    }
}

/// Where each of the scene's rows stands in a table that is sorted by colour.
fn rows_by_scene(order: &[u32], rows: std::ops::Range<usize>) -> Vec<usize> {
    if order.is_empty() {
        return rows.collect();
    }
    let mut place = vec![0; rows.len()];
    for (row, &scene_row) in order.iter().enumerate() {
        if rows.contains(&(scene_row as usize)) {
            place[scene_row as usize - rows.start] = row;
        }
    }
    place
}
