//! Tethers and soft pins as springs from a particle to a point. A rigid one gets the stiffness at which
//! `springs::limit_stiffness` holds back the rows between two particles.

use super::Elastic;
use crate::{
    constraints::{attachment::Attachment, tether::Tether},
    lanes::{Lanes, Rows, V3},
    state,
};

/// min(1/compliance, most / w) [N/m]; `most` [1/s2] is `stiffest`/h², w the inverse mass of the row's particle in `x`.
#[inline(always)]
fn stiffness<L: Lanes>(rows: &Rows<1>, compliance: &[f32], x: &[[f32; 4]], most: f32) -> L {
    let least = rows.fetch::<L>(x, 0).w / L::from_f32(most);
    // A particle that does not move has w = 0 and feels nothing.
    L::from_f32(1.0) / rows.load::<L>(compliance).max(least).max(L::from_f32(1e-12))
}

pub(super) struct Tethers<'a> {
    pub rows: &'a state::Tether<'a>,
    pub x: &'a [[f32; 4]],
    pub most: f32,
    /// As stiff where they are slack, and across.
    pub taut: bool,
}

impl Elastic<1> for Tethers<'_> {
    type Row<L: Lanes> = Tether<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<1>) -> Tether<L> {
        let [x, y, z, _] = rows.load4::<L>(self.rows.anchor_position);
        let k = stiffness(rows, self.rows.compliance, self.x, self.most);
        // A string of no length is taut wherever it leads.
        let share = L::from_f32(if self.taut { 0.0 } else { 1.0 });
        Tether { anchor: V3 { x, y, z }, rest: rows.load::<L>(self.rows.rest) * share, k }
    }
}

pub(super) struct Attachments<'a> {
    pub rows: &'a state::Attachment<'a>,
    pub x: &'a [[f32; 4]],
    pub most: f32,
}

impl Elastic<1> for Attachments<'_> {
    type Row<L: Lanes> = Attachment<L>;

    #[inline(always)]
    fn row<L: Lanes>(&self, rows: &Rows<1>) -> Attachment<L> {
        let [x, y, z, _] = rows.load4::<L>(self.rows.target);
        let k = stiffness(rows, self.rows.compliance, self.x, self.most);
        Attachment { target: V3 { x, y, z }, k }
    }
}
