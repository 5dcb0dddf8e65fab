// Velocity before contact, where nothing is in contact: the velocity itself.
//
// CPU twin: the end of `step` in sim-dylib/src/solvers/explicit.rs.

@group(0) @binding(2) var<storage, read_write> particle_predicted: array<vec4f>;

fn keep(i: u32, v: vec4f) {
    particle_predicted[i] = v;
}
