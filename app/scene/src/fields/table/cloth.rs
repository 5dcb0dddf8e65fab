//! Rows of a cloth.

use super::super::super::check::MAX_PARTICLES;
use super::super::super::cloth::{Cloth, Look, Shape};
use super::super::super::material::{Material, Sheet};
use super::super::Class::{Live, Rescale, Retopology};
use super::{Visitor, row, tear};

pub(super) fn visit(at: &mut Visitor<'_>, cloth: &mut Cloth) {
    at.inside("shape", |at| shape(at, &mut cloth.shape));
    at.vec3("at", &mut cloth.at, row("m", -1e4, 1e4, Retopology, "centre at the start"));
    let doc = "about x, then y, then z, at the start";
    at.vec3("rotation", &mut cloth.rotation, row("degrees", -360.0, 360.0, Retopology, doc));
    let doc = "of all free particles at the start";
    at.vec3("velocity", &mut cloth.velocity, row("m/s", -1e4, 1e4, Retopology, doc));
    let doc = "turn at the start, about an axis through `at`";
    at.vec3("spin", &mut cloth.spin, row("degrees/s", -1e5, 1e5, Retopology, doc));
    for (index, weight) in cloth.weights.iter_mut().enumerate() {
        let row = row("kg", 0.0, 1e6, Rescale, "of each of its particles, beside that of the sheet");
        at.float(&format!("weights[{index}].mass"), &mut weight.mass, row);
    }
    let doc = "softness of the pins; 0 holds them still";
    at.float("pin_compliance", &mut cloth.pin_compliance, row("m/N", 0.0, 1000.0, Rescale, doc));
    for (index, handle) in cloth.handles.iter_mut().enumerate() {
        at.inside(&format!("handles[{index}]"), |at| {
            let doc = "axis through the centre of the cloth, any length above zero";
            at.vec3("axis", &mut handle.axis, row("1", -1000.0, 1000.0, Live, doc));
            let doc = "whole turns about the axis";
            at.float("turns", &mut handle.turns, row("1", -1000.0, 1000.0, Live, doc).slider());
            at.vec3("shift", &mut handle.shift, row("m", -1e4, 1e4, Live, "way in the same time").slider());
            let doc = "how long turns and way take";
            at.float("seconds", &mut handle.seconds, row("s", 0.01, 1e4, Live, doc).slider());
        });
    }
    if let Some(tethers) = &mut cloth.tethers {
        at.inside("tethers", |at| {
            let doc = "fraction of the distance to the pin that is given on top";
            at.float("slack", &mut tethers.slack, row("1", 0.0, 10.0, Live, doc).slider());
            let doc = "softness of the tethers; 0 is rigid";
            at.float("compliance", &mut tethers.compliance, row("m/N", 0.0, 1000.0, Live, doc));
        });
    }
    if let Some(coarse) = &mut cloth.coarse {
        at.inside("coarse", |at| {
            let doc = "particles from one coarse node to the next";
            at.int("spacing", &mut coarse.spacing, row("particles", 2.0, 64.0, Rescale, doc));
            let doc = "coarse nodes stay in reach of the four nearest pinned particles";
            at.flag("anchors", &mut coarse.anchors, row("1", 0.0, 1.0, Rescale, doc));
            let doc =
                "reach: 0 the straight distance at rest, which forbids shear, 1 the way along the threads";
            at.float("reach", &mut coarse.reach, row("1", 0.0, 1.0, Rescale, doc).slider());
        });
    }
    if let Some(own) = &mut cloth.self_collision {
        at.inside("self_collision", |at| {
            let doc = "distance kept from itself and from other cloth; what starts closer keeps that";
            at.float("thickness", &mut own.thickness, row("m", 1e-5, 1.0, Live, doc).slider().log());
            let coulomb = |doc| row("1", 0.0, 10.0, Live, doc).slider();
            let doc = "Coulomb coefficient of cloth on cloth at rest";
            at.float("friction.static", &mut own.friction.at_rest, coulomb(doc));
            let doc = "Coulomb coefficient of cloth on cloth sliding";
            at.float("friction.dynamic", &mut own.friction.dynamic, coulomb(doc));
            let doc = "room in the list of close pairs for each particle; more if `self_overflow` is not 0";
            at.int("pairs", &mut own.pairs, row("1", 1.0, 1000.0, Rescale, doc));
            let doc = "take apart cloth that passes through cloth; false: it stays so. Between two sheets both must want it";
            at.flag("heal", &mut own.heal, row("1", 0.0, 1.0, Live, doc));
        });
    }
    if let Some(balloon) = &mut cloth.balloon {
        at.inside("balloon", |at| {
            let doc = "volume that the gas takes where nothing holds it, by that of the mesh";
            at.float("pressure", &mut balloon.pressure, row("1", 0.0, 20.0, Live, doc).slider());
            let doc = "relative change of the volume by a pressure; 0: none changes it";
            at.float("compliance", &mut balloon.compliance, row("1/Pa", 0.0, 1.0, Live, doc));
            let doc = "fraction of the gas that leaks away in a second";
            at.float("leak", &mut balloon.leak, row("1/s", 0.0, 10.0, Live, doc).slider());
        });
    }
    at.inside("material", |at| material(at, &mut cloth.material));
    at.inside("look", |at| look(at, &mut cloth.look));
}

