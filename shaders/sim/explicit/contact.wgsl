// Contact after an explicit substep: out of the colliders; what touched gets its velocity from the way it went.
//
// CPU twin: `collide::leave::contact`, `collide::velocity::velocities_of_contacts`.

#import <contact/collide.wgsl>
#import <contact/planes.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let before = particle_velocity[i];
    if frame.substep_is_last != 0u {
        particle_predicted[i] = before;
    }
    let left = after_contact(i, x, x.xyz, before.xyz, plane_of(i));
    if left.touched {
        particle_position[i] = vec4f(left.x, x.w);
        particle_velocity[i] = vec4f(left.v, 0.0);
    }
}
