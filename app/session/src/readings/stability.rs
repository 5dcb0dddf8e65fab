//! Stability of explicit integration, as last worked out: about once a second in the window, at the end of a run without.

use super::Reading;

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "omega_max",
        unit: "rad/s",
        doc: "largest angular frequency of the elastic system at the present state, an upper bound; none with rigid \
              constraints, unless an explicit solver caps them",
        of: |input| input.stability.filter(|v| v.bounded()).map(|v| v.omega_max),
    },
    Reading {
        name: "dt_over_dt_max",
        unit: "",
        doc: "substep by the longest stable one of the explicit scheme that runs; above 1 it blows up",
        of: |input| input.stability.filter(|v| v.bounded()).and_then(|v| v.dt_over_dt_max),
    },
];
