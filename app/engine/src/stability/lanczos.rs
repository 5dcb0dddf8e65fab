//! Extreme eigenvalues of a symmetric operator: Lanczos with full reorthogonalisation.
//!
//! Golub, Van Loan: Matrix Computations, 4th edition, section 10.3. Each Ritz value comes with the norm of its residual,
//! beta_m |s_m|: an eigenvalue lies within it.
//!
//! Rejected: `partial_self_adjoint_eigen` of faer 0.24. It gives values that converged to an absolute tolerance and no bound
//! of any other (a live answer takes 40 steps, and the bound that they end with), the largest magnitudes but no smallest
//! value, and panics below 64 unknowns.

use glam::DVec3;

use super::tridiagonal::{eigenvalue, vector};

/// The two ends of the spectrum, as Ritz values with residual bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extremes {
    pub largest: f64,
    /// An eigenvalue lies within this of `largest`.
    pub largest_bound: f64,
    pub smallest: f64,
    pub smallest_bound: f64,
    /// Steps taken.
    pub steps: usize,
}

/// Settings, and the vector a later call starts from.
#[derive(Clone, Default)]
pub struct Lanczos {
    /// Ritz vector of the largest eigenvalue of the last call, one row per free particle.
    start: Vec<DVec3>,
}

/// Fewest steps, unless the space is smaller.
const FEWEST: usize = 30;

impl Lanczos {
    /// Runs until the bound of the largest value (and, if `both`, of the smallest) is below `tolerance` times the
    /// largest value, at least 30 and at most `most` steps.
    ///
    /// `times(x, y)`: y = A x, over `size` rows.
    pub fn run(
        &mut self,
        size: usize,
        both: bool,
        tolerance: f64,
        most: usize,
        times: &mut dyn FnMut(&[DVec3], &mut [DVec3]),
    ) -> Extremes {
        let mut basis = vec![self.first(size)];
        let (mut alphas, mut betas): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut next = vec![DVec3::ZERO; size];
        let most = most.min(3 * size);
        loop {
            let last = &basis[basis.len() - 1];
            times(last, &mut next);
            alphas.push(dot(last, &next));
            // Twice is enough (Parlett): no eigenvalue appears a second time.
            for _ in 0..2 {
                for q in &basis {
                    let share = dot(q, &next);
                    next.iter_mut().zip(q).for_each(|(n, q)| *n -= *q * share);
                }
            }
            let beta = dot(&next, &next).sqrt();
            let steps = alphas.len();
            let size_of_all = alphas.iter().chain(&betas).fold(0.0_f64, |m, a| m.max(a.abs()));
            let invariant = beta <= 1e-14 * size_of_all;
            if invariant || steps >= most || (steps >= FEWEST && steps.is_multiple_of(5)) {
                let extremes = extremes(&alphas, &betas, beta);
                let good = tolerance * extremes.largest.abs();
                let done = extremes.largest_bound <= good && (!both || extremes.smallest_bound <= good);
                if invariant || steps >= most || done {
                    self.keep(&basis, &alphas, &betas, extremes.largest);
                    return extremes;
                }
            }
            betas.push(beta);
            basis.push(next.iter().map(|n| *n / beta).collect());
        }
    }

    /// Unit vector of the largest eigenvalue that was found last; empty if that was 0.
    pub(super) fn vector(&self) -> &[DVec3] {
        &self.start
    }

    /// The kept vector with a little of everything in it, or noise: repeatable, never orthogonal to what is looked for.
    fn first(&self, size: usize) -> Vec<DVec3> {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        let mut noise = || {
            // xorshift64 (Marsaglia 2003)
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut first: Vec<DVec3> = (0..size).map(|_| DVec3::new(noise(), noise(), noise())).collect();
        if self.start.len() == size {
            let scale = 1e-2 / dot(&first, &first).sqrt();
            first.iter_mut().zip(&self.start).for_each(|(f, s)| *f = *f * scale + *s);
        }
        let length = dot(&first, &first).sqrt();
        first.iter_mut().for_each(|row| *row /= length);
        first
    }

    fn keep(&mut self, basis: &[Vec<DVec3>], alphas: &[f64], betas: &[f64], largest: f64) {
        self.start.clear();
        if largest == 0.0 {
            return;
        }
        let weights = vector(alphas, betas, largest);
        self.start.resize(basis[0].len(), DVec3::ZERO);
        for (q, weight) in basis.iter().zip(weights) {
            self.start.iter_mut().zip(q).for_each(|(s, q)| *s += *q * weight);
        }
    }
}

pub(super) fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// Extremes of the tridiagonal matrix, with their bounds; `beta` is the next one.
fn extremes(alphas: &[f64], betas: &[f64], beta: f64) -> Extremes {
    let steps = alphas.len();
    // Nothing is left of an invariant space, and the vectors of a zero matrix are no numbers.
    let bound =
        |value: f64| if beta > 0.0 { beta * vector(alphas, betas, value)[steps - 1].abs() } else { 0.0 };
    let (largest, smallest) = (eigenvalue(alphas, betas, steps - 1), eigenvalue(alphas, betas, 0));
    Extremes { largest, largest_bound: bound(largest), smallest, smallest_bound: bound(smallest), steps }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonal matrix with known ends, and a gap as large as that of a grid.
    #[test]
    fn finds_both_ends_and_bounds_them() {
        let size = 200;
        let value = |i: usize, axis: usize| 0.01 + (3 * i + axis) as f64 / (3 * size - 1) as f64 * 8.0;
        let mut times = |x: &[DVec3], y: &mut [DVec3]| {
            for i in 0..size {
                y[i] = x[i] * DVec3::new(value(i, 0), value(i, 1), value(i, 2));
            }
        };
        let mut lanczos = Lanczos::default();
        let cold = lanczos.run(size, true, 1e-6, 400, &mut times);
        assert!((cold.largest - 8.01).abs() <= cold.largest_bound + 1e-9, "{cold:?}");
        assert!((cold.smallest - 0.01).abs() <= cold.smallest_bound + 1e-9, "{cold:?}");
        assert!(cold.largest_bound < 1e-5);
        // A warm start is at least as good in the fewest steps.
        let few = Lanczos::default().run(size, false, 0.0, 30, &mut times);
        let warm = lanczos.run(size, false, 0.0, 30, &mut times);
        assert!(8.01 - warm.largest < 0.1 * (8.01 - few.largest), "{warm:?} against {few:?}");
    }

    #[test]
    fn a_space_of_one_particle_is_exhausted() {
        let mut times = |x: &[DVec3], y: &mut [DVec3]| y[0] = x[0] * DVec3::new(1.0, 2.0, 5.0);
        let ends = Lanczos::default().run(1, true, 1e-9, 100, &mut times);
        assert!((ends.largest - 5.0).abs() < 1e-9 && (ends.smallest - 1.0).abs() < 1e-9, "{ends:?}");
    }

    #[test]
    fn nothing_elastic_has_the_eigenvalue_zero() {
        let ends = Lanczos::default().run(4, false, 1e-9, 50, &mut |_, y| y.fill(DVec3::ZERO));
        assert_eq!((ends.largest, ends.largest_bound), (0.0, 0.0));
    }
}
