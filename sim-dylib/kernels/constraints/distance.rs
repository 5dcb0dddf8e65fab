//! Distance constraint C(x0, x1) = |x1 - x0| - rest, as XPBD, as PBD and as a spring.
//!
//! Macklin, Müller, Chentanez: XPBD, 2016 (equation numbers below). Müller et al.: Position Based Dynamics, 2007.
//! `rest` [m], `compliance` alpha [m/N], inverse masses `w` [1/kg]; directions point from particle 0 to 1.

use super::{Constraint, Load, Scalar, TINY, Tables, length};
use crate::lanes::{Real, V3};

/// One XPBD projection: changes of both positions and of lambda.
///
/// `alpha` is the time-scaled compliance alpha~ = compliance / h² and `lambda` the sum of this substep so far.
/// Two ends of infinite mass do not move and keep lambda.
#[inline(always)]
pub fn project<R: Real>(
    (x0, w0): (V3<R>, R),
    (x1, w1): (V3<R>, R),
    rest: R,
    alpha: R,
    lambda: R,
) -> (V3<R>, V3<R>, R) {
    let d = x1 - x0;
    let ([s0, s1], change) = pull(d.dot(d), [w0, w1], rest, alpha, Some(lambda));
    (d * -s0, d * s1, change)
}

/// The same for a row of which only the square |x1 - x0|² is known: x0 -= (x1 - x0) s0 and x1 += (x1 - x0) s1, and the change
/// of lambda, which is 0 before the first iteration (`None`).
#[inline(always)]
pub fn pull<R: Real>(square: R, [w0, w1]: [R; 2], rest: R, alpha: R, lambda: Option<R>) -> ([R; 2], R) {
    let l = (square + R::from_f32(TINY)).sqrt();
    let w = w0 + w1;
    let error = match lambda {
        Some(lambda) => rest - l - alpha * lambda,
        None => rest - l,
    };
    // Eq. 18, divided by |d| in the same stroke; gradients are -d/|d| and d/|d|. 0/0 is not taken.
    let scale = (error / ((w + alpha) * l)).where_positive(w);
    // Eq. 17.
    ([w0 * scale, w1 * scale], scale * l)
}

/// C = |x1 - x0| - rest [m].
#[inline(always)]
pub fn stretch<R: Real>(x0: V3<R>, x1: V3<R>, rest: R) -> R {
    length(x1 - x0) - rest
}

/// |x1 - x0| [m] and its gradients.
#[inline(always)]
pub fn length_of<R: Real>(x: &[V3<R>; 2]) -> (R, [V3<R>; 2]) {
    let d = x[1] - x[0];
    let l = length(d);
    let along = d * (R::from_f32(1.0) / l);
    (l, [-along, along])
}

/// As [`project`] with the damping term of eq. 26: `gamma` is the damping's time over the substep, `way` the change of
/// x1 - x0 since the start of the substep [m].
#[inline(always)]
pub fn project_damped<R: Real>(
    (x0, w0): (V3<R>, R),
    (x1, w1): (V3<R>, R),
    rest: R,
    alpha: R,
    lambda: R,
    (way, gamma): (V3<R>, R),
) -> (V3<R>, V3<R>, R) {
    let d = x1 - x0;
    let l = length(d);
    let w = w0 + w1;
    let drag = gamma * d.dot(way) / l;
    let bottom = (R::from_f32(1.0) + gamma) * w + alpha;
    let scale = (rest - l - alpha * lambda - drag) / (bottom.max(R::from_f32(TINY)) * l);
    let scale = scale.where_positive(w);
    (d * -(w0 * scale), d * (w1 * scale), scale * l)
}

/// One PBD projection with stiffness `k` in 0..=1 (Müller 2007, eq. 10 and 11): changes of both positions
/// and of lambda.
#[inline(always)]
pub fn project_stiff<R: Real>(
    (x0, w0): (V3<R>, R),
    (x1, w1): (V3<R>, R),
    rest: R,
    k: R,
) -> (V3<R>, V3<R>, R) {
    let d = x1 - x0;
    let ([s0, s1], change) = pull_stiff(d.dot(d), [w0, w1], rest, k);
    (d * -s0, d * s1, change)
}

/// [`project_stiff`] for a row of which only the square |x1 - x0|² is known, as [`pull`].
#[inline(always)]
pub fn pull_stiff<R: Real>(square: R, w: [R; 2], rest: R, k: R) -> ([R; 2], R) {
    let ([s0, s1], change) = pull(square, w, rest, R::from_f32(0.0), None);
    ([s0 * k, s1 * k], change * k)
}

/// Spring and damper: force on particle 0 [N] and tension [N].
///
/// `k` [N/m], `damping` [N s/m] acts on the relative velocity along the spring (internal damping).
#[inline(always)]
pub fn force<R: Real>(
    (x0, v0): (V3<R>, V3<R>),
    (x1, v1): (V3<R>, V3<R>),
    rest: R,
    k: R,
    damping: R,
) -> (V3<R>, R) {
    let d = x1 - x0;
    let l = length(d);
    let rate = (v1 - v0).dot(d) / l;
    let tension = k * (l - rest) + damping * rate;
    (d * (tension / l), tension)
}

/// The row as a spring: E = k/2 (|x1 - x0| - rest)².
#[derive(Clone, Copy)]
pub struct Spring<R> {
    /// [m]
    pub rest: R,
    /// [N/m]
    pub k: R,
}

impl<R: Real> Constraint<R, 2> for Spring<R> {
    type Value = Scalar<R, 2>;

