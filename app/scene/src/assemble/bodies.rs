//! Colliders → rows: the table of colliders, and the tables of the meshes among them, one after another.

use sim_api::model::ColliderKind;
use weft_core::state::{TableRows, rows};

use crate::{Collider, ColliderShape, solid::Solid};

/// The number of a mesh that was not read: no shape that the hot code knows.
const UNKNOWN: u32 = u32::MAX;

/// Poses are those at time 0.
pub(super) fn tables(colliders: &[Collider]) -> Vec<TableRows> {
    let mut meshes = Meshes::default();
    let places: Vec<Place> = colliders.iter().map(|collider| meshes.add(collider)).collect();
    let each = |value: &dyn Fn(&Collider) -> [f32; 4]| colliders.iter().map(value).collect::<Vec<_>>();
    let position = each(&|c| c.pose(0.0).0.extend(0.0).to_array());
    let rotation = each(&|c| c.pose(0.0).1.to_array());
    let inverse = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
    let collider = rows::Collider {
        kind: colliders.iter().map(kind).collect(),
        begin_position: position.clone(),
        begin_rotation: rotation.clone(),
        position,
        rotation,
        size: each(&size),
        velocity: each(&|c| [c.velocity[0], c.velocity[1], c.velocity[2], 0.0]),
        inverse_mass: colliders.iter().map(|c| inverse(c.mass)).collect(),
        inverse_inertia: each(&inverse_inertia),
        surface: each(&|c| [c.friction.at_rest, c.friction.dynamic, c.restitution, c.thickness]),
        nodes: places.iter().map(|place| place.nodes).collect(),
        grid_low: places.iter().map(|place| place.grid_low).collect(),
        grid_cells: places.iter().map(|place| place.grid_cells).collect(),
    };
    [collider.table()].into_iter().chain(meshes.tables()).collect()
}

fn kind(collider: &Collider) -> u32 {
    match collider.shape {
        ColliderShape::Plane => ColliderKind::Plane as u32,
        ColliderShape::Sphere { .. } => ColliderKind::Sphere as u32,
        ColliderShape::Capsule { .. } => ColliderKind::Capsule as u32,
        ColliderShape::Box { .. } => ColliderKind::Box as u32,
        ColliderShape::Mesh { solid: Some(Ok(_)), .. } => ColliderKind::Mesh as u32,
        ColliderShape::Mesh { .. } => UNKNOWN,
    }
}

fn size(collider: &Collider) -> [f32; 4] {
    match &collider.shape {
        ColliderShape::Sphere { radius } => [*radius, 0.0, 0.0, 0.0],
        ColliderShape::Capsule { radius, half_height } => [*radius, *half_height, 0.0, 0.0],
        ColliderShape::Box { half: [x, y, z] } => [*x, *y, *z, 0.0],
        ColliderShape::Mesh { solid: Some(Ok(solid)), scale, .. } => {
            [f32::from(u8::from(solid.closed)), solid.radius * scale, 0.0, 0.0]
        }
        ColliderShape::Plane | ColliderShape::Mesh { .. } => [0.0; 4],
    }
}

/// Moments of inertia of a solid of even density about its axes [kg m2]; 0 of what cannot have a mass.
pub fn inertia(collider: &Collider) -> [f32; 3] {
    let moments = match collider.shape {
        ColliderShape::Sphere { radius } => [0.4 * radius * radius; 3],
        ColliderShape::Box { half: [x, y, z] } => {
            let [x, y, z] = [x, y, z].map(|half| half * half / 3.0);
            [y + z, z + x, x + y]
        }
        _ => [0.0; 3],
    };
    moments.map(|moment| collider.mass * moment)
}

/// [1/(kg m2)]
fn inverse_inertia(collider: &Collider) -> [f32; 4] {
    let [x, y, z] = inertia(collider).map(|inertia| if inertia > 0.0 { 1.0 / inertia } else { 0.0 });
    [x, y, z, 0.0]
}

/// Where the rows of a mesh are, and what the hot code knows of its grid.
#[derive(Default)]
struct Place {
    nodes: [u32; 2],
    grid_low: [f32; 4],
    grid_cells: [u32; 4],
}

#[derive(Default)]
struct Meshes {
    vertex: rows::SolidVertex,
    face: rows::SolidFace,
    node: rows::SolidNode,
    cell: rows::SolidCell,
}

impl Meshes {
    fn add(&mut self, collider: &Collider) -> Place {
        match &collider.shape {
            ColliderShape::Mesh { solid: Some(Ok(solid)), scale, .. } => self.append(solid, *scale),
            _ => Place::default(),
        }
    }

    fn append(&mut self, solid: &Solid, scale: f32) -> Place {
        let Self { vertex, face, node, cell } = self;
        let (first_vertex, first_face) = (vertex.position.len() as u32, face.corners.len() as u32);
        let (first_node, first_cell) = (node.low.len() as u32, cell.distance.len() as u32);
        let scaled = |row: &[f32; 4]| row.map(|value| value * scale);
        vertex.position.extend(solid.position.iter().map(scaled));
        vertex.normal.extend(&solid.normal);
        face.corners.extend(solid.corners.iter().map(|corners| corners.map(|corner| first_vertex + corner)));
        for (all, own) in [&mut face.edge0, &mut face.edge1, &mut face.edge2].into_iter().zip(&solid.edges) {
            all.extend(own);
        }
        node.low.extend(solid.low.iter().map(scaled));
        node.high.extend(solid.high.iter().map(scaled));
        let moved = |[skip, first, count]: &[u32; 3]| {
            [first_node + skip, if *count > 0 { first_face + first } else { 0 }, *count]
        };
        node.link.extend(solid.link.iter().map(moved));
        cell.distance.extend(solid.distance.iter().map(|distance| distance * scale));
        cell.face.extend(solid.nearest.iter().map(|nearest| first_face + nearest));
        let ([nx, ny, nz], low) = (solid.cells, glam::Vec3::from(solid.grid_low) * scale);
        Place {
            nodes: [first_node, node.low.len() as u32],
            grid_low: low.extend(solid.cell * scale).to_array(),
            grid_cells: [nx, ny, nz, first_cell],
        }
    }

    fn tables(self) -> [TableRows; 4] {
        [self.vertex.table(), self.face.table(), self.node.table(), self.cell.table()]
    }
}
