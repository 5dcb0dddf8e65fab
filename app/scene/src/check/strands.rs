//! Seat, roots and rest shape of strands: the rules between fields.

use std::sync::Arc;

use super::super::strands::{
    self, Root, Roots, Seat, Side, Strands, on_cloth, on_mesh,
    rod::{RADIUS, presets},
};
use super::{Checker, MAX_PARTICLES};
use crate::{
    ColliderShape, Scene, Shape,
    obj::{Fault, locks::Locks},
};
use weft_core::suggest;

/// Largest coordinate of a point of a file [m], as of other places.
const FARTHEST: f32 = 1e4;

pub(super) fn check(checker: &mut Checker<'_>, path: &str, strands: &Strands, scene: &Scene) {
    let own_seat = seat(checker, &format!("{path}.seat"), &strands.seat, scene);
    let roots = format!("{path}.roots");
    ring(checker, path, strands);
    tip(checker, path, strands, scene);
    match &strands.roots {
        Roots::Points { at, direction } => {
            if at.is_empty() {
                checker.error(&format!("{roots}.at"), "there is no root", "such as `at: [(0, 2, 0)]`");
            }
            checker.direction(&format!("{roots}.direction"), *direction);
        }
        Roots::File { locks, .. } => of_file(checker, path, strands, locks.as_ref()),
        Roots::Edge { .. } | Roots::Surface { .. } => {}
        Roots::Row { direction, .. } => checker.direction(&format!("{roots}.direction"), *direction),
        Roots::Cap { axis, .. } => {
            checker.direction(&format!("{roots}.axis"), *axis);
            // A seat that is not there is told.
            let is_there = match strands.seat {
                Seat::World => true,
                Seat::Collider(_) => strands.seat(scene).is_some(),
                Seat::Cloth(_) => strands.cloth(scene).is_some(),
            };
            if is_there && !matches!(own_seat, Some(ColliderShape::Sphere { .. })) {
                let message = "a Cap lies on a ball, and the seat is not one";
                let help = "`seat: Collider(\"...\")` with the id of a collider of `shape: Sphere(...)`, or roots by \
                            Row(...) or Points(...)";
                checker.error(&roots, message, help);
            }
        }
    }
    let known: Vec<&str> = presets().collect();
    checker.preset(&format!("{path}.material"), &strands.material.preset, &known);
    match &strands.seat {
        Seat::Cloth(_) => on_cloth(checker, path, strands, scene),
        Seat::World | Seat::Collider(_) => on_mesh(checker, &roots, strands, scene),
    }
    thin(checker, path, strands, scene);
    round(checker, path, strands);
}

/// Nothing of its kind has the id of a seat: what of the other kind has it, or the nearest of its own, or of the other.
fn unknown(checker: &mut Checker<'_>, path: &str, seat: &Seat, scene: &Scene) {
    let field = path.rsplit('.').next().unwrap_or(path);
    let cloths: Vec<&str> = scene.cloths.iter().map(|cloth| cloth.id.as_str()).collect();
    let colliders: Vec<&str> = scene.colliders.iter().map(|collider| collider.id.as_str()).collect();
    let (id, kind, own, other, others) = match seat {
        Seat::World => return,
        Seat::Cloth(id) => (id.as_str(), "cloth", cloths, ("collider", "Collider"), colliders),
        // No cloth holds a tip.
        Seat::Collider(id) if field != "seat" => (id.as_str(), "collider", colliders, ("", ""), Vec::new()),
        Seat::Collider(id) => (id.as_str(), "collider", colliders, ("cloth", "Cloth"), cloths),
    };
    let (other, variant) = other;
    let nearest = |ids: Vec<&str>| suggest::nearest(id, ids).map(str::to_owned);
    let help = if others.contains(&id) {
        format!("it is a {other}: `{field}: {variant}({id:?})`")
    } else if let Some(near) = nearest(own) {
        format!("did you mean {near:?}?")
    } else if let Some(near) = nearest(others) {
        format!("did you mean the {other} {near:?}? `{field}: {variant}({near:?})`")
    } else {
        format!("the id of a {kind}, or `{field}: World`")
    };
    checker.error(path, format!("there is no {kind} {id:?}"), &help);
}

