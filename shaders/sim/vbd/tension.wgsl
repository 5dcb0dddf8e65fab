// Tension of each row [N] at the end of a frame, as far as it is held back.
//
// CPU twin: `solvers::vbd::descent::write_forces`.

#import <lib/clamped.wgsl>

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let d = x1.xyz - x0.xyz;
    let k = clamped_stiffness(distance_compliance[row], x0.w, x1.w, frame.stiffest * frame.per_h2);
    distance_force[row] = k * (sqrt(dot(d, d)) - distance_rest[row]);
}
