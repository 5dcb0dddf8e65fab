// Stiffness of a spring as a solver with a matrix gives it: 1/compliance, held back to what it can bear.
//
// `most` [1/s2] is the parameter `stiffest` over h2; more than SHOWN does not count.
//
// CPU twin: `elastic::springs::limit_stiffness`, `elastic::springs::add_dampers`, `solvers::vbd::descent::limited`.

const SMALLEST: f32 = 1.1754944e-38;
// As `elastic::springs::SHOWN` [1/s2].
const SHOWN: f32 = 2e8;

// Spring and damper of a row as one spring.
struct Clamped {
    // [N/m]
    k: f32,
    // [m]
    rest: f32,
}

// The smaller of 1/compliance and bearable/w, w the larger inverse mass, by one division; 0 between two pins [N/m].
fn clamped_stiffness(compliance: f32, w0: f32, w1: f32, most: f32) -> f32 {
    let bearable = min(most, SHOWN);
    let k = bearable / max(compliance * bearable, max(max(w0, w1), SMALLEST));
    return select(0.0, k, w0 + w1 > 0.0);
}

// With a damper beside it: its force over a step is that of a spring of the length at the step's start.
fn with_damper(k: f32, rest: f32, damping: f32, per_h: f32, length_before: f32) -> Clamped {
    let damper = damping * per_h;
    return Clamped(k + damper, (k * rest + damper * length_before) / max(k + damper, SMALLEST));
}