/// A cloth that is there, with the edge or the faces that roots lie on.
fn on_cloth(checker: &mut Checker<'_>, path: &str, strands: &Strands, scene: &Scene) {
    let roots = format!("{path}.roots");
    let Some((_, cloth)) = strands.cloth(scene) else {
        return unknown(checker, &format!("{path}.seat"), &strands.seat, scene);
    };
    if strands.root == Root::Free {
        let message = "strands that are free are held by no cloth";
        let help = "`root: Clamped` or `root: Pinned`; or `seat: World`";
        checker.error(&format!("{path}.root"), message, help);
    }
    match &strands.roots {
        Roots::Edge { side, .. } if *side != Side::Rim && !matches!(cloth.shape, Shape::Grid { .. }) => {
            let message = format!("only a grid has a side {side:?}");
            checker.error(&format!("{roots}.side"), message, "`Edge(count: ...)` takes all of its edge");
        }
        Roots::Surface { axis, .. } if *axis == [0.0; 3] => {
            checker.direction(&format!("{roots}.axis"), *axis);
        }
        Roots::Edge { .. } | Roots::Surface { .. } => {
            let unread =
                matches!(cloth.shape, Shape::Mesh { ref surface, .. } if !matches!(surface, Some(Ok(_))));
            // The cloth is made for it: not one that has faults, such as too many columns for any memory.
            let sound = !unread && checker.findings.errors.is_empty();
            if sound && on_cloth::sites(cloth, &strands.roots).is_empty() {
                let message =
                    "the cloth has nowhere that roots could be: no free edge, or no face that looks the way";
                let help = "`Surface(count: ...)` takes all faces, `Edge(count: ...)` all of the edge";
                checker.error(&roots, message, help);
            }
        }
        Roots::Points { .. } | Roots::Row { .. } | Roots::Cap { .. } | Roots::File { .. } => {
            let message = "on a cloth roots lie on its edge or its faces";
            checker.error(&roots, message, "`Edge(side: Bottom, count: 200)` or `Surface(count: 200)`");
        }
    }
}

/// A seat from a mesh, with faces that look the way.
fn on_mesh(checker: &mut Checker<'_>, path: &str, strands: &Strands, scene: &Scene) {
    if let Roots::Edge { .. } = strands.roots {
        let help =
            "`seat: Cloth(\"...\")` with the id of a cloth; a collider from a mesh has a `Surface(...)`";
        return checker.error(path, "an Edge is one of a cloth, and the seat is not one", help);
    }
    let Roots::Surface { axis, angle, .. } = &strands.roots else { return };
    checker.direction(&format!("{path}.axis"), *axis);
    let Some(seat) = strands.seat(scene) else {
        if strands.seat == Seat::World {
            let help = "`seat: Collider(\"...\")` with the id of a collider of `shape: Mesh(...)`";
            checker.error(path, "there is no surface to grow from: the seat is the world", help);
        }
        return;
    };
    if !matches!(scene.colliders[seat].shape, ColliderShape::Mesh { .. }) {
        let help = "Cap(...) lies on a ball, Points(...) and Row(...) anywhere; or `shape: Mesh(...)` for the collider";
        checker.error(path, "a Surface is one of a mesh, and the seat is not one", help);
    } else if let Some((solid, scale)) = strands.mesh(scene)
        && on_mesh::roots(solid, scale, (*axis).into(), *angle, 1).is_empty()
    {
        let message =
            format!("the mesh has no area for roots: no face looks within {angle} degrees of `axis`");
        checker.error(path, message, "a wider `angle`, or another `axis`; 180 takes all faces");
    }
}

/// What is wrong with the file, and what is written beside it and says nothing.
fn of_file(
    checker: &mut Checker<'_>,
    path: &str,
    strands: &Strands,
    locks: Option<&Result<Arc<Locks>, Fault>>,
) {
    if let Some(Err(fault)) = locks {
        checker.error(&format!("{path}.roots.file"), fault.message.clone(), &fault.help);
    }
    if strands.shape != strands::Shape::Straight {
        let message = "strands of a file rest in the shapes that they have there";
        checker.error(&format!("{path}.shape"), message, "leave `shape` out, or write other `roots`");
    }
    if let Some(Ok(locks)) = locks {
        reach(checker, path, strands, locks);
    }
    if let (true, Some(Ok(locks))) = (strands.closed, locks) {
        rings(checker, path, strands, locks);
    }
    if strands.length_spread != 0.0 {
        let message = "strands of a file are as long as they are there";
        checker.error(
            &format!("{path}.length_spread"),
            message,
            "leave `length_spread` out; `length` cuts them",
        );
    }
}

