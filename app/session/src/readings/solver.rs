//! What the host says of a solver on this scene; the rest a solver declares itself.

use weft_engine::left_out;

use super::Reading;

pub(super) const LIST: &[Reading] = &[Reading {
    name: "constraints_left_out",
    unit: "1",
    doc: "constraints and models that the solver has no form of (`weft solvers`): they do nothing while it runs",
    of: |input| Some(left_out::rows(input.state, input.code.description(input.solver)?) as f64),
}];
