// The second half of a substep: contact, v += (x - inertial) / h, restitution.
//
// What no row and no collider moves keeps its velocity to the last bit. What does not move by itself (pinned, held) has
// the velocity of its way, and starts from `inertial`, for step/predict.wgsl left it there.
//
// CPU twin: `collide::leave::contact`, `collide::velocity::restitution`, `substep::velocities_from_positions`.

#import <contact/collide.wgsl>
#import <contact/planes.wgsl>

@rows(128)
fn main(i: u32) {
    let x = particle_position[i];
    let before = particle_velocity[i];
    let left = after_contact(i, x, particle_inertial[i].xyz, before.xyz, plane_of(i));
    if left.touched {
        particle_position[i] = vec4f(left.x, x.w);
    }
    particle_velocity[i] = vec4f(left.v, 0.0);
#ifdef touching
    // For vbd/guess.wgsl of the next substep.
    particle_predicted[i] = vec4f(before.xyz, select(0.0, 1.0, left.touched));
#else
    if frame.substep_is_last != 0u {
        particle_predicted[i] = before;
    }
#endif
}
