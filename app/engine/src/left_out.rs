//! Rows that a solver has no form of: they do nothing while it runs.

use sim_api::{SolverDesc, Takes};

use weft_core::state::State;

/// Constraint tables, and whether each of their rows has a model.
pub const TABLES: [(&str, bool); 6] = [
    ("distance", false),
    ("triangle", true),
    ("hinge", true),
    ("tether", false),
    ("attachment", false),
    ("balloon", false),
];

/// How many rows of a state do nothing under a solver. Looks at the rows of tables of which it takes some models only.
pub fn rows(state: &State, solver: &SolverDesc) -> usize {
    TABLES.into_iter().map(|(table, modelled)| of_table(state, table, modelled, solver.taken(table))).sum()
}

fn of_table(state: &State, table: &str, modelled: bool, takes: Option<&Takes>) -> usize {
    let rows = state.table(table).map_or(0, |table| table.rows);
    match takes {
        Some(takes) if takes.models.as_slice().is_empty() => 0,
        _ if rows == 0 => 0,
        _ if modelled => {
            // Triangles of model 0 are drawn only: nobody has to take them.
            let acts = |model: &&u32| table != "triangle" || **model > 0;
            let left_out = |model: &&u32| takes.is_none_or(|takes| !takes.has(**model));
            state.column::<u32>(table, "model").iter().filter(acts).filter(left_out).count()
        }
        Some(_) => 0,
        None => rows,
    }
}
