//! The columns that a scene provides, and whether a library declares them as they are.

use sim_api::{Element, Fill};

use crate::{state::Schema, suggest::nearest};

/// Every column that a scene fills, or that is worked out from its rows (`vertex`, `incident`): what the hot code may
/// declare as `given` or `= scene`.
pub const PROVIDED: &[(&str, &str, Element)] = &[
    ("particle", "position", Element::F32x4),
    ("particle", "velocity", Element::F32x4),
    ("particle", "mass", Element::F32),
    ("particle", "area", Element::F32),
    ("particle", "friction", Element::F32),
    ("distance", "idx", Element::U32x2),
    ("distance", "rest", Element::F32),
    ("distance", "compliance", Element::F32),
    ("distance", "damping", Element::F32),
    ("distance", "kind", Element::U32),
    ("distance", "width", Element::F32),
    ("distance", "object", Element::U32),
    ("triangle", "idx", Element::U32x3),
    ("triangle", "object", Element::U32),
    ("triangle", "model", Element::U32),
    ("triangle", "inverse_rest", Element::F32x4),
    ("triangle", "area", Element::F32),
    ("triangle", "mu", Element::F32),
    ("triangle", "lame", Element::F32),
    ("hinge", "idx", Element::U32x4),
    ("hinge", "object", Element::U32),
    ("hinge", "model", Element::U32),
    ("hinge", "weights", Element::F32x4),
    ("hinge", "rest_angle", Element::F32),
    ("hinge", "stiffness", Element::F32),
    ("tether", "idx", Element::U32),
    ("tether", "anchor", Element::U32),
    ("tether", "rest", Element::F32),
    ("tether", "compliance", Element::F32),
    ("tether", "object", Element::U32),
    ("attachment", "idx", Element::U32),
    ("attachment", "target", Element::F32x4),
    ("attachment", "compliance", Element::F32),
    ("attachment", "object", Element::U32),
    ("balloon", "object", Element::U32),
    ("balloon", "particles", Element::U32x2),
    ("balloon", "volume", Element::F32),
    ("balloon", "pressure", Element::F32),
    ("balloon", "compliance", Element::F32),
    ("balloon", "leak", Element::F32),
    ("strand", "span", Element::U32x2),
    ("vertex", "particle", Element::U32),
    ("vertex", "springs", Element::U32x2),
    ("vertex", "others", Element::U32x2),
    ("incident", "table", Element::U32),
    ("incident", "row", Element::U32),
    ("incident", "other", Element::U32),
    ("incident", "rest", Element::F32),
    ("incident", "compliance", Element::F32),
    ("collider", "kind", Element::U32),
    ("collider", "position", Element::F32x4),
    ("collider", "rotation", Element::F32x4),
    ("collider", "begin_position", Element::F32x4),
    ("collider", "begin_rotation", Element::F32x4),
    ("collider", "size", Element::F32x4),
    ("collider", "velocity", Element::F32x4),
    ("collider", "inverse_mass", Element::F32),
    ("collider", "inverse_inertia", Element::F32x4),
    ("collider", "surface", Element::F32x4),
    ("collider", "nodes", Element::U32x2),
    ("collider", "grid_low", Element::F32x4),
    ("collider", "grid_cells", Element::U32x4),
    ("solid_vertex", "position", Element::F32x4),
    ("solid_vertex", "normal", Element::F32x4),
    ("solid_face", "corners", Element::U32x3),
    ("solid_face", "edge0", Element::F32x4),
    ("solid_face", "edge1", Element::F32x4),
    ("solid_face", "edge2", Element::F32x4),
    ("solid_node", "low", Element::F32x4),
    ("solid_node", "high", Element::F32x4),
    ("solid_node", "link", Element::U32x3),
    ("solid_cell", "distance", Element::F32),
    ("solid_cell", "face", Element::U32),
    ("layer", "thickness", Element::F32),
    ("layer", "friction_static", Element::F32),
    ("layer", "friction_dynamic", Element::F32),
    ("layer", "heals", Element::U32),
    ("layer", "start", Element::F32x4),
    ("face", "corners", Element::U32x3),
    ("edge", "ends", Element::U32x2),
    ("edge", "faces", Element::U32x2),
    ("point", "particle", Element::U32),
    ("node", "skip", Element::U32),
    ("node", "faces", Element::U32x2),
    ("node", "edges", Element::U32x2),
    ("node", "points", Element::U32x2),
    ("thread", "ends", Element::U32x2),
    ("thread", "rest", Element::F32),
    ("thread", "limit", Element::F32),
    ("thread", "kind", Element::U32),
];

/// Tables of which a scene gives the number of rows alone.
pub const COUNTED: [&str; 3] = ["batch", "pair", "crossing"];

/// Columns without which the host can neither draw, hold nor move anything.
const NEEDED: [(&str, &str); 7] = [
    ("particle", "position"),
    ("particle", "velocity"),
    ("distance", "idx"),
    ("distance", "rest"),
    ("distance", "kind"),
    ("collider", "position"),
    ("collider", "rotation"),
];

/// Whether the host can run a library's tables: what it needs is there, and what it is asked to give it has.
pub fn check_schema(schema: &Schema) -> Result<(), String> {
    let element = |table: &str, column: &str| {
        PROVIDED.iter().find(|known| (known.0, known.1) == (table, column)).map(|known| known.2)
    };
    for table in &schema.tables {
        for column in table.columns.iter().filter(|column| column.fill == Fill::Scene) {
            let path = format!("{}.{}", table.name, column.name);
            match element(&table.name, &column.name) {
                Some(element) if element == column.element => {}
                Some(element) => {
                    return Err(format!(
                        "`{path}` is {:?} in the scene's tables, not {:?}",
                        element, column.element
                    ));
                }
                None => {
                    let known = PROVIDED.iter().filter(|known| known.0 == table.name).map(|known| known.1);
                    let near = nearest(&column.name, known);
                    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    return Err(format!(
                        "no scene fills `{path}`{near} Without `given` or `= scene` it starts at zero"
                    ));
                }
            }
        }
    }
    for (table, column) in NEEDED {
        let declared = schema.tables.iter().find(|t| t.name == table);
        let declared = declared.and_then(|t| t.columns.iter().find(|c| c.name == column));
        if declared.is_none_or(|declared| Some(declared.element) != element(table, column)) {
            let element =
                element(table, column).map_or_else(String::new, |element| format!(" ({element:?})"));
            return Err(format!(
                "the host needs `{table}.{column}`{element}; it is gone from sim-dylib/kernels/state.rs"
            ));
        }
    }
    Ok(())
}
