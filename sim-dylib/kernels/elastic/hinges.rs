//! Hinges of both models; a row of the other model has stiffness 0.

use super::Elastic;
use crate::{
    constraints::{hinge::Dihedral, quadratic_bend::QuadraticBend},
    lanes::{Lanes, Rows},
    projection::{DIHEDRAL, QUADRATIC},
    state::Hinge,
};

pub struct QuadraticBends<'a>(pub &'a Hinge<'a>);

impl Elastic<4> for QuadraticBends<'_> {
    type Row<L: Lanes> = QuadraticBend<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<4>) -> QuadraticBend<L> {
        let mine = rows.equal::<L>(self.0.model, QUADRATIC);
        QuadraticBend { weights: rows.load4(self.0.weights), k: rows.load::<L>(self.0.stiffness) * mine }
    }
}

pub struct Dihedrals<'a>(pub &'a Hinge<'a>);

impl Elastic<4> for Dihedrals<'_> {
    type Row<L: Lanes> = Dihedral<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<4>) -> Dihedral<L> {
        let mine = rows.equal::<L>(self.0.model, DIHEDRAL);
        Dihedral { rest_angle: rows.load(self.0.rest_angle), k: rows.load::<L>(self.0.stiffness) * mine }
    }
}