/// Strands of a file lie where a scene may have them.
fn reach(checker: &mut Checker<'_>, path: &str, strands: &Strands, locks: &Locks) {
    let Roots::File { file, scale, .. } = &strands.roots else { return };
    let all =
        (0..locks.count()).flat_map(|index| locks.strand(index).iter().map(move |point| (index, point)));
    let distance = |point: &[f32; 3]| point.iter().fold(0.0, |most: f32, x| most.max((x * scale).abs()));
    let Some((index, point)) = all.into_iter().find(|(_, point)| distance(point) > FARTHEST) else {
        return;
    };
    let message = format!(
        "a point of strand {} of {file} is {} m away: {point:?}; at most {FARTHEST} m",
        index + 1,
        distance(point)
    );
    let help = "`scale` is metres for one unit of the file: 0.01 for centimetres";
    checker.error(&format!("{path}.roots.file"), message, help);
}

/// All strands of a file that is taken for rings end where they began, and are no longer than `length`.
fn rings(checker: &mut Checker<'_>, path: &str, strands: &Strands, locks: &Locks) {
    let Roots::File { file, scale, every, .. } = &strands.roots else { return };
    let mut taken = (0..locks.count()).step_by((*every).max(1) as usize);
    if let Some(open) = taken.clone().find(|index| !locks.is_closed(*index)) {
        let message = format!("strand {} of {file} is no ring: it does not end where it began", open + 1);
        let help =
            "a line that closes, such as `l 1 2 3 4 1`, of three places at least; or leave `closed` out";
        return checker.error(&format!("{path}.closed"), message, help);
    }
    let around = |index| scale * locks.length(index);
    if let Some(long) = taken.find(|index| around(*index) > strands.length) {
        let message =
            format!("strand {} of {file} is {} m long, and a ring cannot be cut", long + 1, around(long));
        let longest = (0..locks.count()).map(around).fold(0.0, f32::max);
        checker.error(
            &format!("{path}.length"),
            message,
            &format!("`length: {longest}` or more, or a smaller `scale`"),
        );
    }
}

/// An arc of few segments is a polygon, and beyond a right angle none of that length.
fn round(checker: &mut Checker<'_>, path: &str, strands: &Strands) {
    let strands::Shape::Arc { angle } = strands.shape else { return };
    let turn = angle.abs() / strands.particles.saturating_sub(1).max(1) as f32;
    if turn > 90.0 {
        let message = format!("the arc turns by {turn:.0} degrees at each particle: it is no arc");
        checker.error(&format!("{path}.shape"), message, "more particles, or a smaller angle");
    }
}

/// The shape of what holds an end, if it is a collider that is there.
fn seat<'a>(
    checker: &mut Checker<'_>,
    path: &str,
    seat: &Seat,
    scene: &'a Scene,
) -> Option<&'a ColliderShape> {
    let Seat::Collider(id) = seat else { return None };
    let index = scene.colliders.iter().position(|collider| collider.id == *id);
    if index.is_none() {
        unknown(checker, path, seat, scene);
    }
    Some(&scene.colliders[index?].shape)
}

/// What holds tips, and what strands with held tips cannot have.
fn tip(checker: &mut Checker<'_>, path: &str, strands: &Strands, scene: &Scene) {
    if strands.tip == Root::Free {
        return;
    }
    if strands.root == Root::Free && !strands.closed {
        let message = "a strand that is held at one end is held at its root";
        let help = "`roots` where the tip is now, with `root` as `tip` is, or `root: Clamped` beside `tip`";
        checker.error(&format!("{path}.tip"), message, help);
    }
    let held = format!("{path}.tip_seat");
    match &strands.tip_seat {
        Seat::Cloth(_) => {
            let help =
                "`tip_seat: Collider(\"...\")`, or strands that grow from the cloth: `seat: Cloth(\"...\")`";
            checker.error(&held, "a cloth holds roots, no tips", help);
        }
        tip_seat => drop(seat(checker, &held, tip_seat, scene)),
    }
    if strands.closed {
        checker.error(&format!("{path}.tip"), "a ring has no tip", "leave `tip` out, or `closed`");
    }
    if strands.material.sag_free > 0.0 {
        let message = "a strand that is held at both ends has no end from which its weight could be borne";
        checker.error(&format!("{path}.material.sag_free"), message, "leave `sag_free` out, or `tip`");
    }
}

