// Force of all springs and their dampers on one particle, gathered over its neighbours.
//
// Each spring is k (l - rest) along itself; `explicit/bearable.wgsl` says what k is.
//
// CPU twin: `solvers::explicit::springs::Springs::project`.

#import <explicit/bearable.wgsl>
#import <lib/neighbours.wgsl>

// Pull of the spring to a neighbour [N]. k: its number among those from `first` on, for the damper.
fn pull_of(x: vec4f, v: vec3f, to: Neighbour, other: vec4f, first: u32, k: u32, bearable: Bearable, damped: bool) -> vec3f {
    let d = other.xyz - x.xyz;
    let per_l = inverseSqrt(dot(d, d) + 1e-20);
    let stiffness = spring_stiffness(bearable, to.compliance, x.w, other.w);
    // Tension over length.
    var pull = stiffness * (1.0 - to.rest * per_l);
    if damped {
        let damping = neighbour_damping(first, k);
        let rate = dot(particle_velocity[to.particle].xyz - v, d) * per_l;
        pull += spring_damping(bearable, damping, stiffness, x.w, other.w) * rate * per_l;
    }
    return d * pull;
}

fn spring_force(i: u32, x: vec4f, v: vec3f, bearable: Bearable, damped: bool) -> vec3f {
    let near = neighbours(i);
    let last = near.y - 1u;
    let none = vec3f(0.0);
    var force = none;
    // Four at a time: their loads do not wait for each other.
    for (var k = 0u; k < near.y; k += 4u) {
        let kb = min(k + 1u, last);
        let kc = min(k + 2u, last);
        let kd = min(k + 3u, last);
        let a = neighbour(i, near.x, k);
        let b = neighbour(i, near.x, kb);
        let c = neighbour(i, near.x, kc);
        let d = neighbour(i, near.x, kd);
        let xa = particle_position[a.particle];
        let xb = particle_position[b.particle];
        let xc = particle_position[c.particle];
        let xd = particle_position[d.particle];
        force += pull_of(x, v, a, xa, near.x, k, bearable, damped);
        force += select(none, pull_of(x, v, b, xb, near.x, kb, bearable, damped), k + 1u < near.y);
        force += select(none, pull_of(x, v, c, xc, near.x, kc, bearable, damped), k + 2u < near.y);
        force += select(none, pull_of(x, v, d, xd, near.x, kd, bearable, damped), k + 3u < near.y);
    }
    return force;
}
