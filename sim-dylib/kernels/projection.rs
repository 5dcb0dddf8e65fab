//! What the position-based solvers share: projections of all tables, and the orders they can run in.
//!
//! ```text
//! Projection   one row's change of its corners
//! Family       a solver's projections, table after table: XPBD's are Compliant, PBD's Rigid
//! Visitor      what is done with each: Gauss-Seidel, a sum for Jacobi   (order.rs)
//! ```
//! One iteration goes distance, triangle, hinge, tether, attachment. What runs last holds best, so inner forces come
//! first, from stiff to soft, then what must not be broken: the longest distance to a pin, and the pins.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

mod compliant;
mod forces;
mod order;
mod residual;
mod rigid;

use sim_api::{
    Colors, Par,
    model::{BendModel, MembraneModel},
};

pub use compliant::{Compliant, Time};
pub use forces::write_forces;
pub use order::{Count, PATCH, averaged, coloured, count_rows, patches};
pub use residual::Residual;
pub use rigid::Rigid;

use crate::{
    lanes::{Lanes, Point, Pull, Rows, V3},
    state::{Hinge, State, Tether, Triangle},
};

/// A constraint as a solver projects it. Implementations put `#[inline(always)]` on `solve`.
pub trait Projection<const N: usize>: Sync {
    /// Changes of all corners [m]. `share` (0..=1) is how much of them will be taken: by it lambda grows.
    fn solve<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N], share: L) -> [V3<L>; N];
}

/// All projections of a solver.
pub trait Family {
    fn each(&self, visitor: &mut impl Visitor);
}

pub trait Visitor {
    fn visit<const N: usize, P: Projection<N>>(&mut self, colors: Colors, idx: &[[u32; N]], projection: &P);

    /// The same for rows that only move their ends along the line between them.
    fn pull<P: Projection<2> + Pull>(&mut self, colors: Colors, idx: &[[u32; 2]], projection: &P) {
        self.visit(colors, idx, projection);
    }
}

/// Which models occur in a table, so that nothing runs over rows in vain; asked once a step.
#[derive(Clone, Copy)]
pub struct Models {
    triangle: u32,
    hinge: u32,
}

impl Models {
    pub fn of(state: &State) -> Self {
        let seen = |models: &[u32]| {
            // Nearly always all are one model, which two sums tell without a shift for each row.
            match models.iter().fold((0, u32::MAX), |(any, all), &model| (any | model, all & model)) {
                _ if models.is_empty() => 0,
                (any, all) if any == all => 1 << any.min(31),
                _ => models.iter().fold(0, |seen, &model| seen | 1 << model.min(31)),
            }
        };
        Self { triangle: seen(state.triangle.model), hinge: seen(state.hinge.model) }
    }

    /// For a solver of lengths alone.
    pub const fn none() -> Self {
        Self { triangle: 0, hinge: 0 }
    }

    pub fn triangle(self, model: u32) -> bool {
        self.triangle & 1 << model != 0
    }

    pub fn hinge(self, model: u32) -> bool {
        self.hinge & 1 << model != 0
    }

    /// Whether any triangle has an energy.
    pub fn membranes(self) -> bool {
        self.triangle(STVK) || self.triangle(NEO_HOOKEAN) || self.triangle(AREA)
    }

    /// Whether there is any hinge.
    pub fn hinges(self) -> bool {
        self.hinge(QUADRATIC) || self.hinge(DIHEDRAL)
    }
}

/// Whether distance rows in strides are all that a solver of these models finds.
pub fn only_lengths(state: &State, models: Models) -> bool {
    let others = models.membranes() || models.hinges();
    let ties = !state.tether.idx.is_empty() || !state.attachment.idx.is_empty();
    let more = !state.balloon.object.is_empty() || !state.coarse_node.particle.is_empty();
    !(others || ties || more || state.stride.rows.is_empty())
}

/// Models of `triangle.model`.
pub const STVK: u32 = MembraneModel::StVenantKirchhoff as u32;
pub const NEO_HOOKEAN: u32 = MembraneModel::NeoHookean as u32;
pub const AREA: u32 = MembraneModel::Area as u32;

/// Models of `hinge.model`.
pub const QUADRATIC: u32 = BendModel::Quadratic as u32;
pub const DIHEDRAL: u32 = BendModel::Dihedral as u32;

/// Puts the anchors' positions beside their tethers; once a substep.
pub fn gather_anchors(par: &Par, tether: &mut Tether, position: &[[f32; 4]]) {
    let anchor = tether.anchor;
    par.rows(tether.anchor_position, |start, rows| {
        for (row, &anchor) in rows.iter_mut().zip(&anchor[start..]) {
            *row = position[anchor as usize];
        }
    });
}

/// 1 if a row does anything, else 0.
fn acts(triangle: &Triangle, row: usize) -> u8 {
    (STVK..=AREA).contains(&triangle.model[row]).into()
}

/// As [`acts`].
fn bends(hinge: &Hinge, row: usize) -> u8 {
    (hinge.model[row] <= DIHEDRAL).into()
}
