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

pub mod hinges;
pub mod kernels;
mod membranes;
pub mod springs;
mod ties;

use sim_api::{Colors, Par};

use crate::{
    constraints::Energy,
    lanes::{self, Lanes, Rows},
    projection::{AREA, DIHEDRAL, Models, NEO_HOOKEAN, QUADRATIC, STVK},
    state::{Attachment, Distance, Hinge, Particle, State, Tether, Triangle},
};
use hinges::{Dihedrals, QuadraticBends};
use kernels::{Block, Force, Product, Total};
use membranes::{Areas, NeoHookeans, StVenantKirchhoffs};
use springs::{SpringBlocks, SpringProduct, Springs};
use ties::{Attachments, Tethers};

/// A table whose rows are energies over N particles.
pub trait Elastic<const N: usize>: Sync {
    type Row<L: Lanes>: Energy<L, N>;

    /// The data of a group of rows. Implementations put `#[inline(always)]` on it.
    fn row<L: Lanes>(&self, rows: &Rows<N>) -> Self::Row<L>;
}

/// What is done with every table in turn.
trait Visit {
    fn table<const N: usize, T: Elastic<N>>(&mut self, colors: Colors, idx: &[[u32; N]], table: &T);
}

struct AddForces<'a> {
    par: Par,
    x: &'a [[f32; 4]],
    force: &'a mut [[f32; 4]],
}

impl Visit for AddForces<'_> {
    fn table<const N: usize, T: Elastic<N>>(&mut self, colors: Colors, idx: &[[u32; N]], table: &T) {
        lanes::project_at::<T, N>(&self.par, colors, idx, self.force, &Force { table, x: self.x });
    }
}

/// What a solver makes of a state's rows; found out once a step.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Stiffest row over the inverse mass of its particle [1/s2].
    pub most: f32,
    pub models: Models,
}

/// The elastic rows of a state.
pub struct Energies<'a> {
    par: Par,
    limits: Limits,
    distance: &'a Distance<'a>,
    triangle: &'a Triangle<'a>,
    hinge: &'a Hinge<'a>,
    tether: &'a Tether<'a>,
    attachment: &'a Attachment<'a>,
}

impl<'a> Energies<'a> {
    /// The particles, and the energies over them.
    ///
    /// `tether.anchor_position` and, for the springs, `distance.stiffness`, `distance.spring_rest` and, for the matrix, `distance.hessian` are up to date.
    pub fn of<'b>(par: Par, state: &'a mut State<'b>, limits: Limits) -> (&'a mut Particle<'b>, Self)
    where
        'b: 'a,
    {
        let State { particle, distance, triangle, hinge, tether, attachment, .. } = state;
        (particle, Self { par, limits, distance, triangle, hinge, tether, attachment })
    }

