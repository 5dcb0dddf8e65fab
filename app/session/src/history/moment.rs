//! One moment: everything that the next step starts from, except code and scene.

use sim_api::Hold;

use weft_core::{energy::Energy, state::Snapshot};
use weft_engine::run::Run;
use weft_gpu::{GpuRun, Kept};

use crate::drag::Drag;

/// The session before a step, and the hand's input to that step.
#[derive(Default)]
pub struct Moment {
    /// Frames done.
    pub frame: u64,
    /// Simulated time [s].
    pub time: f64,
    /// All columns of class `state`, but those in `device`.
    pub state: Snapshot,
    /// Those that the GPU path moves, until somebody goes there.
    pub(crate) device: Kept,
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
    pub(crate) fn describe(&mut self, run: &Run, energy: Energy, drags: &[Drag], held: &[u32]) {
        (self.frame, self.time) = (run.frame, run.time);
        self.energy = energy;
        self.drags.clear();
        self.drags.extend_from_slice(drags);
        self.held.clear();
        self.held.extend_from_slice(held);
    }

    /// Brings everything to the host.
    pub(super) fn fetch(&mut self) -> Result<(), String> {
        self.device.read(&mut self.state)?;
        self.device = Kept::default();
        Ok(())
    }

    /// Takes over the state from before the last step of `run`, where that is, for the memory of another.
    pub(super) fn take_before(&mut self, run: &mut Run, gpu: Option<&mut GpuRun>) {
        if let Some(gpu) = gpu {
            gpu.swap_before(&mut self.device);
        } else {
            run.swap_before(&mut self.state);
            self.device = Kept::default();
        }
    }

    /// Memory here and on the device [bytes].
    pub fn bytes(&self) -> usize {
        self.state.bytes()
            + self.device.bytes()
            + self.holds.capacity() * size_of::<Hold>()
            + self.held.capacity() * size_of::<u32>()
            + self.drags.capacity() * size_of::<Drag>()
    }
}
