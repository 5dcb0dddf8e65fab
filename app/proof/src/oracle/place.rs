//! Where everything is: places of particles and, where there are rods, material frames of their segments.

use glam::{DQuat, DVec3};
use weft_core::state::{State, col};

/// All unknowns of a step, what is held among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// Positions [m], world space, one row per particle.
    pub x: Vec<DVec3>,
    /// Unit quaternions, e3 along the segment, one row per segment.
    pub frames: Vec<DQuat>,
}

impl Place {
    /// Of a state.
    pub fn of(state: &State) -> Self {
        let frames = state.get(col::segment::rotation).iter();
        let frames = frames.map(|row| DQuat::from_array(row.map(f64::from)).normalize());
        Self { x: positions(state), frames: frames.collect() }
    }

    /// Rounded to single precision, as a state holds it.
    #[must_use]
    pub fn rounded(&self) -> Self {
        Self {
            x: self.x.iter().map(|x| x.as_vec3().as_dvec3()).collect(),
            frames: self.frames.iter().map(|frame| frame.as_quat().as_dquat().normalize()).collect(),
        }
    }

    /// Moves a particle.
    pub fn shift(&mut self, particle: usize, by: DVec3) {
        self.x[particle] += by;
    }

    /// Turns a frame by a rotation vector in world space [rad].
    pub fn turn(&mut self, frame: usize, by: DVec3) {
        let turned = DQuat::from_scaled_axis(by) * self.frames[frame];
        self.frames[frame] = turned.normalize();
    }
}

/// Positions of a state [m], one row per particle.
pub fn positions(state: &State) -> Vec<DVec3> {
    let rows = state.get(col::particle::position).iter();
    rows.map(|row| DVec3::new(row[0].into(), row[1].into(), row[2].into())).collect()
}
