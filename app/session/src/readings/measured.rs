//! All passes over the state that readings need, once a frame.

use std::cell::OnceCell;

use super::{Elastic, Motion, Rows, RowsMeter, shape::Strip, strand_shape::Wire};
use weft_engine::run::Run;

/// What the passes found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    pub motion: Motion,
    pub rows: Rows,
    pub elastic: Elastic,
    /// xxh3-64 of the distance rows, of which several readings ask whether they are still the same; for the first that does.
    pub(super) rows_hash: OnceCell<u64>,
    /// How the first cloth hangs from a clamp, likewise.
    pub(super) strip: OnceCell<Option<Strip>>,
    /// The strands as wholes, likewise.
    pub(super) wires: OnceCell<Vec<Wire>>,
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
    pub fn read(&mut self, run: &Run, gravity: [f32; 3]) -> Measured {
        let (state, rows) = (&run.state, self.rows.read(&run.state));
        let rods = run.description().is_some_and(|solver| solver.taken("segment").is_some());
        let elastic = Elastic::of(state, &rows, rods);
        Measured { motion: Motion::of(state, gravity), elastic, rows, ..Measured::default() }
    }
}
