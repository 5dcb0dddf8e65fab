//! A run as plain data: what another process needs to go on with it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Params, Run};
use weft_core::state;

use crate::generation::Generation;

/// Everything a run is in the middle of, except for its code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunImage {
    pub solver: String,
    pub params: Params,
    pub frame: u64,
    /// [s]
    pub time: f64,
    /// As [`state::image`] writes it.
    #[serde(with = "serde_bytes")]
    pub state: Vec<u8>,
}

impl Run {
    /// A copy of this run as it is between two steps.
    pub fn image(&self) -> RunImage {
        self.image_into(Vec::new())
    }

    /// As [`Run::image`], with memory of an earlier one for the state.
    pub fn image_into(&self, memory: Vec<u8>) -> RunImage {
        RunImage {
            solver: self.solver.clone(),
            params: self.params.clone(),
            frame: self.frame,
            time: self.time,
            state: state::image::write_into(&self.state, &self.blueprint, memory),
        }
    }

    /// Goes on where the image was taken, with this code; columns are kept by key.
    pub fn from_image(generation: Arc<Generation>, image: &RunImage) -> Result<Self, String> {
        let (state, blueprint) = state::image::read(&image.state)?;
        let mut run = Self::of(Arc::clone(&generation), state, blueprint, &image.solver);
        run.swap(generation)?;
        (run.frame, run.time, run.params) = (image.frame, image.time, image.params.clone());
        Ok(run)
    }
}
