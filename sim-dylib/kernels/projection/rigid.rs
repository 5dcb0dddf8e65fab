//! PBD's projections of every table: all constraints are rigid, and a share of each error is taken.

mod shapes;
mod springs;

use super::{AREA, DIHEDRAL, Family, Models, NEO_HOOKEAN, QUADRATIC, STVK, Visitor};
use crate::state::{Attachment, Distance, Hinge, Tether, Triangle};

/// The rows of all tables.
pub struct Rigid<'a> {
    models: Models,
    distance: springs::Distances<'a>,
    triangle: shapes::Triangles<'a>,
    hinge: shapes::Hinges<'a>,
    tether: springs::Tethers<'a>,
    attachment: springs::Attachments<'a>,
}

impl<'a> Rigid<'a> {
    /// `stiffness` by kind: structural, shear, bend.
    pub fn new(
        models: Models,
        stiffness: [f32; 3],
        distance: &'a mut Distance,
        triangle: &'a Triangle,
        hinge: &'a Hinge,
        tether: &'a Tether,
        attachment: &'a Attachment,
    ) -> Self {
        Self {
            models,
            distance: springs::Distances::new(stiffness, distance),
            triangle: shapes::Triangles { table: triangle, stiffness },
            hinge: shapes::Hinges { table: hinge, stiffness: stiffness[2] },
            tether: springs::Tethers(tether),
            attachment: springs::Attachments(attachment),
        }
    }
}

impl Family for Rigid<'_> {
    fn each(&self, visitor: &mut impl Visitor) {
        let Self { models, distance, triangle, hinge, tether, attachment } = self;
        visitor.pull(distance.colors, distance.idx, distance);
        let table = triangle.table;
        if models.triangle(STVK) || models.triangle(NEO_HOOKEAN) {
            visitor.visit(table.colors, table.idx, &shapes::Strains(triangle));
        }
        if models.triangle(AREA) {
            visitor.visit(table.colors, table.idx, &shapes::Areas(triangle));
        }
        let table = hinge.table;
        if models.hinge(QUADRATIC) {
            visitor.visit(table.colors, table.idx, &shapes::QuadraticBends(hinge));
        }
        if models.hinge(DIHEDRAL) {
            visitor.visit(table.colors, table.idx, &shapes::Dihedrals(hinge));
        }
        visitor.visit(tether.0.colors, tether.0.idx.as_chunks().0, tether);
        visitor.visit(attachment.0.colors, attachment.0.idx.as_chunks().0, attachment);
    }
}
