//! The elastic energy of all tables as one function of the positions: what force-based and implicit solvers share.
//!
//! ```text
//! E(x)               energy()         a sum over rows
//! -dE/dx             add_forces()     sweeps by colour
//! (d²E/dx²) d        add_product()    the same, positive semi-definite
//! blocks of d²E/dx²  add_blocks()     3 x 3 at each particle
//! ```
//! A rigid row (compliance 0) has no stiffness that a force could use: `springs::limit_stiffness` holds it back to what
//! the solver can bear, in `distance.stiffness`.

pub mod kernels;
mod loaded;
pub mod springs;

use std::marker::PhantomData;

use sim_api::{Colors, Mapped, Par, model::ConstraintTable};

use crate::{
    constraints::{self, Constraint, Kind, Single, TableRows, Tables, Visitor, rows_of},
    lanes::{self, Lanes, Real, Rows, V3},
    projection::Models,
    state::{Distance, Particle, State},
};
use kernels::{Block, Force, Product, Total};
use loaded::Loaded;
use springs::{SpringBlocks, SpringProduct, Springs};

/// A table whose rows are energies over N particles.
pub trait Elastic<const N: usize>: Sync {
    type Row<L: Lanes>: Constraint<L, N>;

    /// The data of a group of rows. Implementations put `#[inline(always)]` on it.
    fn row<L: Lanes>(&self, rows: &Rows<N>) -> Self::Row<L>;
}

/// What is done with every table in turn.
trait Visit {
    /// `H`: where the loops are compiled.
    fn table<H, const N: usize>(&mut self, colors: Colors, idx: &[[u32; N]], table: &impl Elastic<N>);
}

struct AddForces<'a> {
    par: Par,
    x: &'a [[f32; 4]],
    force: &'a mut [[f32; 4]],
}

impl Visit for AddForces<'_> {
    fn table<H, const N: usize>(&mut self, colors: Colors, idx: &[[u32; N]], table: &impl Elastic<N>) {
        lanes::project_at::<H, N>(&self.par, colors, idx, self.force, &Force { table, x: self.x });
    }
}

/// Where particles are [m]; `still`: where those are that a row names beside its corners, such as anchors.
#[derive(Clone, Copy)]
pub struct At<'x> {
    pub x: &'x [[f32; 4]],
    pub still: &'x [[f32; 4]],
}

/// What a solver makes of a state's rows; found out once a step.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Stiffest row over the inverse mass of its particle [1/s2].
    pub most: f32,
    pub models: Models,
}

/// min(1/compliance, most / w) [N/m], w the inverse mass of the lightest corner: the stiffness of a row, if it is no stiffer
/// than `springs::limit_stiffness` lets rows between two particles be.
#[inline(always)]
fn held_back<R: Real>(compliance: R, w: R, most: f32) -> R {
    // A particle that does not move has w = 0 and feels nothing.
    R::from_f32(1.0) / compliance.max(w / R::from_f32(most)).max(R::from_f32(1e-12))
}

/// Adds to `distance.force` [N] what other constraints on those rows pull by their energies at the present positions.
pub fn add_tensions(state: &mut State, limits: Limits) {
    struct Add<'a, 's>(&'a mut State<'s>, Tables<'s>, Limits);
    impl Visitor for Add<'_, '_> {
        fn visit<const N: usize, K: Kind<N>>(&mut self) {
            let Add(State { particle, distance, .. }, tables, Limits { most, models }) = self;
            if K::TABLE != ConstraintTable::Distance || !models.act::<N, K>(tables) {
                return;
            }
            for (row, idx) in rows_of::<N, K>(tables) {
                let corners = idx.mapped(|corner| particle.position[corner as usize]);
                let x = corners.mapped(V3::from_row);
                let compliance = tables.distance.compliance[row];
                let w = corners[0][3].max(corners[1][3]);
                let k = held_back(K::Row::<f32>::compliance(compliance), w, *most);
                let single = Single { row, still: particle.inertial };
                let gradient = K::Row::<f32>::load(tables, &single, k).gradient(&x);
                let along = x[1] - x[0];
                distance.force[row] += gradient[1].dot(along) / constraints::length(along);
            }
        }
    }
    let tables = Tables::of(state);
    constraints::others(&mut Add(state, tables, limits));
}

/// The elastic rows of a state.
pub struct Energies<'a> {
    par: Par,
    limits: Limits,
    tables: Tables<'a>,
    distance: &'a Distance<'a>,
}

impl<'a> Energies<'a> {
    /// The particles, and the energies over them.
    ///
    /// For the springs, `distance.stiffness`, `distance.spring_rest` and, for the matrix, `distance.hessian` are up to date.
    pub fn of<'b>(par: Par, state: &'a mut State<'b>, limits: Limits) -> (&'a mut Particle<'b>, Self)
    where
        'b: 'a,
    {
        let tables = Tables::of(state);
        let State { particle, distance, .. } = state;
        (particle, Self { par, limits, tables, distance })
    }

