//! Scene → tables: every cloth's particles and rows one after another, then those of strands, then the colliders.

mod bodies;
mod cloths;
mod grafts;
mod layers;
mod mounts;
mod refill;
mod strands;
mod strips;

use std::ops::Range;

use sim_api::{SolverDesc, World};

use weft_core::state::Blueprint;

use crate::{
    ParamInfo, Scene, SolverInfo, Value,
    strands::{build::Guide, neighbors::Neighbors},
};

pub use bodies::inertia;
use cloths::Tables;
pub use refill::refill;

/// A cloth or a list of strands as drawn and picked: its rows in the tables, and its surface. Strands have none.
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
    /// Some of the hinges are as stiff as the density allows.
    pub holds_hinges_back: bool,
    pub tethers: Range<usize>,
    pub attachments: Range<usize>,
    pub balloons: Range<usize>,
    /// Rows of the thread table.
    pub threads: Range<usize>,
    /// Rows of the segment table.
    pub segments: Range<usize>,
    /// Indices from the first particle of this cloth.
    pub triangles: Vec<[u32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    /// Of strands, how they are drawn.
    pub guides: Vec<Guide>,
    /// What hairs lie between around each; empty: each hair follows one alone.
    pub neighbors: Neighbors,
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
            "segment" => Some(self.segments.clone()),
            _ => None,
        }
    }
}

/// A scene as tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    pub blueprint: Blueprint,
    /// Of all cloths, then of all lists of strands, in the order of the scene.
    pub objects: Vec<Object>,
}

/// Builds the tables of a checked scene; places in them are relative to its origin.
pub fn assemble(scene: &Scene) -> Assembly {
    let scene = &scene.about_origin();
    let mut cloths = Tables::default();
    let mut objects: Vec<Object> =
        (0..).zip(&scene.cloths).map(|(object, cloth)| cloths.add(object, cloth)).collect();
    let strands = strands::add(scene, &mut cloths, &mut objects);
    let strands = strands::tables(strands, scene);
    let layers = layers::tables(scene, &objects, &cloths.particle.position);
    let (cloths, threads) = cloths.finish();
    let mut tables = Vec::from(cloths);
    tables.extend(bodies::tables(&scene.colliders));
    tables.extend(layers);
    tables.push(threads);
    tables.extend(strands);
    Assembly { blueprint: Blueprint { tables }, objects }
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
        with_strands: decimal(param.with_strands),
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
