//! All passes over the state that readings need, once a frame.

use super::{Elastic, Motion, Rows, RowsMeter};
use weft_core::state::State;

/// What the passes found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    pub motion: Motion,
    pub rows: Rows,
    pub elastic: Elastic,
}

impl Measured {
    /// Kinetic, potential and elastic energy [J].
    pub fn total_energy(&self) -> f64 {
        self.motion.kinetic + self.motion.potential + self.elastic.total()
    }
}

/// Keeps its buffers from frame to frame.
#[derive(Default)]
pub struct Meter {
    rows: RowsMeter,
}

impl Meter {
    /// `gravity` [m/s2].
    pub fn read(&mut self, state: &State, gravity: [f32; 3]) -> Measured {
        let rows = self.rows.read(state);
        let elastic = Elastic::of(state, &rows);
        Measured { motion: Motion::of(state, gravity), elastic, rows }
    }
}
