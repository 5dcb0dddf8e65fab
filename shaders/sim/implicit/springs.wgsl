// The springs at a particle in an implicit step.
//
// The step is a minimum (Martin et al.: Example-Based Elastic Materials, 2011, eq. 4); what is left of its equation is
// r = m (inertial - x) / h2 + forces.
//
// CPU twin: `implicit::residual`, `elastic::springs::Springs::row`.

#import <lib/clamped.wgsl>
#import <lib/neighbours.wgsl>

struct Spring {
    // To the other end [m].
    d: vec3f,
    k: f32,
    rest: f32,
}

struct Bearing {
    // Stiffest row over the inverse mass of its particle [1/s2].
    most: f32,
    per_h: f32,
    damped: bool,
}

// Spring `k` of those from `first` on at particle i, which is at x.
fn spring_of(i: u32, x: vec4f, first: u32, k: u32, bearing: Bearing) -> Spring {
    let to = neighbour(i, first, k);
    let other = particle_position[to.particle];
    // Padding ties a particle to itself.
    let stiffness = clamped_stiffness(to.compliance, x.w, other.w, bearing.most);
    var clamped = Clamped(select(stiffness, 0.0, to.particle == i), to.rest);
    if bearing.damped {
        let way = particle_previous[to.particle].xyz - particle_previous[i].xyz;
        clamped = with_damper(clamped.k, clamped.rest, neighbour_damping(first, k), bearing.per_h, sqrt(dot(way, way)));
    }
    return Spring(other.xyz - x.xyz, clamped.k, clamped.rest);
}

// Force of all springs on a particle [N].
fn springs_force(i: u32, x: vec4f, bearing: Bearing) -> vec3f {
    let near = neighbours(i);
    var force = vec3f(0.0);
    for (var k = 0u; k < near.y; k++) {
        let spring = spring_of(i, x, near.x, k, bearing);
        force += spring.d * (spring.k * (1.0 - spring.rest * inverseSqrt(dot(spring.d, spring.d) + 1e-20)));
    }
    return force;
}

// A spring's part of the matrix: k along n, `across` in all other ways.
struct Line {
    n: vec3f,
    // [N/m]
    across: f32,
}

// Stiffness across a row that is assumed at least, as a share of that along it: rows turn while the iterations run.
const ACROSS: f32 = 0.3;

fn line_of(spring: Spring) -> Line {
    let per_l = inverseSqrt(dot(spring.d, spring.d) + 1e-20);
    return Line(spring.d * per_l, spring.k * max(1.0 - spring.rest * per_l, ACROSS));
}
