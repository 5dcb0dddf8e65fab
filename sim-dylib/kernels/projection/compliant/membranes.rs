//! Triangles of the models StVK, neo-Hookean and area.

use super::Time;
use crate::{
    constraints::{
        compliant,
        membrane::{self, NeoHookean, StVenantKirchhoff, Three},
    },
    lanes::{Lanes, Point, Rows, RowsMut, V3, split},
    projection::{AREA, NEO_HOOKEAN, Projection, STVK},
    state::Triangle,
};

pub(super) struct Triangles<'a> {
    model: &'a [u32],
    inverse_rest: &'a [[f32; 4]],
    area: &'a [f32],
    mu: &'a [f32],
    lame: &'a [f32],
    lambda: RowsMut<'a, [f32; 4]>,
    time: Time<'a>,
}

impl<'a> Triangles<'a> {
    pub(super) fn new(time: Time<'a>, rows: &'a mut Triangle) -> Self {
        Self {
            model: rows.model,
            inverse_rest: rows.inverse_rest,
            area: rows.area,
            mu: rows.mu,
            lame: rows.lame,
            lambda: RowsMut::new(rows.lambda),
            time,
        }
    }

    /// Three constraints at once, in the rows of one model.
    #[inline(always)]
    fn block<L: Lanes>(
        &self,
        rows: &Rows<3>,
        x: [Point<L>; 3],
        (constraints, compliance): (Three<L>, [L; 4]),
        (model, share): (u32, L),
    ) -> [V3<L>; 3] {
        let [l0, l1, l2, unused] = self.lambda.load4::<L, 3>(rows);
        let (mine, per_h2) = (rows.equal::<L>(self.model, model), L::from_f32(self.time.per_h2()));
        let mut over_h2 = compliance;
        for i in 0..4 {
            over_h2[i] = compliance[i] * per_h2;
        }
        let past = self.time.past(rows, &x);
        let (mut d, change) = compliant::block(constraints, split(&x).1, over_h2, [l0, l1, l2], &past);
        for corner in 0..3 {
            d[corner] = d[corner].where_positive(mine);
        }
        let l0 = l0 + change[0].where_positive(mine) * share;
        let l1 = l1 + change[1].where_positive(mine) * share;
        let l2 = l2 + change[2].where_positive(mine) * share;
        self.lambda.store4(rows, [l0, l1, l2, unused]);
        d
    }
}

pub(super) struct StVenantKirchhoffs<'a>(pub &'a Triangles<'a>);

impl Projection<3> for StVenantKirchhoffs<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<3>, x: [Point<L>; 3], share: L) -> [V3<L>; 3] {
        let (table, (points, _)) = (self.0, split(&x));
        let row = StVenantKirchhoff {
            inverse_rest: rows.load4::<L>(table.inverse_rest),
            area: rows.load(table.area),
            mu: rows.load(table.mu),
            lame: rows.load(table.lame),
        };
        let constraints = membrane::strains(&points, &row.inverse_rest);
        table.block(rows, x, (constraints, row.compliance()), (STVK, share))
    }
}

pub(super) struct NeoHookeans<'a>(pub &'a Triangles<'a>);

impl Projection<3> for NeoHookeans<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<3>, x: [Point<L>; 3], share: L) -> [V3<L>; 3] {
        let (table, (points, _)) = (self.0, split(&x));
        let row = NeoHookean {
            inverse_rest: rows.load4::<L>(table.inverse_rest),
            area: rows.load(table.area),
            mu: rows.load(table.mu),
            lame: rows.load(table.lame),
        };
        table.block(rows, x, (row.constraints(&points), row.compliance()), (NEO_HOOKEAN, share))
    }
}

pub(super) struct Areas<'a>(pub &'a Triangles<'a>);

impl Projection<3> for Areas<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<3>, x: [Point<L>; 3], share: L) -> [V3<L>; 3] {
        let (table, (points, w)) = (self.0, split(&x));
        let (area, rest) = (membrane::area(&points), rows.load::<L>(table.area));
        let s = rows.load::<L>(table.mu) / rest * L::from_f32(table.time.h * table.time.h);
        let ([lambda, a, b, c], past) = (table.lambda.load4::<L, 3>(rows), table.time.past(rows, &x));
        let (mut d, change) = compliant::scalar((area.0 - rest, area.1), w, s, lambda, &past);
        let mine = rows.equal::<L>(table.model, AREA);
        for corner in 0..3 {
            d[corner] = d[corner].where_positive(mine);
        }
        table.lambda.store4(rows, [lambda + change.where_positive(mine) * share, a, b, c]);
        d
    }
}