/// What a ring cannot have, and what only a ring has.
fn ring(checker: &mut Checker<'_>, path: &str, strands: &Strands) {
    if !strands.closed {
        if strands.twist != 0.0 {
            let message = "only what is closed keeps its twist: the ends of an open strand turn it away";
            checker.error(
                &format!("{path}.twist"),
                message,
                "`closed: true` beside it, or leave `twist` out",
            );
        }
        return;
    }
    // Two frames tell which way around they are turned up to half a turn; halfway there a rod's joints slip.
    let turn = strands.twist.abs() / strands.particles.max(1) as f32;
    if turn > 90.0 {
        let message = format!("the twist turns each joint by {turn:.0} degrees: beyond 90 turns are lost");
        let help = format!(
            "`twist` up to {}, or {:.0} `particles`",
            90 * strands.particles,
            (strands.twist.abs() / 90.0).ceil()
        );
        checker.error(&format!("{path}.twist"), message, &help);
    }
    let [root, tip] = strands.material.radius;
    let wrong = [
        (
            strands.root == Root::Clamped,
            "root",
            "a ring has no end that could be clamped",
            "`root: Free`, or `root: Pinned`, which holds its first particle",
        ),
        (
            matches!(strands.shape, strands::Shape::Curl { .. }),
            "shape",
            "a ring is no curl",
            "`Arc(angle: 360)` for one that is round at rest, `Straight` for a rod that was bent to it",
        ),
        (
            matches!(strands.roots, Roots::Cap { .. } | Roots::Edge { .. } | Roots::Surface { .. }),
            "roots",
            "rings lie around places that are given",
            "`Points(at: [...])` or `Row(...)`; `direction` is their axis; or closed lines of a `File(...)`",
        ),
        (
            root != tip,
            "material.radius",
            "a ring is as thick at its end as at its start",
            "the same radius twice",
        ),
        (strands.material.tip_mass > 0.0, "material.tip_mass", "a ring has no tip", "leave `tip_mass` out"),
        (
            strands.material.sag_free > 0.0,
            "material.sag_free",
            "a ring has no root from which its weight could be borne",
            "leave `sag_free` out",
        ),
    ];
    for (_, field, message, help) in wrong.into_iter().filter(|(wrong, ..)| *wrong) {
        checker.error(&format!("{path}.{field}"), message, help);
    }
}

/// Of a tip's radius by that of the root: beyond, the weights of both are too far apart for numbers of 32 bits.
const THICKENS: f32 = 30.0;

/// A strand is a rod while it is longer than thick, and its root bears its tip.
fn thin(checker: &mut Checker<'_>, path: &str, strands: &Strands, scene: &Scene) {
    // Of more than there may be, which is told as that, none are made.
    let told = strands.all_particles() > MAX_PARTICLES;
    let (parts, segment) =
        (strands.parts() as f32, if told { f32::INFINITY } else { strands.shortest_segment(scene) });
    checker.findings.segments.push(segment);
    let (shortest, thickest) = (parts * segment, 2.0 * strands.thickest());
    // A radius beyond what it may be is told as that.
    if shortest > 0.0 && shortest < thickest && thickest <= 2.0 * RADIUS[1] {
        let message =
            format!("strands of {shortest:.2e} m are up to {thickest:.2e} m thick: they are no rods");
        checker.error(&format!("{path}.material.radius"), message, "a smaller radius, or longer strands");
    }
    let [root, tip] = strands.material.radius;
    if RADIUS[0] <= root && THICKENS * root < tip && tip <= RADIUS[1] {
        let message = format!("strands are {:.0} times as thick at their tips as at their roots", tip / root);
        let help =
            format!("a tip of at most {THICKENS} times the radius at the root: nothing thinner bears it");
        checker.error(&format!("{path}.material.radius"), message, &help);
    }
}
