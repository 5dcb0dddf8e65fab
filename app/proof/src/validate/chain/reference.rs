//! The chain solved to the last digit in f64: Newton on positions and multipliers together.

use faer::{Col, Mat, prelude::Solve};
use glam::DVec2;

use super::{FRAMES, GRAVITY, LINKS, STEP};

/// Force of the top link [N] after each frame.
pub(super) fn forces(compliance: f64) -> Result<Vec<f64>, String> {
    let (w, alpha) = (STEP * STEP, compliance / (STEP * STEP));
    // The pin is at the origin and no unknown.
    let mut x: Vec<DVec2> = (1..=LINKS).map(|i| DVec2::new(i as f64, 0.0)).collect();
    let mut v = vec![DVec2::ZERO; LINKS];
    let mut lambda = vec![0.0; LINKS];
    let mut forces = Vec::with_capacity(FRAMES);
    for frame in 0..FRAMES {
        let before = x.clone();
        let y: Vec<DVec2> =
            x.iter().zip(&v).map(|(x, v)| *x + *v * STEP - DVec2::Y * (GRAVITY * w)).collect();
        let mut change = f64::INFINITY;
        for _ in 0..100 {
            change = newton(&y, alpha, &mut x, &mut lambda);
            if change < 1e-12 {
                break;
            }
        }
        if change >= 1e-9 {
            return Err(format!("the reference did not converge in frame {frame}: {change} m"));
        }
        v = x.iter().zip(&before).map(|(x, before)| (*x - *before) / STEP).collect();
        forces.push(-lambda[0] / w);
    }
    Ok(forces)
}

/// One Newton step on all positions and multipliers; returns the largest move [m].
fn newton(y: &[DVec2], alpha: f64, x: &mut [DVec2], lambda: &mut [f64]) -> f64 {
    let size = 3 * LINKS;
    let mut matrix = Mat::<f64>::zeros(size, size);
    let mut right = Col::<f64>::zeros(size);
    for i in 0..LINKS {
        let residual = x[i] - y[i];
        for axis in 0..2 {
            matrix[(2 * i + axis, 2 * i + axis)] += 1.0;
            right[2 * i + axis] -= residual[axis];
        }
    }
    for j in 0..LINKS {
        let row = 2 * LINKS + j;
        let along = x[j] - if j == 0 { DVec2::ZERO } else { x[j - 1] };
        let length = along.length();
        let n = along / length;
        right[row] -= length - 1.0 + alpha * lambda[j];
        matrix[(row, row)] += alpha;
        // Lower end j, upper end j - 1 (none at the pin), with the sign of the gradient there.
        let ends = [(Some(j), 1.0), (j.checked_sub(1), -1.0)];
        let ends = ends.iter().filter_map(|(end, sign)| end.map(|end| (end, *sign)));
        for (end, sign) in ends.clone() {
            for axis in 0..2 {
                matrix[(row, 2 * end + axis)] += sign * n[axis];
                matrix[(2 * end + axis, row)] -= sign * n[axis];
                right[2 * end + axis] += sign * n[axis] * lambda[j];
            }
            for (other, other_sign) in ends.clone() {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let across = (f64::from(a == b) - n[a] * n[b]) / length;
                    matrix[(2 * end + a, 2 * other + b)] -= lambda[j] * sign * other_sign * across;
                }
            }
        }
    }
    let step = matrix.partial_piv_lu().solve(&right);
    let mut most = 0.0_f64;
    for i in 0..LINKS {
        let moved = DVec2::new(step[2 * i], step[2 * i + 1]);
        x[i] += moved;
        lambda[i] += step[2 * LINKS + i];
        most = most.max(moved.length());
    }
    most
}
