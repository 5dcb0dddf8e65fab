//! One moment: everything that the next step starts from, except code and scene.

use sim_api::Hold;

use super::Energy;
use crate::{lab::Drag, run::Run, state::Snapshot};

/// The lab before a step, and the hand's input to that step.
#[derive(Default)]
pub struct Moment {
    /// Frames done.
    pub frame: u64,
    /// Simulated time [s].
    pub time: f64,
    /// All columns of class `state`.
    pub state: Snapshot,
    /// Of the particles, without what the cloth stores [J].
    pub energy: Energy,
    /// Particles held in the step, with their way [m], exactly as the hot code got them.
    pub holds: Vec<Hold>,
    /// Particles that the step before held: their inverse mass is still 0.
    pub(crate) held: Vec<u32>,
    /// Where colliders were dragged, and where the hand wanted them, before the step.
    pub(crate) drags: Vec<Drag>,
}

impl Moment {
    /// Takes over everything but the state and the holds.
    pub(super) fn describe(&mut self, run: &Run, drags: &[Drag], held: &[u32]) {
        (self.frame, self.time) = (run.frame, run.time);
        self.energy = Energy::of(&run.state);
        self.drags.clear();
        self.drags.extend_from_slice(drags);
        self.held.clear();
        self.held.extend_from_slice(held);
    }

    /// Memory [bytes].
    pub fn bytes(&self) -> usize {
        self.state.bytes()
            + self.holds.capacity() * size_of::<Hold>()
            + self.held.capacity() * size_of::<u32>()
            + self.drags.capacity() * size_of::<Drag>()
    }
}
