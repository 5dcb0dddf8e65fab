// One Jacobi iteration of PBD: each particle moves by its share of the sum of what its rows want of the positions at
// the iteration's start.
//
// Müller et al.: Position Based Dynamics, 2007. Both ends of a row take the lesser of their shares, so momentum is kept. The
// rows' rigid multipliers are added up in the last substep alone: forces are made of them.
//
// CPU twin: `projection::order::averaged`, `projection::rigid::Distances::solve`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let own = particle_share[i];
    let links = particle_links[i];
    var sum = vec3f(0.0);
    for (var k = 0u; k < links.y; k++) {
        let link = links.x + k * LINK_STRIP;
        let j = link_other[link];
        let kind = link_kind[link];
        let other = select(frame.bend, frame.shear, kind == SPRING_SHEAR);
        let stiffness = select(other, frame.stiffness, kind == SPRING_STRUCTURAL);
        let d = project(x, particle_position[j], link_rest[link], 0.0, 0.0) * stiffness;
        let share = min(own, particle_share[j]);
        sum -= d.xyz * (x.w * share);
        if frame.substep_is_last != 0u {
            var lambda = 0.0;
            if frame.iteration > 0u {
                lambda = link_lambda[link];
            }
            lambda += d.w * share;
            link_lambda[link] = lambda;
            if frame.iteration_is_last != 0u && (link_row[link] & LINK_SECOND) == 0u {
                distance_force[link_row[link]] = -lambda * frame.per_h2;
            }
        }
    }
    particle_next_position[i] = vec4f(x.xyz + sum, x.w);
}
