//! Rows of strands.

use super::super::super::strands::{Rod, Root, Roots, Shape, Strands, rod::RADIUS};
use super::super::Class::{Live, Retopology};
use super::{Visitor, row, tear};

/// Most strands of a list.
const MOST: f32 = 1e6;

pub(super) fn visit(at: &mut Visitor<'_>, strands: &mut Strands) {
    at.inside("roots", |at| roots(at, &mut strands.roots));
    let doc = "of a strand at rest, from its root to its tip; those of a file are as long as they are there, and cut here";
    at.float("length", &mut strands.length, row("m", 1e-3, 100.0, Retopology, doc));
    let doc = "how much the lengths differ, as a fraction of `length`";
    at.float("length_spread", &mut strands.length_spread, row("1", 0.0, 0.9, Retopology, doc));
    let doc = "particles of a strand";
    at.int("particles", &mut strands.particles, row("particles", 3.0, 1024.0, Retopology, doc));
    let doc = "how a strand is held at its root";
    at.choice("root", &mut strands.root, row("1", 0.0, 0.0, Retopology, doc));
    let doc = "how a strand is held at its tip, by `tip_seat`";
    at.choice("tip", &mut strands.tip, row("1", 0.0, 0.0, Retopology, doc));
    let doc = "the last particle is joined to the first: a ring around the root, whose axis is `direction`, or along a line of a file \
               that ends where it began; `length` is the way around";
    at.flag("closed", &mut strands.closed, row("1", 0.0, 1.0, Retopology, doc));
    let doc = "how far the ends of a ring are turned against each other before they are joined";
    at.float("twist", &mut strands.twist, row("degrees", -1e5, 1e5, Retopology, doc));
    let doc = "a seat that goes farther in a frame, or turns by more than 60 degrees, carries its strands as they are";
    at.float("teleport", &mut strands.teleport, row("m", 0.0, 1e4, Live, doc));
    at.inside("shape", |at| shape(at, &mut strands.shape));
    let one_end = !strands.closed && strands.tip == Root::Free;
    at.inside("material", |at| rod(at, &mut strands.material, one_end));
    if let Some(between) = &mut strands.between {
        at.inside("between", |at| between.visit(at));
    }
    if let Some(own) = &mut strands.self_collision {
        at.inside("self_collision", |at| own.visit(at));
    }
    at.inside("look", |at| strands.look.visit(at));
}

fn roots(at: &mut Visitor<'_>, roots: &mut Roots) {
    let place = |doc| row("m", -1e4, 1e4, Retopology, doc);
    let way = row("1", -1000.0, 1000.0, Retopology, "the way that strands start, any length above zero");
    let many = row("strands", 1.0, MOST, Retopology, "number of strands");
    match roots {
        Roots::Points { at: places, direction } => {
            for (index, root) in places.iter_mut().enumerate() {
                at.vec3(&format!("at[{index}]"), root, place("root of a strand, in the frame of the seat"));
            }
            at.vec3("direction", direction, way);
        }
        Roots::Row { from, to, count, direction } => {
            at.vec3("from", from, place("first root, in the frame of the seat"));
            at.vec3("to", to, place("last root, in the frame of the seat"));
            at.int("count", count, many);
            at.vec3("direction", direction, way);
        }
        Roots::Cap { axis, angle, count, lean } => {
            let doc = "middle of the roots, seen from the centre of the seat, any length above zero";
            at.vec3("axis", axis, row("1", -1000.0, 1000.0, Retopology, doc));
            let doc = "farthest that a root is from the axis";
            at.float("angle", angle, row("degrees", 1.0, 180.0, Retopology, doc));
            at.int("count", count, many);
            let doc = "how far strands start from straight out, away from the axis";
            at.float("lean", lean, row("degrees", 0.0, 80.0, Retopology, doc));
        }
        Roots::Edge { side, count } => {
            let doc = "part of the edge of the cloth; Left to Bottom are those of a grid";
            at.choice("side", side, row("1", 0.0, 0.0, Retopology, doc));
            at.int("count", count, many);
        }
        Roots::Surface { axis, angle, count } => {
            let doc = "the way that faces with roots look, in the frame of a collider, any length above zero";
            at.vec3("axis", axis, row("1", -1000.0, 1000.0, Retopology, doc));
            let doc = "farthest that such a face looks from it; 180: all faces";
            at.float("angle", angle, row("degrees", 1.0, 180.0, Retopology, doc));
            at.int("count", count, many);
        }
        Roots::File { file, scale, rotation, at: origin, every, .. } => {
            let doc = ".hair file, or OBJ file with lines `l`, relative to the scene file; roots come first";
            at.text("file", file, row("1", 0.0, 0.0, Retopology, doc));
            let doc = "metres for one unit of the file";
            at.float("scale", scale, row("m", 1e-6, 1e6, Retopology, doc).log());
            let doc = "about x, then y, then z, in the frame of the seat";
            at.vec3("rotation", rotation, row("degrees", -3600.0, 3600.0, Retopology, doc));
            at.vec3("at", origin, place("where the file's origin lies, in the frame of the seat"));
            let doc = "one strand of so many is taken";
            at.int("every", every, row("strands", 1.0, MOST, Retopology, doc));
        }
    }
}

fn shape(at: &mut Visitor<'_>, shape: &mut Shape) {
    match shape {
        Shape::Straight => {}
        Shape::Arc { angle } => {
            let doc = "between the ends of the arc, which bends down";
            at.float("angle", angle, row("degrees", -720.0, 720.0, Retopology, doc));
        }
        Shape::Curl { radius, pitch, from } => {
            at.float("radius", radius, row("m", 1e-5, 10.0, Retopology, "radius of the curl"));
            let doc = "way along the axis of a curl in one turn";
            at.float("pitch", pitch, row("m", 1e-4, 10.0, Retopology, doc));
            let doc = "where the curl begins, as a fraction of the length";
            at.float("from", from, row("1", 0.0, 0.95, Retopology, doc));
        }
    }
}

fn rod(at: &mut Visitor<'_>, rod: &mut Rod, one_end: bool) {
    let doc = "Young's modulus: E A resists stretch, E I resists bending";
    at.float("young", &mut rod.young, row("Pa", 1.0, 1e12, Live, doc).slider().log());
    let doc = "shear modulus: G J resists twist; hair is softer against it than its E tells";
    at.float("shear", &mut rod.shear, row("Pa", 1.0, 1e12, Live, doc).slider().log());
    let doc = "of the section, at the root and at the tip";
    at.vec2("radius", &mut rod.radius, row("m", RADIUS[0], RADIUS[1], Live, doc));
    let density = row("kg/m3", 1.0, 1e5, Live, "mass per volume");
    at.float("density", &mut rod.density, density.slider().log());
    let doc = "what hangs on the last particle of each strand besides its own mass";
    at.float("tip_mass", &mut rod.tip_mass, row("kg", 0.0, 1e4, Live, doc));
    let doc = "damping of stretch, by its stiffness";
    at.float("damping", &mut rod.damping, row("s", 0.0, 1.0, Live, doc));
    let doc = "factor on the coefficients of friction of what they touch";
    at.float("friction", &mut rod.friction, row("1", 0.0, 10.0, Live, doc).slider());
    let doc = "fraction of gravity under which the shape is at rest; of solvers with frames";
    let sag_free = row("1", 0.0, 1.0, Live, doc);
    // A ring and a strand that is held at its tip, too, have no one root that could bear it.
    at.float("sag_free", &mut rod.sag_free, if one_end { sag_free.slider() } else { sag_free });
    tear::visit(at, &mut rod.tear, tear::SEGMENTS);
}
