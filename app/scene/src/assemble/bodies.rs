//! Colliders → rows: the table of colliders, and the tables of the meshes among them, one after another.

use super::table;
use weft_core::state::{Data, TableRows};

use crate::{Collider, ColliderShape, solid::Solid};

/// The number of a mesh that was not read: no shape that the hot code knows.
const UNKNOWN: u32 = u32::MAX;

/// Poses are those at time 0.
pub fn tables(colliders: &[Collider]) -> Vec<TableRows> {
    let mut meshes = Meshes::default();
    let places: Vec<Place> = colliders.iter().map(|collider| meshes.add(collider)).collect();
    let each = |value: &dyn Fn(&Collider) -> f32| Data::F32(colliders.iter().map(value).collect());
    let rows = |value: &dyn Fn(&Collider) -> [f32; 4]| Data::F32x4(colliders.iter().map(value).collect());
    let position = |c: &Collider| c.motion.pose(c.at, c.rotation, 0.0).0.extend(0.0).to_array();
    let rotation = |c: &Collider| c.motion.pose(c.at, c.rotation, 0.0).1.to_array();
    let velocity = |c: &Collider| [c.velocity[0], c.velocity[1], c.velocity[2], 0.0];
    let collider = table(
        "collider",
        vec![
            ("kind", Data::U32(colliders.iter().map(kind).collect())),
            ("position", rows(&position)),
            ("rotation", rows(&rotation)),
            ("begin_position", rows(&position)),
            ("begin_rotation", rows(&rotation)),
            ("size", rows(&size)),
            ("velocity", rows(&velocity)),
            ("inverse_mass", each(&|c| if c.mass > 0.0 { 1.0 / c.mass } else { 0.0 })),
            ("inverse_inertia", rows(&inverse_inertia)),
            ("surface", rows(&|c| [c.friction.at_rest, c.friction.dynamic, c.restitution, c.thickness])),
            ("nodes", Data::U32x2(places.iter().map(|place| place.nodes).collect())),
            ("grid_low", Data::F32x4(places.iter().map(|place| place.grid_low).collect())),
            ("grid_cells", Data::U32x4(places.iter().map(|place| place.grid_cells).collect())),
        ],
    );
    [vec![collider], meshes.tables()].concat()
}

fn kind(collider: &Collider) -> u32 {
    match collider.shape {
        ColliderShape::Plane => 0,
        ColliderShape::Sphere { .. } => 1,
        ColliderShape::Capsule { .. } => 2,
        ColliderShape::Box { .. } => 3,
        ColliderShape::Mesh { solid: Some(Ok(_)), .. } => 4,
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

/// Of a solid of even density [1/(kg m2)].
fn inverse_inertia(collider: &Collider) -> [f32; 4] {
    let moments = match collider.shape {
        ColliderShape::Sphere { radius } => [0.4 * radius * radius; 3],
        ColliderShape::Box { half: [x, y, z] } => {
            let [x, y, z] = [x, y, z].map(|half| half * half / 3.0);
            [y + z, z + x, x + y]
        }
        _ => [0.0; 3],
    };
    let [x, y, z] = moments.map(|moment| {
        let inertia = collider.mass * moment;
        if inertia > 0.0 { 1.0 / inertia } else { 0.0 }
    });
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
    position: Vec<[f32; 4]>,
    normal: Vec<[f32; 4]>,
    corners: Vec<[u32; 3]>,
    edges: [Vec<[f32; 4]>; 3],
    low: Vec<[f32; 4]>,
    high: Vec<[f32; 4]>,
    link: Vec<[u32; 3]>,
    distance: Vec<f32>,
    nearest: Vec<u32>,
}

impl Meshes {
    fn add(&mut self, collider: &Collider) -> Place {
        match &collider.shape {
            ColliderShape::Mesh { solid: Some(Ok(solid)), scale, .. } => self.append(solid, *scale),
            _ => Place::default(),
        }
    }

    fn append(&mut self, solid: &Solid, scale: f32) -> Place {
        let (vertex, face) = (self.position.len() as u32, self.corners.len() as u32);
        let (node, cell) = (self.low.len() as u32, self.distance.len() as u32);
        let scaled = |row: &[f32; 4]| row.map(|value| value * scale);
        self.position.extend(solid.position.iter().map(scaled));
        self.normal.extend(&solid.normal);
        self.corners.extend(solid.corners.iter().map(|corners| corners.map(|corner| vertex + corner)));
        for (all, own) in self.edges.iter_mut().zip(&solid.edges) {
            all.extend(own);
        }
        self.low.extend(solid.low.iter().map(scaled));
        self.high.extend(solid.high.iter().map(scaled));
        let moved = |[skip, first, count]: &[u32; 3]| {
            [node + skip, if *count > 0 { face + first } else { 0 }, *count]
        };
        self.link.extend(solid.link.iter().map(moved));
        self.distance.extend(solid.distance.iter().map(|distance| distance * scale));
        self.nearest.extend(solid.nearest.iter().map(|nearest| face + nearest));
        let ([nx, ny, nz], low) = (solid.cells, solid.grid_low * scale);
        Place {
            nodes: [node, self.low.len() as u32],
            grid_low: low.extend(solid.cell * scale).to_array(),
            grid_cells: [nx, ny, nz, cell],
        }
    }

    fn tables(self) -> Vec<TableRows> {
        let [edge0, edge1, edge2] = self.edges.map(Data::F32x4);
        vec![
            table(
                "solid_vertex",
                vec![("position", Data::F32x4(self.position)), ("normal", Data::F32x4(self.normal))],
            ),
            table(
                "solid_face",
                vec![
                    ("corners", Data::U32x3(self.corners)),
                    ("edge0", edge0),
                    ("edge1", edge1),
                    ("edge2", edge2),
                ],
            ),
            table(
                "solid_node",
                vec![
                    ("low", Data::F32x4(self.low)),
                    ("high", Data::F32x4(self.high)),
                    ("link", Data::U32x3(self.link)),
                ],
            ),
            table(
                "solid_cell",
                vec![("distance", Data::F32(self.distance)), ("face", Data::U32(self.nearest))],
            ),
        ]
    }
}
