//! Boxes around the triangles, as a tree whose nodes lie in the order of a walk: the children of a node come right after
//! it, and `skip` leads past them. So the walk needs no stack, and from the last node to the first every box
//! finds those of its children ready.

use glam::Vec3;

use crate::{
    normals::xyz,
    state::{Face, Layer, Node},
};

/// A box with sides along the axes.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub lower: Vec3,
    pub upper: Vec3,
}

impl Bounds {
    pub const NOTHING: Self = Self { lower: Vec3::INFINITY, upper: Vec3::NEG_INFINITY };

    #[inline(always)]
    pub fn add(&mut self, at: Vec3, radius: f32) {
        self.lower = self.lower.min(at - Vec3::splat(radius));
        self.upper = self.upper.max(at + Vec3::splat(radius));
    }

    /// Around some particles with their rooms.
    #[inline(always)]
    pub fn of<const N: usize>(layer: &Layer, particles: [u32; N]) -> Self {
        let mut bounds = Self::NOTHING;
        for particle in particles {
            bounds.add(xyz(layer.seen[particle as usize]), radius(layer, particle));
        }
        bounds
    }

    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        self.lower.cmple(other.upper).all() && other.lower.cmple(self.upper).all()
    }
}

/// How far from its place in the list a particle's cloth may reach [m]: half the thickness, and the margin.
#[inline(always)]
pub fn radius(layer: &Layer, particle: u32) -> f32 {
    let i = particle as usize;
    0.5 * layer.thickness[i] + layer.seen[i][3]
}

#[inline(always)]
pub fn bounds(node: &Node, i: usize) -> Bounds {
    Bounds { lower: xyz(node.lower[i]), upper: xyz(node.upper[i]) }
}

/// A node without children.
#[inline(always)]
pub fn is_leaf(node: &Node, i: usize) -> bool {
    node.faces[i][1] > 0
}

/// Fits all boxes to `layer.seen`.
pub fn refit(node: &mut Node, face: &Face, layer: &Layer) {
    for i in (0..node.skip.len()).rev() {
        let mut around = Bounds::NOTHING;
        if is_leaf(node, i) {
            let [first, count] = node.faces[i];
            for corners in &face.corners[first as usize..(first + count) as usize] {
                let own = Bounds::of(layer, *corners);
                around = Bounds { lower: around.lower.min(own.lower), upper: around.upper.max(own.upper) };
            }
        } else {
            let mut child = i + 1;
            while child < node.skip[i] as usize {
                let own = bounds(node, child);
                around = Bounds { lower: around.lower.min(own.lower), upper: around.upper.max(own.upper) };
                child = node.skip[child] as usize;
            }
        }
        node.lower[i] = around.lower.extend(0.0).to_array();
        node.upper[i] = around.upper.extend(0.0).to_array();
    }
}

/// Calls `found` for every leaf that meets `around`, in the order of the nodes, from node `first` on.
#[inline(always)]
pub fn walk(node: &Node, around: &Bounds, mut found: impl FnMut(usize)) {
    let mut i = 0;
    while i < node.skip.len() {
        if bounds(node, i).meets(around) {
            if is_leaf(node, i) {
                found(i);
            }
            i += 1;
        } else {
            i = node.skip[i] as usize;
        }
    }
}
