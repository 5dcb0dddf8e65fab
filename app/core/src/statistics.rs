//! Quantiles of frame times, and the largest of measured numbers.

/// The largest value; NaN if any is NaN, or if there are none: `f64::max` would pass over it, and a limit would hold.
pub fn largest<T: Into<f64>>(values: impl IntoIterator<Item = T>) -> f64 {
    let larger = |a: f64, b: f64| if a > b || a.is_nan() { a } else { b };
    values.into_iter().map(Into::into).reduce(larger).unwrap_or(f64::NAN)
}

/// (largest - smallest) / mean size; NaN if any is NaN.
pub fn spread(values: &[f64]) -> f64 {
    let mean = values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64;
    (largest(values.iter().copied()) + largest(values.iter().map(|value| -value))) / mean
}

/// Quantile of sorted values at `share` in 0..=1; NaN for no values. It is Hyndman and Fan's eighth ("Sample Quantiles in
/// Statistical Packages", 1996), which is about unbiased for the median whatever the distribution.
pub fn quantile<T: Copy + Into<f64>>(sorted: &[T], share: f64) -> f64 {
    let n = sorted.len();
    if n == 0 {
        return f64::NAN;
    }
    let h = (n as f64 + 1.0 / 3.0) * share + 1.0 / 3.0;
    let below = h.floor();
    let at = |rank: f64| sorted[(rank.max(1.0) as usize).min(n) - 1].into();
    let (low, high) = (at(below), at(below + 1.0));
    if h <= below { low } else { low + (h - below) * (high - low) }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub count: usize,
    pub mean: f32,
    pub p50: f32,
    pub p95: f32,
    pub p99: f32,
    pub max: f32,
}

impl Summary {
    /// `None` for no values.
    pub fn of(values: impl IntoIterator<Item = f32>) -> Option<Self> {
        let mut sorted: Vec<f32> = values.into_iter().collect();
        sorted.sort_by(f32::total_cmp);
        let max = *sorted.last()?;
        let sum: f64 = sorted.iter().map(|&value| f64::from(value)).sum();
        Some(Self {
            count: sorted.len(),
            mean: (sum / sorted.len() as f64) as f32,
            p50: quantile(&sorted, 0.50) as f32,
            p95: quantile(&sorted, 0.95) as f32,
            p99: quantile(&sorted, 0.99) as f32,
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_no_number_are_no_largest() {
        assert_eq!(largest([-1.0_f32, 3.0, 2.0]), 3.0);
        for values in [vec![], vec![f64::NAN], vec![1.0, f64::NAN], vec![f64::NAN, 1.0]] {
            assert!(largest(values.clone()).is_nan(), "{values:?}");
        }
    }
}