fn shape(at: &mut Visitor<'_>, shape: &mut Shape) {
    match shape {
        Shape::Grid { columns, rows, width, height, gather, folds } => {
            let most = MAX_PARTICLES as f32;
            let doc = "particles along x";
            at.int("columns", columns, row("particles", 2.0, most, Retopology, doc));
            at.int("rows", rows, row("particles", 2.0, most, Retopology, "particles along y"));
            at.float("width", width, row("m", 1e-3, 1000.0, Rescale, "width at rest").slider().log());
            at.float("height", height, row("m", 1e-3, 1000.0, Rescale, "height at rest").slider().log());
            let doc = "width at the start as a fraction of the width at rest";
            at.float("gather", gather, row("1", 0.2, 1.0, Retopology, doc));
            at.int("folds", folds, row("1", 0.0, 1000.0, Retopology, "whole waves at the start"));
        }
        Shape::Mesh { file, scale, .. } => {
            let doc = "OBJ file relative to the scene file";
            at.text("file", file, row("1", 0.0, 0.0, Retopology, doc));
            let doc = "metres at rest for one unit of the file";
            at.float("scale", scale, row("m", 1e-6, 1e6, Rescale, doc).log());
        }
        Shape::Disc { radius, rings } => {
            at.float("radius", radius, row("m", 1e-3, 1000.0, Rescale, "radius at rest").slider().log());
            let doc = "rings of particles about the centre";
            at.int("rings", rings, row("1", 1.0, 1000.0, Retopology, doc));
        }
    }
}

fn material(at: &mut Visitor<'_>, material: &mut Material) {
    let doc = "mass per area";
    at.float("density", &mut material.density, row("kg/m2", 1e-3, 100.0, Rescale, doc).slider().log());
    at.inside("compliance", |at| {
        let soft = |doc| row("m/N", 0.0, 1000.0, Live, doc).slider().log();
        let compliance = &mut material.compliance;
        at.float("structural", &mut compliance.structural, soft("softness along the threads"));
        at.float("shear", &mut compliance.shear, soft("softness along the diagonals"));
        at.float(
            "bend",
            &mut compliance.bend,
            soft(
                "softness against bending; its springs add 4 / compliance to the stiffness along the threads",
            ),
        );
    });
    let doc = "damping of each distance constraint";
    at.float(
        "spring_damping",
        &mut material.spring_damping,
        row("N s/m", 0.0, 1e4, Live, doc).slider().log(),
    );
    let doc = "times the collider's friction, at rest and sliding";
    at.float("friction", &mut material.friction, row("1", 0.0, 10.0, Live, doc).slider());
    at.inside("sheet", |at| sheet(at, &mut material.sheet));
    let doc = "Springs, or triangles: StVK, NeoHookean; Area: springs, and triangles keep their area";
    at.choice("membrane", &mut material.membrane, row("1", 0.0, 0.0, Rescale, doc));
    let doc = "SkipOne: distance constraints between next neighbours but one; Quadratic, Dihedral: hinges; Auto: with sheet.bend hinges, Quadratic where the rest shape is flat; else SkipOne";
    at.choice("bending", &mut material.bending, row("1", 0.0, 0.0, Rescale, doc));
    tear::visit(at, &mut material.tear, tear::THREADS);
}

fn sheet(at: &mut Visitor<'_>, sheet: &mut Sheet) {
    let stiff = |doc| row("N/m", 0.0, 1e7, Rescale, doc).slider().log();
    let doc = "stiffness of the sheet along its threads; 0: compliance.structural counts";
    at.float("stretch", &mut sheet.stretch, stiff(doc));
    let doc = "stiffness of a grid of springs against shear; 0: compliance.shear counts";
    at.float("shear", &mut sheet.shear, stiff(doc));
    let doc = "bending rigidity; 0 makes no hinges";
    at.float("bend", &mut sheet.bend, row("N m", 0.0, 1.0, Rescale, doc).slider().log());
    let doc = "Poisson's ratio of StVK and NeoHookean";
    at.float("poisson", &mut sheet.poisson, row("1", 0.0, 0.95, Rescale, doc).slider());
    let doc =
        "damping of each spring by the stiffness that the sheet gives it; membranes of triangles have none";
    at.float("damping", &mut sheet.damping, row("s", 0.0, 1.0, Live, doc));
}

fn look(at: &mut Visitor<'_>, look: &mut Look) {
    let share = |doc| row("1", 0.0, 1.0, Live, doc).slider();
    let doc = "picture file relative to the scene file; empty for none";
    at.text("texture", &mut look.texture, row("1", 0.0, 0.0, Live, doc));
    at.vec3("front", &mut look.front, share("linear colour of the front"));
    at.vec3("back", &mut look.back, share("linear colour of the back"));
    at.float("sheen", &mut look.sheen, share("strength of the soft rim of fibres"));
    at.float("roughness", &mut look.roughness, share("1 is matt, 0 a mirror"));
    at.float("weave", &mut look.weave, share("depth of the drawn threads"));
    let doc = "repeats of the texture along width and height";
    at.vec2("uv_scale", &mut look.uv_scale, row("1", 1e-3, 1000.0, Live, doc));
}
