// Bending of a curve between two segments of one length: C is how long e1/l - e0/l is, less that at rest.
//
// CPU twin: `constraints::curve_bend::CurveBend::bow`, `constraints::curve_bend::CurveBend::stiffness_times`.

const MODEL: u32 = HINGE_CURVE_BEND;
// Least 2 sin(angle / 2) that has a direction.
const STRAIGHT: f32 = 1e-15;

struct Bend {
    // 2 sin(angle / 2), less that at rest.
    c: f32,
    // By the corners [1/m].
    g: mat4x3f,
}

// v times the weight of each corner.
fn weighted(v: vec3f, weights: vec4f) -> mat4x3f {
    return mat4x3f(v * weights.x, v * weights.y, v * weights.z, v * weights.w);
}

fn bend_of(row: u32, x: mat4x3f) -> Bend {
    let weights = hinge_weights[row];
    let bow = x * weights;
    let size = sqrt(dot(bow, bow));
    let n = select(vec3f(0.0), bow * (1.0 / max(size, STRAIGHT)), size > STRAIGHT);
    return Bend(size - hinge_rest_angle[row], weighted(n, weights));
}

// dE/dx of a hinge of 1 N m.
fn gradient_of(row: u32, x: mat4x3f) -> mat4x3f {
    let bend = bend_of(row, x);
    return bend.g * bend.c;
}

// Exact where it bends more than at rest; where it bends less the part across n, which is negative, is left out.
fn stiffness_times(row: u32, x: mat4x3f, d: mat4x3f) -> mat4x3f {
    let weights = hinge_weights[row];
    let bow = x * weights;
    let size = sqrt(dot(bow, bow));
    let n = select(vec3f(0.0), bow * (1.0 / max(size, STRAIGHT)), size > STRAIGHT);
    let more = max(size - hinge_rest_angle[row], 0.0);
    let way = d * weights;
    let along = n * dot(n, way);
    return weighted(along + (way - along) * (more / max(size, STRAIGHT)), weights);
}
