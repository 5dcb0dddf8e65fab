//! Boxes around the triangles, as a tree whose nodes lie in the order of a walk: the children of a node come right after
//! it, and `skip` leads past them. So the walk needs no stack, and from the last node to the first every box
//! finds those of its children ready.

use glam::{Vec3, Vec4};
use sim_api::{Par, model::LEAF_OF_STRANDS};

use crate::{
    normals::xyz,
    state::{Edge, Face, Layer, Node, Point},
};

/// A box with sides along the axes; w is 0.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub lower: Vec4,
    pub upper: Vec4,
}

impl Bounds {
    /// Around nothing.
    const NONE: Self = Self { lower: Vec4::INFINITY, upper: Vec4::NEG_INFINITY };

    /// Around some particles with their rooms.
    #[inline(always)]
    pub(super) fn of<const N: usize>(layer: &Layer, particles: [u32; N]) -> Self {
        let (mut lower, mut upper) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for particle in particles {
            let (at, radius) =
                (xyz(layer.position_at_broad_phase[particle as usize]), Vec3::splat(radius(layer, particle)));
            lower = lower.min(at - radius);
            upper = upper.max(at + radius);
        }
        Self { lower: lower.extend(0.0), upper: upper.extend(0.0) }
    }

    /// Row i of the columns of a table.
    #[inline(always)]
    pub(super) fn at(lower: &[[f32; 4]], upper: &[[f32; 4]], i: usize) -> Self {
        Self { lower: Vec4::from_array(lower[i]), upper: Vec4::from_array(upper[i]) }
    }

    #[inline(always)]
    pub(super) fn join(&self, other: &Self) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    #[inline(always)]
    pub(super) fn meets(&self, other: &Self) -> bool {
        (self.lower.cmple(other.upper) & other.lower.cmple(self.upper)).all()
    }
}

/// How far from its place in the list a particle's cloth may reach [m]: half the thickness, and the margin.
#[inline(always)]
pub(super) fn radius(layer: &Layer, particle: u32) -> f32 {
    let i = particle as usize;
    0.5 * layer.thickness[i] + layer.position_at_broad_phase[i][3]
}

#[inline(always)]
pub(super) fn bounds(node: &Node, i: usize) -> Bounds {
    Bounds::at(node.lower, node.upper, i)
}

/// A node without children.
#[inline(always)]
pub(super) fn is_leaf(node: &Node, i: usize) -> bool {
    node.faces[i][1] > 0 || is_of_strands(node, i)
}

/// A leaf that has segments of strands, and no triangles.
#[inline(always)]
fn is_of_strands(node: &Node, i: usize) -> bool {
    node.faces[i] == LEAF_OF_STRANDS
}

/// Fits all boxes to `layer.position_at_broad_phase`.
pub(super) fn refit(
    par: &Par,
    node: &mut Node,
    face: &mut Face,
    edge: &mut Edge,
    point: &mut Point,
    layer: &Layer,
) {
    fit(par, layer, face.corners, face.lower, face.upper);
    fit(par, layer, edge.ends, edge.lower, edge.upper);
    let particle = point.particle;
    par.rows2(point.lower, point.upper, |start, lower, upper| {
        for (i, (lower, upper)) in (start..).zip(lower.iter_mut().zip(upper)) {
            let around = Bounds::of(layer, [particle[i]]);
            (*lower, *upper) = (around.lower.to_array(), around.upper.to_array());
        }
    });
    for i in (0..node.skip.len()).rev() {
        let around = if is_leaf(node, i) {
            let (rows, lower, upper) = if is_of_strands(node, i) {
                (node.edges[i], &*edge.lower, &*edge.upper)
            } else {
                (node.faces[i], &*face.lower, &*face.upper)
            };
            let of = |[first, count]: [u32; 2], lower: &[_], upper: &[_]| {
                let rows = first as usize..(first + count) as usize;
                rows.fold(Bounds::NONE, |around, row| around.join(&Bounds::at(lower, upper, row)))
            };
            let around = of(rows, lower, upper);
            // Particles of strands stay where their segments are cut.
            if is_of_strands(node, i) {
                around.join(&of(node.points[i], point.lower, point.upper))
            } else {
                around
            }
        } else {
            // A leaf whose cloth is torn away has no children either, and meets nothing.
            let (mut around, mut child) = (Bounds::NONE, i + 1);
            while child < node.skip[i] as usize {
                around = around.join(&bounds(node, child));
                child = node.skip[child] as usize;
            }
            around
        };
        (node.lower[i], node.upper[i]) = (around.lower.to_array(), around.upper.to_array());
    }
}

/// Boxes of one table.
fn fit<const N: usize>(
    par: &Par,
    layer: &Layer,
    particles: &[[u32; N]],
    lower: &mut [[f32; 4]],
    upper: &mut [[f32; 4]],
) {
    par.rows2(lower, upper, |start, lower, upper| {
        for (i, (lower, upper)) in (start..).zip(lower.iter_mut().zip(upper)) {
            let around = Bounds::of(layer, particles[i]);
            (*lower, *upper) = (around.lower.to_array(), around.upper.to_array());
        }
    });
}

/// Calls `found` for every leaf from node `first` on that meets `around`, in the order of the nodes; not for those that are
/// `alone` as it is.
#[inline(always)]
pub(super) fn walk(node: &Node, first: usize, alone: u32, around: &Bounds, mut found: impl FnMut(usize)) {
    let mut i = first;
    while i < node.skip.len() {
        let apart = alone != 0 && node.alone[i] == alone;
        if !apart && bounds(node, i).meets(around) {
            if is_leaf(node, i) {
                found(i);
            }
            i += 1;
        } else {
            i = node.skip[i] as usize;
        }
    }
}
