//! Triangles and hinges.

use crate::{
    constraints::{
        compliant::{rigid, rigid_vector},
        hinge::Dihedral,
        membrane,
        quadratic_bend::QuadraticBend,
    },
    lanes::{Lanes, Point, Rows, V3, split},
    projection::{AREA, DIHEDRAL, NEO_HOOKEAN, Projection, QUADRATIC, STVK},
    state::{Hinge, Triangle},
};

pub(super) struct Triangles<'a> {
    pub table: &'a Triangle<'a>,
    /// Of stretch (and area), shear, bend.
    pub stiffness: [f32; 3],
}

/// StVK and neo-Hookean rows: the three strains, one after another.
///
/// Müller, Chentanez, Kim, Macklin: Strain Based Dynamics, 2014.
pub(super) struct Strains<'a>(pub &'a Triangles<'a>);

impl Projection<3> for Strains<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<3>, x: [Point<L>; 3], _: L) -> [V3<L>; 3] {
        let (Triangles { table, stiffness }, (mut points, w)) = (self.0, split(&x));
        let inverse_rest = rows.load4::<L>(table.inverse_rest);
        let stiffness = [stiffness[0], stiffness[0], stiffness[1]];
        for strain in 0..3 {
            let (c, g) = membrane::strains(&points, &inverse_rest);
            let d = rigid((c[strain], g[strain]), w, L::from_f32(stiffness[strain]));
            for corner in 0..3 {
                points[corner] = points[corner] + d[corner];
            }
        }
        let mine = rows.equal::<L>(table.model, STVK) + rows.equal::<L>(table.model, NEO_HOOKEAN);
        let mut d = points;
        for corner in 0..3 {
            d[corner] = (points[corner] - x[corner].x).where_positive(mine);
        }
        d
    }
}

pub(super) struct Areas<'a>(pub &'a Triangles<'a>);

impl Projection<3> for Areas<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<3>, x: [Point<L>; 3], _: L) -> [V3<L>; 3] {
        let (Triangles { table, stiffness }, (points, w)) = (self.0, split(&x));
        let (area, g, _) = membrane::area(&points);
        let mut d = rigid((area - rows.load(table.area), g), w, L::from_f32(stiffness[0]));
        let mine = rows.equal::<L>(table.model, AREA);
        for corner in 0..3 {
            d[corner] = d[corner].where_positive(mine);
        }
        d
    }
}

pub(super) struct Hinges<'a> {
    pub table: &'a Hinge<'a>,
    pub stiffness: f32,
}

pub(super) struct QuadraticBends<'a>(pub &'a Hinges<'a>);

impl Projection<4> for QuadraticBends<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<4>, x: [Point<L>; 4], _: L) -> [V3<L>; 4] {
        let (Hinges { table, stiffness }, (points, w)) = (self.0, split(&x));
        let row = QuadraticBend { weights: rows.load4::<L>(table.weights), k: L::from_f32(*stiffness) };
        let mut d = rigid_vector(row.bend(&points), row.weights, w, row.k);
        let mine = rows.equal::<L>(table.model, QUADRATIC);
        for corner in 0..4 {
            d[corner] = d[corner].where_positive(mine);
        }
        d
    }
}

pub(super) struct Dihedrals<'a>(pub &'a Hinges<'a>);

impl Projection<4> for Dihedrals<'_> {
    #[inline(always)]
    fn solve<L: Lanes>(&self, rows: &Rows<4>, x: [Point<L>; 4], _: L) -> [V3<L>; 4] {
        let (Hinges { table, stiffness }, (points, w)) = (self.0, split(&x));
        let row = Dihedral { rest_angle: rows.load(table.rest_angle), k: L::from_f32(*stiffness) };
        let mut d = rigid(row.bend(&points), w, row.k);
        let mine = rows.equal::<L>(table.model, DIHEDRAL);
        for corner in 0..4 {
            d[corner] = d[corner].where_positive(mine);
        }
        d
    }
}
