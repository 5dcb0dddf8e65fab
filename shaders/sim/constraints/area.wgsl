// A triangle that keeps its area and nothing else: E = k/(2 area) (A - area)^2.
//
// CPU twin: `constraints::area::area`, `constraints::area::Area::stiffness_times`.

#import <constraints/membrane.wgsl>

const MODEL: u32 = MEMBRANE_AREA;

// The area A [m2] in j, and its gradient by the corners [m].
struct Area {
    now: f32,
    g: mat3x3f,
}

fn area_of(x: mat3x3f) -> Area {
    let ratio = area_ratio(mat2x3f(x[1] - x[0], x[2] - x[0]));
    let g1 = ratio.g[0] * 0.5;
    let g2 = ratio.g[1] * 0.5;
    return Area(ratio.j * 0.5, mat3x3f(-(g1 + g2), g1, g2));
}

// dE/dx by the corners [N].
fn gradient_of(x: mat3x3f, sheet: Sheet) -> mat3x3f {
    let area = area_of(x);
    return area.g * (sheet.mu / sheet.area * (area.now - sheet.area));
}

// The second derivative times d: k/area (dA dA^T and the part of (A - area) d2A out of the plane, where it is positive) [N].
fn stiffness_times(x: mat3x3f, sheet: Sheet, d: mat3x3f) -> mat3x3f {
    let area = area_of(x);
    let e1 = x[1] - x[0];
    let e2 = x[2] - x[0];
    let n = area_ratio(mat2x3f(e1, e2)).n;
    let k = sheet.mu / sheet.area;
    let change = k * (dot(area.g[0], d[0]) + dot(area.g[1], d[1]) + dot(area.g[2], d[2]));
    // d2A by the edges out of the plane: the adjugate of their Gram matrix over 4 A.
    let tension = k * max(area.now - sheet.area, 0.0) / (4.0 * area.now);
    let out = vec2f(dot(n, d[1] - d[0]), dot(n, d[2] - d[0])) * tension;
    let lift1 = n * (dot(e2, e2) * out.x - dot(e1, e2) * out.y);
    let lift2 = n * (dot(e1, e1) * out.y - dot(e1, e2) * out.x);
    return area.g * change + mat3x3f(-(lift1 + lift2), lift1, lift2);
}
