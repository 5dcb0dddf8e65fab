// A triangle that keeps its area and nothing else: E = k/(2 area) (A - area)^2. A library after membrane.wgsl.
//
// CPU twin: sim-dylib/src/constraints/membrane/area.rs. k is the column mu.

const MODEL: u32 = 3u;

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
