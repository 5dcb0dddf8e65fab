// Stable neo-Hookean: E = area (mu/2 (|F|^2 - 2) - mu (J - 1) + (mu + lame)/2 (J - 1)^2). A library after membrane.wgsl.
//
// Smith, de Goes, Kim: Stable Neo-Hookean Flesh Simulation, 2018, for a sheet. As constraints: two that hold the shape, one
// that holds the area. CPU twin: sim-dylib/src/constraints/membrane/neo_hookean.rs, which says why these.

const MODEL: u32 = 2u;
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
