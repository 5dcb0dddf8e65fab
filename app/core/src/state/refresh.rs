//! New values from the scene under the same rows: what the host gives is rewritten, what runs is left alone.

use sim_api::Class;

use super::{Blueprint, Span, State, incidence};

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
        incidence::fill(&mut self.tables, blueprint);
    }

    /// As [`State::refresh`] where only these rows of the blueprint have other values.
    pub fn refresh_rows(&mut self, blueprint: &Blueprint, spans: &[Span]) {
        for Span { table: name, column: column_name, rows } in spans {
            let filled = blueprint.table(name).and_then(|table| table.column(column_name));
            let (Some(data), Some(table)) = (filled, self.table_mut(name)) else { continue };
            let order = std::mem::take(&mut table.coloring.order);
            if let Some(column) = table.column_mut(column_name)
                && data.element() == column.element
            {
                // Words of a row, and the first of them that is the scene's: of a position that is the inverse mass.
                let words = column.element.lanes();
                let from = if column.class == Class::Given { 0 } else { 3 };
                let source: &[u32] = bytemuck::cast_slice(data.bytes());
                let target: &mut [u32] = bytemuck::cast_slice_mut(column.bytes_mut());
                if order.is_empty() {
                    copy(source, target, words, from, rows.clone().map(|row| (row, row)));
                } else {
                    let places = (0..).zip(&order).map(|(row, &from)| (row, from as usize));
                    copy(source, target, words, from, places.filter(|(_, from)| rows.contains(from)));
                }
            }
            table.coloring.order = order;
            if (*name, *column_name) == ("distance", "compliance") {
                incidence::refresh_compliance(&mut self.tables);
            }
        }
    }
}

/// Copies the words from `from` on of some rows: target and source.
fn copy(
    source: &[u32],
    target: &mut [u32],
    words: usize,
    from: usize,
    rows: impl Iterator<Item = (usize, usize)>,
) {
    if words == 1 {
        rows.for_each(|(to, row)| target[to] = source[row]);
        return;
    }
    for (to, row) in rows {
        target[to * words + from..(to + 1) * words]
            .copy_from_slice(&source[row * words + from..(row + 1) * words]);
    }
}
