//! How far the distance rows are from their rest length.

use super::Reading;
use crate::{lab::Lab, state::State};

pub const LIST: &[Reading] = &[
    Reading {
        name: "stretch_mean",
        unit: "1",
        doc: "|x|/rest - 1, mean over the structural rows; 0.01 is one per cent",
        of: |lab| stretch(lab, |rows| rows.mean),
    },
    Reading {
        name: "stretch_p95",
        unit: "1",
        doc: "95th percentile of its absolute value",
        of: |lab| stretch(lab, |rows| rows.p95),
    },
    Reading {
        name: "stretch_max",
        unit: "1",
        doc: "its largest value",
        of: |lab| stretch(lab, |rows| rows.max),
    },
    Reading {
        name: "max_violation",
        unit: "m",
        doc: "largest |C| of all rows of compliance 0, which hold no elastic energy",
        of: |lab| lab.measured.elastic.violation,
    },
];

fn stretch(lab: &Lab, of: fn(&Rows) -> f32) -> Option<f64> {
    let rows = &lab.measured.rows;
    (rows.structural > 0).then(|| f64::from(of(rows)))
}

/// Of the distance rows. Stretch is that of the structural ones: dimensionless, 0.01 is one per cent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rows {
    /// Number of structural rows; without them all stretch is 0.
    pub structural: usize,
    /// Signed mean.
    pub mean: f32,
    /// Mean of the absolute value.
    pub mean_abs: f32,
    /// 95th percentile of the absolute value.
    pub p95: f32,
    /// Largest (signed) value.
    pub max: f32,
    /// (|x| - rest)² / (2 compliance), of all rows that are not rigid [J].
    pub elastic: f64,
    /// Largest ||x| - rest| of the rigid ones [m]; `None` without any.
    pub violation: Option<f64>,
}

/// Keeps its buffer from frame to frame.
#[derive(Default)]
pub struct RowsMeter {
    values: Vec<f32>,
}

impl RowsMeter {
    pub fn read(&mut self, state: &State) -> Rows {
        let position = state.column::<[f32; 4]>("particle", "position");
        let idx = state.column::<[u32; 2]>("distance", "idx");
        let rest = state.column::<f32>("distance", "rest");
        let compliance = state.column::<f32>("distance", "compliance");
        let kind = state.column::<u32>("distance", "kind");
        self.values.clear();
        let (mut sum, mut sum_abs, mut max) = (0.0_f64, 0.0_f64, f64::NEG_INFINITY);
        let (mut elastic, mut violation, mut rigid) = (0.0_f64, 0.0_f64, false);
        for (row, ([a, b], rest)) in idx.iter().zip(rest).enumerate() {
            let (Some(a), Some(b)) = (position.get(*a as usize), position.get(*b as usize)) else {
                continue;
            };
            let d: [f64; 3] = std::array::from_fn(|i| f64::from(b[i]) - f64::from(a[i]));
            let rest = f64::from(*rest);
            let error = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() - rest;
            match compliance.get(row) {
                Some(&alpha) if alpha > 0.0 => elastic += 0.5 * error * error / f64::from(alpha),
                Some(_) => (rigid, violation) = (true, violation.max(error.abs())),
                None => {}
            }
            if kind.get(row) == Some(&0) {
                let stretch = error / rest;
                sum += stretch;
                sum_abs += stretch.abs();
                max = max.max(stretch);
                self.values.push(stretch.abs() as f32);
            }
        }
        let violation = rigid.then_some(violation);
        let structural = self.values.len();
        if structural == 0 {
            return Rows { elastic, violation, ..Rows::default() };
        }
        let count = structural as f64;
        let rank = ((0.95 * count).ceil() as usize).clamp(1, structural) - 1;
        let p95 = *self.values.select_nth_unstable_by(rank, f32::total_cmp).1;
        let (mean, mean_abs, max) = ((sum / count) as f32, (sum_abs / count) as f32, max as f32);
        Rows { structural, mean, mean_abs, p95, max, elastic, violation }
    }
}
