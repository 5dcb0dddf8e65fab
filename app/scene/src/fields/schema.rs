//! Every kind of field once: what `weft schema` prints, and what editors and messages know of a field.

use crate::cloth::{Balloon, Cloth, Coarse, SelfCollision, Shape, Tethers};
use crate::collider::{Collider, ColliderShape, Key, Motion, Pose};
use crate::strands::{Between, Rod, Root, Roots, Seat, Side, StrandCollision, StrandLook, Strands};
use crate::{Scene, Value};

use super::{Address, Class, Row, Slot, visit};

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Sort {
    Number,
    Whole,
    /// So many numbers.
    Vector(usize),
    Flag,
    Text,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// A number, a name or a flag: a parameter of a solver.
    Param,
    /// What stands for itself by a name, such as `Grid(...)`, or a list.
    Named,
}

/// A kind of field.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// `ID` stands for an id, `NAME` for a parameter.
    pub path: String,
    pub row: Row,
    pub sort: Sort,
}

impl Sort {
    fn of(slot: &Slot<'_>) -> Self {
        match slot {
            Slot::Float(_) => Self::Number,
            Slot::Int(_) => Self::Whole,
            Slot::Vec2(_) => Self::Vector(2),
            Slot::Vec3(_) => Self::Vector(3),
            Slot::Flag(_) => Self::Flag,
            Slot::Text(_) => Self::Text,
            Slot::Choice(choice) => Self::Choice(choice.names()),
            Slot::Param(_) => Self::Param,
        }
    }
}

/// Every kind of field once, as (path, row): `ID` stands for an id, `NAME` for a parameter.
pub fn schema() -> Vec<(String, Row)> {
    kinds().into_iter().map(|field| (field.path, field.row)).collect()
}

/// The same with what the values are.
pub(crate) fn kinds() -> Vec<Kind> {
    let mut rows: Vec<Kind> = Vec::new();
    for mut scene in examples() {
        visit(&mut scene, Address::Id, &mut |field| {
            if !rows.iter().any(|known| known.path == field.path) {
                let at = after_group(&rows, &field.path);
                let sort = Sort::of(&field.slot);
                rows.insert(at, Kind { path: field.path, row: field.row, sort });
            }
        });
    }
    for (path, doc) in NAMED {
        let row =
            Row { unit: "1", min: 0.0, max: 0.0, doc, class: Class::Retopology, slider: false, log: false };
        let at = rows.iter().position(|other| other.path.starts_with(path));
        let sort = if path.ends_with(".preset") { Sort::Text } else { Sort::Named };
        let field = Kind { path: path.to_owned(), row, sort };
        rows.insert(at.unwrap_or_else(|| after_group(&rows, path)), field);
    }
    rows
}

/// Behind the last row of the same part of an object, else of the same list.
fn after_group(rows: &[Kind], path: &str) -> usize {
    let last = |depth: usize| {
        let same = |other: &str| other.split('.').take(depth).eq(path.split('.').take(depth));
        rows.iter().rposition(|other| same(&other.path))
    };
    last(3).or_else(|| last(1)).map_or(rows.len(), |at| at + 1)
}

