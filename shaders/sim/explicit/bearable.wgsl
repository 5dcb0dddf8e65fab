// Stiffness and damping as explicit steps bear them.
//
// Gershgorin: omega_max2 <= 2 sum(k) / m over 12 springs, and h2 omega_max2 <= 4 is stable, so a spring may have k <= m
// / (6 h2), and of that the share `stability_cap`.
//
// CPU twin: `solvers::explicit::springs::stiffest`, `solvers::explicit::springs::Springs::project`.

const SMALLEST: f32 = 1.1754944e-38;

struct Bearable {
    // Stiffest stable spring at a particle of 1 kg [N/m]; without a cap as good as endless.
    stable: f32,
    // Share of it that a spring may use; a damper d counts as 2 d / h and may use what is left.
    cap: f32,
    half_h: f32,
}

fn bearable_of(h: f32, stability_cap: f32) -> Bearable {
    let capped = stability_cap > 0.0;
    return Bearable(select(1e30, 2.0 / (12.0 * h * h), capped), select(1.0, stability_cap, capped), 0.5 * h);
}

// [N/m]; w: inverse masses of the ends [1/kg]. Between two pins there is nothing to pull on.
fn spring_stiffness(bearable: Bearable, compliance: f32, w0: f32, w1: f32) -> f32 {
    let stiffest = bearable.stable * bearable.cap;
    // The smaller of 1 / compliance and stiffest / w, by one division.
    let k = stiffest / max(compliance * stiffest, max(max(w0, w1), SMALLEST));
    return select(0.0, k, w0 + w1 > 0.0);
}

// [N s/m]
fn spring_damping(bearable: Bearable, damping: f32, stiffness: f32, w0: f32, w1: f32) -> f32 {
    let left = (bearable.stable / max(max(w0, w1), SMALLEST) - stiffness) * bearable.half_h;
    return select(0.0, min(damping, left), w0 + w1 > 0.0);
}
