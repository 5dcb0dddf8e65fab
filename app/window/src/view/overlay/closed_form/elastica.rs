//! A rod that is clamped at one end and bends under its own weight, in the plane of its clamp and gravity.
//!
//! B(s) theta' = M(s), M' = W(s) cos theta: theta the angle above the level, W the weight beyond s (the heavy elastica; level and of one
//! section it depends on G = w L³ / B alone: Peirce, The "Handle" of Cloth as a Measurable Quantity, 1930). As so many
//! straight parts with a joint between two of them, and one of half the length at the clamp, which is of second order; Newton's
//! iteration on their angles, from straight on under a weight that grows, so that of several equilibria it is the one that is loaded to.

/// Straight parts.
const PARTS: usize = 128;
/// Shares of the weight, one after the other; iterations of each.
const LOADS: u32 = 4;
const ITERATIONS: usize = 60;
/// Farthest that an angle changes in an iteration, and where they end [rad].
const FARTHEST: f64 = 0.4;
const END: f64 = 1e-9;

/// `s` is the share of the way from the root to the tip.
pub(super) struct Rod<'a> {
    /// [m]
    pub length: f64,
    /// E I [N m2].
    pub bend: &'a dyn Fn(f64) -> f64,
    /// Per length [N/m].
    pub weight: &'a dyn Fn(f64) -> f64,
    /// At the tip [N].
    pub tip: f64,
}

impl Rod<'_> {
    /// Points from the root on: aside and up [m], for a clamp at an angle above the level [rad].
    pub(super) fn clamped(&self, angle: f64) -> Vec<[f64; 2]> {
        let part = self.length / PARTS as f64;
        // Joint `i` lies before part `i`.
        let joint = |i: usize| (self.bend)(i as f64 / PARTS as f64) / part * if i == 0 { 2.0 } else { 1.0 };
        let joints: Vec<f64> = (0..PARTS).map(joint).collect();
        let mut loads = [0.0; PARTS];
        let mut beyond = self.tip;
        for (i, load) in loads.iter_mut().enumerate().rev() {
            let own = (self.weight)((i as f64 + 0.5) / PARTS as f64) * part;
            *load = (beyond + 0.5 * own) * part;
            beyond += own;
        }
        let mut theta = [angle; PARTS];
        for share in 1..=LOADS {
            let share = f64::from(share) / f64::from(LOADS);
            for _ in 0..ITERATIONS {
                let loads = loads.map(|load| share * load);
                let newton = |least: f64| newton(&theta, angle, (&joints, &loads), least);
                let step =
                    newton(f64::NEG_INFINITY).or_else(|| newton(0.0)).expect("springs alone are stable");
                let most = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
                let scale = (FARTHEST / most).min(1.0);
                theta.iter_mut().zip(step).for_each(|(theta, step)| *theta += scale * step);
                if most < END {
                    break;
                }
            }
        }
        let mut place = [0.0; 2];
        let points = theta.iter().map(|theta| {
            let (sin, cos) = theta.sin_cos();
            place = [place[0] + part * cos, place[1] + part * sin];
            place
        });
        std::iter::once([0.0; 2]).chain(points).collect()
    }
}

/// Changes of angles that minimise the energy sum of k/2 (theta_i - theta_i-1)² + W h sin theta_i to second order (Thomas), where that
/// has a minimum. A weight counts with at least so much of its second derivative.
fn newton(
    theta: &[f64; PARTS],
    clamp: f64,
    (joints, loads): (&[f64], &[f64; PARTS]),
    least: f64,
) -> Option<[f64; PARTS]> {
    let (mut upper, mut step) = ([0.0; PARTS], [0.0; PARTS]);
    for i in 0..PARTS {
        let before = if i == 0 { clamp } else { theta[i - 1] };
        let (mut diagonal, mut force) = (joints[i], -joints[i] * (theta[i] - before));
        if i + 1 < PARTS {
            diagonal += joints[i + 1];
            force += joints[i + 1] * (theta[i + 1] - theta[i]);
            upper[i] = -joints[i + 1];
        }
        diagonal += (-loads[i] * theta[i].sin()).max(least);
        force -= loads[i] * theta[i].cos();
        if i > 0 {
            diagonal += joints[i] * upper[i - 1];
            force += joints[i] * step[i - 1];
        }
        if diagonal <= 0.0 {
            return None;
        }
        (upper[i], step[i]) = (upper[i] / diagonal, force / diagonal);
    }
    for i in (0..PARTS - 1).rev() {
        step[i] -= upper[i] * step[i + 1];
    }
    Some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tip(length: f64, weight: f64, tip: f64, angle: f64) -> [f64; 2] {
        let rod = Rod { length, bend: &|_| 1.0, weight: &|_| weight, tip };
        let points = rod.clamped(angle);
        assert_eq!(points.len(), PARTS + 1);
        points[PARTS]
    }

    #[test]
    fn a_level_rod_falls_as_far_as_its_weight_by_its_stiffness_says() {
        for (g, chord) in [(1.0, 7.100), (10.0, 46.851), (50.0, 74.898)] {
            // Of any length: G = w L³ / B.
            for length in [1.0_f64, 0.05] {
                let [x, y] = tip(length, g / length.powi(3), 0.0, 0.0);
                let found = (-y).atan2(x).to_degrees();
                assert!((found - chord).abs() < 0.01, "G = {g}, {length} m: {found}, not {chord}");
            }
        }
    }

    /// Bisshopp, Drucker: Large deflection of cantilever beams, 1945: drop and shortening by P L² / (E I).
    #[test]
    fn a_light_rod_falls_under_a_weight_at_its_tip() {
        for (load, drop, shorter) in [
            (1.0, 0.30172, 0.05643),
            (2.0, 0.49346, 0.16064),
            (5.0, 0.71379, 0.38763),
            (10.0, 0.81061, 0.55500),
        ] {
            let [x, y] = tip(1.0, 0.0, load, 0.0);
            assert!((-y - drop).abs() < 3e-4 && (1.0 - x - shorter).abs() < 3e-4, "{load}: {x} {y}");
        }
    }

    #[test]
    fn straight_down_stays_and_up_against_the_weight_bends_over() {
        let [x, y] = tip(1.0, 300.0, 0.0, -std::f64::consts::FRAC_PI_2);
        assert!(x.abs() < 1e-9 && (y + 1.0).abs() < 1e-9, "{x} {y}");
        // Far above Greenhill's 7.84: it does not stand.
        let [x, y] = tip(1.0, 40.0, 0.0, 1.5);
        assert!(x.is_finite() && y < 0.0, "{x} {y}");
        // Soft: it turns down within a boundary layer of (B / w L)^(1/2).
        let [x, y] = tip(1.0, 1e5, 0.0, 0.0);
        assert!(x < 0.01 && (-1.0..-0.98).contains(&y), "{x} {y}");
    }
}
