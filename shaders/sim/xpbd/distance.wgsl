// XPBD over the distance table, Gauss-Seidel: one colour a dispatch, rows of a colour share no particle.
//
// The first iteration of a substep takes lambda as 0, so that nothing has to clear it.
//
// CPU twin: `solvers::xpbd::Springs::solve`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(row: u32) {
    let idx = distance_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let alpha = distance_compliance[row] * frame.per_h2;
    var lambda = 0.0;
    if frame.iteration > 0u {
        lambda = distance_lambda[row];
    }
    let d = project(x0, x1, distance_rest[row], alpha, lambda);
    // Forces are made of the last substep's.
    if frame.iterations > 1u || frame.substep_is_last != 0u {
        distance_lambda[row] = lambda + d.w;
    }
    particle_position[idx.x] = vec4f(x0.xyz - d.xyz * x0.w, x0.w);
    particle_position[idx.y] = vec4f(x1.xyz + d.xyz * x1.w, x1.w);
}
