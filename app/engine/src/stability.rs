//! How large a step explicit integration may take, from the elastic system of a state.
//!
//! ```text
//!  K = d²E/dx² (exact, at the present state)      C = dampers along the springs + air damping
//!  omega_max² = largest eigenvalue of M^-1/2 K M^-1/2, by Lanczos                              (lanczos.rs)
//! ```
//! For a grid of particles of mass m, spacing and rest length alike, all springs of stiffness k and at rest, a plane
//! wave of phase (a, b) per cell has D(a, b) = sum over pairs of springs of 2k (1 - cos(phase)) r r^T, r the direction
//! (Bloch analysis). Its largest eigenvalue over all waves:
//!
//! | springs | largest eigenvalue | where | dt_max = 2/omega at k = 1e4 N/m, m = 1 kg |
//! |---|---|---|---|
//! | 8: structural and shear | 8 k/m | a = pi, b = 0 | 7.07 ms |
//! | 12: and skip-one | 10.125 k/m | cos a = cos b = -1/8 | 6.285 ms |
//!
//! (On the diagonal a = b and c = cos a the 12 springs have 2k (5 - c - 4c²).) Finite grids are a little below that.
//!
//! Per scheme, for x'' = -omega² x - c x' (each from the amplification matrix of a step):
//!
//! | scheme | stable while |
//! |---|---|
//! | `symplectic_euler` | (omega h)² + 2 c h < 4 |
//! | `velocity_verlet` | (omega h)² + 2 c h - (c h)² < 4 and c h < 2: a' is taken at x' and at v + h a |
//! | `rk4` | omega h < 2.828, without damping |
//! | `explicit_euler` | h < c / omega² |
//! | `taylor2` | h < 2 c / omega² |
//!
//! With dampers, K + (2/h) C takes the place of K for the first two: exact for symplectic Euler, safe for Verlet.

mod lanczos;
mod operator;
mod relaxation;
mod tridiagonal;
mod verdict;
mod watch;

pub use lanczos::{Extremes, Lanczos};
pub use operator::{Damping, dampers, dynamic_matrix};
pub use relaxation::{Relaxation, relaxation};
pub use verdict::{Explicit, Verdict, substeps, verdict};
pub use watch::Watch;

/// Largest omega h of a scheme on the undamped oscillator; `None` for one that gains energy at any step.
pub fn limit(scheme: &str) -> Option<f64> {
    match scheme {
        "symplectic_euler" | "velocity_verlet" => Some(2.0),
        "rk4" => Some(8.0_f64.sqrt()),
        _ => None,
    }
}

/// Longest stable step [s] at `omega` [rad/s] with damping `c` [1/s]; 0 if there is none.
///
/// For the schemes that have a limit without damping, `omega` holds the dampers already.
pub fn longest_step(scheme: &str, omega: f64, c: f64) -> f64 {
    match limit(scheme) {
        Some(limit) => limit / omega,
        None if scheme == "explicit_euler" => c / (omega * omega),
        None => 2.0 * c / (omega * omega),
    }
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
        for (scheme, c) in [("explicit_euler", 0.5), ("taylor2", 0.5), ("rk4", 0.0)] {
            let most = longest_step(scheme, omega, c);
            let growth = |h: f64| spectral_radius(amplification(scheme, omega, c, h));
            assert!(growth(0.98 * most) <= 1.0 && growth(1.02 * most) > 1.0, "{scheme}");
        }
    }
}
