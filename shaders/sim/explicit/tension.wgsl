// Tension of each row [N] as the last explicit substep felt it: at the positions and velocities it started from.
//
// Those are in `particle_next_position` and `particle_next_velocity`: the columns were swapped.
//
// CPU twin: `solvers::explicit::springs::Springs::project`.

#import <explicit/bearable.wgsl>

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let x0 = particle_next_position[idx.x];
    let x1 = particle_next_position[idx.y];
    let d = x1.xyz - x0.xyz;
    let l = sqrt(dot(d, d) + 1e-20);
    let bearable = bearable_of(frame.h, frame.stability_cap);
    let stiffness = spring_stiffness(bearable, distance_compliance[row], x0.w, x1.w);
    let damping = spring_damping(bearable, distance_damping[row], stiffness, x0.w, x1.w);
    let rate = dot(particle_next_velocity[idx.y].xyz - particle_next_velocity[idx.x].xyz, d) / l;
    distance_force[row] = stiffness * (l - distance_rest[row]) + damping * rate;
}
