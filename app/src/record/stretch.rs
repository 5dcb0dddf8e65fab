//! How far the sheet is from its rest shape: |x|/rest - 1 of structural rows, and the principal stretches less 1 of
//! triangles that are a membrane of their own.

use crate::state::State;

/// Stretch along the sheet: dimensionless, 0.01 is one per cent.
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

/// Models of the triangle table without distance rows between neighbours: StVK and neo-Hookean.
const MEMBRANES: std::ops::RangeInclusive<u32> = 1..=2;

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
        let at = |particle: u32| {
            let x = position.get(particle as usize)?;
            Some(glam::Vec3::new(x[0], x[1], x[2]))
        };
        for (([a, b], rest), _) in rows.filter(|(_, kind)| **kind == 0) {
            if let (Some(a), Some(b)) = (at(*a), at(*b)) {
                self.values.push((b - a).length() / rest - 1.0);
            }
        }
        let triangles = state.column::<[u32; 3]>("triangle", "idx").iter();
        let triangles = triangles.zip(state.column::<[f32; 4]>("triangle", "inverse_rest"));
        let triangles = triangles.zip(state.column::<u32>("triangle", "model"));
        for (([a, b, c], inverse), _) in triangles.filter(|(_, model)| MEMBRANES.contains(model)) {
            if let (Some(a), Some(b), Some(c)) = (at(*a), at(*b), at(*c)) {
                self.values.extend(principal(b - a, c - a, *inverse));
            }
        }
        if self.values.is_empty() {
            return Stretch::default();
        }
        let (mut sum, mut sum_abs, mut max) = (0.0_f64, 0.0_f64, f32::NEG_INFINITY);
        for stretch in &mut self.values {
            sum += f64::from(*stretch);
            sum_abs += f64::from(stretch.abs());
            max = max.max(*stretch);
            *stretch = stretch.abs();
        }
        let count = self.values.len();
        let rank = ((0.95 * count as f64).ceil() as usize).clamp(1, count) - 1;
        let p95 = *self.values.select_nth_unstable_by(rank, f32::total_cmp).1;
        Stretch { mean: (sum / count as f64) as f32, mean_abs: (sum_abs / count as f64) as f32, p95, max }
    }
}

/// Square roots of the eigenvalues of FᵀF, less 1; F = (p q) `inverse`, by columns.
fn principal(p: glam::Vec3, q: glam::Vec3, inverse: [f32; 4]) -> [f32; 2] {
    let (x, y) = (p * inverse[0] + q * inverse[1], p * inverse[2] + q * inverse[3]);
    let (xx, xy, yy) = (x.length_squared(), x.dot(y), y.length_squared());
    let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
    let radius = (half * half + xy * xy).sqrt();
    [(mean + radius).sqrt() - 1.0, (mean - radius).max(0.0).sqrt() - 1.0]
}
