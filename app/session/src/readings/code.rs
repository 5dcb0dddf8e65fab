//! How far the code that runs takes the cloth from where the code before does, while they are compared.

use std::time::Duration;

use super::Reading;

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

/// What two runs differ by since they began at the same state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Steps since.
    pub steps: u64,
    /// Largest distance of a particle from itself now [m], and the largest since the start.
    pub now: f64,
    pub largest: f64,
    /// Particle that is farthest from itself.
    pub particle: usize,
    /// Kinetic energy and that of height [J], before and after.
    pub energy: [f64; 2],
    /// Of all steps together [ms], before and after.
    ms: [f64; 2],
}

impl Difference {
    /// A step of the code before (0) or of the one after (1) took so long.
    pub(crate) fn add_ms(&mut self, side: usize, took: Duration) {
        self.ms[side] += took.as_secs_f64() * 1e3;
    }

    /// Mean time of a step [ms], before and after.
    pub fn ms(&self) -> [f64; 2] {
        self.ms.map(|ms| ms / self.steps.max(1) as f64)
    }
}
