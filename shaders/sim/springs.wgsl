// Force of all springs and their dampers on one particle, gathered over its neighbours. A library; group 1 is its own.
//
// Each spring is k (l - rest) along itself; `explicit.wgsl` says what k is. CPU twin: `Springs` in
// sim-dylib/src/solvers/explicit/springs.rs.

@group(1) @binding(0) var<storage, read> particle_position: array<vec4f>;
@group(1) @binding(1) var<storage, read> particle_velocity: array<vec4f>;

fn spring_force(i: u32, x: vec4f, v: vec3f, bearable: Bearable, damped: bool) -> vec3f {
    let near = neighbours(i);
    var force = vec3f(0.0);
    for (var k = 0u; k < near.y; k++) {
        let to = neighbour(i, near.x, k);
        let other = particle_position[to.particle];
        let d = other.xyz - x.xyz;
        let per_l = inverseSqrt(dot(d, d) + 1e-20);
        let stiffness = spring_stiffness(bearable, to.compliance, x.w, other.w);
        // Tension over length.
        var pull = stiffness * (1.0 - to.rest * per_l);
        if damped {
            let damping = neighbour_damping(near.x, k);
            let rate = dot(particle_velocity[to.particle].xyz - v, d) * per_l;
            pull += spring_damping(bearable, damping, stiffness, x.w, other.w) * rate * per_l;
        }
        force += d * pull;
    }
    return force;
}
