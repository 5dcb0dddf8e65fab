//! How far the distance rows are from their rest length.

use super::{
    Input, Reading,
    stretch::{Stretch, StretchMeter, percentile_95},
};
use weft_core::state::State;
use weft_core::state::col;

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "stretch_mean",
        unit: "1",
        doc: "|x|/rest - 1, mean over structural constraints, and the principal stretches of membranes; 0.01 is one per cent",
        of: |input| stretch(input, |stretch| stretch.mean),
    },
    Reading {
        name: "stretch_p95",
        unit: "1",
        doc: "95th percentile of its absolute value",
        of: |input| stretch(input, |stretch| stretch.p95),
    },
    Reading {
        name: "stretch_max",
        unit: "1",
        doc: "its largest value with its sign: how far the longest is drawn out, below 0 where all are pressed together",
        of: |input| stretch(input, |stretch| stretch.max),
    },
    Reading {
        name: "length_error",
        unit: "1",
        doc: "95th percentile of the stretch of a constraint that its force does not explain: 0 where a solver has converged",
        of: |input| length_error(input.state, &mut Vec::new()).map(f64::from),
    },
    Reading {
        name: "max_violation",
        unit: "m",
        doc: "largest |C| of all constraints of compliance 0, which hold no elastic energy",
        of: |input| input.measured.elastic.violation,
    },
    Reading {
        name: "broken_threads",
        unit: "1",
        doc: "threads and segments of strands that broke or were cut, and threads that lost the last triangle beside them",
        of: |input| {
            let can_tear = input.state.torn.is_some();
            can_tear.then(|| input.state.broken_threads() as f64)
        },
    },
];

fn stretch(input: &Input, of: fn(&Stretch) -> f32) -> Option<f64> {
    let stretch = &input.measured.rows.stretch;
    (stretch.count > 0).then(|| f64::from(of(stretch)))
}

/// |x| - rest of a row [m]; `None` where it names a particle that is not there.
fn longer(position: &[[f32; 4]], ends: [u32; 2], rest: f32) -> Option<f64> {
    let [a, b] = ends.map(|end| position.get(end as usize));
    let (a, b) = a.zip(b)?;
    let d: [f64; 3] = std::array::from_fn(|i| f64::from(b[i]) - f64::from(a[i]));
    Some((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() - f64::from(rest))
}

/// 95th percentile of ||x|/rest - 1 - force compliance/rest| over the structural distance rows; `None` without any. Uses `errors`
/// for memory.
pub fn length_error(state: &State, errors: &mut Vec<f32>) -> Option<f32> {
    let position = state.get(col::particle::position);
    let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
    let rows = rows.zip(state.get(col::distance::compliance)).zip(state.get(col::distance::kind));
    let forces = state.get(col::distance::force);
    errors.clear();
    for ((((&[a, b], &rest), &compliance), _), &force) in
        rows.zip(forces).filter(|((_, kind), _)| **kind == 0)
    {
        let Some(stretch) = longer(position, [a, b], rest) else { continue };
        errors.push(((stretch - f64::from(force * compliance)) / f64::from(rest)).abs() as f32);
    }
    percentile_95(errors)
}

/// Of the distance rows; stretch also of membranes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rows {
    pub stretch: Stretch,
    /// (|x| - rest)² / (2 compliance), of all rows that are not rigid [J].
    pub elastic: f64,
    /// Largest ||x| - rest| of the rigid ones [m]; `None` without any.
    pub violation: Option<f64>,
}

/// Keeps its buffer from frame to frame.
#[derive(Default)]
pub struct RowsMeter {
    stretch: StretchMeter,
}

impl RowsMeter {
    pub fn read(&mut self, state: &State) -> Rows {
        let position = state.get(col::particle::position);
        let idx = state.get(col::distance::idx);
        let rest = state.get(col::distance::rest);
        let compliance = state.get(col::distance::compliance);
        let kind = state.get(col::distance::kind);
        self.stretch.clear();
        let (mut elastic, mut violation, mut rigid) = (0.0_f64, 0.0_f64, false);
        for (row, (ends, rest)) in idx.iter().zip(rest).enumerate() {
            let Some(error) = longer(position, *ends, *rest) else { continue };
            match compliance.get(row) {
                Some(&alpha) if alpha > 0.0 => elastic += 0.5 * error * error / f64::from(alpha),
                Some(_) => (rigid, violation) = (true, violation.max(error.abs())),
                None => {}
            }
            if kind.get(row) == Some(&0) {
                self.stretch.add((error / f64::from(*rest)) as f32);
            }
        }
        self.stretch.add_membranes(state);
        Rows { stretch: self.stretch.read(), elastic, violation: rigid.then_some(violation) }
    }
}
