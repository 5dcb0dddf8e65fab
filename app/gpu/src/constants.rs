//! Numbers that the host and the passes have in common: a pass that uses one of these names has it (`compose.rs`).

use super::{batches, bodies, coarse, links, parts, solids, spatial_hash, stencils, tiles};
use sim_api::model::{BendModel, ColliderKind, ConstraintTable, DistanceKind, MembraneModel};
use weft_core::state::incidence;

/// Models of the rows of a table that has several: table, name as in `passes.ron`, and number in its column `model`.
pub(crate) const MODELS: [(&str, &str, u32); 7] = [
    // Drawn only.
    ("triangle", "drawn", MembraneModel::Drawn as u32),
    ("triangle", "stvk", MembraneModel::StVenantKirchhoff as u32),
    ("triangle", "neo_hookean", MembraneModel::NeoHookean as u32),
    ("triangle", "area", MembraneModel::Area as u32),
    ("hinge", "quadratic_bend", BendModel::Quadratic as u32),
    ("hinge", "dihedral", BendModel::Dihedral as u32),
    ("hinge", "curve_bend", BendModel::Curve as u32),
];

/// All of them.
pub(crate) const CONSTANTS: [(&str, u32); 37] = [
    // Layouts of what the host works out.
    ("LINK_STRIP", links::STRIP as u32),
    ("LINK_SECOND", links::SECOND),
    ("STENCIL_BITS", stencils::COUNT_BITS),
    ("INCIDENT_STRIP", incidence::STRIP as u32),
    ("TILE_MEMBERS", tiles::MEMBERS as u32),
    ("TILE_MEMBER_BITS", tiles::MEMBER_BITS),
    ("NODE_MEMBERS", coarse::MEMBERS as u32),
    ("NODE_SWEEPS", coarse::SWEEPS as u32),
    ("CELLS_A_PART", spatial_hash::PART as u32),
    ("CLOTH_PART", parts::PART),
    ("BODY_PART", bodies::PART as u32),
    ("POSE_ROWS", bodies::POSE_ROWS as u32),
    ("SOLID_ROWS", solids::COLLIDER_ROWS as u32),
    ("SOLID_NODE_ROWS", solids::NODE_ROWS as u32),
    ("SOLID_FACE_ROWS", solids::FACE_ROWS as u32),
    ("SOLID_FACE_BITS", solids::FACE_BITS),
    ("STRAND_NODE_ROWS", batches::NODE_ROWS as u32),
    ("STRAND_RING_NODE_ROWS", batches::RING_NODE_ROWS as u32),
    // Numbers in columns of the state.
    ("SPRING_STRUCTURAL", DistanceKind::Structural as u32),
    ("SPRING_SHEAR", DistanceKind::Shear as u32),
    ("SPRING_BEND", DistanceKind::Bend as u32),
    ("MEMBRANE_STVK", MembraneModel::StVenantKirchhoff as u32),
    ("MEMBRANE_NEO_HOOKEAN", MembraneModel::NeoHookean as u32),
    ("MEMBRANE_AREA", MembraneModel::Area as u32),
    ("HINGE_QUADRATIC_BEND", BendModel::Quadratic as u32),
    ("HINGE_DIHEDRAL", BendModel::Dihedral as u32),
    ("HINGE_CURVE_BEND", BendModel::Curve as u32),
    ("TABLE_DISTANCE", ConstraintTable::Distance as u32),
    ("TABLE_TRIANGLE", ConstraintTable::Triangle as u32),
    ("TABLE_HINGE", ConstraintTable::Hinge as u32),
    ("TABLE_TETHER", ConstraintTable::Tether as u32),
    ("TABLE_ATTACHMENT", ConstraintTable::Attachment as u32),
    ("COLLIDER_PLANE", ColliderKind::Plane as u32),
    ("COLLIDER_SPHERE", ColliderKind::Sphere as u32),
    ("COLLIDER_CAPSULE", ColliderKind::Capsule as u32),
    ("COLLIDER_BOX", ColliderKind::Box as u32),
    ("COLLIDER_MESH", solids::MESH),
];
