// Stable neo-Hookean: E = area (mu/2 (|F|^2 - 2) - mu (J - 1) + (mu + lame)/2 (J - 1)^2).
//
// Smith, de Goes, Kim: Stable Neo-Hookean Flesh Simulation, 2018, for a sheet. As constraints: two that hold the shape,
// one that holds the area.
//
// CPU twin: `constraints::neo_hookean::NeoHookean::constraints`.

#import <constraints/membrane.wgsl>

const MODEL: u32 = MEMBRANE_NEO_HOOKEAN;
const SOFTEST: f32 = 1e-12;

fn constraints_of(x: mat3x3f, sheet: Sheet) -> Three {
    let b = sheet.inverse_rest;
    let f = deformation(x, b);
    let ratio = area_ratio(f);
    let l = sqrt(dot(f[0], f[0]) + TINY);
    let per_l = 1.0 / l;
    let t = f[0] * per_l;
    let across = dot(f[1], t);
    let height = ratio.j * per_l;
    let stretch = mat2x3f(t * (1.0 + height * per_l) - ratio.g[0] * per_l, -(ratio.g[1] * per_l));
    let shear = mat2x3f((f[1] - t * across) * per_l, t);
    return Three(
        vec3f(l - height, across, ratio.j - 1.0),
        at_corners(stretch, b, 1.0),
        at_corners(shear, b, 1.0),
        at_corners(ratio.g, b, 1.0),
    );
}

// 00, 11, 22, 01 [1/J].
fn compliance_of(sheet: Sheet) -> vec4f {
    let shape = 1.0 / (sheet.area * max(sheet.mu, SOFTEST));
    return vec4f(shape, shape, 1.0 / (sheet.area * max(sheet.mu + sheet.lame, SOFTEST)), 0.0);
}

// dE/dx by the corners [N].
fn gradient_of(x: mat3x3f, sheet: Sheet) -> mat3x3f {
    let f = deformation(x, sheet.inverse_rest);
    let ratio = area_ratio(f);
    let pressure = (sheet.mu + sheet.lame) * (ratio.j - 1.0) - sheet.mu;
    let p = mat2x3f(f[0] * sheet.mu + ratio.g[0] * pressure, f[1] * sheet.mu + ratio.g[1] * pressure);
    return at_corners(p, sheet.inverse_rest, sheet.area);
}

// The second derivative times d, positive: out of the plane the positive part of S = mu I + pressure J (F^T F)^-1, in the
// plane mu + pressure H + bulk G G^T with the pressure between -mu and mu [N].
fn stiffness_times(x: mat3x3f, sheet: Sheet, d: mat3x3f) -> mat3x3f {
    let f = deformation(x, sheet.inverse_rest);
    let df = deformation(d, sheet.inverse_rest);
    let ratio = area_ratio(f);
    let n = ratio.n;
    let bulk = sheet.mu + sheet.lame;
    let pressure = bulk * (ratio.j - 1.0) - sheet.mu;
    // J (F^T F)^-1 is the adjugate of F^T F over J.
    let share = pressure / ratio.j;
    let stress = vec3f(sheet.mu + dot(f[1], f[1]) * share, sheet.mu + dot(f[0], f[0]) * share, -(dot(f[0], f[1]) * share));
    let s = positive_part(stress);
    let out = vec2f(dot(n, df[0]), dot(n, df[1]));
    let limited = clamp(pressure, -sheet.mu, sheet.mu);
    let growth = bulk * (dot(ratio.g[0], df[0]) + dot(ratio.g[1], df[1]));
    let dp = mat2x3f(
        n * (out.x * s.x + out.y * s.z) + (df[0] - n * out.x) * sheet.mu + cross(df[1], n) * limited + ratio.g[0] * growth,
        n * (out.x * s.z + out.y * s.y) + (df[1] - n * out.y) * sheet.mu + cross(n, df[0]) * limited + ratio.g[1] * growth,
    );
    return at_corners(dp, sheet.inverse_rest, sheet.area);
}
