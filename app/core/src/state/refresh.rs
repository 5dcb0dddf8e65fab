//! New values from the scene under the same rows: what the host gives is rewritten, what runs is left alone.

use sim_api::Class;

use super::{Blueprint, Span, State};

impl State {
    /// Writes the blueprint's values into all `given` columns and the inverse masses. The rows must be those that the
    /// state was built with; positions, velocities and all other state stay bit for bit.
    pub fn refresh(&mut self, blueprint: &Blueprint) {
        for table in &mut self.tables {
            let Some(filled) = blueprint.table(&table.name) else { continue };
            let order = &table.coloring.order;
            for column in &mut table.columns {
                let Some(data) = filled.column(&column.name) else { continue };
                let whole = column.class == Class::Given;
                let inverse_mass = table.name == "particle" && column.name == "position";
                if data.element() != column.element || !(whole || inverse_mass) {
                    continue;
                }
                let size = column.element.size();
                // The inverse mass is the fourth value of a position.
                let from = if whole { 0 } else { 12 };
                for (row, target) in column.bytes_mut().chunks_exact_mut(size).enumerate() {
                    let source = order.get(row).map_or(row, |&row| row as usize) * size;
                    target[from..].copy_from_slice(&data.bytes()[source + from..source + size]);
                }
            }
        }
        // Triangles of self collision are the scene's again.
        self.compact_again();
        self.incidence_stale = true;
    }

    /// As [`State::refresh`] where only these rows of the blueprint have other values.
    pub fn refresh_rows(&mut self, blueprint: &Blueprint, spans: &[Span]) {
        for span in spans {
            let filled = blueprint.table(span.table).and_then(|table| table.column(span.column));
            let Some((data, table)) = filled.zip(self.table_mut(span.table)) else { continue };
            let order = &table.coloring.order;
            let column = table.columns.iter_mut().find(|column| column.name == span.column);
            let Some(column) = column.filter(|column| column.element == data.element()) else { continue };
            // Words of a row, and the first of them that is the scene's: of a position that is the inverse mass.
            let words = column.element.lanes();
            let from = if column.class == Class::Given { 0 } else { 3 };
            let source: &[u32] = bytemuck::cast_slice(data.bytes());
            let target: &mut [u32] = bytemuck::cast_slice_mut(column.bytes_mut());
            if order.is_empty() {
                let all = span.rows.start * words..span.rows.end * words;
                let (source, target) = (&source[all.clone()], &mut target[all]);
                match from {
                    0 => target.copy_from_slice(source),
                    _ => copy_inverse_masses(source, target),
                }
                continue;
            }
            // One number for all, as a slider gives it: nothing is fetched from where it lies in the scene's order.
            if words == 1
                && let Some(value) = only_value(&source[span.rows.clone()])
            {
                for (target, &row) in target.iter_mut().zip(order) {
                    *target = if span.has(row as usize) { value } else { *target };
                }
                continue;
            }
            for (target, &row) in target.chunks_exact_mut(words).zip(order) {
                let row = row as usize;
                match span.has(row) {
                    true if words == 1 => target[0] = source[row],
                    true => target[from..].copy_from_slice(&source[row * words + from..(row + 1) * words]),
                    false => {}
                }
            }
        }
    }
}

/// What all of them are.
fn only_value(values: &[u32]) -> Option<u32> {
    let first = *values.first()?;
    let differ = values.iter().fold(0, |differ, value| differ | (value ^ first));
    (differ == 0).then_some(first)
}

/// The inverse masses of positions; a copy of the length of a slice would be a call for each.
fn copy_inverse_masses(source: &[u32], target: &mut [u32]) {
    for (target, source) in target.as_chunks_mut::<4>().0.iter_mut().zip(source.as_chunks::<4>().0) {
        target[3] = source[3];
    }
}
