//! What each scheme does to an oscillator x'' = -omega² x - c x', by its amplification matrix.

/// Largest omega h of a scheme on the undamped oscillator; `None` for one that gains energy at any step.
pub fn limit(scheme: &str) -> Option<f64> {
    match scheme {
        "symplectic_euler" | "velocity_verlet" => Some(2.0),
        "rk4" => Some(8.0_f64.sqrt()),
        _ => None,
    }
}

/// Longest stable step [s] on x'' = -`square` x - `c` x' (`square` = omega² [1/s²], `c` [1/s]); 0 if there is none.
pub fn longest_step(scheme: &str, square: f64, c: f64) -> f64 {
    // Where one of the two is 0, so is what it asks for, and the quotient is infinite.
    let overdamped = |room: f64| if room >= 0.0 { 4.0 / (c + room.sqrt()) } else { f64::INFINITY };
    match scheme {
        "explicit_euler" => (c / square).min(overdamped(c * c - 4.0 * square)),
        "taylor2" => (2.0 * c / square).min(2.0 / c),
        "velocity_verlet" => overdamped(4.0 * square - 3.0 * c * c).min(2.0 / c),
        "rk4" => longest_of_rk4(square, c),
        _ => 4.0 / (c + (c * c + 4.0 * square).sqrt()),
    }
}

/// By halves: |lambda| h lies between 2.5 and 3.3 at its limit, lambda the larger root of lambda² + c lambda + square.
fn longest_of_rk4(square: f64, c: f64) -> f64 {
    let apart = c * c - 4.0 * square;
    let lambda = if apart > 0.0 { 0.5 * (c + apart.sqrt()) } else { square.sqrt() };
    let stable = |h: f64| spectral_radius(amplification("rk4", square.sqrt(), c, h)) <= 1.0 + 1e-12;
    let (mut low, mut high) = (2.5 / lambda, 3.3 / lambda);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if stable(middle) { low = middle } else { high = middle }
    }
    low
}

/// One step of a scheme on x'' = -omega² x - c x' as a matrix on (x, v), by rows.
pub fn amplification(scheme: &str, omega: f64, c: f64, h: f64) -> [[f64; 2]; 2] {
    let a = |[x, v]: [f64; 2]| -omega * omega * x - c * v;
    let step = |[x, v]: [f64; 2]| -> [f64; 2] {
        let here = a([x, v]);
        match scheme {
            "symplectic_euler" => {
                let v = v + h * here;
                [x + h * v, v]
            }
            "explicit_euler" => [x + h * v, v + h * here],
            "taylor2" => [x + h * v + 0.5 * h * h * here, v + h * here],
            "velocity_verlet" => {
                let to = x + h * v + 0.5 * h * h * here;
                [to, v + 0.5 * h * (here + a([to, v + h * here]))]
            }
            _ => rk4(a, [x, v], h),
        }
    };
    let (x, v) = (step([1.0, 0.0]), step([0.0, 1.0]));
    [[x[0], v[0]], [x[1], v[1]]]
}

fn rk4(a: impl Fn([f64; 2]) -> f64, [x, v]: [f64; 2], h: f64) -> [f64; 2] {
    let slope = |[x, v]: [f64; 2]| [v, a([x, v])];
    let ahead = |k: [f64; 2], h: f64| [x + h * k[0], v + h * k[1]];
    let first = slope([x, v]);
    let second = slope(ahead(first, 0.5 * h));
    let third = slope(ahead(second, 0.5 * h));
    let fourth = slope(ahead(third, h));
    let sum = |i: usize| (first[i] + 2.0 * second[i] + 2.0 * third[i] + fourth[i]) / 6.0;
    [x + h * sum(0), v + h * sum(1)]
}

/// Largest |eigenvalue| of a 2 x 2 matrix: growth of the amplitude in a step.
pub fn spectral_radius([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    let (half, determinant) = (0.5 * (a + d), a * d - b * c);
    let square = half * half - determinant;
    if square < 0.0 { determinant.sqrt() } else { half.abs() + square.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules of the module's table, from the matrices: stable just below, unstable just above.
    #[test]
    fn the_rules_are_those_of_the_amplification_matrices() {
        let omega = 100.0;
        for c in [0.0, 0.5, 40.0] {
            let symplectic = |h: f64| (omega * h).powi(2) + 2.0 * c * h < 4.0;
            let verlet = |h: f64| (omega * h).powi(2) + 2.0 * c * h - (c * h).powi(2) < 4.0 && c * h < 2.0;
            for i in 1..400 {
                let h = f64::from(i) * 1e-4 + 3e-8;
                let stable = |scheme| spectral_radius(amplification(scheme, omega, c, h)) <= 1.0 + 1e-9;
                assert_eq!(stable("symplectic_euler"), symplectic(h), "c {c}, h {h}");
                assert_eq!(stable("velocity_verlet"), verlet(h), "c {c}, h {h}");
            }
        }
        for scheme in ["symplectic_euler", "velocity_verlet", "rk4", "explicit_euler", "taylor2"] {
            for c in [0.0, 0.5, 40.0, 110.0, 190.0, 250.0, 2000.0] {
                let most = longest_step(scheme, omega * omega, c);
                let growth = |h: f64| spectral_radius(amplification(scheme, omega, c, h));
                let below = (1..100).map(|i| growth(0.0099 * f64::from(i) * most)).fold(0.0, f64::max);
                assert!(below <= 1.0 + 1e-12, "{scheme}, c {c}: {below} below {most}");
                assert!(growth(1.01 * most.max(1e-6)) > 1.0, "{scheme}, c {c}: {most}");
            }
        }
    }
}
