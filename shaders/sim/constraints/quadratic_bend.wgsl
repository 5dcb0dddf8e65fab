// The quadratic model of bending, for cloth that is flat at rest.
//
// C is the sum of weight x over the four corners, a vector (Bergou et al.: A Quadratic Bending Model for Inextensible
// Surfaces, 2006).
//
// CPU twin: `constraints::value::vector::Vector::gradient`.

const MODEL: u32 = HINGE_QUADRATIC_BEND;

// v times the weight of each corner.
fn weighted(v: vec3f, weights: vec4f) -> mat4x3f {
    return mat4x3f(v * weights.x, v * weights.y, v * weights.z, v * weights.w);
}

// dE/dx of a hinge of 1 N m.
fn gradient_of(row: u32, x: mat4x3f) -> mat4x3f {
    let weights = hinge_weights[row];
    return weighted(x * weights, weights);
}

// The gradient is linear.
fn stiffness_times(row: u32, x: mat4x3f, d: mat4x3f) -> mat4x3f {
    return gradient_of(row, d);
}
