//! What is left of a solver's own equation over the distance rows, as a share of what it was at the predicted
//! positions: sqrt(sum of (C + alpha~ lambda)²) for XPBD, with alpha~ = 0 for PBD. Measured in the last substep of a frame.

use crate::{
    constraints::distance,
    describe::RESIDUAL,
    lanes::{self, Lanes, Point, RowValue, Rows},
    sim::Sim,
};

/// The measure at the predicted positions.
#[derive(Clone, Copy)]
pub struct Residual {
    /// Whether compliance counts.
    compliant: bool,
    before: f32,
}

impl Residual {
    /// Before a solve; `None` but in the last substep. Lambda is 0, whatever the column holds.
    pub fn start(sim: &Sim, compliant: bool) -> Option<Self> {
        sim.in_last_substep().then(|| Self { compliant, before: sum(sim, None) })
    }

    /// After it: reports the reading.
    pub fn end(self, sim: &Sim) {
        let lambda = self.compliant.then_some(&*sim.state.distance.multipliers.lambda);
        let share = sum(sim, lambda) / self.before.max(f32::MIN_POSITIVE);
        sim.frame.reading(RESIDUAL, if self.before > 0.0 { share.sqrt() } else { 0.0 });
    }
}

fn sum(sim: &Sim, lambda: Option<&[f32]>) -> f32 {
    let rows = &sim.state.distance;
    let left = Left { rest: rows.rest, compliance: rows.compliance, lambda, per_h2: 1.0 / (sim.h * sim.h) };
    lanes::sum_of_squares(&sim.par, rows.idx, sim.state.particle.position, &left)
}

struct Left<'a> {
    rest: &'a [f32],
    compliance: &'a [f32],
    lambda: Option<&'a [f32]>,
    per_h2: f32,
}

impl RowValue<2> for Left<'_> {
    #[inline(always)]
    fn of<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2]) -> L {
        let mut left = distance::stretch(a.x, b.x, rows.load(self.rest));
        if let Some(lambda) = self.lambda {
            left = left + rows.load::<L>(self.compliance) * L::from_f32(self.per_h2) * rows.load(lambda);
        }
        // Rows between pinned ends are no solver's business.
        left.where_positive(a.w + b.w)
    }
}