    #[inline(always)]
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
        Self { rest: row.one(tables.distance.rest), k }
    }

    #[inline(always)]
    fn value(&self, x: &[V3<R>; 2]) -> Scalar<R, 2> {
        let (l, g) = length_of(x);
        Scalar::new(l - self.rest, g)
    }

    #[inline(always)]
    fn stiffness(&self) -> R {
        self.k
    }

    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; 2]) -> [V3<R>; 2] {
        let d = x[1] - x[0];
        let l = length(d);
        let pull = d * (self.k * (l - self.rest) / l);
        [-pull, pull]
    }

    /// Across the spring the stiffness is tension/length; it is cut off where the spring is pushed together
    /// (Choi and Ko: Stable but Responsive Cloth, 2002).
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; 2], d: &[V3<R>; 2]) -> [V3<R>; 2] {
        let along = x[1] - x[0];
        let l = length(along);
        let across = self.k * (R::from_f32(1.0) - self.rest / l).max(R::from_f32(0.0));
        let change = d[1] - d[0];
        let part = along.dot(change) / (l * l);
        let force = change * across + along * (part * (self.k - across));
        [-force, force]
    }

    /// Across it tension/length may be negative here.
    fn hessian_times(&self, x: &[V3<R>; 2], d: &[V3<R>; 2]) -> [V3<R>; 2] {
        let along = x[1] - x[0];
        // No direction at length 0: the energy has a kink there.
        let l2 = along.dot(along).max(R::from_f32(TINY));
        let across = self.k * (R::from_f32(1.0) - self.rest / l2.sqrt());
        let change = d[1] - d[0];
        let force = change * across + along * (along.dot(change) / l2 * (self.k - across));
        [-force, force]
    }
}

/// Internal damping as an impulse pair: changes of both velocities, along the spring, momentum kept.
///
/// Implicit in the relative velocity, so any `damping` [N s/m] and step `h` [s] is stable.
#[inline(always)]
pub fn damp<R: Real>(
    (x0, v0, w0): (V3<R>, V3<R>, R),
    (x1, v1, w1): (V3<R>, V3<R>, R),
    damping: R,
    h: R,
) -> (V3<R>, V3<R>) {
    let d = x1 - x0;
    let l = length(d);
    let rate = (v1 - v0).dot(d) / l;
    let share = h * damping / (R::from_f32(1.0) + h * damping * (w0 + w1));
    let impulse = share * rate / l;
    (d * (w0 * impulse), d * -(w1 * impulse))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: f64, y: f64, z: f64) -> V3<f64> {
        V3::new(x, y, z)
    }

    #[test]
    fn rigid_projection_restores_the_length_and_keeps_momentum() {
        let (a, b, wa, wb) = (v(0.0, 0.0, 0.0), v(2.0, 1.0, -0.5), 3.0, 1.0);
        let (da, db, _) = project((a, wa), (b, wb), 1.5, 0.0, 0.0);
        let d = (b + db) - (a + da);
        assert!((d.dot(d).sqrt() - 1.5).abs() < 1e-12);
        let momentum = da * (1.0 / wa) + db * (1.0 / wb);
        assert!(momentum.dot(momentum).sqrt() < 1e-12);
    }

    #[test]
    fn compliant_projection_solves_its_own_equation() {
        // C + alpha lambda = 0 holds for the linear constraint along the row.
        let (a, b, alpha) = (v(0.0, 0.0, 0.0), v(0.0, 1.5, 0.0), 0.7);
        let (da, db, lambda) = project((a, 1.0), (b, 2.0), 1.0, alpha, 0.0);
        let l = ((b + db) - (a + da)).y;
        assert!((l - 1.0 + alpha * lambda).abs() < 1e-12);
    }

    #[test]
    fn two_pinned_ends_stay_and_coincident_ends_stay_finite() {
        let (da, db, lambda) = project((v(0.0, 0.0, 0.0), 0.0), (v(3.0, 0.0, 0.0), 0.0), 1.0, 0.0, 0.5);
        assert_eq!((da, db, lambda), (v(0.0, 0.0, 0.0) * -1.0, v(0.0, 0.0, 0.0), 0.0));
        let (da, _, _) = project((v(1.0, 1.0, 1.0), 1.0), (v(1.0, 1.0, 1.0), 1.0), 1.0, 0.0, 0.0);
        assert!(da.x.is_finite());
    }

    #[test]
    fn force_is_the_gradient_of_the_spring_energy() {
        let (a, b, k, rest) = (v(0.1, -0.2, 0.3), v(1.0, 0.4, -0.2), 40.0, 0.8);
        let energy = |a: V3<f64>| {
            let d = b - a;
            0.5 * k * (d.dot(d).sqrt() - rest).powi(2)
        };
        let zero = v(0.0, 0.0, 0.0);
        let (f, _) = force((a, zero), (b, zero), rest, k, 0.0);
        for (axis, expected) in [(v(1.0, 0.0, 0.0), f.x), (v(0.0, 1.0, 0.0), f.y), (v(0.0, 0.0, 1.0), f.z)] {
            let e = 1e-6;
            let gradient = (energy(a + axis * e) - energy(a - axis * e)) / (2.0 * e);
            assert!((expected + gradient).abs() < 1e-6 * k, "{expected} against {}", -gradient);
        }
    }

    #[test]
    fn damping_never_reverses_the_relative_velocity() {
        let (a, b) = (v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0));
        let (da, db) = damp((a, v(-1.0, 0.0, 0.0), 1.0), (b, v(1.0, 0.0, 0.0), 1.0), 1e9, 1.0);
        let after = (1.0 + db.x) - (-1.0 + da.x);
        assert!((0.0..1e-6).contains(&after));
    }
}
