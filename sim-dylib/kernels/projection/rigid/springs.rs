//! Distance rows, tethers and soft pins.

use sim_api::Colors;

use crate::{
    constraints::{attachment, distance, tether::Tether as Constraint},
    lanes::{Lanes, Point, Pull, Rows, RowsMut, V3},
    projection::Projection,
    state::{Attachment, Distance, Tether},
};

pub(super) struct Distances<'a> {
    pub colors: Colors<'a>,
    pub idx: &'a [[u32; 2]],
    rest: &'a [f32],
    kind: &'a [u32],
    stiffness: [f32; 3],
    lambda: RowsMut<'a>,
}

impl<'a> Distances<'a> {
    pub(super) fn new(stiffness: [f32; 3], rows: &'a mut Distance) -> Self {
        let (colors, idx, rest, kind) = (rows.colors, rows.idx, rows.rest, rows.kind);
        Self { colors, idx, rest, kind, stiffness, lambda: RowsMut::new(rows.lambda) }
    }
}

impl Distances<'_> {
    /// Scales of [`distance::pull_stiff`]; lambda grows by `share` of what it would.
    #[inline(always)]
    fn scales<L: Lanes>(&self, rows: &Rows<2>, square: L, w: [L; 2], share: L) -> [L; 2] {
        let k: L = rows.map(self.kind, |kind| self.stiffness[kind.min(2) as usize]);
        let (scales, change) = distance::pull_stiff(square, w, rows.load(self.rest), k);
        self.lambda.store(rows, self.lambda.load::<L, 2>(rows) + change * share);
        scales
    }
}

impl Projection<2> for Distances<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2], share: L) -> [V3<L>; 2] {
        let d = b.x - a.x;
        let [s0, s1] = Distances::scales(self, rows, d.dot(d), [a.w, b.w], share);
        [d * -s0, d * s1]
    }
}

impl Pull for Distances<'_> {
    #[inline(always)]
    fn scales<L: Lanes>(&self, rows: &Rows<2>, square: L, w: [L; 2]) -> [L; 2] {
        Distances::scales(self, rows, square, w, L::from_f32(1.0))
    }
}

/// Without compliance: alpha~ is 0, and lambda starts anew in each iteration.
pub(super) struct Tethers<'a>(pub &'a Tether<'a>);

impl Projection<1> for Tethers<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<1>, [x]: [Point<L>; 1], _: L) -> [V3<L>; 1] {
        let ([ax, ay, az, _], zero) = (rows.load4::<L>(self.0.anchor_position), L::from_f32(0.0));
        let anchor = V3 { x: ax, y: ay, z: az };
        let constraint = Constraint { anchor, rest: rows.load(self.0.rest), k: zero };
        [constraint.project((x.x, x.w), zero, zero, (V3::zero(), zero)).0]
    }
}

pub(super) struct Attachments<'a>(pub &'a Attachment<'a>);

impl Projection<1> for Attachments<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<1>, [x]: [Point<L>; 1], _: L) -> [V3<L>; 1] {
        let ([tx, ty, tz, _], zero) = (rows.load4::<L>(self.0.target), L::from_f32(0.0));
        let target = V3 { x: tx, y: ty, z: tz };
        [attachment::project((x.x, x.w), target, zero, V3::zero(), (V3::zero(), zero)).0]
    }
}
