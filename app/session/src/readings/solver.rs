//! What a solver says about its own step, through `Frame::reading`.

use super::{Input, Reading};

pub const LIST: &[Reading] = &[
    Reading {
        name: "residual",
        unit: "1",
        doc: "what is left of the equation that the solver itself solves, as a share of what it was at the predicted \
              positions: XPBD and PBD sum (C + compliance lambda / h²)² over distance rows (PBD without lambda), implicit \
              solvers the force out of balance; shares of different equations do not compare",
        of: |input| given(input, "residual"),
    },
    Reading {
        name: "iterations",
        unit: "1",
        doc: "iterations that the solver used in the last frame",
        of: |input| given(input, "iterations"),
    },
    Reading {
        name: "cg_iterations",
        unit: "1",
        doc: "conjugate gradient iterations of all Newton steps of the last frame",
        of: |input| given(input, "cg_iterations"),
    },
    Reading {
        name: "rows_held_back",
        unit: "1",
        doc: "distance rows that are stiffer than the solver bears, and run with the stiffness that it does",
        of: |input| given(input, "rows_held_back"),
    },
    Reading {
        name: "rows_left_out",
        unit: "1",
        doc: "rows that the solver has no form of: they do nothing while it runs",
        of: |input| given(input, "rows_left_out"),
    },
    Reading {
        name: "rho",
        unit: "1",
        doc: "spectral radius that the Chebyshev acceleration assumed in the last substep",
        of: |input| given(input, "rho"),
    },
    Reading {
        name: "diverged_at_iteration",
        unit: "1",
        doc: "iteration at which the acceleration was given up in the last frame (the first time); 0: it was not",
        of: |input| given(input, "diverged_at_iteration"),
    },
    Reading {
        name: "self_pairs",
        unit: "1",
        doc: "pairs of vertex and triangle or edge and edge that the last broad phase of self collision listed",
        of: |input| given(input, "self_pairs"),
    },
    Reading {
        name: "self_contacts",
        unit: "1",
        doc: "pairs that touched in the last substep",
        of: |input| given(input, "self_contacts"),
    },
    Reading {
        name: "self_broad_phases",
        unit: "1",
        doc: "times that the list of pairs was made in the last frame",
        of: |input| given(input, "self_broad_phases"),
    },
    Reading {
        name: "self_zone_rounds",
        unit: "1",
        doc: "rounds in the last frame in which pairs that projections did not keep apart went their way together",
        of: |input| given(input, "self_zone_rounds"),
    },
    Reading {
        name: "self_passed_through",
        unit: "1",
        doc: "pairs that passed through each other in the last frame in spite of all; must be 0",
        of: |input| given(input, "self_passed_through"),
    },
    Reading {
        name: "self_overflow",
        unit: "1",
        doc: "pairs that the list had no room for in the last frame (`self_collision.pairs`); must be 0",
        of: |input| given(input, "self_overflow"),
    },
    Reading {
        name: "self_too_fast",
        unit: "1",
        doc: "particles that went further in a substep than cloth is looked for, four edges at most; must be 0",
        of: |input| given(input, "self_too_fast"),
    },
    Reading {
        name: "self_crossings",
        unit: "1",
        doc: "edges of cloth that pierced a triangle at the start of the last frame; must be 0",
        of: |input| given(input, "self_crossings"),
    },
];

/// NaN: the solver gave it in an earlier step.
fn given(input: &Input, name: &str) -> Option<f64> {
    input.given.get(name).filter(|value| value.is_finite()).map(|value| f64::from(*value))
}
