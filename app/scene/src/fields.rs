//! The table of all tunable fields: each once, with unit, range, swap class and doc.
//!
//! One function, [`visit`], walks a scene and hands out every field with a place to read and write it.
//! Range checks, sliders, `--set`, the diff of two scenes and `weft schema` all stand on it.

mod declare;
mod table;

pub(crate) use declare::{InScene, declare};
pub use table::visit;
pub(crate) use table::{Visitor, row};

use super::cloth::{Balloon, Cloth, Coarse, SelfCollision, Shape, Tethers};
use super::collider::{Collider, ColliderShape, Key, Motion, Pose};
use super::strands::{Between, Rod, Root, Roots, Seat, StrandCollision, StrandLook, Strands};
use super::{Scene, Value, Vec2, Vec3};

/// What a change of the field does to a running simulation, mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Positions and velocities stay bit-identical.
    Live,
    /// Masses, rest lengths or collider poses are computed anew; positions stay.
    Rescale,
    /// Only that cloth starts again.
    Retopology,
    /// An object comes, goes or becomes another kind.
    Structural,
}

/// What is known about a field, apart from its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// `1` for dimensionless.
    pub unit: &'static str,
    /// Inclusive, in `unit`, for each component.
    pub min: f32,
    /// Inclusive, in `unit`, for each component.
    pub max: f32,
    pub doc: &'static str,
    pub class: Class,
    /// The panel shows it.
    pub slider: bool,
    /// The slider is logarithmic.
    pub log: bool,
}

/// A field that is one of some names.
pub trait Choice: std::fmt::Debug {
    fn names(&self) -> &'static [&'static str];
    /// Index into the names.
    fn chosen(&self) -> usize;
    fn choose(&mut self, index: usize);
}

/// [`Choice`] for an enum without fields.
macro_rules! choice {
    ($type:ident: $($name:ident),+) => {
        impl Choice for $type {
            fn names(&self) -> &'static [&'static str] {
                &[$(stringify!($name)),+]
            }

            fn chosen(&self) -> usize {
                *self as usize
            }

            fn choose(&mut self, index: usize) {
                *self = [$(Self::$name),+][index];
            }
        }
    };
}
pub(super) use choice;

