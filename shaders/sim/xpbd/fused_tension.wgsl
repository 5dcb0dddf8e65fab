// Tension of each row [N] in the last fused substep of XPBD: its lambda over h2, from where the particles were
// predicted.
//
// Those positions are in `particle_next_position`: the columns were swapped. xpbd/fused_grid.wgsl leaves them without
// the move of the coarse nodes.
//
// CPU twin: `projection::forces::write_forces`.

#import <constraints/distance.wgsl>
#ifdef grids
#import <coarse/coarse_move.wgsl>
#endif

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let share = min(particle_share[idx.x], particle_share[idx.y]);
    let alpha = distance_compliance[row] * frame.per_h2;
    var x0 = particle_next_position[idx.x];
    var x1 = particle_next_position[idx.y];
#ifdef grids
    x0 += coarse_move(idx.x, x0.w);
    x1 += coarse_move(idx.y, x1.w);
#endif
    let d = project(x0, x1, distance_rest[row], alpha, 0.0);
    distance_force[row] = -(d.w * share) * frame.per_h2;
}
