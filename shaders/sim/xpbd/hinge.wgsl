// XPBD over the hinges of one model, Gauss-Seidel: one colour a dispatch.
//
// Eq. 18 of XPBD times s = k h2, so that nothing is divided by the stiffness.
//
// CPU twin: `projection::compliant::Compliant::solve`.

#import <constraints/hinge_model.wgsl>
#ifdef quadratic_bend
#import <xpbd/quadratic_bend.wgsl>
#else
#import <xpbd/angle.wgsl>
#endif

// Ways of the four corners but for their masses, and the change of lambda.
struct Change {
    way: mat4x3f,
    lambda: vec3f,
}

@rows(128)
fn main(row: u32) {
    if hinge_model[row] != MODEL {
        return;
    }
    let idx = hinge_idx[row];
    let x0 = particle_position[idx.x];
    let x1 = particle_position[idx.y];
    let x2 = particle_position[idx.z];
    let x3 = particle_position[idx.w];
    let w = vec4f(x0.w, x1.w, x2.w, x3.w);
    var lambda = vec3f(0.0);
    if frame.iteration > 0u {
        lambda = hinge_lambda[row].xyz;
    }
    let s = hinge_stiffness[row] * (frame.h * frame.h);
    let change = bend(row, mat4x3f(x0.xyz, x1.xyz, x2.xyz, x3.xyz), w, s, lambda);
    hinge_lambda[row] = vec4f(lambda + change.lambda, 0.0);
    particle_position[idx.x] = vec4f(x0.xyz + change.way[0] * w.x, w.x);
    particle_position[idx.y] = vec4f(x1.xyz + change.way[1] * w.y, w.y);
    particle_position[idx.z] = vec4f(x2.xyz + change.way[2] * w.z, w.z);
    particle_position[idx.w] = vec4f(x3.xyz + change.way[3] * w.w, w.w);
}
