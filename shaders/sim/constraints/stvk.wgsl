// St. Venant-Kirchhoff: E = area (mu |E|^2 + lame/2 tr(E)^2), E = (F^T F - I)/2 the Green strain.
//
// CPU twin: `constraints::st_venant_kirchhoff::StVenantKirchhoff::stress`.
// CPU twin: `constraints::membrane::strains`.

#import <constraints/membrane.wgsl>

const MODEL: u32 = MEMBRANE_STVK;
// Least mu that is divided by [N/m].
const SOFTEST: f32 = 1e-12;

fn constraints_of(x: mat3x3f, sheet: Sheet) -> Three {
    return strains_of(x, sheet.inverse_rest);
}

// 00, 11, 22, 01 [1/J]: the inverse of area times the matrix of the stress.
fn compliance_of(sheet: Sheet) -> vec4f {
    let mu = max(sheet.mu, SOFTEST);
    let stiff = 2.0 * mu + sheet.lame;
    let scale = 1.0 / (sheet.area * 4.0 * mu * (mu + sheet.lame));
    return vec4f(stiff * scale, stiff * scale, 1.0 / (sheet.area * mu), -(sheet.lame * scale));
}

// S = 2 mu E + lame tr(E) I [N/m].
fn stress_of(strain: vec3f, sheet: Sheet) -> vec3f {
    let pressure = sheet.lame * (strain.x + strain.y);
    return strain * (2.0 * sheet.mu) + vec3f(pressure, pressure, 0.0);
}

// dE/dx by the corners [N]: area P B^T with P = F S.
fn gradient_of(x: mat3x3f, sheet: Sheet) -> mat3x3f {
    let f = deformation(x, sheet.inverse_rest);
    return at_corners(times_symmetric(f, stress_of(green_strain(f), sheet)), sheet.inverse_rest, sheet.area);
}

// The second derivative times d: dP = dF S+ + F dS, S+ the part of S without negative eigenvalues [N].
fn stiffness_times(x: mat3x3f, sheet: Sheet, d: mat3x3f) -> mat3x3f {
    let f = deformation(x, sheet.inverse_rest);
    let df = deformation(d, sheet.inverse_rest);
    let s = positive_part(stress_of(green_strain(f), sheet));
    let strain = vec3f(dot(f[0], df[0]), dot(f[1], df[1]), (dot(f[0], df[1]) + dot(f[1], df[0])) * 0.5);
    let dp = times_symmetric(df, s) + times_symmetric(f, stress_of(strain, sheet));
    return at_corners(dp, sheet.inverse_rest, sheet.area);
}
