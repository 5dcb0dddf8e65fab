// For solvers that integrate velocities themselves: an impulse changes them. A library; binding 5 is its own.
//
// CPU twin: `contact_and_velocities` in sim-dylib/src/self_collision.rs.

@group(0) @binding(5) var<storage, read_write> particle_velocity: array<vec4f>;

fn give(i: u32, change: vec3f, push: vec3f) {
    particle_velocity[i] = vec4f(particle_velocity[i].xyz + (change - push) * frame.per_h, 0.0);
}
