//! Constraints: one type each, which says what is 0 at rest and how hard it is held. Every solver takes it from there.
//!
//! ```text
//!  x.rs   load, value, stiffness   ─┬─ projection   XPBD (compliant.rs) and PBD (rigid.rs), in any order
//!         (Constraint)              ├─ elastic      energy, forces, stiffness, blocks: explicit and implicit solvers
//!                                   ├─ one corner   vertex block descent
//!                                   └─ one row      in double precision: the host's reference solution, readings
//! ```
//! Solvers call them through `lanes` (single precision, several rows at a time). What sweeps over distance rows is written by
//! hand, for most of the time goes there; all else takes them as any other.
//!
//! A new one is a file, such as `constraints/leash.rs`:
//! ```ignore
//! //! A leash: no row of `distance` gets longer than 1.05 times its rest. It pulls and never pushes.
//! use super::{Constraint, Load, Scalar, Tables, distance::length_of};
//! use crate::lanes::{Real, V3};
//!
//! #[derive(Clone, Copy)]
//! pub struct Leash<R> {
//!     /// [m]
//!     longest: R,
//!     /// [N/m]
//!     k: R,
//! }
//!
//! impl<R: Real> Constraint<R, 2> for Leash<R> {
//!     type Value = Scalar<R, 2>;
//!
//!     #[inline(always)]
//!     fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self {
//!         Self { longest: row.one(tables.distance.rest) * R::from_f32(1.05), k }
//!     }
//!
//!     #[inline(always)]
//!     fn value(&self, x: &[V3<R>; 2]) -> Scalar<R, 2> {
//!         let (length, gradients) = length_of(x);
//!         Scalar::at_most(length - self.longest, gradients)
//!     }
//!
//!     #[inline(always)]
//!     fn stiffness(&self) -> R {
//!         self.k
//!     }
//!
//!     /// Rigid, whatever the row's own is.
//!     #[inline(always)]
//!     fn compliance(_: R) -> R {
//!         R::from_f32(0.0)
//!     }
//!
//!     /// As long as iterations last, for they may make it so.
//!     #[inline(always)]
//!     fn taut(self) -> Self {
//!         Self { longest: R::from_f32(0.0), ..self }
//!     }
//! }
//! ```
//! and a line in `constraints/list.rs`, under the table whose rows it acts on, beside the constraints there. Only `load`, `value`
//! and `stiffness` are needed; this one is also rigid where its row is not.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

use sim_api::{Colors, model::ConstraintTable};

use crate::{
    lanes::{Real, V3},
    state::kept,
};

pub mod contact;
pub mod distance;
mod list;
pub mod membrane;
mod tables;
#[cfg(test)]
mod tests;
mod value;
pub mod volume;

pub use tables::{Group, Load, Multiplier, Single, Source, Tables};
pub use value::{Past, Scalar, Softness, Three, Value, Vector};

