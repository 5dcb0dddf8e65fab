//! Scene → tables: every cloth's particles and rows one after another, then the colliders.

mod bodies;
mod layers;
mod rows;
mod strips;
mod threads;

use std::ops::Range;

use sim_api::{Element, Fill, Hold, SolverDesc, World};

use crate::{
    run::StepInput,
    scene::{self, ParamInfo, Scene, SolverInfo, Value},
    state::{Blueprint, Data, Schema, TableRows},
};

use rows::{Attachments, Balloons, Distances, Hinges, Own, Particles, Tethers, Triangles};
use threads::Threads;

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

/// A cloth as drawn and picked: its rows in the tables, and its surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    pub id: String,
    /// Rows in the particle table.
    pub particles: Range<usize>,
    /// Rows of the distance and the triangle table, in scene order.
    pub distances: Range<usize>,
    pub faces: Range<usize>,
    /// Rows of the hinge, tether, attachment and balloon table, in scene order.
    pub hinges: Range<usize>,
    pub tethers: Range<usize>,
    pub attachments: Range<usize>,
    pub balloons: Range<usize>,
    /// Rows of the thread table.
    pub threads: Range<usize>,
    /// Indices from the first particle of this cloth.
    pub triangles: Vec<[u32; 3]>,
    pub uvs: Vec<[f32; 2]>,
}

impl Object {
    /// This cloth's rows in a table, in scene order.
    pub fn rows(&self, table: &str) -> Option<Range<usize>> {
        match table {
            "particle" => Some(self.particles.clone()),
            "distance" => Some(self.distances.clone()),
            "triangle" => Some(self.faces.clone()),
            "hinge" => Some(self.hinges.clone()),
            "tether" => Some(self.tethers.clone()),
            "attachment" => Some(self.attachments.clone()),
            "balloon" => Some(self.balloons.clone()),
            "thread" => Some(self.threads.clone()),
            _ => None,
        }
    }
}

/// A scene as tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    pub blueprint: Blueprint,
    pub objects: Vec<Object>,
}

/// Builds the tables of a checked scene.
pub fn assemble(scene: &Scene) -> Assembly {
    let (mut particles, mut distances) = (Particles::default(), Distances::default());
    let (mut triangles, mut hinges) = (Triangles::default(), Hinges::default());
    let (mut tethers, mut attachments) = (Tethers::default(), Attachments::default());
    let (mut balloons, mut threads) = (Balloons::default(), Threads::default());
    let mut objects = Vec::new();
    for (object, cloth) in (0..).zip(&scene.cloths) {
        let mesh = scene::build(cloth);
        let strips = strips::strips(&mesh);
        let own = Own { object, first: particles.mass.len() as u32, cloth };
        objects.push(Object {
            id: cloth.id.clone(),
            balloons: balloons.add(own, &mesh),
            particles: particles.add(own, &mesh, strips.areas),
            distances: distances.add(own, &mesh, strips.widths),
            faces: triangles.add(own, &mesh),
            hinges: hinges.add(own, &mesh),
            tethers: tethers.add(own, &mesh),
            attachments: attachments.add(own, &mesh),
            threads: threads.add(own, &mesh),
            triangles: mesh.triangles,
            uvs: mesh.uvs,
        });
    }
    let layers = layers::tables(&scene.cloths, &objects, particles.positions());
    let mut tables = vec![
        particles.table(),
        distances.table(),
        triangles.table(),
        hinges.table(),
        tethers.table(),
        attachments.table(),
        balloons.table(),
    ];
    tables.extend(bodies::tables(&scene.colliders));
    tables.extend(layers);
    tables.push(threads.table());
    Assembly { blueprint: Blueprint { tables }, objects }
}

fn table(name: &'static str, columns: Vec<(&'static str, Data)>) -> TableRows {
    let rows = columns.first().map_or(0, |(_, data)| data.bytes().len() / data.element().size());
    TableRows { name, rows, columns }
}

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
                    let near = scene::suggest::nearest(&column.name, known);
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
                "the host needs `{table}.{column}`{element}; it is gone from sim-dylib/src/state.rs"
            ));
        }
    }
    Ok(())
}

/// What a guarded step of a scene needs besides the state.
pub fn input<'a>(scene: &Scene, holds: &'a [Hold]) -> StepInput<'a> {
    StepInput { dt: scene.step, world: world(scene), holds, guarded: true }
}

/// What acts on all particles.
pub fn world(scene: &Scene) -> World {
    let wind = &scene.wind;
    World {
        gravity: scene.gravity,
        air_damping: scene.air_damping,
        wind: sim_api::Wind {
            velocity: wind.velocity,
            // Still air still brakes; no coefficient means no air.
            coefficient: wind.coefficient,
            gust: wind.gust,
            gust_length: wind.gust_length,
        },
    }
}

/// The solvers of a library, for the scene check.
pub fn solver_infos(solvers: &[SolverDesc]) -> Vec<SolverInfo> {
    let param = |param: &sim_api::ParamDesc| ParamInfo {
        name: param.name.to_string(),
        unit: param.unit.to_string(),
        doc: param.doc.to_string(),
        default: decimal(param.default),
        min: decimal(param.min),
        max: decimal(param.max),
        choices: choices(param).map(str::to_string).collect(),
        integer: param.kind == sim_api::ParamKind::Count,
    };
    let solver = |solver: &SolverDesc| SolverInfo {
        name: solver.name.to_string(),
        doc: solver.doc.to_string(),
        params: solver.params.as_slice().iter().map(param).collect(),
    };
    solvers.iter().map(solver).collect()
}

/// The number as a person writes it: 0.9999, not the 0.99989998… that single precision makes of it.
fn decimal(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(value.into())
}

/// Names of a choice; none for a number.
pub fn choices(param: &sim_api::ParamDesc) -> impl Iterator<Item = &'static str> {
    param.choices.as_str().split('|').filter(|name| !name.is_empty())
}

/// A parameter as written in a scene, as the number that crosses the door: the nearest in its range, `None` for an
/// unknown choice.
pub fn param_value(param: &sim_api::ParamDesc, value: &Value) -> Option<f32> {
    match value {
        Value::Number(number) => {
            let number = *number as f32;
            param.choices.as_str().is_empty().then(|| param.clamp(number))
        }
        Value::Text(text) => choices(param).position(|choice| choice == text).map(|i| i as f32),
        Value::Flag(_) => None,
    }
}
