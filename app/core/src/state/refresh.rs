//! New values from the scene under the same rows: what the host gives is rewritten, what runs is left alone.

use sim_api::Class;

use super::{Blueprint, State, incidence};

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
        self.lay_out_again();
        incidence::fill(&mut self.tables, blueprint);
    }
}