/// Where the value lives.
#[derive(Debug)]
pub enum Slot<'a> {
    Float(&'a mut f32),
    Int(&'a mut u32),
    Vec2(&'a mut Vec2),
    Vec3(&'a mut Vec3),
    Flag(&'a mut bool),
    Text(&'a mut String),
    Choice(&'a mut dyn Choice),
    /// A solver parameter; its range is the solver's.
    Param(&'a mut Value),
}

/// One field of one object.
#[derive(Debug)]
pub struct Field<'a> {
    /// Such as `cloths.flag.material.density`.
    pub path: String,
    pub slot: Slot<'a>,
    pub row: Row,
}

/// How list items are named in paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// `cloths.flag`: for people.
    Id,
    /// `cloths[0]`: for places in the text, also where ids are wrong.
    Index,
}

impl Slot<'_> {
    /// The components of a number or vector; empty for texts, flags and parameters.
    pub fn components(&self) -> Vec<f64> {
        match self {
            Self::Float(value) => vec![f64::from(**value)],
            Self::Int(value) => vec![f64::from(**value)],
            Self::Vec2(value) => value.iter().copied().map(f64::from).collect(),
            Self::Vec3(value) => value.iter().copied().map(f64::from).collect(),
            Self::Flag(_) | Self::Text(_) | Self::Choice(_) | Self::Param(_) => Vec::new(),
        }
    }

    /// The value as it would be written in a scene.
    pub fn written(&self) -> String {
        match self {
            Self::Float(value) => format!("{value:?}"),
            Self::Int(value) => value.to_string(),
            Self::Vec2([x, y]) => format!("({x:?}, {y:?})"),
            Self::Vec3([x, y, z]) => format!("({x:?}, {y:?}, {z:?})"),
            Self::Flag(value) => value.to_string(),
            Self::Text(value) => format!("{value:?}"),
            Self::Choice(value) => value.names()[value.chosen()].to_owned(),
            Self::Param(value) => value.to_string(),
        }
    }
}

impl Row {
    /// The least and the most that it may be, in figures.
    pub fn bounds(&self) -> [String; 2] {
        [self.min, self.max].map(|x| if x.abs() < 1e10 { x.to_string() } else { format!("{x:e}") })
    }

    /// The first component outside the range, with a message. NaN is outside of every range.
    pub fn fault(&self, name: &str, slot: &Slot<'_>) -> Option<(usize, String)> {
        let components = slot.components();
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        let bad = components.iter().position(|value| !(min..=max).contains(value))?;
        let value = components[bad] as f32;
        let unit = if self.unit == "1" { String::new() } else { format!(" {}", self.unit) };
        let axis = match (components.len(), bad) {
            (1, _) => "",
            (_, 0) => ".x",
            (_, 1) => ".y",
            _ => ".z",
        };
        let message = if value.is_nan() {
            format!("`{name}{axis}` is not a number")
        } else {
            format!("`{name}{axis}` is {value}{unit}")
        };
        let [min, max] = self.bounds();
        Some((bad, format!("{message}; it must be between {min} and {max}{unit}")))
    }
}

/// Every kind of field once, as (path, row): `ID` stands for an id, `NAME` for a parameter.
pub fn schema() -> Vec<(String, Row)> {
    let mut rows: Vec<(String, Row)> = Vec::new();
    for mut scene in examples() {
        visit(&mut scene, Address::Id, &mut |field| {
            if !rows.iter().any(|(path, _)| *path == field.path) {
                let at = after_group(&rows, &field.path);
                rows.insert(at, (field.path, field.row));
            }
        });
    }
    for (path, doc) in NAMED {
        let row =
            Row { unit: "1", min: 0.0, max: 0.0, doc, class: Class::Retopology, slider: false, log: false };
        let at = rows.iter().position(|(other, _)| other.starts_with(path));
        rows.insert(at.unwrap_or_else(|| after_group(&rows, path)), (path.to_owned(), row));
    }
    rows
}

/// Behind the last row of the same part of an object, else of the same list.
fn after_group(rows: &[(String, Row)], path: &str) -> usize {
    let last = |depth: usize| {
        let same = |other: &str| other.split('.').take(depth).eq(path.split('.').take(depth));
        rows.iter().rposition(|(other, _)| same(other))
    };
    last(3).or_else(|| last(1)).map_or(rows.len(), |at| at + 1)
}

/// What a number or text cannot show: names that stand for themselves.
const NAMED: [(&str, &str); 11] = [
    ("cloths.ID.shape", "Grid(...), Mesh(...) or Disc(...)"),
    (
        "cloths.ID.pins",
        "list of Edge(Left), Corner(TopLeft), Every(edge: Top, step: 4), Particle(column: 0, row: 0), Within(at: (0, 1, 0), radius: 0.1), Vertex(0)",
    ),
    ("cloths.ID.handles[0].pins", "as `pins`: the particles that this handle moves"),
    ("cloths.ID.weights[0].on", "as `pins`: the particles that are heavier by `mass`"),
    (
        "cloths.ID.material.preset",
        "fabric to take values from: \"silk\", \"cotton\", \"wool\", \"denim\", \"flag\"; what is written beside it counts instead",
    ),
    ("strands.ID.seat", "World, or Collider(\"ID\"): roots go and turn with it"),
    ("strands.ID.roots", "Points(at: [(0, 2, 0)]), Row(...) or Cap(...)"),
    ("strands.ID.shape", "Straight, Arc(...) or Curl(...): what a strand is at rest"),
    (
        "strands.ID.material.preset",
        "kind to take values from: \"hair\", \"rope\", \"wire\", \"silk\"; what is written beside it counts instead",
    ),
    ("colliders.ID.shape", "Plane, Sphere(...), Capsule(...), Box(...) or Mesh(...)"),
    (
        "colliders.ID.motion",
        "Still, Oscillate(...), Spin(...), Path(keys: [(time, offset), ...], repeat: true) or Keyframes(keys: [(time, offset, angles), ...])",
    ),
];

/// Scenes that together hold every variant of every enum.
fn examples() -> Vec<Scene> {
    let motions = [
        Motion::Still,
        Motion::Oscillate { offset: [1.0, 0.0, 0.0], period: 4.0, delay: 0.0 },
        Motion::Spin { axis: [0.0, 1.0, 0.0], period: 6.0 },
        Motion::Path { keys: vec![Key(0.0, [0.0; 3])], repeat: true },
        Motion::Keyframes { keys: vec![Pose(0.0, [0.0; 3], [0.0; 3])], repeat: true },
    ];
    let mut scenes: Vec<Scene> = motions.into_iter().map(example).collect();
    scenes[0].colliders[0].shape = ColliderShape::Capsule { radius: 0.1, half_height: 1.0 };
    scenes[1].colliders[0].shape = ColliderShape::Box { half: [0.5; 3] };
    scenes[2].colliders[0].shape = ColliderShape::Mesh { file: String::new(), scale: 1.0, solid: None };
    scenes[1].strands[0].roots = Roots::Cap { axis: [0.0, 1.0, 0.0], angle: 100.0, count: 200 };
    scenes[2].strands[0].roots = Roots::Points { at: vec![[0.0; 3]], direction: [0.0, -1.0, 0.0] };
    scenes[0].strands[0].shape = super::strands::Shape::Arc { angle: 60.0 };
    scenes[1].strands[0].shape = super::strands::Shape::Curl { radius: 0.006, pitch: 0.012, from: 0.2 };
    scenes[1].cloths[0].shape = Shape::Mesh { file: String::new(), scale: 1.0, surface: None };
    scenes[2].cloths[0].shape = Shape::Disc { radius: 0.15, rings: 16 };
    scenes
}

fn example(motion: Motion) -> Scene {
    let mut cloth = Cloth::new("ID", Shape::grid(48, 32, 1.5, 1.0));
    cloth.tethers = Some(Tethers::default());
    cloth.coarse = Some(Coarse::default());
    cloth.handles = vec![super::Handle {
        pins: Vec::new(),
        axis: [1.0, 0.0, 0.0],
        turns: 1.0,
        shift: [0.0; 3],
        seconds: 8.0,
    }];
    cloth.weights = vec![super::Weight { on: Vec::new(), mass: 0.01 }];
    cloth.self_collision = Some(SelfCollision::default());
    cloth.balloon = Some(Balloon::default());
    cloth.material.tear = Some(super::Tear::default());
    let strands = Strands {
        id: "ID".to_owned(),
        seat: Seat::World,
        roots: Roots::Row { from: [0.0; 3], to: [1.0, 0.0, 0.0], count: 100, direction: [0.0, -1.0, 0.0] },
        length: 0.3,
        length_spread: 0.0,
        particles: 32,
        root: Root::Clamped,
        teleport: 0.5,
        shape: super::strands::Shape::Straight,
        material: Rod::default(),
        between: Some(Between::default()),
        self_collision: Some(StrandCollision::default()),
        look: StrandLook::default(),
    };
    let collider = Collider {
        id: "ID".to_owned(),
        shape: ColliderShape::Sphere { radius: 0.4 },
        at: [0.0; 3],
        rotation: [0.0; 3],
        friction: super::Friction::default(),
        restitution: 0.0,
        thickness: 0.004,
        color: [0.6; 3],
        motion,
        keys: false,
        mass: 0.0,
        velocity: [0.0; 3],
    };
    let mut solver = super::SolverChoice::default();
    solver.params.insert("NAME".to_owned(), Value::Number(1.0));
    solver.others.insert("SOLVER".to_owned(), solver.params.clone());
    let expect = super::Expect {
        reading: "kinetic_energy".to_owned(),
        value: Some(1.0),
        tolerance: Some(0.01),
        absolute: Some(0.01),
        at_least: Some(0.0),
        at_most: Some(1.0),
        after_s: 1.0,
        median_s: 0.0,
        solvers: Vec::new(),
        except: Vec::new(),
        fails_for: Vec::new(),
    };
    Scene {
        version: super::VERSION,
        title: String::new(),
        doc: String::new(),
        gravity: [0.0, -9.81, 0.0],
        step: 1.0 / 60.0,
        air_damping: 0.1,
        wind: super::Wind::default(),
        solver,
        cloths: vec![cloth],
        strands: vec![strands],
        colliders: vec![collider],
        camera: super::Camera::default(),
        light: super::Light::default(),
        expect: vec![expect],
        origin: [0.0; 3],
    }
}
