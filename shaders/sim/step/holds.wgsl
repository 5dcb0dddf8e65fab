// What the hand holds moves on along its way of this frame; its velocity is the hand's.
//
// One row per held particle.
//
// CPU twin: `substep::move_holds`, `solvers::explicit::velocities_of_holds`.

@rows(64)
fn main(row: u32) {
    let i = hold_particle[row];
    let x = particle_position[i];
    let at = hold_begin[row].xyz + (hold_end[row].xyz - hold_begin[row].xyz) * frame.span.y;
    particle_position[i] = vec4f(at, x.w);
    particle_velocity[i] = vec4f((at - x.xyz) * frame.per_h, 0.0);
}