    fn springs(&self) -> Springs<'_> {
        Springs { rest: self.distance.spring_rest, stiffness: self.distance.stiffness }
    }

    /// Every constraint but the springs. `taut`: tethers resist where they are slack as well.
    fn others(&self, at: At, visit: &mut impl Visit, taut: bool) {
        struct Each<'e, 'v, V>(&'e Energies<'e>, At<'e>, &'v mut V, bool);
        impl<V: Visit> Visitor for Each<'_, '_, V> {
            fn visit<const N: usize, K: Kind<N>>(&mut self) {
                let Each(Energies { limits, tables, .. }, at, visit, taut) = self;
                if limits.models.act::<N, K>(tables) {
                    let rows =
                        Loaded::<N, K> { tables, at: *at, most: limits.most, taut: *taut, of: PhantomData };
                    let TableRows { colors, idx, .. } = K::rows(tables);
                    visit.table::<K, N>(colors, idx, &rows);
                }
            }
        }
        constraints::others(&mut Each(self, at, visit, taut));
    }

    /// E(x) [J].
    pub fn energy(&self, at: At) -> f64 {
        struct Sum<'a>(Par, &'a [[f32; 4]], f64);
        impl Visit for Sum<'_> {
            fn table<H, const N: usize>(&mut self, _: Colors, idx: &[[u32; N]], table: &impl Elastic<N>) {
                self.2 += lanes::sum_at::<H, N>(&self.0, idx, self.1, &Total { table });
            }
        }
        let mut sum = Sum(self.par, at.x, 0.0);
        sum.table::<Springs, 2>(self.distance.colors, self.distance.idx, &self.springs());
        self.others(at, &mut sum, false);
        sum.2
    }

    /// Adds -dE/dx to `force` [N].
    pub fn add_forces(&self, at: At, force: &mut [[f32; 4]]) {
        let mut add = AddForces { par: self.par, x: at.x, force };
        add.table::<Springs, 2>(self.distance.colors, self.distance.idx, &self.springs());
        self.others(at, &mut add, false);
    }

    /// Adds -dE/dx of every table but the springs to `force` [N].
    pub fn add_other_forces(&self, at: At, force: &mut [[f32; 4]]) {
        self.others(at, &mut AddForces { par: self.par, x: at.x, force }, false);
    }

    /// Adds (d²E/dx²) d to `image` [N]; springs as `springs::linearise` found them.
    pub fn add_product(&self, at: At, d: &[[f32; 4]], image: &mut [[f32; 4]]) {
        let springs = SpringProduct { hessian: self.distance.hessian, d };
        lanes::project(&self.par, self.distance.colors, self.distance.idx, image, &springs);
        self.add_other_product(at, d, image);
    }

    /// Adds (d²E/dx²) d of every table but the springs to `image` [N].
    pub fn add_other_product(&self, at: At, d: &[[f32; 4]], image: &mut [[f32; 4]]) {
        struct Add<'a>(Par, &'a [[f32; 4]], &'a [[f32; 4]], &'a mut [[f32; 4]]);
        impl Visit for Add<'_> {
            fn table<H, const N: usize>(
                &mut self,
                colors: Colors,
                idx: &[[u32; N]],
                table: &impl Elastic<N>,
            ) {
                lanes::project_at::<H, N>(
                    &self.0,
                    colors,
                    idx,
                    self.3,
                    &Product { table, x: self.1, d: self.2 },
                );
            }
        }
        self.others(at, &mut Add(self.par, at.x, d, image), false);
    }

    /// Adds each particle's own block: xx, yy, zz and yz, zx, xy [N/m].
    ///
    /// With `dominant` a row of N particles counts N/2 times, but at least once: the matrix is then at most twice its
    /// blocks, so that Jacobi iterations on them do not diverge. (A soft pin that counted half would throw its particle
    /// from one side of the target to the other.) Tethers count as taut, for the iterations may make them so.
    pub fn add_blocks(
        &self,
        at: At,
        diagonal: &mut [[f32; 4]],
        off_diagonal: &mut [[f32; 4]],
        dominant: bool,
    ) {
        struct Add<'a>(Par, &'a [[f32; 4]], &'a mut [[f32; 4]], [bool; 2]);
        impl Visit for Add<'_> {
            fn table<H, const N: usize>(
                &mut self,
                colors: Colors,
                idx: &[[u32; N]],
                table: &impl Elastic<N>,
            ) {
                let [off, dominant] = self.3;
                let weight = if dominant { (0.5 * N as f32).max(1.0) } else { 1.0 };
                lanes::project_at::<H, N>(
                    &self.0,
                    colors,
                    idx,
                    self.2,
                    &Block { table, x: self.1, off, weight },
                );
            }
        }
        for (column, off) in [(diagonal, false), (off_diagonal, true)] {
            let springs = SpringBlocks { hessian: self.distance.hessian, off };
            lanes::project(&self.par, self.distance.colors, self.distance.idx, column, &springs);
            self.others(at, &mut Add(self.par, at.x, column, [off, dominant]), dominant);
        }
    }
}
