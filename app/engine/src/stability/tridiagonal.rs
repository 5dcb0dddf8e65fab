//! Eigenvalues and vectors of a symmetric tridiagonal matrix: `alphas` on the diagonal, `betas` beside it.
//!
//! Golub, Van Loan: Matrix Computations, 4th edition, section 8.4.

/// Eigenvalue number `index` from below, by bisection on Sturm's count.
pub(super) fn eigenvalue(alphas: &[f64], betas: &[f64], index: usize) -> f64 {
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

/// Unit eigenvector of an eigenvalue, by three rounds of inverse iteration.
pub(super) fn vector(alphas: &[f64], betas: &[f64], value: f64) -> Vec<f64> {
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

    /// 2 on the diagonal, -1 beside it: the eigenvalues are 2 - 2 cos(j pi / (n + 1)).
    #[test]
    fn the_second_difference_has_its_eigenvalues_and_vectors() {
        let n = 12;
        let (alphas, betas) = (vec![2.0; n], vec![-1.0; n - 1]);
        for index in 0..n {
            let expected = 2.0 - 2.0 * ((index + 1) as f64 * std::f64::consts::PI / (n + 1) as f64).cos();
            let value = eigenvalue(&alphas, &betas, index);
            assert!((value - expected).abs() < 1e-13, "{value} against {expected}");
            let s = vector(&alphas, &betas, value);
            for i in 0..n {
                let before = if i > 0 { -s[i - 1] } else { 0.0 };
                let after = if i + 1 < n { -s[i + 1] } else { 0.0 };
                assert!((before + 2.0 * s[i] + after - value * s[i]).abs() < 1e-12);
            }
        }
    }
}
