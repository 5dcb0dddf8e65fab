// Triangles that resist stretch and shear: what the models share.
//
// The deformation gradient F (3x2) maps a triangle's flat rest shape to space: F = [x1 - x0, x2 - x0] B, B the inverse
// of the rest edges.
//
// CPU twin: `constraints::membrane::deformation`, `constraints::membrane::area_ratio`.
// CPU twin: `constraints::membrane::positive_part`.

const TINY: f32 = 1e-20;

struct Sheet {
    // Inverse of the rest edges by columns [1/m].
    inverse_rest: vec4f,
    // At rest [m2].
    area: f32,
    // Lame's mu and lambda of the sheet [N/m].
    mu: f32,
    lame: f32,
}

// J = |f0 x f1|, never 0, the unit normal n, and G = dJ/dF.
struct Ratio {
    j: f32,
    n: vec3f,
    g: mat2x3f,
}

// Three constraints and their gradients by the corners [1/m].
struct Three {
    c: vec3f,
    g0: mat3x3f,
    g1: mat3x3f,
    g2: mat3x3f,
}

fn deformation(x: mat3x3f, b: vec4f) -> mat2x3f {
    let e1 = x[1] - x[0];
    let e2 = x[2] - x[0];
    return mat2x3f(e1 * b.x + e2 * b.y, e1 * b.z + e2 * b.w);
}

// scale P B^T at the corners: the gradient by x0, x1 and x2 of what has the derivative scale P by F.
fn at_corners(p: mat2x3f, b: vec4f, scale: f32) -> mat3x3f {
    let x1 = (p[0] * b.x + p[1] * b.z) * scale;
    let x2 = (p[0] * b.y + p[1] * b.w) * scale;
    return mat3x3f(-(x1 + x2), x1, x2);
}

fn area_ratio(f: mat2x3f) -> Ratio {
    let normal = cross(f[0], f[1]);
    let j = sqrt(dot(normal, normal) + TINY);
    let n = normal * (1.0 / j);
    return Ratio(j, n, mat2x3f(cross(f[1], n), cross(n, f[0])));
}

// Green strain (F^T F - I)/2: 00, 11, 01.
fn green_strain(f: mat2x3f) -> vec3f {
    return vec3f(dot(f[0], f[0]) - 1.0, dot(f[1], f[1]) - 1.0, dot(f[0], f[1])) * 0.5;
}

// The strains E00, E11 and 2 E01 as constraints.
fn strains_of(x: mat3x3f, b: vec4f) -> Three {
    let f = deformation(x, b);
    let e = green_strain(f);
    let none = vec3f(0.0);
    return Three(
        vec3f(e.x, e.y, e.z + e.z),
        at_corners(mat2x3f(f[0], none), b, 1.0),
        at_corners(mat2x3f(none, f[1]), b, 1.0),
        at_corners(mat2x3f(f[1], f[0]), b, 1.0),
    );
}

// F S, S symmetric: 00, 11, 01.
fn times_symmetric(f: mat2x3f, s: vec3f) -> mat2x3f {
    return mat2x3f(f[0] * s.x + f[1] * s.z, f[0] * s.z + f[1] * s.y);
}

// S without its negative eigenvalues, in closed form.
fn positive_part(s: vec3f) -> vec3f {
    let mean = (s.x + s.y) * 0.5;
    let apart = (s.x - s.y) * 0.5;
    let radius = sqrt(apart * apart + s.z * s.z + 1e-30);
    let high = max(mean + radius, 0.0);
    let low = max(mean - radius, 0.0);
    let kept = (high + low) * 0.5;
    let share = (high - low) * 0.5 / radius;
    return vec3f(kept + apart * share, kept - apart * share, s.z * share);
}
