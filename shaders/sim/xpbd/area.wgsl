// XPBD over the triangles that keep their area, Gauss-Seidel: one colour a dispatch.
//
// Eq. 18 of XPBD times k h2 / area, so that nothing is divided by the stiffness.
//
// CPU twin: `projection::compliant::Compliant::solve`, `constraints::value::Scalar::stiff`.

#import <constraints/area.wgsl>

@rows(128)
fn main(row: u32) {
    if triangle_model[row] != MODEL {
        return;
    }
    let idx = triangle_idx[row];
    let x0 = particle_position[idx[0]];
    let x1 = particle_position[idx[1]];
    let x2 = particle_position[idx[2]];
    var lambda = 0.0;
    if frame.iteration > 0u {
        lambda = triangle_lambda[row].x;
    }
    let rest = triangle_area[row];
    let area = area_of(mat3x3f(x0.xyz, x1.xyz, x2.xyz));
    let s = triangle_mu[row] / rest * (frame.h * frame.h);
    let g = area.g;
    let stiff = s * (dot(g[0], g[0]) * x0.w + dot(g[1], g[1]) * x1.w + dot(g[2], g[2]) * x2.w);
    let change = -(s * (area.now - rest) + lambda) / (stiff + 1.0);
    triangle_lambda[row] = vec4f(lambda + change, 0.0, 0.0, 0.0);
    particle_position[idx[0]] = vec4f(x0.xyz + g[0] * (x0.w * change), x0.w);
    particle_position[idx[1]] = vec4f(x1.xyz + g[1] * (x1.w * change), x1.w);
    particle_position[idx[2]] = vec4f(x2.xyz + g[2] * (x2.w * change), x2.w);
}
