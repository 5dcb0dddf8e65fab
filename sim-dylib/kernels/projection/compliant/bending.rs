//! Hinges of both models.

use super::Time;
use crate::{
    constraints::{compliant, hinge::Dihedral, quadratic_bend::QuadraticBend},
    lanes::{Lanes, Point, Rows, RowsMut, V3, split},
    projection::{DIHEDRAL, Projection, QUADRATIC},
    state::Hinge,
};

pub(super) struct Hinges<'a> {
    model: &'a [u32],
    weights: &'a [[f32; 4]],
    rest_angle: &'a [f32],
    stiffness: &'a [f32],
    lambda: RowsMut<'a, [f32; 4]>,
    time: Time<'a>,
}

impl<'a> Hinges<'a> {
    pub(super) fn new(time: Time<'a>, rows: &'a mut Hinge) -> Self {
        Self {
            model: rows.model,
            weights: rows.weights,
            rest_angle: rows.rest_angle,
            stiffness: rows.stiffness,
            lambda: RowsMut::new(rows.lambda),
            time,
        }
    }
}

pub(super) struct QuadraticBends<'a>(pub &'a Hinges<'a>);

impl Projection<4> for QuadraticBends<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<4>, x: [Point<L>; 4], share: L) -> [V3<L>; 4] {
        let (table, (points, w)) = (self.0, split(&x));
        let k = rows.load::<L>(table.stiffness);
        let row = QuadraticBend { weights: rows.load4(table.weights), k };
        let (s, past) = (k * L::from_f32(table.time.h * table.time.h), table.time.past(rows, &x));
        let [lx, ly, lz, unused] = table.lambda.load4::<L, 4>(rows);
        let lambda = V3 { x: lx, y: ly, z: lz };
        let (mut d, change) = compliant::vector(row.bend(&points), row.weights, w, s, lambda, &past);
        let mine = rows.equal::<L>(table.model, QUADRATIC);
        for corner in 0..4 {
            d[corner] = d[corner].where_positive(mine);
        }
        let lambda = lambda + change.where_positive(mine) * share;
        table.lambda.store4(rows, [lambda.x, lambda.y, lambda.z, unused]);
        d
    }
}

pub(super) struct Dihedrals<'a>(pub &'a Hinges<'a>);

impl Projection<4> for Dihedrals<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<4>, x: [Point<L>; 4], share: L) -> [V3<L>; 4] {
        let (table, (points, w)) = (self.0, split(&x));
        let k = rows.load::<L>(table.stiffness);
        let row = Dihedral { rest_angle: rows.load(table.rest_angle), k };
        let (s, past) = (k * L::from_f32(table.time.h * table.time.h), table.time.past(rows, &x));
        let [lambda, a, b, c] = table.lambda.load4::<L, 4>(rows);
        let (mut d, change) = compliant::scalar(row.bend(&points), w, s, lambda, &past);
        let mine = rows.equal::<L>(table.model, DIHEDRAL);
        for corner in 0..4 {
            d[corner] = d[corner].where_positive(mine);
        }
        table.lambda.store4(rows, [lambda + change.where_positive(mine) * share, a, b, c]);
        d
    }
}
