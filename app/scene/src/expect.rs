//! What a scene says will happen: a reading, what it must be, and when. `weft run --check` compares.

use serde::{Deserialize, Serialize};

/// One expectation: either `value` with `tolerance` or `absolute`, or a band of `at_least` and `at_most`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Name of a reading.
    pub reading: String,
    /// In the reading's unit.
    #[serde(default)]
    pub value: Option<f32>,
    /// How far from `value`, as a share of it: 0.01 is one per cent.
    #[serde(default)]
    pub tolerance: Option<f32>,
    /// How far from `value`, in the reading's unit; with `tolerance`, the larger of the two counts.
    #[serde(default)]
    pub absolute: Option<f32>,
    /// In the reading's unit.
    #[serde(default)]
    pub at_least: Option<f32>,
    /// In the reading's unit.
    #[serde(default)]
    pub at_most: Option<f32>,
    /// Simulated time at which it is read [s], in the frame nearest to it; 0: before the first step.
    pub after_s: f32,
    /// The median of so many seconds up to then, for a reading that trembles; 0: what it is then.
    #[serde(default)]
    pub median_s: f32,
    /// Solvers it is meant for; empty for all.
    #[serde(default)]
    pub solvers: Vec<String>,
    /// Solvers it is not meant for.
    #[serde(default)]
    pub except: Vec<String>,
    /// Solvers that are known to miss it, each with the reason. One that does not miss it is a failure.
    #[serde(default)]
    pub fails_for: Vec<(String, String)>,
}

impl Expect {
    /// Whether it says anything about a solver.
    pub fn is_for(&self, solver: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|name| name == solver);
        (self.solvers.is_empty() || named(&self.solvers)) && !named(&self.except)
    }

    /// Why a solver is known to miss it.
    pub fn known_failure(&self, solver: &str) -> Option<&str> {
        self.fails_for.iter().find(|(name, _)| name == solver).map(|(_, why)| why.as_str())
    }
}
