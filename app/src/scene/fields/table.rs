//! The rows themselves, in the order of the file.

use super::super::cloth::{Cloth, Look, Material, Shape};
use super::super::collider::{Collider, ColliderShape, Motion};
use super::super::{Camera, Light, Scene, Wind};
use super::Class::{Live, Rescale, Retopology};
use super::{Address, Class, Field, Row, Slot};

/// Calls `found` for every field of a scene, in the order of the file.
pub fn visit(scene: &mut Scene, address: Address, found: &mut dyn FnMut(Field<'_>)) {
    let mut at = Visitor {
        prefix: String::new(),
        found,
    };
    at.give(
        "title",
        Slot::Text(&mut scene.title),
        row("1", 0.0, 0.0, Live, "name shown in the window"),
    );
    at.give(
        "doc",
        Slot::Text(&mut scene.doc),
        row("1", 0.0, 0.0, Live, "what to look at and try"),
    );
    let doc = "acceleration of gravity";
    at.give(
        "gravity",
        Slot::Vec3(&mut scene.gravity),
        row("m/s2", -1000.0, 1000.0, Live, doc).slider(),
    );
    at.give(
        "step",
        Slot::Float(&mut scene.step),
        row("s", 1e-4, 0.1, Live, "fixed step of one frame"),
    );
    let doc = "damping proportional to mass, a = -c v";
    at.give(
        "air_damping",
        Slot::Float(&mut scene.air_damping),
        row("1/s", 0.0, 100.0, Live, doc).slider(),
    );
    at.inside("wind", |at| wind(at, &mut scene.wind));
    at.inside("solver", |at| {
        at.give(
            "name",
            Slot::Text(&mut scene.solver.name),
            row("1", 0.0, 0.0, Live, "which solver runs"),
        );
        for (name, value) in &mut scene.solver.params {
            let row = row("1", f32::MIN, f32::MAX, Live, "a parameter of the solver");
            at.give(&format!("params.{name}"), Slot::Param(value), row);
        }
    });
    for (index, object) in scene.cloths.iter_mut().enumerate() {
        at.inside(&item("cloths", address, index, &object.id), |at| {
            cloth(at, object)
        });
    }
    for (index, object) in scene.colliders.iter_mut().enumerate() {
        at.inside(&item("colliders", address, index, &object.id), |at| {
            collider(at, object)
        });
    }
    at.inside("camera", |at| camera(at, &mut scene.camera));
    at.inside("light", |at| light(at, &mut scene.light));
}

fn wind(at: &mut Visitor<'_>, wind: &mut Wind) {
    let doc = "mean velocity of the air";
    at.give(
        "velocity",
        Slot::Vec3(&mut wind.velocity),
        row("m/s", -200.0, 200.0, Live, doc).slider(),
    );
    let doc = "drag per area and relative speed";
    at.give(
        "coefficient",
        Slot::Float(&mut wind.coefficient),
        row("N s/m3", 0.0, 100.0, Live, doc).slider(),
    );
    let doc = "share of the velocity that gusts add and take";
    at.give(
        "gust",
        Slot::Float(&mut wind.gust),
        row("1", 0.0, 1.0, Live, doc).slider(),
    );
    let doc = "distance between gusts";
    at.give(
        "gust_length",
        Slot::Float(&mut wind.gust_length),
        row("m", 0.01, 1000.0, Live, doc).slider().log(),
    );
}

fn cloth(at: &mut Visitor<'_>, cloth: &mut Cloth) {
    at.inside("shape", |at| {
        let Shape::Grid {
            columns,
            rows,
            width,
            height,
            gather,
            folds,
        } = &mut cloth.shape;
        let most = super::super::check::MAX_PARTICLES as f32;
        let doc = "particles along x";
        at.give(
            "columns",
            Slot::Int(columns),
            row("particles", 2.0, most, Retopology, doc),
        );
        at.give(
            "rows",
            Slot::Int(rows),
            row("particles", 2.0, most, Retopology, "particles along y"),
        );
        at.give(
            "width",
            Slot::Float(width),
            row("m", 1e-3, 1000.0, Rescale, "width at rest")
                .slider()
                .log(),
        );
        at.give(
            "height",
            Slot::Float(height),
            row("m", 1e-3, 1000.0, Rescale, "height at rest")
                .slider()
                .log(),
        );
        let doc = "width at the start as a share of the width at rest";
        at.give(
            "gather",
            Slot::Float(gather),
            row("1", 0.2, 1.0, Retopology, doc),
        );
        at.give(
            "folds",
            Slot::Int(folds),
            row("1", 0.0, 1000.0, Retopology, "whole waves at the start"),
        );
    });
    at.give(
        "at",
        Slot::Vec3(&mut cloth.at),
        row("m", -1e4, 1e4, Retopology, "centre at the start"),
    );
    let doc = "about x, then y, then z, at the start";
    at.give(
        "rotation",
        Slot::Vec3(&mut cloth.rotation),
        row("degrees", -360.0, 360.0, Retopology, doc),
    );
    at.inside("material", |at| material(at, &mut cloth.material));
    at.inside("look", |at| look(at, &mut cloth.look));
}

fn material(at: &mut Visitor<'_>, material: &mut Material) {
    let doc = "mass per area";
    at.give(
        "density",
        Slot::Float(&mut material.density),
        row("kg/m2", 1e-3, 100.0, Rescale, doc).slider().log(),
    );
    at.inside("compliance", |at| {
        let soft = |doc| row("m/N", 0.0, 1000.0, Live, doc).slider().log();
        let compliance = &mut material.compliance;
        at.give(
            "structural",
            Slot::Float(&mut compliance.structural),
            soft("softness along the threads"),
        );
        at.give(
            "shear",
            Slot::Float(&mut compliance.shear),
            soft("softness along the diagonals"),
        );
        at.give(
            "bend",
            Slot::Float(&mut compliance.bend),
            soft("softness against bending"),
        );
    });
    let doc = "damping of each distance constraint";
    at.give(
        "spring_damping",
        Slot::Float(&mut material.spring_damping),
        row("N s/m", 0.0, 1e4, Live, doc).slider().log(),
    );
    let doc = "Coulomb coefficient against colliders and itself";
    at.give(
        "friction",
        Slot::Float(&mut material.friction),
        row("1", 0.0, 10.0, Live, doc).slider(),
    );
    let doc = "distance kept from other surfaces";
    at.give(
        "thickness",
        Slot::Float(&mut material.thickness),
        row("m", 1e-5, 1.0, Live, doc).slider().log(),
    );
}

fn look(at: &mut Visitor<'_>, look: &mut Look) {
    let share = |doc| row("1", 0.0, 1.0, Live, doc).slider();
    let doc = "picture file relative to the scene file; empty for none";
    at.give(
        "texture",
        Slot::Text(&mut look.texture),
        row("1", 0.0, 0.0, Live, doc),
    );
    at.give(
        "front",
        Slot::Vec3(&mut look.front),
        share("linear colour of the front"),
    );
    at.give(
        "back",
        Slot::Vec3(&mut look.back),
        share("linear colour of the back"),
    );
    at.give(
        "sheen",
        Slot::Float(&mut look.sheen),
        share("strength of the soft rim of fibres"),
    );
    at.give(
        "roughness",
        Slot::Float(&mut look.roughness),
        share("1 is matt"),
    );
    at.give(
        "weave",
        Slot::Float(&mut look.weave),
        share("depth of the drawn threads"),
    );
    let doc = "repeats of the texture along width and height";
    at.give(
        "uv_scale",
        Slot::Vec2(&mut look.uv_scale),
        row("1", 1e-3, 1000.0, Live, doc),
    );
}

fn collider(at: &mut Visitor<'_>, collider: &mut Collider) {
    if let ColliderShape::Sphere { radius } = &mut collider.shape {
        at.give(
            "shape.radius",
            Slot::Float(radius),
            row("m", 1e-3, 1000.0, Rescale, "of the sphere")
                .slider()
                .log(),
        );
    }
    at.give(
        "at",
        Slot::Vec3(&mut collider.at),
        row("m", -1e4, 1e4, Rescale, "centre").slider(),
    );
    let doc = "about x, then y, then z";
    at.give(
        "rotation",
        Slot::Vec3(&mut collider.rotation),
        row("degrees", -360.0, 360.0, Rescale, doc),
    );
    let coulomb = |doc| row("1", 0.0, 10.0, Live, doc).slider();
    at.give(
        "friction.static",
        Slot::Float(&mut collider.friction.at_rest),
        coulomb("Coulomb coefficient at rest"),
    );
    at.give(
        "friction.dynamic",
        Slot::Float(&mut collider.friction.dynamic),
        coulomb("Coulomb coefficient sliding"),
    );
    let doc = "share of the normal speed given back";
    at.give(
        "restitution",
        Slot::Float(&mut collider.restitution),
        row("1", 0.0, 1.0, Live, doc).slider(),
    );
    let doc = "distance kept from the surface";
    at.give(
        "thickness",
        Slot::Float(&mut collider.thickness),
        row("m", 0.0, 1.0, Live, doc).slider(),
    );
    at.give(
        "color",
        Slot::Vec3(&mut collider.color),
        row("1", 0.0, 1.0, Live, "linear colour").slider(),
    );
    at.inside("motion", |at| motion(at, &mut collider.motion));
}

fn motion(at: &mut Visitor<'_>, motion: &mut Motion) {
    let place = |doc| row("m", -1e4, 1e4, Rescale, doc);
    let seconds = |doc| row("s", 0.01, 1e4, Rescale, doc).slider();
    match motion {
        Motion::Still => {}
        Motion::Oscillate {
            offset,
            period,
            delay,
        } => {
            at.give(
                "offset",
                Slot::Vec3(offset),
                place("far end, from `at`").slider(),
            );
            at.give("period", Slot::Float(period), seconds("there and back"));
            at.give(
                "delay",
                Slot::Float(delay),
                row("s", 0.0, 1e4, Rescale, "time before it starts"),
            );
        }
        Motion::Spin { axis, period } => {
            let doc = "axis through the centre, any length above zero";
            at.give(
                "axis",
                Slot::Vec3(axis),
                row("1", -1000.0, 1000.0, Rescale, doc),
            );
            at.give("period", Slot::Float(period), seconds("one turn"));
        }
        Motion::Path { keys, repeat } => {
            for (index, key) in keys.iter_mut().enumerate() {
                let time = row("s", 0.0, 1e6, Rescale, "time of the key");
                at.give(&format!("keys[{index}][0]"), Slot::Float(&mut key.0), time);
                let offset = place("offset from `at` at the key");
                at.give(&format!("keys[{index}][1]"), Slot::Vec3(&mut key.1), offset);
            }
            let doc = "start again after the last key";
            at.give(
                "repeat",
                Slot::Flag(repeat),
                row("1", 0.0, 1.0, Rescale, doc),
            );
        }
    }
}

fn camera(at: &mut Visitor<'_>, camera: &mut Camera) {
    at.give(
        "target",
        Slot::Vec3(&mut camera.target),
        row("m", -1e4, 1e4, Live, "point looked at"),
    );
    at.give(
        "distance",
        Slot::Float(&mut camera.distance),
        row("m", 0.01, 1e4, Live, "from the target").log(),
    );
    at.give(
        "yaw",
        Slot::Float(&mut camera.yaw),
        row("degrees", -360.0, 360.0, Live, "about +y"),
    );
    at.give(
        "pitch",
        Slot::Float(&mut camera.pitch),
        row("degrees", -89.0, 89.0, Live, "above the horizon"),
    );
    at.give(
        "fov",
        Slot::Float(&mut camera.fov),
        row("degrees", 5.0, 150.0, Live, "vertical field of view").slider(),
    );
}

fn light(at: &mut Visitor<'_>, light: &mut Light) {
    let doc = "from the light towards the scene, any length above zero";
    at.give(
        "direction",
        Slot::Vec3(&mut light.direction),
        row("1", -1000.0, 1000.0, Live, doc),
    );
    at.give(
        "color",
        Slot::Vec3(&mut light.color),
        row("1", 0.0, 1.0, Live, "linear colour").slider(),
    );
    at.give(
        "intensity",
        Slot::Float(&mut light.intensity),
        row("1", 0.0, 100.0, Live, "factor on the colour").slider(),
    );
    at.give(
        "ambient",
        Slot::Float(&mut light.ambient),
        row("1", 0.0, 10.0, Live, "light from everywhere").slider(),
    );
}

struct Visitor<'a> {
    prefix: String,
    found: &'a mut dyn FnMut(Field<'_>),
}

impl Visitor<'_> {
    fn give(&mut self, name: &str, slot: Slot<'_>, row: Row) {
        (self.found)(Field {
            path: format!("{}{name}", self.prefix),
            slot,
            row,
        });
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

const fn row(unit: &'static str, min: f32, max: f32, class: Class, doc: &'static str) -> Row {
    Row {
        unit,
        min,
        max,
        doc,
        class,
        slider: false,
        log: false,
    }
}

impl Row {
    const fn slider(mut self) -> Self {
        self.slider = true;
        self
    }

    const fn log(mut self) -> Self {
        self.log = true;
        self
    }
}
