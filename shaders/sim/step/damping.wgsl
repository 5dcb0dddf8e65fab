// Internal damping of the position-based solvers: impulses along the springs, one colour a dispatch.
//
// Implicit in the relative velocity, so any damping [N s/m] and step is stable, and momentum is kept.
//
// CPU twin: `damping::springs`, `constraints::distance::damp`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let v0 = particle_velocity[idx.x];
    let v1 = particle_velocity[idx.y];
    let d = x1.xyz - x0.xyz;
    let l = length_of(d);
    let rate = dot(v1.xyz - v0.xyz, d) / l;
    let damping = frame.h * distance_damping[row];
    let impulse = damping / (1.0 + damping * (x0.w + x1.w)) * rate / l;
    particle_velocity[idx.x] = vec4f(v0.xyz + d * (x0.w * impulse), v0.w);
    particle_velocity[idx.y] = vec4f(v1.xyz - d * (x1.w * impulse), v1.w);
}
