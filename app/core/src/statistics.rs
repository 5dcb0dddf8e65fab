//! Percentiles of frame times.

/// Nearest-rank percentile of sorted values, `share` in 0..=1; NaN for no values.
pub fn percentile(sorted: &[f32], share: f64) -> f32 {
    if sorted.is_empty() {
        return f32::NAN;
    }
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
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
            p50: percentile(&sorted, 0.50),
            p95: percentile(&sorted, 0.95),
            p99: percentile(&sorted, 0.99),
            max,
        })
    }
}
