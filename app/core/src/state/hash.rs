//! The state hash: one number for "the same motion, bit for bit".

use crate::state::col;
use std::fmt;

use xxhash_rust::xxh3::Xxh3;

use super::State;

/// xxh3-64 of mass, position and velocity of all particles in scene order, the frames of strands and the poses of dynamic colliders.
/// Another column or another colouring of the constraints does not change it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateHash(pub u64);

impl StateHash {
    pub fn of(state: &State) -> Self {
        let mut hasher = Xxh3::new();
        hasher.update(bytemuck::cast_slice(state.get(col::particle::mass)));
        hasher.update(bytemuck::cast_slice(state.get(col::particle::position)));
        hasher.update(bytemuck::cast_slice(state.get(col::particle::velocity)));
        hasher.update(bytemuck::cast_slice(state.get(col::segment::rotation)));
        let inverse_mass = state.get(col::collider::inverse_mass);
        for column in [col::collider::position, col::collider::rotation, col::collider::velocity] {
            for (pose, _) in state.get(column).iter().zip(inverse_mass).filter(|(_, mass)| **mass > 0.0) {
                hasher.update(bytemuck::bytes_of(pose));
            }
        }
        Self(hasher.digest())
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
