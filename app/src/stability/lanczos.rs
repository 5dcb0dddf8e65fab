//! Extreme eigenvalues of a symmetric operator: Lanczos with full reorthogonalisation.
//!
//! Golub, Van Loan: Matrix Computations, 4th edition, section 10.3. Each Ritz value comes with the norm of its residual,
//! beta_m |s_m|: an eigenvalue lies within it.

use glam::DVec3;

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
        let weights = vector(alphas, betas, largest);
        self.start = vec![DVec3::ZERO; basis[0].len()];
        for (q, weight) in basis.iter().zip(weights) {
            self.start.iter_mut().zip(q).for_each(|(s, q)| *s += *q * weight);
        }
    }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// Extremes of the tridiagonal matrix, with their bounds; `beta` is the next one.
fn extremes(alphas: &[f64], betas: &[f64], beta: f64) -> Extremes {
    let steps = alphas.len();
    let bound = |value: f64| beta * vector(alphas, betas, value)[steps - 1].abs();
    let (largest, smallest) = (eigenvalue(alphas, betas, steps - 1), eigenvalue(alphas, betas, 0));
    Extremes { largest, largest_bound: bound(largest), smallest, smallest_bound: bound(smallest), steps }
}

/// Eigenvalue number `index` from below, by bisection on Sturm's count.
fn eigenvalue(alphas: &[f64], betas: &[f64], index: usize) -> f64 {
    let reach = |i: usize| {
        let before = if i > 0 { betas[i - 1] } else { 0.0 };
        before.abs() + betas.get(i).map_or(0.0, |b| b.abs())
    };
    let ends = alphas.iter().enumerate();
    let (mut low, mut high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (i, a)| {
        (low.min(a - reach(i)), high.max(a + reach(i)))
    });
    // Gershgorin's ends, then half by half to the last digit.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if below(alphas, betas, middle) > index { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// How many eigenvalues are below `value`.
fn below(alphas: &[f64], betas: &[f64], value: f64) -> usize {
    let mut pivot = 1.0_f64;
    let mut count = 0;
    for (i, alpha) in alphas.iter().enumerate() {
        let beta = if i > 0 { betas[i - 1] } else { 0.0 };
        pivot = alpha - value - beta * beta / pivot;
        if pivot == 0.0 {
            pivot = -f64::MIN_POSITIVE.sqrt();
        }
        count += usize::from(pivot < 0.0);
    }
    count
}

/// Unit eigenvector of an eigenvalue, by two rounds of inverse iteration.
fn vector(alphas: &[f64], betas: &[f64], value: f64) -> Vec<f64> {
    let n = alphas.len();
    let scale = alphas.iter().chain(betas).fold(f64::MIN_POSITIVE, |m, a| m.max(a.abs()));
    let shift = value + 4.0 * f64::EPSILON * scale;
    let mut s = vec![1.0 / (n as f64).sqrt(); n];
    for _ in 0..3 {
        solve_tridiagonal(alphas, betas, shift, scale, &mut s);
        let length = s.iter().map(|s| s * s).sum::<f64>().sqrt();
        s.iter_mut().for_each(|s| *s /= length);
    }
    s
}

/// (T - shift) s = s in place: elimination with row exchange, so that a pivot near 0 does no harm.
fn solve_tridiagonal(alphas: &[f64], betas: &[f64], shift: f64, scale: f64, s: &mut [f64]) {
    let n = alphas.len();
    let tiny = f64::EPSILON * scale;
    // Row i: places i, i + 1 and i + 2 after elimination.
    let mut rows = vec![[0.0; 3]; n];
    let beta = |i: usize| betas.get(i).copied().unwrap_or(0.0);
    let mut row = [alphas[0] - shift, beta(0), 0.0];
    for i in 0..n - 1 {
        let mut under = [betas[i], alphas[i + 1] - shift, if i + 2 < n { beta(i + 1) } else { 0.0 }];
        if under[0].abs() > row[0].abs() {
            std::mem::swap(&mut row, &mut under);
            s.swap(i, i + 1);
        }
        if row[0].abs() < tiny {
            row[0] = tiny;
        }
        let factor = under[0] / row[0];
        rows[i] = row;
        s[i + 1] -= factor * s[i];
        row = [under[1] - factor * row[1], under[2] - factor * row[2], 0.0];
    }
    if row[0].abs() < tiny {
        row[0] = tiny;
    }
    rows[n - 1] = row;
    for i in (0..n).rev() {
        let mut sum = s[i];
        for (ahead, value) in rows[i].iter().enumerate().skip(1) {
            if i + ahead < n {
                sum -= value * s[i + ahead];
            }
        }
        s[i] = sum / rows[i][0];
    }
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
