//! XPBD's projection of any constraint: it fetches a row, has it projected and keeps lambda.

use super::Projection;
use crate::{
    constraints::{Constraint, Group, Kind, Multiplier, Past, Softness, Tables, Value, model},
    lanes::{Lanes, Point, Rows, RowsMut, V3, split},
};

/// The substep as a row sees it.
#[derive(Clone, Copy)]
pub struct Time<'a> {
    /// Its length [s].
    pub h: f32,
    /// Time of the internal damping [s].
    pub damping: f32,
    /// Positions at its start [m].
    pub previous: &'a [[f32; 4]],
}

impl Time<'_> {
    /// What damping needs. Where nothing is damped, the previous positions are not fetched.
    #[inline(always)]
    pub fn past<L: Lanes, const N: usize>(&self, rows: &Rows<N>, x: &[Point<L>; N]) -> Past<L, N> {
        let mut past = Past::none();
        if self.damping > 0.0 {
            past.gamma = L::from_f32(self.damping / self.h);
            for corner in 0..N {
                past.way[corner] = x[corner].x - rows.fetch::<L>(self.previous, corner).x;
            }
        }
        past
    }
}

/// The rows of one constraint.
pub(super) struct Compliant<'a, const N: usize, K: Kind<N>> {
    pub tables: &'a Tables<'a>,
    pub lambda: RowsMut<'a, K::Multiplier>,
    pub time: Time<'a>,
    /// Where particles are looked up that are no corners of a row.
    pub still: &'a [[f32; 4]],
}

impl<const N: usize, K: Kind<N>> Projection<N> for Compliant<'_, N, K> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N], share: L) -> [V3<L>; N] {
        let (tables, (points, w), past) = (self.tables, split(&x), self.time.past(rows, &x));
        let (h2, one) = (self.time.h * self.time.h, L::from_f32(1.0));
        let row = K::Row::<L>::load(tables, &Group { rows, still: self.still }, one);
        let mut softness = Softness { alpha: None, h2: L::from_f32(h2), per_h2: L::from_f32(1.0 / h2) };
        if let Some(compliance) = K::rows(tables).compliance {
            softness.alpha = Some(K::Row::<L>::compliance(rows.load(compliance)) * softness.per_h2);
        }
        let mut lambda = K::Multiplier::load::<L, N>(&self.lambda, rows);
        let (mut d, mut change) = row.project(&points, w, softness, lambda, &past);
        if let Some(models) = K::rows(tables).models {
            let mine = rows.equal::<L>(models, model::<N, K>());
            for corner in 0..N {
                d[corner] = d[corner].where_positive(mine);
            }
            for i in 0..<K::Row<L> as Constraint<L, N>>::Value::MULTIPLIERS {
                change[i] = change[i].where_positive(mine);
            }
        }
        for i in 0..<K::Row<L> as Constraint<L, N>>::Value::MULTIPLIERS {
            lambda[i] = lambda[i] + change[i] * share;
        }
        K::Multiplier::store(&self.lambda, rows, lambda);
        d
    }
}
