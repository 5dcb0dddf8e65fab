//! Any constraint's rows as energies. A rigid one gets the stiffness at which `springs::limit_stiffness` holds back the rows
//! between two particles; a row of another model has none.

use std::marker::PhantomData;

use super::{At, Elastic, held_back};
use crate::{
    constraints::{Constraint, Group, Kind, Tables, model},
    lanes::{Lanes, Rows},
};

pub(super) struct Loaded<'a, const N: usize, K> {
    pub tables: &'a Tables<'a>,
    pub at: At<'a>,
    /// Stiffest row over the inverse mass of its lightest particle [1/s2].
    pub most: f32,
    /// As stiff where they are slack, and across.
    pub taut: bool,
    pub of: PhantomData<fn() -> K>,
}

impl<const N: usize, K: Kind<N>> Loaded<'_, N, K> {
    /// Of rows with this compliance [N/m].
    #[inline(always)]
    fn stiffness<L: Lanes>(&self, rows: &Rows<N>, compliance: L) -> L {
        let mut w = rows.fetch::<L>(self.at.x, 0).w;
        for corner in 1..N {
            w = w.max(rows.fetch::<L>(self.at.x, corner).w);
        }
        held_back(compliance, w, self.most)
    }
}

impl<const N: usize, K: Kind<N>> Elastic<N> for Loaded<'_, N, K> {
    type Row<L: Lanes> = K::Row<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<N>) -> K::Row<L> {
        let mut k = L::from_f32(1.0);
        if let Some(compliance) = K::rows(self.tables).compliance {
            k = self.stiffness(rows, K::Row::<L>::compliance(rows.load(compliance)));
        } else if let Some(models) = K::rows(self.tables).models {
            k = rows.equal(models, model::<N, K>());
        }
        let row = K::Row::<L>::load(self.tables, &Group { rows, still: self.at.still }, k);
        if self.taut { row.taut() } else { row }
    }
}
