//! What of the hand an autosave does not have: it lets go when a program ends.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HandImage {
    pub grab: Option<GrabImage>,
    /// Particles that the last step held.
    pub held: Vec<u32>,
}

/// A patch that is held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrabImage {
    /// Where the hand is and where it goes [m].
    pub at: [f32; 3],
    pub target: [f32; 3],
    /// Particles, and their places seen from the hand [m].
    pub particles: Vec<(u32, [f32; 3])>,
}
