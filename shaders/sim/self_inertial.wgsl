// For solvers whose velocities follow from positions: a push moves `inertial` along. A library; binding 5 is its own.

@group(0) @binding(5) var<storage, read_write> particle_inertial: array<vec4f>;

fn give(i: u32, change: vec3f, push: vec3f) {
    let x = particle_inertial[i];
    particle_inertial[i] = vec4f(x.xyz + push, x.w);
}
