//! The meshes of colliders as one column, for a pass has few bindings (`shaders/sim/contact/meshes.wgsl`).
//!
//! ```text
//! collider   closed, first node, end of nodes, first face      three rows for each collider, whatever its kind
//!            lowest corner of its grid, side of a cell
//!            cells along x, y, z, first cell
//! node       lowest corner, next node if too far               two rows
//!            highest corner, first face | faces << 28
//! face       corners, their normals, normals of its edges      nine rows
//! cells      four distances a row
//! ```
//! Nodes and faces are named by rows of this column, but a node's faces by their number.

use sim_api::model::ColliderKind;
use weft_core::state::State;
use weft_core::state::col;

/// `collider.kind` of a triangle mesh.
pub(crate) const MESH: u32 = ColliderKind::Mesh as u32;

pub(crate) const COLLIDER_ROWS: usize = 3;
pub(crate) const NODE_ROWS: usize = 2;
pub(crate) const FACE_ROWS: usize = 9;
/// Faces of a leaf are counted above these bits.
pub(crate) const FACE_BITS: u32 = 28;

/// Rows of the column; none without a mesh.
pub(crate) fn of(state: &State) -> Vec<[u32; 4]> {
    let kinds = state.get(col::collider::kind);
    if !kinds.contains(&MESH) {
        return Vec::new();
    }
    let corners = state.get(col::solid_face::corners);
    let (low, high) = (state.get(col::solid_node::low), state.get(col::solid_node::high));
    let link = state.get(col::solid_node::link);
    let node = |row: u32| (COLLIDER_ROWS * kinds.len() + NODE_ROWS * row as usize) as u32;
    let faces = node(link.len() as u32);
    let cells = faces as usize + FACE_ROWS * corners.len();
    let mut rows = Vec::with_capacity(cells);
    let (size, nodes) = (state.get(col::collider::size), state.get(col::collider::nodes));
    let (grid, count) = (state.get(col::collider::grid_low), state.get(col::collider::grid_cells));
    for collider in 0..kinds.len() {
        let [first, end] = nodes[collider].map(node);
        rows.push([u32::from(size[collider][0] > 0.0), first, end, faces]);
        rows.push(bits(grid[collider]));
        let [x, y, z, cell] = count[collider];
        rows.push([x, y, z, 4 * cells as u32 + cell]);
    }
    for ((low, high), &[skip, first, count]) in low.iter().zip(high).zip(link) {
        rows.push(with(*low, node(skip)));
        rows.push(with(*high, first | count << FACE_BITS));
    }
    let (position, normal) = (state.get(col::solid_vertex::position), state.get(col::solid_vertex::normal));
    let edges =
        [col::solid_face::edge0, col::solid_face::edge1, col::solid_face::edge2].map(|edge| state.get(edge));
    for (face, corners) in corners.iter().enumerate() {
        rows.extend(corners.map(|corner| bits(position[corner as usize])));
        rows.extend(corners.map(|corner| bits(normal[corner as usize])));
        rows.extend(edges.map(|edge| bits(edge[face])));
    }
    for distances in state.get(col::solid_cell::distance).chunks(4) {
        let mut row = [0.0; 4];
        row[..distances.len()].copy_from_slice(distances);
        rows.push(bits(row));
    }
    rows
}

fn bits(row: [f32; 4]) -> [u32; 4] {
    row.map(f32::to_bits)
}

/// Three numbers with a fourth.
fn with(row: [f32; 4], last: u32) -> [u32; 4] {
    let [x, y, z, _] = bits(row);
    [x, y, z, last]
}