    fn springs(&self) -> Springs<'_> {
        Springs { rest: self.distance.spring_rest, stiffness: self.distance.stiffness }
    }

    /// Every table but the springs. `taut`: tethers resist where they are slack as well.
    fn others(&self, x: &[[f32; 4]], visit: &mut impl Visit, taut: bool) {
        let (models, most) = (self.limits.models, self.limits.most);
        let triangle = self.triangle;
        if models.triangle(STVK) {
            visit.table(triangle.colors, triangle.idx, &StVenantKirchhoffs(triangle));
        }
        if models.triangle(NEO_HOOKEAN) {
            visit.table(triangle.colors, triangle.idx, &NeoHookeans(triangle));
        }
        if models.triangle(AREA) {
            visit.table(triangle.colors, triangle.idx, &Areas(triangle));
        }
        let hinge = self.hinge;
        if models.hinge(QUADRATIC) {
            visit.table(hinge.colors, hinge.idx, &QuadraticBends(hinge));
        }
        if models.hinge(DIHEDRAL) {
            visit.table(hinge.colors, hinge.idx, &Dihedrals(hinge));
        }
        let (rows, idx) = (self.tether, self.tether.idx.as_chunks().0);
        visit.table(rows.colors, idx, &Tethers { rows, x, most, taut });
        let (rows, idx) = (self.attachment, self.attachment.idx.as_chunks().0);
        visit.table(rows.colors, idx, &Attachments { rows, x, most });
    }

    /// E(x) [J].
    pub fn energy(&self, x: &[[f32; 4]]) -> f64 {
        struct Sum<'a>(Par, &'a [[f32; 4]], f64);
        impl Visit for Sum<'_> {
            fn table<const N: usize, T: Elastic<N>>(&mut self, _: Colors, idx: &[[u32; N]], table: &T) {
                self.2 += lanes::sum_at::<T, N>(&self.0, idx, self.1, &Total { table });
            }
        }
        let mut sum = Sum(self.par, x, 0.0);
        sum.table(self.distance.colors, self.distance.idx, &self.springs());
        self.others(x, &mut sum, false);
        sum.2
    }

    /// Adds -dE/dx to `force` [N].
    pub fn add_forces(&self, x: &[[f32; 4]], force: &mut [[f32; 4]]) {
        let mut add = AddForces { par: self.par, x, force };
        add.table(self.distance.colors, self.distance.idx, &self.springs());
        self.others(x, &mut add, false);
    }

    /// Adds -dE/dx of every table but the springs to `force` [N].
    pub fn add_other_forces(&self, x: &[[f32; 4]], force: &mut [[f32; 4]]) {
        self.others(x, &mut AddForces { par: self.par, x, force }, false);
    }

    /// Adds (d²E/dx²) d to `image` [N]; springs as `springs::linearise` found them.
    pub fn add_product(&self, x: &[[f32; 4]], d: &[[f32; 4]], image: &mut [[f32; 4]]) {
        let springs = SpringProduct { hessian: self.distance.hessian, d };
        lanes::project(&self.par, self.distance.colors, self.distance.idx, image, &springs);
        self.add_other_product(x, d, image);
    }

    /// Adds (d²E/dx²) d of every table but the springs to `image` [N].
    pub fn add_other_product(&self, x: &[[f32; 4]], d: &[[f32; 4]], image: &mut [[f32; 4]]) {
        struct Add<'a>(Par, &'a [[f32; 4]], &'a [[f32; 4]], &'a mut [[f32; 4]]);
        impl Visit for Add<'_> {
            fn table<const N: usize, T: Elastic<N>>(&mut self, colors: Colors, idx: &[[u32; N]], table: &T) {
                lanes::project_at::<T, N>(
                    &self.0,
                    colors,
                    idx,
                    self.3,
                    &Product { table, x: self.1, d: self.2 },
                );
            }
        }
        self.others(x, &mut Add(self.par, x, d, image), false);
    }

    /// Adds each particle's own block: xx, yy, zz and yz, zx, xy [N/m].
    ///
    /// With `dominant` a row of N particles counts N/2 times, but at least once: the matrix is then at most twice its
    /// blocks, so that Jacobi iterations on them do not diverge. (A soft pin that counted half would throw its particle
    /// from one side of the target to the other.) Tethers count as taut, for the iterations may make them so.
    pub fn add_blocks(
        &self,
        x: &[[f32; 4]],
        diagonal: &mut [[f32; 4]],
        off_diagonal: &mut [[f32; 4]],
        dominant: bool,
    ) {
        struct Add<'a>(Par, &'a [[f32; 4]], &'a mut [[f32; 4]], [bool; 2]);
        impl Visit for Add<'_> {
            fn table<const N: usize, T: Elastic<N>>(&mut self, colors: Colors, idx: &[[u32; N]], table: &T) {
                let [off, dominant] = self.3;
                let weight = if dominant { (0.5 * N as f32).max(1.0) } else { 1.0 };
                lanes::project_at::<T, N>(
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
            self.others(x, &mut Add(self.par, x, column, [off, dominant]), dominant);
        }
    }
}
