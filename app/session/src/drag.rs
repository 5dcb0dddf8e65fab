//! Where the hand has a collider.

use glam::Vec3;

/// A collider's offset from where the scene has it [m]: where it is, and where the hand wants it.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Drag {
    pub(crate) at: Vec3,
    pub(crate) target: Vec3,
}

impl Drag {
    /// Whether the collider is where the other has it.
    pub(crate) fn same_place(&self, other: &Self) -> bool {
        self.at == other.at
    }
}
