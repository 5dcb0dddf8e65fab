//! How far the sheet is from its rest shape: |x|/rest - 1 of structural rows, and the principal stretches less 1 of
//! triangles that are a membrane of their own.

use glam::Vec3;
use sim_api::model::MembraneModel;
use weft_core::state::col;

use weft_core::state::State;

/// Dimensionless, 0.01 is one per cent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Values it is made of; without any all else is 0.
    pub count: usize,
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
const MEMBRANES: [u32; 2] = [MembraneModel::StVenantKirchhoff as u32, MembraneModel::NeoHookean as u32];

/// By nearest rank; `None` of no values. Reorders them.
pub(super) fn percentile_95(values: &mut [f32]) -> Option<f32> {
    let rank = ((0.95 * values.len() as f64).ceil() as usize).checked_sub(1)?;
    Some(*values.select_nth_unstable_by(rank, f32::total_cmp).1)
}

/// Collects values; keeps its buffer from frame to frame.
#[derive(Default)]
pub(super) struct StretchMeter {
    values: Vec<f32>,
}

impl StretchMeter {
    pub(super) fn clear(&mut self) {
        self.values.clear();
    }

    pub(super) fn add(&mut self, stretch: f32) {
        self.values.push(stretch);
    }

    pub(super) fn add_membranes(&mut self, state: &State) {
        let position = state.get(col::particle::position);
        let at = |particle: u32| {
            let x = position.get(particle as usize)?;
            Some(Vec3::new(x[0], x[1], x[2]))
        };
        let triangles = state.get(col::triangle::idx).iter();
        let triangles = triangles.zip(state.get(col::triangle::inverse_rest));
        let triangles = triangles.zip(state.get(col::triangle::model));
        for (([a, b, c], inverse), _) in triangles.filter(|(_, model)| MEMBRANES.contains(model)) {
            if let (Some(a), Some(b), Some(c)) = (at(*a), at(*b), at(*c)) {
                self.values.extend(principal(b - a, c - a, *inverse));
            }
        }
    }

    /// What was collected; the values are used up.
    pub(super) fn read(&mut self) -> Stretch {
        let count = self.values.len();
        if count == 0 {
            return Stretch::default();
        }
        let (mut sum, mut sum_abs, mut max) = (0.0_f64, 0.0_f64, f32::NEG_INFINITY);
        for stretch in &mut self.values {
            sum += f64::from(*stretch);
            sum_abs += f64::from(stretch.abs());
            max = max.max(*stretch);
            *stretch = stretch.abs();
        }
        let p95 = percentile_95(&mut self.values).unwrap_or_default();
        let mean = |sum: f64| (sum / count as f64) as f32;
        Stretch { count, mean: mean(sum), mean_abs: mean(sum_abs), p95, max }
    }
}

/// Square roots of the eigenvalues of FᵀF, less 1; F = (p q) `inverse`, by columns.
fn principal(p: Vec3, q: Vec3, inverse: [f32; 4]) -> [f32; 2] {
    let (x, y) = (p * inverse[0] + q * inverse[1], p * inverse[2] + q * inverse[3]);
    let (xx, xy, yy) = (x.length_squared(), x.dot(y), y.length_squared());
    let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
    let radius = (half * half + xy * xy).sqrt();
    [(mean + radius).sqrt() - 1.0, (mean - radius).max(0.0).sqrt() - 1.0]
}
