//! Tethers and soft pins.

use super::Time;
use crate::{
    constraints::{attachment, tether::Tether as Constraint},
    lanes::{Lanes, Point, Rows, RowsMut, V3},
    projection::Projection,
    state::{Attachment, Tether},
};

pub(super) struct Tethers<'a> {
    anchor: &'a [[f32; 4]],
    rest: &'a [f32],
    compliance: &'a [f32],
    lambda: RowsMut<'a>,
    per_h2: f32,
    time: Time<'a>,
}

impl<'a> Tethers<'a> {
    pub(super) fn new(time: Time<'a>, rows: &'a mut Tether) -> Self {
        let (lambda, per_h2) = (RowsMut::new(rows.lambda), time.per_h2());
        let (anchor, rest, compliance) = (&*rows.anchor_position, rows.rest, rows.compliance);
        Self { anchor, rest, compliance, lambda, per_h2, time }
    }
}

impl Projection<1> for Tethers<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<1>, x: [Point<L>; 1], share: L) -> [V3<L>; 1] {
        let [ax, ay, az, _] = rows.load4::<L>(self.anchor);
        let (anchor, rest) = (V3 { x: ax, y: ay, z: az }, rows.load(self.rest));
        let constraint = Constraint { anchor, rest, k: L::from_f32(0.0) };
        let alpha = rows.load::<L>(self.compliance) * L::from_f32(self.per_h2);
        let (lambda, past) = (self.lambda.load::<L, 1>(rows), self.time.past(rows, &x));
        let (d, change) = constraint.project((x[0].x, x[0].w), alpha, lambda, (past.way[0], past.gamma));
        self.lambda.store(rows, lambda + change * share);
        [d]
    }
}

pub(super) struct Attachments<'a> {
    target: &'a [[f32; 4]],
    compliance: &'a [f32],
    lambda: RowsMut<'a, [f32; 4]>,
    per_h2: f32,
    time: Time<'a>,
}

impl<'a> Attachments<'a> {
    pub(super) fn new(time: Time<'a>, rows: &'a mut Attachment) -> Self {
        let (lambda, per_h2) = (RowsMut::new(rows.lambda), time.per_h2());
        Self { target: rows.target, compliance: rows.compliance, lambda, per_h2, time }
    }
}

impl Projection<1> for Attachments<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<1>, x: [Point<L>; 1], share: L) -> [V3<L>; 1] {
        let [tx, ty, tz, _] = rows.load4::<L>(self.target);
        let target = V3 { x: tx, y: ty, z: tz };
        let alpha = rows.load::<L>(self.compliance) * L::from_f32(self.per_h2);
        let ([lx, ly, lz, unused], past) = (self.lambda.load4::<L, 1>(rows), self.time.past(rows, &x));
        let lambda = V3 { x: lx, y: ly, z: lz };
        let way = (past.way[0], past.gamma);
        let (d, change) = attachment::project((x[0].x, x[0].w), target, alpha, lambda, way);
        let lambda = lambda + change * share;
        self.lambda.store4(rows, [lambda.x, lambda.y, lambda.z, unused]);
        [d]
    }
}
