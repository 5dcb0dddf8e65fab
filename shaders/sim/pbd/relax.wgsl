// A length takes back its whole error: one colour a dispatch, rows of a colour share no particle.
//
// CPU twin: `rigid::Distances::solve`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let d = project(x0, x1, distance_rest[row], 0.0, 0.0);
    var lambda = 0.0;
    if frame.iteration > 0u {
        lambda = distance_lambda[row];
    }
    distance_lambda[row] = lambda + d.w;
    particle_position[idx.x] = vec4f(x0.xyz - d.xyz * x0.w, x0.w);
    particle_position[idx.y] = vec4f(x1.xyz + d.xyz * x1.w, x1.w);
}