/// A constraint between N particles. `self` is one row's data, or that of a lane of rows.
pub trait Constraint<R: Real, const N: usize>: Copy + Send + 'static {
    /// What is 0 at rest: a number ([`Scalar`]), a vector or three at once.
    type Value: Value<R, N>;

    /// In a table with a column `model`: the rows that are meant.
    const MODEL: u32 = 0;

    /// A row. `k`: where the table has compliances, the stiffness that the solver makes of it [N/m]; else a factor of the
    /// row's own stiffness.
    fn load(tables: &Tables, row: &impl Load<R>, k: R) -> Self;

    /// What is 0 at rest, and its gradients, at positions `x` [m].
    fn value(&self, x: &[V3<R>; N]) -> Self::Value;

    /// k of the energy k/2 C².
    fn stiffness(&self) -> R;

    /// Compliance of the row [m/N] from that of its table.
    #[inline(always)]
    fn compliance(given: R) -> R {
        given
    }

    /// Share of the error that PBD takes back, of those for stretch (and area), shear, bending; all of it unless said.
    #[inline(always)]
    fn share(_: [R; 3]) -> R {
        R::from_f32(1.0)
    }

    /// Energy at positions `x` [m]: [J].
    #[inline(always)]
    fn energy(&self, x: &[V3<R>; N]) -> R {
        self.value(x).energy(self.stiffness())
    }

    /// dE/dx [N]; forces are its negative.
    #[inline(always)]
    fn gradient(&self, x: &[V3<R>; N]) -> [V3<R>; N] {
        self.value(x).gradient(self.stiffness())
    }

    /// (d²E/dx²) d [N] for a change `d` [m], with what would make it negative (d·result < 0) cut off: what an implicit solver
    /// needs, so that its matrix stays positive definite. If no formula is given: Gauss-Newton, k g gᵀ.
    #[inline(always)]
    fn stiffness_times(&self, x: &[V3<R>; N], d: &[V3<R>; N]) -> [V3<R>; N] {
        self.value(x).stiffness_times(self.stiffness(), d)
    }

    /// The same with nothing cut off, for analyses in double precision. If no formula is given: central differences of the
    /// gradient, to about 1e-10.
    fn hessian_times(&self, x: &[V3<R>; N], d: &[V3<R>; N]) -> [V3<R>; N] {
        let mut size = R::from_f32(1e-30);
        for corner in 1..N {
            size = size.max((x[corner] - x[0]).dot(x[corner] - x[0]));
        }
        let step = R::from_f32(1e-5) * size.sqrt();
        let (mut ahead, mut behind) = (*x, *x);
        for corner in 0..N {
            (ahead[corner], behind[corner]) = (x[corner] + d[corner] * step, x[corner] - d[corner] * step);
        }
        let (mut change, behind) = (self.gradient(&ahead), self.gradient(&behind));
        for corner in 0..N {
            change[corner] = (change[corner] - behind[corner]) * (R::from_f32(0.5) / step);
        }
        change
    }

    /// One XPBD projection: changes of the corners, and of the multipliers `lambda`, of which it has one or three.
    #[inline(always)]
    fn project(
        &self,
        x: &[V3<R>; N],
        w: [R; N],
        softness: Softness<R>,
        lambda: [R; 4],
        past: &Past<R, N>,
    ) -> ([V3<R>; N], [R; 4]) {
        self.value(x).project(self.stiffness(), w, softness, lambda, past)
    }

    /// One PBD projection: changes of the corners. `shares` as in [`Constraint::share`].
    #[inline(always)]
    fn rigid(&self, x: &[V3<R>; N], w: [R; N], shares: [R; 3]) -> [V3<R>; N] {
        self.value(x).rigid(w, Self::share(shares))
    }

    /// As hard where it is slack: iterations may make it taut.
    #[inline(always)]
    fn taut(self) -> Self {
        self
    }
}

/// An elastic energy over N particles: every constraint is one, and contact inside an implicit step.
pub trait Energy<R: Real, const N: usize> {
    fn energy(&self, x: &[V3<R>; N]) -> R;
    fn gradient(&self, x: &[V3<R>; N]) -> [V3<R>; N];
    fn stiffness_times(&self, x: &[V3<R>; N], d: &[V3<R>; N]) -> [V3<R>; N];
}

/// A constraint of any precision, and the table whose rows it acts on. Made by the list.
pub trait Kind<const N: usize>: 'static {
    type Row<R: Real>: Constraint<R, N>;
    /// What the column of its multipliers holds in a row.
    type Multiplier: Multiplier;
    const TABLE: ConstraintTable;

    /// The rows of its table.
    fn rows<'a>(tables: &Tables<'a>) -> TableRows<'a, N>;

    fn multipliers<'s>(columns: &'s mut Multipliers) -> &'s mut [Self::Multiplier];
}

/// Rows as any constraint has them.
pub struct TableRows<'a, const N: usize> {
    pub colors: Colors<'a>,
    pub idx: &'a [[u32; N]],
    /// The columns `model` and `compliance`: a table has one of them.
    pub models: Option<&'a [u32]>,
    pub compliance: Option<&'a [f32]>,
}

/// What is done with each constraint.
pub trait Visitor {
    fn visit<const N: usize, K: Kind<N>>(&mut self);
}

/// Whether row `row` is one of the constraint's.
pub fn has<const N: usize, K: Kind<N>>(tables: &Tables, row: usize) -> bool {
    K::rows(tables).models.is_none_or(|models| models[row] == model::<N, K>())
}

