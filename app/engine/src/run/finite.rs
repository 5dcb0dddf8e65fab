//! Whether a step left a state that the next one can go on from.

use super::{Run, StepError};
use crate::threads::Threads;
use weft_core::state::col;

impl Run {
    /// A parameter that is known to end in NaN.
    pub fn hint(&self) -> String {
        match self.param("rho") {
            Some(rho) if rho > 0.0 => format!("; its rho is set to {rho}: a smaller one, or 0, is safer"),
            _ => String::new(),
        }
    }

    /// [`Run::not_finite`] on these threads, where there is much to look at.
    pub(super) fn not_finite_on(&self, threads: &Threads) -> Option<StepError> {
        // So many are looked at by all threads sooner than these are woken.
        const MANY: usize = 1 << 20;
        let state = &self.state;
        let many = threads.count() > 1 && state.values() > MANY;
        let finite = many && threads.run(|| state.is_finite(&threads.par()));
        if finite { self.no_rotation() } else { self.not_finite() }
    }

    /// The first particle that is not finite any more, or row of another state column; or a frame of a strand that is no rotation.
    /// After each step, for no older state is kept than the one before it.
    pub fn not_finite(&self) -> Option<StepError> {
        let Some((column, row)) = self.state.not_finite() else { return self.no_rotation() };
        let solver = self.solver.clone();
        let of_particles = [col::particle::position, col::particle::velocity];
        let Some(key) = of_particles.into_iter().find(|key| column == format!("particle.{}", key.column))
        else {
            return Some(StepError::Spoilt { solver, column, row });
        };
        let bad = |row: &&[f32; 4]| !row.iter().all(|value| value.is_finite());
        let count = self.state.get(key).iter().filter(bad).count();
        let mut hint = self.hint();
        if count > 1 {
            // Within a step it spreads: the first in order need not be where it began.
            hint = format!(" (and {} more){hint}", count - 1);
        }
        Some(StepError::NotFinite { solver, particle: row, column: key.column, hint })
    }

    fn no_rotation(&self) -> Option<StepError> {
        let row = self.state.no_rotation()?;
        Some(StepError::NoRotation { solver: self.solver.clone(), row })
    }

    /// The first particle whose inverse mass is not that from before the step, which was guarded: what has none is pinned for good.
    pub(super) fn other_mass(&self) -> Option<StepError> {
        let key = col::particle::position;
        let before = self.before.rows::<[f32; 4]>(key.table, key.column);
        let other = |(now, before): (&[f32; 4], [f32; 4])| now[3].to_bits() != before[3].to_bits();
        let particle = self.state.get(key).iter().zip(before).position(other)?;
        Some(StepError::InverseMass { solver: self.solver.clone(), particle })
    }
}
