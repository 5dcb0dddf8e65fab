//! Rows that a solver has no form of: they do nothing while it runs.

use sim_api::{Key, SolverDesc, Takes, model::MembraneModel};

use weft_core::state::{State, col};

/// Constraint tables, and the column with the model of each of their rows.
pub const TABLES: [(&str, Option<Key<u32>>); 10] = [
    ("distance", None),
    ("triangle", Some(col::triangle::model)),
    ("hinge", Some(col::hinge::model)),
    ("tether", None),
    ("attachment", None),
    ("balloon", None),
    ("coarse", None),
    ("segment", None),
    ("root", None),
    ("mount", None),
];

/// How many rows of a state do nothing under a solver. Looks at the rows of tables of which it takes some models only.
pub fn rows(state: &State, solver: &SolverDesc) -> usize {
    let all: usize =
        TABLES.into_iter().map(|(table, models)| of_table(state, table, models, solver.taken(table))).sum();
    let (takes, distance) = (|table| solver.taken(table).is_some(), col::distance::idx);
    if takes(distance.table) || !takes(col::segment::rest.table) {
        return all;
    }
    // The lengths of strands are segments as well.
    let first = state.first_of_strands();
    // What closes a ring, from its last particle to its first, is left out by whoever goes from a root to a tip.
    let open = |ends: &&[u32; 2]| ends[0] as usize >= first && ends[0] < ends[1];
    all - state.get(distance).iter().filter(open).count()
}

fn of_table(state: &State, table: &str, models: Option<Key<u32>>, takes: Option<&Takes>) -> usize {
    let rows = state.table(table).map_or(0, |table| table.rows);
    match (takes, models) {
        (Some(takes), _) if takes.models.as_slice().is_empty() => 0,
        (_, Some(models)) => {
            // Triangles that are only drawn need nobody to take them.
            let acts = |model: &&u32| table != "triangle" || **model != MembraneModel::Drawn as u32;
            let left_out = |model: &&u32| takes.is_none_or(|takes| !takes.has(**model));
            state.get(models).iter().filter(acts).filter(left_out).count()
        }
        (Some(_), None) => 0,
        (None, None) => rows,
    }
}
