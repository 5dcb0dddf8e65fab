//! What a solver says about its own step, through `Frame::reading`.

use super::Reading;
use crate::lab::Lab;

pub const LIST: &[Reading] = &[
    Reading {
        name: "residual",
        unit: "1",
        doc: "of the equation that the solver solves, as it defines it",
        of: |lab| given(lab, "residual"),
    },
    Reading {
        name: "iterations",
        unit: "1",
        doc: "iterations that the solver used in the last frame",
        of: |lab| given(lab, "iterations"),
    },
];

/// NaN: the solver gave it in an earlier step.
fn given(lab: &Lab, name: &str) -> Option<f64> {
    lab.run.readings.get(name).filter(|value| value.is_finite()).map(|value| f64::from(*value))
}