/// What a number or text cannot show: names that stand for themselves.
const NAMED: [(&str, &str); 12] = [
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
    ("strands.ID.seat", "World, Collider(\"ID\") or Cloth(\"ID\"): roots go and turn with it"),
    ("strands.ID.tip_seat", "World or Collider(\"ID\"): tips that are held go and turn with it"),
    (
        "strands.ID.roots",
        "Points(at: [(0, 2, 0)]), Row(...), Cap(...), Edge(...), Surface(...) or File(file: \"x.hair\")",
    ),
    ("strands.ID.shape", "Straight, Arc(...) or Curl(...): what a strand is at rest"),
    (
        "strands.ID.material.preset",
        "kind to take values from: \"hair\", \"rope\", \"wire\", \"silk\"; what is written beside it counts instead",
    ),
    ("colliders.ID.shape", "Plane, Sphere(...), Capsule(...), Box(...) or Mesh(...)"),
    (
        "colliders.ID.motion",
        "Still, Oscillate(offset: the whole way, period: there and back), Spin(...), Path(keys: [(time, offset), ...], repeat: true) or \
         Keyframes(keys: [(time, offset, angles), ...]); between keys a cubic that rests at the first, the last and each turning: of two keys \
         its peak is 1.5 times the mean speed",
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
    scenes[1].strands[0].roots = Roots::Cap { axis: [0.0, 1.0, 0.0], angle: 100.0, count: 200, lean: 0.0 };
    scenes[2].strands[0].roots = Roots::Points { at: vec![[0.0; 3]], direction: [0.0, -1.0, 0.0] };
    scenes[4].strands[0].roots = Roots::Surface { axis: [0.0, 1.0, 0.0], angle: 90.0, count: 200 };
    scenes[3].strands[0].roots = Roots::File {
        file: String::new(),
        scale: 1.0,
        rotation: [0.0; 3],
        at: [0.0; 3],
        every: 1,
        locks: None,
    };
    scenes[0].strands[0].roots = Roots::Edge { side: Side::Bottom, count: 200 };
    scenes[0].strands[0].shape = crate::strands::Shape::Arc { angle: 60.0 };
    scenes[1].strands[0].shape = crate::strands::Shape::Curl { radius: 0.006, pitch: 0.012, from: 0.2 };
    scenes[1].cloths[0].shape = Shape::Mesh { file: String::new(), scale: 1.0, surface: None };
    scenes[2].cloths[0].shape = Shape::Disc { radius: 0.15, rings: 16 };
    scenes
}

fn example(motion: Motion) -> Scene {
    let mut cloth = Cloth::new("ID", Shape::grid(48, 32, 1.5, 1.0));
    cloth.tethers = Some(Tethers::default());
    cloth.coarse = Some(Coarse::default());
    cloth.handles = vec![crate::Handle {
        pins: Vec::new(),
        axis: [1.0, 0.0, 0.0],
        turns: 1.0,
        shift: [0.0; 3],
        seconds: 8.0,
    }];
    cloth.weights = vec![crate::Weight { on: Vec::new(), mass: 0.01 }];
    cloth.self_collision = Some(SelfCollision::default());
    cloth.balloon = Some(Balloon::default());
    cloth.material.tear = Some(crate::Tear::default());
    let strands = Strands {
        id: "ID".to_owned(),
        seat: Seat::World,
        roots: Roots::Row { from: [0.0; 3], to: [1.0, 0.0, 0.0], count: 100, direction: [0.0, -1.0, 0.0] },
        length: 0.3,
        length_spread: 0.0,
        particles: 32,
        root: Root::Clamped,
        tip: Root::Free,
        tip_seat: Seat::World,
        closed: false,
        twist: 0.0,
        teleport: 0.5,
        shape: crate::strands::Shape::Straight,
        material: Rod { tear: Some(crate::Tear::default()), ..Rod::default() },
        between: Some(Between::default()),
        self_collision: Some(StrandCollision::default()),
        look: StrandLook::default(),
    };
    let collider = Collider {
        id: "ID".to_owned(),
        shape: ColliderShape::Sphere { radius: 0.4 },
        at: [0.0; 3],
        rotation: [0.0; 3],
        friction: crate::Friction::default(),
        restitution: 0.0,
        thickness: 0.004,
        color: [0.6; 3],
        motion,
        keys: false,
        mass: 0.0,
        velocity: [0.0; 3],
    };
    let mut solver = crate::SolverChoice::default();
    solver.params.insert("NAME".to_owned(), Value::Number(1.0));
    solver.others.insert("SOLVER".to_owned(), solver.params.clone());
    let run = crate::RunChoice {
        name: "SOLVER".to_owned(),
        params: solver.params.clone(),
        path: crate::RunPath::Cpu,
    };
    let expect = crate::Expect {
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
        version: crate::VERSION,
        title: String::new(),
        doc: String::new(),
        gravity: [0.0, -9.81, 0.0],
        step: 1.0 / 60.0,
        air_damping: 0.1,
        wind: crate::Wind::default(),
        solver,
        auto: crate::Auto::default(),
        runs: vec![run],
        cloths: vec![cloth],
        strands: vec![strands],
        colliders: vec![collider],
        camera: crate::Camera::default(),
        light: crate::Light::default(),
        expect: vec![expect],
        origin: [0.0; 3],
    }
}
