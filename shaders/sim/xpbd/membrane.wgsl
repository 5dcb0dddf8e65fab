// XPBD over the triangles of one model, three constraints at once, Gauss-Seidel: one colour a dispatch.
//
// Macklin, Müller, Chentanez: XPBD, 2016, eq. 18 with a 3x3 system in place of a division.
//
// CPU twin: `projection::compliant::Compliant::solve`, `constraints::value::three::Three::block`.

#import <constraints/membrane.wgsl>
#import <constraints/membrane_model.wgsl>

// a W b^T with the inverse masses w [1/kg].
fn product(a: mat3x3f, w: vec3f, b: mat3x3f) -> f32 {
    return dot(a[0], b[0]) * w.x + dot(a[1], b[1]) * w.y + dot(a[2], b[2]) * w.z;
}

// Positive definite 3x3 system by L D L^T; diagonal: 00, 11, 22; off: 01, 02, 12. Pivots lost to round-off are held above 0.
fn solve(diagonal: vec3f, off: vec3f, b: vec3f) -> vec3f {
    let d0 = max(diagonal.x, TINY);
    let l10 = off.x / d0;
    let l20 = off.y / d0;
    let d1 = max(max(diagonal.y - l10 * off.x, diagonal.y * 1e-7), TINY);
    let below = off.z - l10 * off.y;
    let l21 = below / d1;
    let d2 = max(max(diagonal.z - l20 * off.y - l21 * below, diagonal.z * 1e-7), TINY);
    let y1 = b.y - l10 * b.x;
    let y2 = b.z - l20 * b.x - l21 * y1;
    let x2 = y2 / d2;
    let x1 = y1 / d1 - l21 * x2;
    return vec3f(b.x / d0 - l10 * x1 - l20 * x2, x1, x2);
}

@rows(128)
fn main(row: u32) {
    if triangle_model[row] != MODEL {
        return;
    }
    let idx = triangle_idx[row];
    let x0 = particle_position[idx[0]];
    let x1 = particle_position[idx[1]];
    let x2 = particle_position[idx[2]];
    let w = vec3f(x0.w, x1.w, x2.w);
    let sheet = Sheet(triangle_inverse_rest[row], triangle_area[row], triangle_mu[row], triangle_lame[row]);
    var lambda = vec3f(0.0);
    if frame.iteration > 0u {
        lambda = triangle_lambda[row].xyz;
    }
    let three = constraints_of(mat3x3f(x0.xyz, x1.xyz, x2.xyz), sheet);
    // 00, 11, 22, 01 over h2; the others are 0.
    let alpha = compliance_of(sheet) * frame.per_h2;
    let left = -three.c - alpha.xyz * lambda - vec3f(lambda.y, lambda.x, 0.0) * alpha.w;
    let diagonal = vec3f(
        product(three.g0, w, three.g0),
        product(three.g1, w, three.g1),
        product(three.g2, w, three.g2),
    );
    let off = vec3f(
        product(three.g0, w, three.g1) + alpha.w,
        product(three.g0, w, three.g2),
        product(three.g1, w, three.g2),
    );
    let change = solve(diagonal + alpha.xyz, off, left);
    triangle_lambda[row] = vec4f(lambda + change, 0.0);
    // Eq. 17, but for the masses.
    let d = three.g0 * change.x + three.g1 * change.y + three.g2 * change.z;
    particle_position[idx[0]] = vec4f(x0.xyz + d[0] * w.x, w.x);
    particle_position[idx[1]] = vec4f(x1.xyz + d[1] * w.y, w.y);
    particle_position[idx[2]] = vec4f(x2.xyz + d[2] * w.z, w.z);
}
