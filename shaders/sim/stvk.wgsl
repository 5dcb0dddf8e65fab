// St. Venant-Kirchhoff: E = area (mu |E|^2 + lame/2 tr(E)^2), E = (F^T F - I)/2 the Green strain. A library after
// membrane.wgsl.
//
// CPU twin: sim-dylib/src/constraints/membrane/st_venant_kirchhoff.rs.

const MODEL: u32 = 1u;
// Least mu that is divided by [N/m].
const SOFTEST: f32 = 1e-12;

// E00, E11, E01.
fn green_strain(f: mat2x3f) -> vec3f {
    return vec3f(dot(f[0], f[0]) - 1.0, dot(f[1], f[1]) - 1.0, dot(f[0], f[1])) * 0.5;
}

// The strains E00, E11 and 2 E01.
fn constraints_of(x: mat3x3f, sheet: Sheet) -> Three {
    let b = sheet.inverse_rest;
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

// 00, 11, 22, 01 [1/J]: the inverse of area times the matrix of the stress.
fn compliance_of(sheet: Sheet) -> vec4f {
    let mu = max(sheet.mu, SOFTEST);
    let stiff = 2.0 * mu + sheet.lame;
    let scale = 1.0 / (sheet.area * 4.0 * mu * (mu + sheet.lame));
    return vec4f(stiff * scale, stiff * scale, 1.0 / (sheet.area * mu), -(sheet.lame * scale));
}

// dE/dx by the corners [N]: area P B^T with P = F S, S = 2 mu E + lame tr(E) I.
fn gradient_of(x: mat3x3f, sheet: Sheet) -> mat3x3f {
    let f = deformation(x, sheet.inverse_rest);
    let e = green_strain(f);
    let pressure = sheet.lame * (e.x + e.y);
    let s = e * (2.0 * sheet.mu) + vec3f(pressure, pressure, 0.0);
    let p = mat2x3f(f[0] * s.x + f[1] * s.z, f[0] * s.z + f[1] * s.y);
    return at_corners(p, sheet.inverse_rest, sheet.area);
}
