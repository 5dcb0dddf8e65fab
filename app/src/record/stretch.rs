//! How far structural rows are from their rest length: |x|/rest - 1.

use crate::state::State;

/// Stretch of the structural rows: dimensionless, 0.01 is one per cent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Signed mean.
    pub mean: f32,
    /// Mean of the absolute value.
    pub mean_abs: f32,
    /// 95th percentile of the absolute value.
    pub p95: f32,
    /// Largest (signed) value.
    pub max: f32,
}

/// Keeps its buffer from frame to frame.
#[derive(Default)]
pub struct StretchMeter {
    values: Vec<f32>,
}

impl StretchMeter {
    pub fn read(&mut self, state: &State) -> Stretch {
        let position = state.column::<[f32; 4]>("particle", "position");
        let rows = state.column::<[u32; 2]>("distance", "idx").iter();
        let rows = rows.zip(state.column::<f32>("distance", "rest"));
        let rows = rows.zip(state.column::<u32>("distance", "kind"));
        self.values.clear();
        let (mut sum, mut sum_abs, mut max) = (0.0_f64, 0.0_f64, f32::NEG_INFINITY);
        for (([a, b], rest), _) in rows.filter(|(_, kind)| **kind == 0) {
            let (Some(a), Some(b)) = (position.get(*a as usize), position.get(*b as usize)) else {
                continue;
            };
            let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
            let stretch = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() / rest - 1.0;
            sum += f64::from(stretch);
            sum_abs += f64::from(stretch.abs());
            max = max.max(stretch);
            self.values.push(stretch.abs());
        }
        if self.values.is_empty() {
            return Stretch::default();
        }
        let count = self.values.len();
        let rank = ((0.95 * count as f64).ceil() as usize).clamp(1, count) - 1;
        let p95 = *self.values.select_nth_unstable_by(rank, f32::total_cmp).1;
        Stretch { mean: (sum / count as f64) as f32, mean_abs: (sum_abs / count as f64) as f32, p95, max }
    }
}
