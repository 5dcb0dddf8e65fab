//! What a new library is tried on: the run as it is between two steps, and what acts on it.

use super::Grab;
use weft_core::state::State;
use weft_core::state::col;
use weft_engine::run::{Run, StepError};
use weft_scene::{Scene, assemble};

use crate::live::probe::{LARGEST, Trial, TrialRun};

/// Copies a run; `failed` is why it stands still.
pub(super) fn of(run: &Run, scene: &Scene, grab: Option<&Grab>, failed: Option<&StepError>) -> Trial {
    let stages = run.stages.iter().map(|(_, time)| time.as_secs_f32());
    let stopped = matches!(
        failed,
        Some(
            StepError::NotFinite { .. }
                | StepError::Spoilt { .. }
                | StepError::NoRotation { .. }
                | StepError::InverseMass { .. }
                | StepError::NotFactored { .. }
        )
    );
    let run = TrialRun {
        solver: run.solver.clone(),
        params: run.params.clone(),
        image: (size(&run.state) <= LARGEST).then(|| run.image()),
        dt: scene.step,
        world: assemble::world(scene),
        holds: grab.map_or_else(Vec::new, |grab| grab.still(run.state.get(col::particle::position))),
        step_secs: stages.sum(),
        stopped,
    };
    Trial { runs: vec![run] }
}

/// About what an image holds [bytes]: the scene's values are in it a second time.
fn size(state: &State) -> usize {
    let columns = state.tables.iter().flat_map(|table| table.columns.iter().chain(&table.parked));
    let kept = columns.filter(|column| column.class != sim_api::Class::Scratch);
    2 * kept.map(|column| column.bytes().len()).sum::<usize>()
}

/// Bytes of all columns of class `state`.
pub(super) fn lasting(state: &State) -> usize {
    let columns = state.tables.iter().flat_map(|table| &table.columns);
    columns.filter(|column| column.class == sim_api::Class::State).map(|column| column.bytes().len()).sum()
}
