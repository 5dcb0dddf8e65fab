//! Distance to a triangle mesh: the nearest point by a tree of boxes, the sign by the normal there.
//!
//! The host builds the arrays (`app/scene/src/obj/solid.rs`). The tree lies in depth-first order and needs no stack: a node whose
//! box is too far leads to its `skip`, any other to the next row. Cells of a coarse grid know the distance at their
//! centres, so a point that is far from the surface costs one look. They know the face nearest to there as well: its own
//! distance is a bound so close that the search of a point that is near looks into few boxes. A particle that was near
//! before remembers its nearest faces, and as long as they settle it no box is looked into (`near.rs`).
//!
//! Sign: Bærentzen and Aanæs: Signed Distance Computation Using the Angle Weighted Pseudonormal, 2005. Behind the nearest
//! face, edge or corner of a closed mesh is inside. A mesh with a boundary has no inside: it is a shell as thick as the
//! collider's `thickness` on both sides.
//!
//! Rejected: a grid of distances alone. It rounds off every edge by a cell and closes what is narrower than one.

use glam::{Vec3, Vec4};
use sim_api::Mapped;

use super::{
    look::{Few, Found, Look, Nearest},
    near::{FACES, Near},
};
use crate::{
    normals::xyz,
    state::{Collider, SolidCell, SolidFace, SolidNode, SolidVertex, State},
};

/// The tables of all meshes.
#[derive(Clone, Copy)]
pub struct Meshes<'a> {
    /// Place [m] and angle-weighted normal of each vertex, in the frame of its collider.
    pub position: &'a [[f32; 4]],
    pub normal: &'a [[f32; 4]],
    /// Vertices of each face.
    pub corners: &'a [[u32; 3]],
    /// Normals of the edges that face corners 0-1, 1-2 and 2-0.
    pub edges: [&'a [[f32; 4]]; 3],
    /// Boxes of the tree.
    pub low: &'a [[f32; 4]],
    pub high: &'a [[f32; 4]],
    /// Where to go on if the box is too far; first face and number of faces of a leaf, 0 of an inner node.
    pub link: &'a [[u32; 3]],
    /// Signed distance at the centres of cells [m], x fastest, and the face that is nearest to them.
    pub cell: &'a [f32],
    pub cell_face: &'a [u32],
}

impl<'a> Meshes<'a> {
    pub fn of(state: &State<'a>) -> Self {
        Self::new(&state.solid_vertex, &state.solid_face, &state.solid_node, &state.solid_cell)
    }

    pub fn new(
        vertex: &SolidVertex<'a>,
        face: &SolidFace<'a>,
        node: &SolidNode<'a>,
        cell: &SolidCell<'a>,
    ) -> Self {
        Self {
            position: vertex.position,
            normal: vertex.normal,
            corners: face.corners,
            edges: [face.edge0, face.edge1, face.edge2],
            low: node.low,
            high: node.high,
            link: node.link,
            cell: cell.distance,
            cell_face: cell.face,
        }
    }

    /// That of a collider of kind 4.
    pub fn mesh(&self, collider: &Collider, i: usize) -> Mesh<'a> {
        let [low_x, low_y, low_z, cell] = collider.grid_low[i];
        Mesh {
            of: *self,
            closed: collider.size[i][0] > 0.0,
            radius: collider.size[i][1],
            nodes: collider.nodes[i],
            low: Vec3::new(low_x, low_y, low_z),
            cell,
            cells: collider.grid_cells[i],
        }
    }
}

/// One mesh.
#[derive(Clone, Copy)]
pub struct Mesh<'a> {
    pub of: Meshes<'a>,
    pub closed: bool,
    /// Of the ball around the local origin that holds it [m].
    pub radius: f32,
    /// First node of its tree and the one behind its last.
    pub nodes: [u32; 2],
    /// Lowest corner of its grid [m].
    pub low: Vec3,
    /// Side of a cell [m].
    pub cell: f32,
    /// Cells along x, y, z, and the first row of them.
    pub cells: [u32; 4],
}

/// Those that are remembered may not have the nearest among them.
struct Unsettled;

