// One Jacobi iteration of XPBD: each particle adds up what its rows want of the positions at the iteration's start.
//
// Both ends of a row take the least share that they allow, and so does lambda (Macklin 2014 averages, this keeps the
// momentum). Each end works its rows out for itself and keeps its own copy of lambda, so nothing is added atomically
// and a run repeats bit for bit.
//
// CPU twin: `projection::order::averaged`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let own = particle_share[i];
    let links = particle_links[i];
    let write_forces = (frame.substep_is_last & frame.iteration_is_last) != 0u;
    var sum = vec3f(0.0);
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * LINK_STRIP;
        let j = link_other[link];
        let share = min(own, particle_share[j]);
        let alpha = link_compliance[link] * frame.per_h2;
        var lambda = 0.0;
        if frame.iteration > 0u {
            lambda = link_lambda[link];
        }
        let d = project(x, particle_position[j], link_rest[link], alpha, lambda);
        sum -= d.xyz * (x.w * share);
        lambda += d.w * share;
        if frame.iterations > 1u {
            link_lambda[link] = lambda;
        }
        if write_forces && (link_row[link] & LINK_SECOND) == 0u {
            distance_force[link_row[link]] = -lambda * frame.per_h2;
        }
    }
    particle_next_position[i] = vec4f(x.xyz + sum, x.w);
}
