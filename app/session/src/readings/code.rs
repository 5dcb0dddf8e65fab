//! How far the code that runs takes the cloth from where the code before does, while they are compared.

use super::Reading;
use crate::history::Difference;

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "code_difference",
        unit: "m",
        doc: "largest distance of a particle from where the code before has it; only while two generations are compared",
        of: |input| input.difference.map(|difference| difference.now),
    },
    Reading {
        name: "code_step_ratio",
        unit: "1",
        doc: "mean time of a step by that of the code before; only while two generations are compared",
        of: |input| {
            let [before, after] = input.difference.map(Difference::ms)?;
            (before > 0.0).then(|| after / before)
        },
    },
];
