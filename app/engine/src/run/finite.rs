//! Whether a state is one of numbers still.

use super::{LOOK_EVERY, Run, StepError};
use weft_core::state::{Table, col};

/// A table of so many rows is looked through after every step: bodies.
const FEW: usize = 256;

impl Run {
    /// A parameter that is known to end in NaN.
    pub fn hint(&self) -> String {
        match self.param("rho") {
            Some(rho) if rho > 0.0 => format!("; its rho is set to {rho}: a smaller one, or 0, is safer"),
            _ => String::new(),
        }
    }

    /// The first particle that is not finite any more, or row of a small table; now and then of any. So for frames of strands
    /// that are no rotations.
    pub fn not_finite(&self) -> Option<StepError> {
        for key in [col::particle::position, col::particle::velocity] {
            let (rows, column) = (self.state.get(key), key.column);
            let bad = |row: &&[f32; 4]| !row.iter().all(|value| value.is_finite());
            if let Some(particle) = rows.iter().position(|row| bad(&row)) {
                let (solver, mut hint) = (self.solver.clone(), self.hint());
                let count = rows.iter().filter(bad).count();
                if count > 1 {
                    // Within a step it spreads: the first in order need not be where it began.
                    hint = format!(" (and {} more){hint}", count - 1);
                }
                return Some(StepError::NotFinite { solver, particle, column, hint });
            }
        }
        let all = self.frame.is_multiple_of(LOOK_EVERY);
        let few = |table: &Table| all || table.rows <= FEW;
        if let Some((column, row)) = self.state.not_finite(few) {
            return Some(StepError::Spoilt { solver: self.solver.clone(), column, row });
        }
        let row = self.state.no_rotation(few)?;
        Some(StepError::NoRotation { solver: self.solver.clone(), row })
    }
}
