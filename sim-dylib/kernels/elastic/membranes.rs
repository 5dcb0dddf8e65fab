//! Triangles as membranes: one table of rows for each model, which is 0 in rows of another.

use super::Elastic;
use crate::{
    constraints::membrane::{Area, NeoHookean, StVenantKirchhoff},
    lanes::{Lanes, Rows},
    projection::{AREA, NEO_HOOKEAN, STVK},
    state::Triangle,
};

pub(super) struct StVenantKirchhoffs<'a>(pub &'a Triangle<'a>);

impl Elastic<3> for StVenantKirchhoffs<'_> {
    type Row<L: Lanes> = StVenantKirchhoff<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<3>) -> StVenantKirchhoff<L> {
        let (triangle, mine) = (self.0, rows.equal::<L>(self.0.model, STVK));
        StVenantKirchhoff {
            inverse_rest: rows.load4(triangle.inverse_rest),
            area: rows.load::<L>(triangle.area),
            mu: rows.load::<L>(triangle.mu) * mine,
            lame: rows.load::<L>(triangle.lame) * mine,
        }
    }
}

pub(super) struct NeoHookeans<'a>(pub &'a Triangle<'a>);

impl Elastic<3> for NeoHookeans<'_> {
    type Row<L: Lanes> = NeoHookean<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<3>) -> NeoHookean<L> {
        let (triangle, mine) = (self.0, rows.equal::<L>(self.0.model, NEO_HOOKEAN));
        NeoHookean {
            inverse_rest: rows.load4(triangle.inverse_rest),
            area: rows.load::<L>(triangle.area),
            mu: rows.load::<L>(triangle.mu) * mine,
            lame: rows.load::<L>(triangle.lame) * mine,
        }
    }
}

pub(super) struct Areas<'a>(pub &'a Triangle<'a>);

impl Elastic<3> for Areas<'_> {
    type Row<L: Lanes> = Area<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<3>) -> Area<L> {
        let mine = rows.equal::<L>(self.0.model, AREA);
        Area { area: rows.load(self.0.area), k: rows.load::<L>(self.0.mu) * mine }
    }
}
