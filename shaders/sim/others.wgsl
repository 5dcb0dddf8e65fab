// The rows at a particle of all tables but the springs', through `vertex` and `incident`. A library; group 2 is its own.
//
// Its passes run over `vertex`, a row for each particle, and go through the rows of one table and one model: `with` names
// a library that says which (TABLE, `is_mine`). Layout: app/src/state/incidence.rs. CPU twin: `Rows` in
// sim-dylib/src/solvers/vbd/rows.rs.

@group(2) @binding(0) var<storage, read> vertex_particle: array<u32>;
@group(2) @binding(1) var<storage, read> vertex_others: array<vec2u>;
@group(2) @binding(2) var<storage, read> incident_table: array<u32>;
@group(2) @binding(3) var<storage, read> incident_row: array<u32>;
// The corner of that row.
@group(2) @binding(4) var<storage, read> incident_other: array<u32>;
@group(2) @binding(5) var<storage, read> particle_position: array<vec4f>;

// Whether a row at a particle is one of this table and model.
fn is_wanted(at: u32) -> bool {
    return incident_table[at] == TABLE && is_mine(incident_row[at]);
}
