// Self collision 9: all particles move at once. What adds no speed moves where the substep began as well.
//
// Solvers that integrate velocities themselves get the rest as a change of them; for the others velocities follow from
// positions, and what adds no speed moves `inertial` along.
//
// CPU twin: `self_collision::project::Rows::project`.

@rows(128)
fn main(i: u32) {
    let change = layer_position_at_narrow_phase[i].xyz;
    if dot(change, change) == 0.0 {
        return;
    }
    let push = layer_position_at_broad_phase[i].xyz;
    let x = particle_position[i];
    particle_position[i] = vec4f(x.xyz + change, x.w);
    layer_last_valid[i] = vec4f(layer_last_valid[i].xyz + push, 0.0);
#ifdef velocities
    particle_velocity[i] = vec4f(particle_velocity[i].xyz + (change - push) * frame.per_h, 0.0);
#else
    let inertial = particle_inertial[i];
    particle_inertial[i] = vec4f(inertial.xyz + push, inertial.w);
#endif
}
