// Tension of each row [N] in the last fused substep of XPBD: its lambda over h2, from where the particles were
// predicted.
//
// Those positions are in `particle_next_position`: the columns were swapped.
//
// CPU twin: `projection::forces::write_forces`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let share = min(particle_share[idx.x], particle_share[idx.y]);
    let alpha = distance_compliance[row] * frame.per_h2;
    let x0 = particle_next_position[idx.x];
    let x1 = particle_next_position[idx.y];
    let d = project(x0, x1, distance_rest[row], alpha, 0.0);
    distance_force[row] = -(d.w * share) * frame.per_h2;
}
