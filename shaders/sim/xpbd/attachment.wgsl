// XPBD over the soft pins, one colour a dispatch: C = x - target, a vector.
//
// CPU twin: `constraints::value::vector::Vector::compliant`.

#import <constraints/distance.wgsl>

@rows(128)
fn main(row: u32) {
    let i = attachment_idx[row];
    let x = particle_position[i];
    var lambda = vec3f(0.0);
    if frame.iteration > 0u {
        lambda = attachment_lambda[row].xyz;
    }
    let alpha = attachment_compliance[row] * frame.per_h2;
    let wanted = -(x.xyz - attachment_target[row].xyz + lambda * alpha) / max(x.w + alpha, TINY);
    let change = select(vec3f(0.0), wanted, x.w > 0.0);
    attachment_lambda[row] = vec4f(lambda + change, 0.0);
    particle_position[i] = vec4f(x.xyz + change * x.w, x.w);
}
