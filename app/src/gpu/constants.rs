//! Numbers that the host and the passes have in common: a pass that uses one of these names has it (`compose.rs`).

use super::{bodies, crowd, gas, links, solids, stencils, tiles};
use crate::{scene::mesh::Kind, state::incidence};

/// Models of the rows of a table that has several: table, name as in `passes.ron`, and number in its column `model`.
pub const MODELS: [(&str, &str, u32); 6] = [
    // Drawn only.
    ("triangle", "drawn", 0),
    ("triangle", "stvk", 1),
    ("triangle", "neo_hookean", 2),
    ("triangle", "area", 3),
    ("hinge", "quadratic_bend", 0),
    ("hinge", "dihedral", 1),
];

/// Number of a model.
pub const fn model(name: &str) -> u32 {
    let mut at = 0;
    while at < MODELS.len() {
        if is(MODELS[at].1, name) {
            return MODELS[at].2;
        }
        at += 1;
    }
    panic!("no such model")
}

/// Number of a table in `incident.table`.
const fn table(name: &str) -> u32 {
    let mut at = 0;
    while at < incidence::TABLES.len() {
        if is(incidence::TABLES[at], name) {
            return at as u32;
        }
        at += 1;
    }
    panic!("no such table")
}

const fn is(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// All of them.
pub const CONSTANTS: [(&str, u32); 32] = [
    // Layouts of what the host works out.
    ("LINK_STRIP", links::STRIP as u32),
    ("LINK_SECOND", links::SECOND),
    ("STENCIL_BITS", stencils::COUNT_BITS),
    ("INCIDENT_STRIP", incidence::STRIP as u32),
    ("TILE_MEMBERS", tiles::MEMBERS as u32),
    ("TILE_MEMBER_BITS", tiles::MEMBER_BITS),
    ("CELLS_A_PART", crowd::PART as u32),
    ("GAS_PART", gas::PART),
    ("BODY_PART", bodies::PART as u32),
    ("POSE_ROWS", bodies::POSE_ROWS as u32),
    ("SOLID_ROWS", solids::COLLIDER_ROWS as u32),
    ("SOLID_NODE_ROWS", solids::NODE_ROWS as u32),
    ("SOLID_FACE_ROWS", solids::FACE_ROWS as u32),
    ("SOLID_FACE_BITS", solids::FACE_BITS),
    // Numbers in columns of the state.
    ("SPRING_STRUCTURAL", Kind::Structural as u32),
    ("SPRING_SHEAR", Kind::Shear as u32),
    ("SPRING_BEND", Kind::Bend as u32),
    ("MEMBRANE_STVK", model("stvk")),
    ("MEMBRANE_NEO_HOOKEAN", model("neo_hookean")),
    ("MEMBRANE_AREA", model("area")),
    ("HINGE_QUADRATIC_BEND", model("quadratic_bend")),
    ("HINGE_DIHEDRAL", model("dihedral")),
    ("TABLE_DISTANCE", table("distance")),
    ("TABLE_TRIANGLE", table("triangle")),
    ("TABLE_HINGE", table("hinge")),
    ("TABLE_TETHER", table("tether")),
    ("TABLE_ATTACHMENT", table("attachment")),
    ("COLLIDER_PLANE", 0),
    ("COLLIDER_SPHERE", 1),
    ("COLLIDER_CAPSULE", 2),
    ("COLLIDER_BOX", 3),
    ("COLLIDER_MESH", solids::MESH),
];