/// The constraint's rows, and their particles.
pub fn rows_of<'a, const N: usize, K: Kind<N>>(
    tables: &Tables<'a>,
) -> impl Iterator<Item = (usize, &'a [u32; N])> {
    let own = |row: usize| has::<N, K>(tables, row);
    K::rows(tables).idx.iter().enumerate().filter(move |(row, _)| own(*row))
}

/// The rows that it means in a table with a column `model`.
pub const fn model<const N: usize, K: Kind<N>>() -> u32 {
    <K::Row<f32> as Constraint<f32, N>>::MODEL
}

/// What the list makes: the modules, and a [`Kind`] for each type.
macro_rules! constraints {
    ($(
        $table:ident: $Table:ident[$N:literal] by $by:ident, lambda: $Lambda:ty {
            $($module:ident: $Type:ident $(keeps $column:ident: $Own:ty)?,)*
        }
    )*) => {
        $($(pub mod $module;)*)*

        /// The multipliers of all tables.
        pub struct Multipliers<'s, 'a> {
            $(pub $table: &'s mut kept::$table::Columns<'a>,)*
        }

        $($(constraints! {
            @kind $module $Type $table $Table $N $by { $Lambda } lambda $({ $Own } $column)?
        })*)*
        constraints! { @kind distance Spring distance Distance 2 compliance { f32 } lambda }

        /// All but the distance rows themselves.
        pub fn others(visitor: &mut impl Visitor) {
            $($(visitor.visit::<$N, $module::$Type<f32>>();)*)*
        }
    };
    (@kind $m:ident $T:ident $t:ident $Table:ident $N:literal $by:ident { $Shared:ty } $shared:ident { $Own:ty } $own:ident) => {
        constraints! { @kind $m $T $t $Table $N $by { $Own } $own }
    };
    (@kind $module:ident $Type:ident $table:ident $Table:ident $N:literal $by:ident { $Lambda:ty } $lambda:ident) => {
        impl<R: Real> Energy<R, $N> for $module::$Type<R> {
            fn energy(&self, x: &[V3<R>; $N]) -> R {
                Constraint::energy(self, x)
            }
            fn gradient(&self, x: &[V3<R>; $N]) -> [V3<R>; $N] {
                Constraint::gradient(self, x)
            }
            fn stiffness_times(&self, x: &[V3<R>; $N], d: &[V3<R>; $N]) -> [V3<R>; $N] {
                Constraint::stiffness_times(self, x, d)
            }
        }

        impl Kind<$N> for $module::$Type<f32> {
            type Row<R: Real> = $module::$Type<R>;
            type Multiplier = $Lambda;
            const TABLE: ConstraintTable = ConstraintTable::$Table;

            #[inline(always)]
            fn rows<'a>(tables: &Tables<'a>) -> TableRows<'a, $N> {
                let table = &tables.$table;
                TableRows {
                    colors: table.colors,
                    idx: tables::Corners::corners(table.idx),
                    models: constraints!(@if model $by table),
                    compliance: constraints!(@if compliance $by table),
                }
            }
            fn multipliers<'s>(columns: &'s mut Multipliers) -> &'s mut [$Lambda] {
                columns.$table.$lambda
            }
        }
    };
    (@if model model $table:ident) => { Some($table.model) };
    (@if compliance compliance $table:ident) => { Some($table.compliance) };
    (@if $asked:ident $by:ident $table:ident) => { None };
}

crate::constraint_list! { constraints }

/// All constraints, the distance rows first.
pub fn each(visitor: &mut impl Visitor) {
    visitor.visit::<2, distance::Spring<f32>>();
    others(visitor);
}

/// The multipliers of a state; borrows those columns and no others.
#[doc(hidden)]
#[macro_export]
macro_rules! multipliers {
    ($state:expr) => {
        $crate::constraints::Multipliers {
            distance: &mut $state.distance.multipliers,
            triangle: &mut $state.triangle.multipliers,
            hinge: &mut $state.hinge.multipliers,
            tether: &mut $state.tether.multipliers,
            attachment: &mut $state.attachment.multipliers,
        }
    };
}
pub use multipliers;

/// Shortest length that is divided by, squared [m2].
const TINY: f32 = 1e-20;

/// Length |d| [m], never 0.
#[inline(always)]
pub fn length<R: Real>(d: V3<R>) -> R {
    (d.dot(d) + R::from_f32(TINY)).sqrt()
}
