// The springs in the system of one vertex: their force on it, and their part of its block.
//
// Incident rows of a particle lie INCIDENT_STRIP apart (app/core/src/state/incidence.rs).
//
// CPU twin: `solvers::vbd::block::spring`.

#import <lib/block.wgsl>
#import <lib/clamped.wgsl>

// Of the particle i at x in row `vertex`; most: stiffest row over the inverse mass of its particle [1/s2].
fn springs_at(vertex: u32, i: u32, x: vec4f, most: f32) -> System {
    let springs = vertex_springs[vertex];
    var system = System(vec3f(0.0), vec3f(0.0), vec3f(0.0));
    for (var place = 0u; place < springs.y; place++) {
        let at = springs.x + INCIDENT_STRIP * place;
        let j = incident_other[at];
        let other = particle_position[j];
        let stiffness = clamped_stiffness(incident_compliance[at], x.w, other.w, most);
        // Padding ties a particle to itself.
        let k = select(stiffness, 0.0, j == i);
        let d = other.xyz - x.xyz;
        let per_length = inverseSqrt(dot(d, d) + 1e-20);
        let pull = k * (1.0 - incident_rest[at] * per_length);
        // Across the spring: negative where it is pushed together, and cut off (Choi, Ko 2002).
        let across = max(pull, 0.0);
        let n = d * per_length;
        system.force += d * pull;
        system.diagonal += n * n * (k - across) + across;
        system.off += n.yzx * n.zxy * (k - across);
    }
    return system;
}
