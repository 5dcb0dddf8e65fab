//! PBD's projection of any constraint: it is rigid, and a share of its error is taken.

use std::marker::PhantomData;

use super::Projection;
use crate::{
    constraints::{Constraint, Group, Kind, Tables, distance, model},
    lanes::{Lanes, Point, Pull, Rows, RowsMut, V3, split},
};

/// The rows of one constraint.
pub(super) struct Rigid<'a, const N: usize, K> {
    pub tables: &'a Tables<'a>,
    /// Of stretch (and area), shear, bending.
    pub shares: [f32; 3],
    /// Where particles are looked up that are no corners of a row.
    pub still: &'a [[f32; 4]],
    pub of: PhantomData<fn() -> K>,
}

impl<const N: usize, K: Kind<N>> Projection<N> for Rigid<'_, N, K> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N], _: L) -> [V3<L>; N] {
        let (Self { tables, shares: [stretch, shear, bend], still, .. }, (points, w)) = (self, split(&x));
        let row = K::Row::<L>::load(tables, &Group { rows, still }, L::from_f32(1.0));
        let shares = [L::from_f32(*stretch), L::from_f32(*shear), L::from_f32(*bend)];
        let mut d = row.rigid(&points, w, shares);
        if let Some(models) = K::rows(tables).models {
            let mine = rows.equal::<L>(models, model::<N, K>());
            for corner in 0..N {
                d[corner] = d[corner].where_positive(mine);
            }
        }
        d
    }
}

/// The distance rows.
#[derive(Clone, Copy)]
pub(super) struct Distances<'a> {
    rest: &'a [f32],
    kind: &'a [u32],
    shares: [f32; 3],
    /// `None`: nobody reads it.
    lambda: Option<RowsMut<'a>>,
}

impl<'a> Distances<'a> {
    /// `shares` by kind: structural, shear, bend.
    pub(super) fn new(tables: &Tables<'a>, shares: [f32; 3], lambda: Option<&'a mut [f32]>) -> Self {
        let lambda = lambda.map(RowsMut::new);
        Self { rest: tables.distance.rest, kind: tables.distance.kind, shares, lambda }
    }

    /// Scales of [`distance::pull_stiff`]; lambda grows by `share` of what it would.
    #[inline(always)]
    fn scales<L: Lanes>(&self, rows: &Rows<2>, [rest, k]: [L; 2], square: L, w: [L; 2], share: L) -> [L; 2] {
        let (scales, change) = distance::pull_stiff(square, w, rest, k);
        if let Some(lambda) = self.lambda {
            lambda.store(rows, lambda.load::<L, 2>(rows) + change * share);
        }
        scales
    }
}

impl Projection<2> for Distances<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<2>, [a, b]: [Point<L>; 2], share: L) -> [V3<L>; 2] {
        let d = b.x - a.x;
        let [s0, s1] = Distances::scales(self, rows, self.read(rows), d.dot(d), [a.w, b.w], share);
        [d * -s0, d * s1]
    }
}

impl Pull for Distances<'_> {
    /// Rest length, and share.
    type Of<L: Lanes> = [L; 2];

    #[inline(always)]
    fn read<L: Lanes>(&self, rows: &Rows<2>) -> [L; 2] {
        [rows.load(self.rest), rows.map(self.kind, |kind| self.shares[kind.min(2) as usize])]
    }

    #[inline(always)]
    fn scales<L: Lanes>(&self, rows: &Rows<2>, of: [L; 2], square: L, w: [L; 2]) -> [L; 2] {
        Distances::scales(self, rows, of, square, w, L::from_f32(1.0))
    }
}
