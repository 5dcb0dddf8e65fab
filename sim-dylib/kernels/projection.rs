//! What the position-based solvers share: projections of all tables, and the orders they can run in.
//!
//! ```text
//! Projection   one row's change of its corners: the distance rows', and those of any constraint, XPBD's or PBD's
//! Sweep        where they go: in turn (Gauss-Seidel), or into a sum (Jacobi)   (order.rs)
//! ```
//! One iteration goes through the distance rows, then through `constraints.rs`' list.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

mod compliant;
mod forces;
mod order;
mod precise;
mod residual;
mod rigid;

use std::{
    marker::PhantomData,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use sim_api::{
    Par,
    model::{BendModel, ConstraintTable, MembraneModel},
};

pub use compliant::Time;
pub use forces::{add_forces, write_forces};
pub use order::{Count, PATCH, Sweep, averaged, coloured, count_rows, patches};
pub use precise::{keeps_lost, lost_within};
pub use residual::Residual;

use crate::{
    constraints::{self, Kind, Multipliers, TableRows, Tables, Visitor, model},
    lanes::{Lanes, Point, Rows, RowsMut, V3},
    state::State,
};
use compliant::Compliant;
use rigid::{Distances, Rigid};

/// A constraint as a solver projects it. Implementations put `#[inline(always)]` on `solve`.
pub trait Projection<const N: usize>: Sync {
    /// Changes of all corners [m]. `share` (0..=1) is how much of them will be taken: by it lambda grows.
    fn solve<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N], share: L) -> [V3<L>; N];
}

/// How a solver projects constraints.
#[derive(Clone, Copy)]
pub enum Method<'a> {
    /// XPBD.
    Compliant(Time<'a>),
    /// PBD.
    Rigid {
        /// Of stretch (and area), shear, bending.
        shares: [f32; 3],
        /// Lambda of the distance rows grows: in the last substep, from which forces are told.
        keeps_lambda: bool,
    },
}

/// The constraints of a state at work.
pub struct Constraints<'s, 'a> {
    pub method: Method<'s>,
    pub models: Models,
    pub tables: Tables<'a>,
    pub multipliers: Multipliers<'s, 'a>,
    /// Where particles are that are no corners of a row, such as anchors: `particle.inertial`, which no sweep writes.
    pub still: &'s [[f32; 4]],
}

impl Constraints<'_, '_> {
    /// Forgets the multipliers of all but the distance rows; before the first iteration of a substep.
    pub fn begin(&mut self) {
        struct Forget<'c, 's, 'a>(&'c mut Constraints<'s, 'a>);
        impl Visitor for Forget<'_, '_, '_> {
            fn visit<const N: usize, K: Kind<N>>(&mut self) {
                if self.0.models.act::<N, K>(&self.0.tables) {
                    K::multipliers(&mut self.0.multipliers).fill(K::Multiplier::default());
                }
            }
        }
        constraints::others(&mut Forget(self));
    }

    /// Projects all rows; of XPBD all but the distance rows, which are in `solvers/xpbd.rs`.
    pub fn project(&mut self, sweep: &mut Sweep) {
        if let Method::Rigid { shares, keeps_lambda } = self.method {
            let lambda = keeps_lambda.then_some(&mut *self.multipliers.distance.lambda);
            let rows = Distances::new(&self.tables, shares, lambda);
            sweep.pull(self.tables.distance.colors, self.tables.distance.idx, &rows);
        }
        struct Project<'c, 's, 'a, 'w, 'x, 'y>(&'c mut Constraints<'s, 'a>, &'w mut Sweep<'x, 'y>);
        impl Visitor for Project<'_, '_, '_, '_, '_, '_> {
            fn visit<const N: usize, K: Kind<N>>(&mut self) {
                let Constraints { method, models, tables, multipliers, still } = &mut *self.0;
                if !models.act::<N, K>(tables) {
                    return;
                }
                let (tables, still, sweep) = (&*tables, *still, &mut *self.1);
                let TableRows { colors, idx, .. } = K::rows(tables);
                match *method {
                    Method::Compliant(time) => {
                        let lambda = RowsMut::new(K::multipliers(multipliers));
                        sweep.project::<K, N>(
                            colors,
                            idx,
                            &Compliant::<N, K> { tables, lambda, time, still },
                        );
                    }
                    Method::Rigid { shares, .. } => {
                        let rigid = Rigid::<N, K> { tables, shares, still, of: PhantomData };
                        sweep.project::<K, N>(colors, idx, &rigid);
                    }
                }
            }
        }
        constraints::others(&mut Project(self, sweep));
    }
}

/// Which models occur in a table, so that nothing runs over rows in vain; asked once a step.
#[derive(Clone, Copy)]
pub struct Models {
    triangle: u32,
    hinge: u32,
}

impl Models {
    pub fn of(par: &Par, state: &State) -> Self {
        let seen = |models: &[u32]| {
            let seen = AtomicU32::new(0);
            par.blocks(0..models.len(), |range| {
                // Nearly always all are one model, which two sums tell without a shift for each row.
                let models = &models[range];
                let here = match models
                    .iter()
                    .fold((0, u32::MAX), |(any, all), &model| (any | model, all & model))
                {
                    (any, all) if any == all => 1 << any.min(31),
                    _ => models.iter().fold(0, |seen, &model| seen | 1 << model.min(31)),
                };
                seen.fetch_or(here, Relaxed);
            });
            seen.into_inner()
        };
        Self { triangle: seen(state.triangle.model), hinge: seen(state.hinge.model) }
    }

    /// For a solver of lengths alone.
    pub const fn none() -> Self {
        Self { triangle: 0, hinge: 0 }
    }

    /// Whether a constraint has rows.
    pub fn act<const N: usize, K: Kind<N>>(self, tables: &Tables) -> bool {
        let seen = match K::TABLE {
            ConstraintTable::Triangle => self.triangle,
            ConstraintTable::Hinge => self.hinge,
            _ => return !K::rows(tables).idx.is_empty(),
        };
        seen & 1 << model::<N, K>() != 0
    }
}

/// Whether distance rows in strides are all that a solver of these models finds.
pub fn only_lengths(state: &State, models: Models) -> bool {
    struct Any<'t, 'a>(&'t Tables<'a>, Models, bool);
    impl Visitor for Any<'_, '_> {
        fn visit<const N: usize, K: Kind<N>>(&mut self) {
            self.2 |= self.1.act::<N, K>(self.0);
        }
    }
    let tables = Tables::of(state);
    let mut others = Any(&tables, models, false);
    constraints::others(&mut others);
    let more = !state.balloon.object.is_empty() || !state.coarse_node.particle.is_empty();
    !(others.2 || more || state.stride.rows.is_empty())
}

/// Models of `triangle.model`.
pub const STVK: u32 = MembraneModel::StVenantKirchhoff as u32;
pub const NEO_HOOKEAN: u32 = MembraneModel::NeoHookean as u32;
pub const AREA: u32 = MembraneModel::Area as u32;

/// Models of `hinge.model`.
pub const QUADRATIC: u32 = BendModel::Quadratic as u32;
pub const DIHEDRAL: u32 = BendModel::Dihedral as u32;
