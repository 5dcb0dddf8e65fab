//! XPBD's projections of all tables but the distance rows, which are in `solvers/xpbd.rs`: they fetch a row's data,
//! call the constraint and keep lambda.

mod bending;
mod membranes;
mod points;

use sim_api::Colors;

use super::{AREA, DIHEDRAL, Family, Models, NEO_HOOKEAN, QUADRATIC, STVK, Visitor};
use crate::{
    constraints::compliant::Past,
    lanes::{Lanes, Point, Rows},
    state::{Attachment, Hinge, Tether, Triangle},
};

/// The substep as a row sees it.
#[derive(Clone, Copy)]
pub struct Time<'a> {
    /// Its length [s].
    pub h: f32,
    /// Time of the internal damping [s].
    pub damping: f32,
    /// Positions at its start [m].
    pub previous: &'a [[f32; 4]],
}

impl Time<'_> {
    fn per_h2(&self) -> f32 {
        1.0 / (self.h * self.h)
    }

    /// What damping needs. Where nothing is damped, the previous positions are not fetched.
    #[inline(always)]
    pub fn past<L: Lanes, const N: usize>(&self, rows: &Rows<N>, x: &[Point<L>; N]) -> Past<L, N> {
        let mut past = Past::none();
        if self.damping > 0.0 {
            past.gamma = L::from_f32(self.damping / self.h);
            for corner in 0..N {
                past.way[corner] = x[corner].x - rows.fetch::<L>(self.previous, corner).x;
            }
        }
        past
    }
}

/// One table: which rows may run together, their particles, and what they do.
struct Table<'a, const N: usize, T> {
    colors: Colors<'a>,
    idx: &'a [[u32; N]],
    rows: T,
}

/// The rows of these tables.
pub struct Compliant<'a> {
    models: Models,
    triangle: Table<'a, 3, membranes::Triangles<'a>>,
    hinge: Table<'a, 4, bending::Hinges<'a>>,
    tether: Table<'a, 1, points::Tethers<'a>>,
    attachment: Table<'a, 1, points::Attachments<'a>>,
}

impl<'a> Compliant<'a> {
    pub fn new(
        time: Time<'a>,
        models: Models,
        triangle: &'a mut Triangle,
        hinge: &'a mut Hinge,
        tether: &'a mut Tether,
        attachment: &'a mut Attachment,
    ) -> Self {
        Self {
            models,
            triangle: Table {
                colors: triangle.colors,
                idx: triangle.idx,
                rows: membranes::Triangles::new(time, triangle),
            },
            hinge: Table { colors: hinge.colors, idx: hinge.idx, rows: bending::Hinges::new(time, hinge) },
            tether: Table {
                colors: tether.colors,
                idx: tether.idx.as_chunks().0,
                rows: points::Tethers::new(time, tether),
            },
            attachment: Table {
                colors: attachment.colors,
                idx: attachment.idx.as_chunks().0,
                rows: points::Attachments::new(time, attachment),
            },
        }
    }
}

impl Family for Compliant<'_> {
    fn each(&self, visitor: &mut impl Visitor) {
        let Table { colors, idx, rows } = &self.triangle;
        if self.models.triangle(STVK) {
            visitor.visit(*colors, idx, &membranes::StVenantKirchhoffs(rows));
        }
        if self.models.triangle(NEO_HOOKEAN) {
            visitor.visit(*colors, idx, &membranes::NeoHookeans(rows));
        }
        if self.models.triangle(AREA) {
            visitor.visit(*colors, idx, &membranes::Areas(rows));
        }
        let Table { colors, idx, rows } = &self.hinge;
        if self.models.hinge(QUADRATIC) {
            visitor.visit(*colors, idx, &bending::QuadraticBends(rows));
        }
        if self.models.hinge(DIHEDRAL) {
            visitor.visit(*colors, idx, &bending::Dihedrals(rows));
        }
        visitor.visit(self.tether.colors, self.tether.idx, &self.tether.rows);
        visitor.visit(self.attachment.colors, self.attachment.idx, &self.attachment.rows);
    }
}
