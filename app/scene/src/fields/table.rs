//! The rows themselves, in the order of the file; those of objects are in `cloth` and `collider`.

mod cloth;
mod collider;
mod strands;
mod tear;

use super::super::{Expect, RunChoice, Scene, Value, Vec2, Vec3};
use super::Class::Live;
use super::{Address, Choice, Class, Field, Row, Slot};

/// Calls `found` for every field of a scene, in the order of the file.
pub fn visit(scene: &mut Scene, address: Address, found: &mut dyn FnMut(Field<'_>)) {
    let mut at = Visitor { prefix: String::new(), found };
    at.text("title", &mut scene.title, row("1", 0.0, 0.0, Live, "name shown in the window"));
    at.text("doc", &mut scene.doc, row("1", 0.0, 0.0, Live, "what to look at and try"));
    let doc = "acceleration of gravity";
    at.vec3("gravity", &mut scene.gravity, row("m/s2", -1000.0, 1000.0, Live, doc).slider());
    at.float("step", &mut scene.step, row("s", 1e-4, 0.1, Live, "fixed step of one frame"));
    let doc = "damping of cloth and strands proportional to mass, a = -c v; what falls ends at g/c (1 + c h), h the substep";
    at.float("air_damping", &mut scene.air_damping, row("1/s", 0.0, 100.0, Live, doc).slider());
    at.inside("wind", |at| scene.wind.visit(at));
    at.inside("solver", |at| {
        at.text("name", &mut scene.solver.name, row("1", 0.0, 0.0, Live, "which solver runs"));
        for (name, value) in &mut scene.solver.params {
            let row = row("1", f32::MIN, f32::MAX, Live, "a parameter of the solver");
            at.param(&format!("params.{name}"), value, row);
        }
        for (solver, params) in &mut scene.solver.others {
            for (name, value) in params {
                let row = row("1", f32::MIN, f32::MAX, Live, "a parameter for when that solver is chosen");
                at.param(&format!("others.{solver}.{name}"), value, row);
            }
        }
    });
    at.inside("auto", |at| scene.auto.visit(at));
    for (index, object) in scene.runs.iter_mut().enumerate() {
        at.inside(&format!("runs[{index}]"), |at| run_beside(at, object));
    }
    for (index, object) in scene.cloths.iter_mut().enumerate() {
        at.inside(&item("cloths", address, index, &object.id), |at| {
            cloth::visit(at, object);
        });
    }
    for (index, object) in scene.strands.iter_mut().enumerate() {
        at.inside(&item("strands", address, index, &object.id), |at| {
            strands::visit(at, object);
        });
    }
    for (index, object) in scene.colliders.iter_mut().enumerate() {
        at.inside(&item("colliders", address, index, &object.id), |at| {
            collider::visit(at, object);
        });
    }
    at.inside("camera", |at| scene.camera.visit(at));
    at.inside("light", |at| scene.light.visit(at));
    for (index, object) in scene.expect.iter_mut().enumerate() {
        at.inside(&format!("expect[{index}]"), |at| expect(at, object));
    }
}

fn run_beside(at: &mut Visitor<'_>, run: &mut RunChoice) {
    let doc = "solver of a run beside the scene's own, on the same state; at most three";
    at.text("name", &mut run.name, row("1", 0.0, 0.0, Live, doc));
    for (name, value) in &mut run.params {
        let doc = "a parameter of that solver, over those in `solver`";
        at.param(&format!("params.{name}"), value, row("1", f32::MIN, f32::MAX, Live, doc));
    }
    let doc = "where it is computed: by the hot code, or by passes of shaders/sim on a device";
    at.choice("path", &mut run.path, row("1", 0.0, 0.0, Live, doc));
}

fn expect(at: &mut Visitor<'_>, expect: &mut Expect) {
    let doc = "name of a reading";
    at.text("reading", &mut expect.reading, row("1", 0.0, 0.0, Live, doc));
    let any = |doc| row("1", -1e9, 1e9, Live, doc);
    let doc = "distance from `value` allowed, in the reading's unit";
    let absolute = row("1", 0.0, 1e9, Live, doc);
    let tolerance = row("1", 0.0, 1.0, Live, "distance from `value` allowed, as a fraction of it");
    let fields = [
        (
            "value",
            &mut expect.value,
            any("what it must be, in the reading's unit, within `tolerance` or `absolute`"),
        ),
        ("tolerance", &mut expect.tolerance, tolerance),
        ("absolute", &mut expect.absolute, absolute),
        ("at_least", &mut expect.at_least, any("least it must be, in the reading's unit")),
        ("at_most", &mut expect.at_most, any("most it may be, in the reading's unit")),
    ];
    for (name, value, row) in fields {
        if let Some(value) = value {
            at.float(name, value, row);
        }
    }
    let doc = "simulated time at which it is read; 0: before the first step";
    at.float("after_s", &mut expect.after_s, row("s", 0.0, 600.0, Live, doc));
    let doc = "the median of so many seconds up to then, for a reading that trembles; 0: what it is then";
    at.float("median_s", &mut expect.median_s, row("s", 0.0, 600.0, Live, doc));
}

pub(crate) struct Visitor<'a> {
    prefix: String,
    found: &'a mut dyn FnMut(Field<'_>),
}

impl Visitor<'_> {
    pub(crate) fn give(&mut self, name: &str, slot: Slot<'_>, row: Row) {
        (self.found)(Field { path: format!("{}{name}", self.prefix), slot, row });
    }

    fn float(&mut self, name: &str, value: &mut f32, row: Row) {
        self.give(name, Slot::Float(value), row);
    }

    fn int(&mut self, name: &str, value: &mut u32, row: Row) {
        self.give(name, Slot::Int(value), row);
    }

    fn vec2(&mut self, name: &str, value: &mut Vec2, row: Row) {
        self.give(name, Slot::Vec2(value), row);
    }

    fn vec3(&mut self, name: &str, value: &mut Vec3, row: Row) {
        self.give(name, Slot::Vec3(value), row);
    }

    fn flag(&mut self, name: &str, value: &mut bool, row: Row) {
        self.give(name, Slot::Flag(value), row);
    }

    fn text(&mut self, name: &str, value: &mut String, row: Row) {
        self.give(name, Slot::Text(value), row);
    }

    fn choice(&mut self, name: &str, value: &mut dyn Choice, row: Row) {
        self.give(name, Slot::Choice(value), row);
    }

    fn param(&mut self, name: &str, value: &mut Value, row: Row) {
        self.give(name, Slot::Param(value), row);
    }

    fn inside(&mut self, name: &str, body: impl FnOnce(&mut Self)) {
        let length = self.prefix.len();
        self.prefix.push_str(name);
        self.prefix.push('.');
        body(self);
        self.prefix.truncate(length);
    }
}

fn item(list: &str, address: Address, index: usize, id: &str) -> String {
    match address {
        Address::Id => format!("{list}.{id}"),
        Address::Index => format!("{list}[{index}]"),
    }
}

pub(crate) const fn row(unit: &'static str, min: f32, max: f32, class: Class, doc: &'static str) -> Row {
    Row { unit, min, max, doc, class, slider: false, log: false }
}

impl Row {
    pub(crate) const fn slider(mut self) -> Self {
        self.slider = true;
        self
    }

    pub(crate) const fn log(mut self) -> Self {
        self.log = true;
        self
    }
}
