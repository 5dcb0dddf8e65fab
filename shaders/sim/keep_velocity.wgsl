// Keeps the velocities of the frame's start where the accelerations will be.
//
// CPU twin: `begin` in sim-dylib/src/outcome.rs.

@group(0) @binding(2) var<storage, read_write> particle_acceleration: array<vec4f>;

fn keep(i: u32, v: vec4f) {
    particle_acceleration[i] = v;
}
