// The distance constraint C(x0, x1) = |x1 - x0| - rest, as XPBD.
//
// Macklin, Müller, Chentanez: XPBD, 2016 (equation numbers below). rest [m], alpha = compliance / h2, w of a position
// is its inverse mass [1/kg].
//
// CPU twin: `constraints::distance::project`.

const TINY: f32 = 1e-20;

// Length |d| [m], never 0.
fn length_of(d: vec3f) -> f32 {
    return sqrt(dot(d, d) + TINY);
}

// One projection: x0 moves by -w0 xyz, x1 by w1 xyz; w is the change of lambda.
// Two ends of infinite mass do not move and keep lambda.
fn project(x0: vec4f, x1: vec4f, rest: f32, alpha: f32, lambda: f32) -> vec4f {
    let d = x1.xyz - x0.xyz;
    let square = dot(d, d) + TINY;
    let per_l = inverseSqrt(square);
    let w = x0.w + x1.w;
    // Eq. 18, divided by |d| in the same stroke; gradients are -d/|d| and d/|d|.
    let change = ((rest - alpha * lambda) * per_l - 1.0) / max(w + alpha, TINY);
    let scale = select(0.0, change, w > 0.0);
    // Eq. 17, but for the masses.
    return vec4f(d * scale, scale * square * per_l);
}