/// What a cell knows of a point in it, or of one beside the grid.
struct Glance {
    /// Signed distance of the cell's centre [m], and from the point to there.
    known: f32,
    away: f32,
    /// That is nearest to the centre.
    face: u32,
}

impl Mesh<'_> {
    /// As `Shape::distance`.
    #[inline]
    pub fn distance(&self, x: Vec3, needed: f32) -> (f32, Vec3) {
        let glance = self.glance(x);
        // The distance changes by at most the way.
        if glance.known - glance.away > needed {
            return (glance.known - glance.away, Vec3::Y);
        }
        self.signed(&self.search(x, f32::INFINITY, self.seed(x, &glance)))
    }

    /// As `Shape::within`.
    #[inline]
    pub fn within(&self, x: Vec3, needed: f32) -> Option<(f32, Vec3)> {
        let glance = self.glance(x);
        if glance.known - glance.away > needed {
            return None;
        }
        // Outside for sure: what is farther than needed is not looked for.
        let outside = glance.known > glance.away || !self.closed;
        let reach = if outside { 1.001 * needed + 1e-6 } else { f32::INFINITY };
        let found = self.search(x, reach * reach, self.seed(x, &glance));
        (found.squared <= reach * reach).then(|| self.signed(&found))
    }

    /// [`Mesh::within`] for a particle that remembers its last look: the same, to the last bit.
    #[inline]
    pub fn within_near(&self, x: Vec3, needed: f32, near: &mut Near) -> Option<(f32, Vec3)> {
        let glance = self.glance(x);
        if glance.known - glance.away > needed {
            return None;
        }
        let outside = glance.known > glance.away || !self.closed;
        let reach = if outside { 1.001 * needed + 1e-6 } else { f32::INFINITY };
        let found = match self.among(x, reach * reach, glance.face, near) {
            Ok(found) => found?,
            Err(Unsettled) => self.gather(x, reach, self.seed(x, &glance), near),
        };
        (found.squared <= reach * reach).then(|| self.signed(&found))
    }

    /// The nearest point of all faces within `reach` [m2, squared], if those that are remembered say it.
    #[inline]
    fn among(&self, x: Vec3, reach: f32, seed: u32, near: &Near) -> Result<Option<Found>, Unsettled> {
        let (moved, beyond) = near.since(x).ok_or(Unsettled)?;
        let (mut best, mut nearest) = (reach, None::<Found>);
        for k in 0..FACES {
            let (least, face) = (near.ways[k] - moved, near.faces[k]);
            if near.ways[k] == f32::INFINITY || (least > 0.0 && least * least > best) {
                break;
            }
            let (way, normal) = self.way_from(face as usize, x);
            let squared = way.length_squared();
            // Of those that are equally near the search keeps the first that it meets.
            let first = || {
                nearest.as_ref().is_none_or(|other| other.face != seed && (face == seed || face < other.face))
            };
            if squared < best || (squared == best && first()) {
                best = squared;
                nearest = Some(Found { way, normal, squared, face });
            }
        }
        if best.sqrt() + moved < beyond { Ok(nearest) } else { Err(Unsettled) }
    }

    /// [`Mesh::search`] that looks a little further, and remembers what it saw.
    #[inline(never)]
    fn gather(&self, x: Vec3, reach: f32, seed: Found, near: &mut Near) -> Found {
        let mut few = Few::new(reach, 0.5 * self.cell, seed);
        self.walk(x, seed.face, &mut few);
        near.keep(x, &few.faces, few.limit.sqrt());
        few.nearest.nearest
    }

    #[inline]
    fn glance(&self, x: Vec3) -> Glance {
        let place = (x - self.low) / self.cell;
        let [nx, ny, nz, first] = self.cells;
        // Casts of negative and of too large numbers saturate.
        let at = [(place.x, nx), (place.y, ny), (place.z, nz)];
        let [i, j, k] = at.mapped(|(place, count)| (place as u32).min(count - 1));
        let center = self.low + Vec3::new(i as f32 + 0.5, j as f32 + 0.5, k as f32 + 0.5) * self.cell;
        let row = (first + (k * ny + j) * nx + i) as usize;
        let away = 1.0001 * (x - center).length();
        Glance { known: self.of.cell[row], away, face: self.of.cell_face[row] }
    }

    /// Where the search begins: the nearest point of the face that the cell names.
    #[inline]
    fn seed(&self, x: Vec3, glance: &Glance) -> Found {
        let (way, normal) = self.way_from(glance.face as usize, x);
        Found { way, normal, squared: way.length_squared(), face: glance.face }
    }

    /// Distance [m], not signed for a mesh that is not closed, and the nearest face; for the host, which fills the cells.
    pub fn nearest(&self, x: Vec3) -> (f32, u32) {
        let nothing = Found { way: Vec3::ZERO, normal: Vec3::Y, squared: f32::INFINITY, face: u32::MAX };
        let found = self.search(x, f32::INFINITY, nothing);
        (self.signed(&found).0, found.face)
    }

    /// The nearest point of all faces within `reach` [m2, squared], or `seed` if none is nearer.
    fn search(&self, x: Vec3, reach: f32, seed: Found) -> Found {
        let mut look = Nearest::new(reach, seed);
        self.walk(x, seed.face, &mut look);
        look.nearest
    }

    /// Goes through the tree, past boxes that are farther than what is looked for, and past the face `seed`.
    #[inline(always)]
    fn walk(&self, x: Vec3, seed: u32, look: &mut impl Look) {
        let at = x.extend(0.0);
        let [mut node, end] = self.nodes;
        while node < end {
            let row = node as usize;
            let [skip, first, count] = self.of.link[row];
            let (low, high) = (Vec4::from_array(self.of.low[row]), Vec4::from_array(self.of.high[row]));
            let beyond = (low - at).max(at - high).max(Vec4::ZERO);
            let beyond = beyond * beyond;
            // A little more, so that rounding does not hide a face in its own box.
            if beyond.x + beyond.y + beyond.z > look.limit() * 1.001 + 1e-12 {
                node = skip;
                continue;
            }
            for face in first..first + count {
                if face != seed {
                    let (way, normal) = self.way_from(face as usize, x);
                    look.see(Found { way, normal, squared: way.length_squared(), face });
                }
            }
            node += 1;
        }
    }

    fn signed(&self, &Found { way, normal, .. }: &Found) -> (f32, Vec3) {
        let length = way.length();
        let side = if self.closed && way.dot(normal) < 0.0 { -1.0 } else { 1.0 };
        // On the surface itself the way has no direction worth the name.
        if length > 1e-6 { (side * length, way * (side / length)) } else { (side * length, unit(normal)) }
    }

    /// Way from the nearest point of a face [m], and the pseudonormal there, of any length. Ericson: Real-Time Collision
    /// Detection, section 5.1.5, without places: those of a large face would round the way off.
    #[inline]
    fn way_from(&self, face: usize, x: Vec3) -> (Vec3, Vec3) {
        let corners = self.of.corners[face];
        let [a, b, c] = corners.mapped(|corner| xyz(self.of.position[corner as usize]));
        let at_corner = |corner: usize| xyz(self.of.normal[corners[corner] as usize]);
        let at_edge = |edge: usize| xyz(self.of.edges[edge][face]);
        let (ab, ac, ax) = (b - a, c - a, x - a);
        let (d1, d2) = (ab.dot(ax), ac.dot(ax));
        if d1 <= 0.0 && d2 <= 0.0 {
            return (ax, at_corner(0));
        }
        let bx = x - b;
        let (d3, d4) = (ab.dot(bx), ac.dot(bx));
        if d3 >= 0.0 && d4 <= d3 {
            return (bx, at_corner(1));
        }
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (ax - ab * (d1 / (d1 - d3)), at_edge(0));
        }
        let cx = x - c;
        let (d5, d6) = (ab.dot(cx), ac.dot(cx));
        if d6 >= 0.0 && d5 <= d6 {
            return (cx, at_corner(2));
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (ax - ac * (d2 / (d2 - d6)), at_edge(2));
        }
        let va = d3 * d6 - d5 * d4;
        if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
            return (bx - (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), at_edge(1));
        }
        let normal = ab.cross(ac);
        (normal * (normal.dot(ax) / normal.length_squared()), normal)
    }
}

fn unit(v: Vec3) -> Vec3 {
    let length = v.length();
    if length > 0.0 { v / length } else { Vec3::Y }
}
