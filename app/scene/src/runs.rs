//! Runs beside the scene's own: other solvers, or the same with other values, on one state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fields::{Choice, choice};
use super::{SolverChoice, Value};

/// How many fit beside the scene's own solver: a window has room for four pictures.
pub const MOST_BESIDE: usize = 3;

/// One of them. What it does not say is as in `solver`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RunChoice {
    /// Of its solver.
    pub name: String,
    /// Over those that the scene gives this solver.
    #[serde(default)]
    pub params: BTreeMap<String, Value>,
    #[serde(default)]
    pub path: RunPath,
}

/// Where a run is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum RunPath {
    /// The hot code, on the processor.
    #[default]
    Cpu,
    /// The passes of `shaders/sim`, on a device.
    Gpu,
}

choice!(RunPath: Cpu, Gpu);

impl RunChoice {
    /// Its solver with the values of a scene, and its own over them.
    pub fn solver(&self, scene: &SolverChoice) -> SolverChoice {
        let mut choice = scene.clone();
        choice.choose(&self.name);
        choice.params.extend(self.params.clone());
        choice
    }
}
