//! Energy of a state, from the columns that all solvers share.

use crate::state::State;

/// [J]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// 1/2 m v², of all particles.
    pub kinetic: f64,
    /// -m g . x, of all particles; 0 at the origin.
    pub potential: f64,
    /// 1/2 (|x| - rest)² / compliance, of all rows that are not rigid. What a solver leaves unsolved counts as strain.
    pub elastic: f64,
}

impl Energy {
    /// `gravity` [m/s2].
    pub fn of(state: &State, gravity: [f32; 3]) -> Self {
        let position = state.column::<[f32; 4]>("particle", "position");
        let velocity = state.column::<[f32; 4]>("particle", "velocity");
        let mass = state.column::<f32>("particle", "mass");
        let dot =
            |a: [f32; 3], b: [f32; 4]| -> f64 { (0..3).map(|i| f64::from(a[i]) * f64::from(b[i])).sum() };
        let mut energy = Self::default();
        for ((x, v), m) in position.iter().zip(velocity).zip(mass) {
            energy.kinetic += 0.5 * f64::from(*m) * dot([v[0], v[1], v[2]], *v);
            energy.potential -= f64::from(*m) * dot(gravity, *x);
        }
        let ends = state.column::<[u32; 2]>("distance", "idx").iter();
        let rows = ends.zip(state.column::<f32>("distance", "rest"));
        let rows = rows.zip(state.column::<f32>("distance", "compliance"));
        for (([a, b], rest), compliance) in rows.filter(|(_, compliance)| **compliance > 0.0) {
            let (Some(a), Some(b)) = (position.get(*a as usize), position.get(*b as usize)) else {
                continue;
            };
            let length = (0..3).map(|i| f64::from(b[i] - a[i]).powi(2)).sum::<f64>().sqrt();
            energy.elastic += 0.5 * (length - f64::from(*rest)).powi(2) / f64::from(*compliance);
        }
        energy
    }

    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}
