//! What moves: energies of the state.

use super::Reading;

pub const LIST: &[Reading] = &[
    Reading {
        name: "kinetic_energy",
        unit: "J",
        doc: "m v²/2, summed over all particles",
        of: |lab| Some(lab.energy.kinetic),
    },
    Reading {
        name: "elastic_energy",
        unit: "J",
        doc: "energy of all rows with compliance, summed",
        of: |lab| Some(lab.energy.elastic),
    },
    Reading {
        name: "potential_energy",
        unit: "J",
        doc: "-m g·x, summed over all particles",
        of: |lab| Some(lab.energy.potential),
    },
];
