// The rows at a particle of all tables but the springs', through `vertex` and `incident`.
//
// Passes run over `vertex`, a row for each particle, and go through the rows of one table and one model: `TABLE` and
// `is_mine` of what they import say which. `incident_other` is the corner of that row. Layout:
// app/core/src/state/incidence.rs.
//
// CPU twin: `solvers::vbd::rows::Rows::add`.

// Whether a row at a particle is one of this table and model.
fn is_wanted(at: u32) -> bool {
    return incident_table[at] == TABLE && is_mine(incident_row[at]);
}
