//! Energy of motion and height, and the frame in which it began to leave.

use glam::DVec3;

use crate::state::State;

/// What a moment remembers of its energy: cheap enough for every frame, and free of gravity, which may be edited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Sum of m v²/2 [J].
    pub kinetic: f64,
    /// Sum of m x [kg m].
    pub moment: DVec3,
    /// Sum of m [kg].
    pub mass: f64,
}

impl Energy {
    /// One pass over the particles.
    pub fn of(state: &State) -> Self {
        let position = state.column::<[f32; 4]>("particle", "position");
        let velocity = state.column::<[f32; 4]>("particle", "velocity");
        let mass = state.column::<f32>("particle", "mass");
        let vector = |[x, y, z, _]: [f32; 4]| DVec3::new(x.into(), y.into(), z.into());
        let mut sum = Self::default();
        for ((x, v), m) in position.iter().zip(velocity).zip(mass) {
            let m = f64::from(*m);
            sum.kinetic += 0.5 * m * vector(*v).length_squared();
            sum.moment += vector(*x) * m;
            sum.mass += m;
        }
        sum
    }

    /// Kinetic energy and that of height [J]; `gravity` [m/s2].
    pub fn total(&self, gravity: [f32; 3]) -> f64 {
        self.kinetic - DVec3::from(gravity.map(f64::from)).dot(self.moment)
    }
}
