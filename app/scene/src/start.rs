//! Where a scene starts in a way that its author may not mean: cloth inside a collider, pins or roots of strands inside one,
//! cloth through cloth. None of it is an error: it is told, with what the program will do about it.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{Cloth, Collider, ColliderShape, Scene, Strands, mesh};
use crate::{
    solid::tree,
    strands::build::{Strand, build, frame},
};

/// Less than this is no depth worth telling [m].
const SHALLOW: f32 = 1e-4;

/// Along no line of any grid, and shorter than any thickness [m].
const ASIDE: Vec3 = Vec3::new(1.3e-5, 0.7e-5, 1.1e-5);

/// A cloth at its start, relative to the scene's origin.
struct Start<'a> {
    cloth: &'a Cloth,
    /// [m]
    positions: Vec<[f32; 3]>,
    pinned: Vec<bool>,
    triangles: Vec<[u32; 3]>,
}

/// One sentence each, in the order of the scene.
pub fn notes(scene: &Scene) -> Vec<String> {
    let origin = Vec3::from(scene.origin);
    let scene = &scene.about_origin();
    let start = |cloth| {
        let (positions, pinned, triangles) = mesh::start(cloth);
        Start { cloth, positions, pinned, triangles }
    };
    let starts: Vec<Start> = scene.cloths.iter().map(start).collect();
    let mut notes = Vec::new();
    for start in &starts {
        for collider in &scene.colliders {
            notes.extend(inside(start, collider, origin));
        }
    }
    notes.extend(crossed(&starts, origin));
    if !scene.colliders.is_empty() {
        for strands in &scene.strands {
            let all = build(strands, scene);
            notes.extend(rooted(scene, strands, &all, origin));
            notes.extend(sunk(scene, strands, &all, origin));
        }
    }
    notes
}

/// Roots of strands in a collider that is not their seat.
fn rooted(scene: &Scene, strands: &Strands, all: &[Strand], origin: Vec3) -> Vec<String> {
    let (seat, held) = (strands.seat(scene), strands.held());
    let (from, turn) = frame(scene, seat, 0.0);
    let others = scene.colliders.iter().enumerate().filter(|(index, _)| Some(*index) != seat);
    let places: Vec<Vec3> = all.iter().map(|strand| strand.place(held, held.saturating_sub(1))).collect();
    let told = |(_, body): (usize, &Collider)| {
        let ((at, rotation), id) = (body.pose(0.0), &body.id);
        let gap = |x: &Vec3| gap(&body.shape, rotation.inverse() * (from + turn * *x - at));
        let inside: Vec<(f32, &Vec3)> =
            places.iter().map(|x| (gap(x), x)).filter(|(gap, _)| *gap < -SHALLOW).collect();
        let (gap, deepest) = inside.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let [x, y, z] = (from + turn * **deepest + origin).to_array();
        let then = if held == 0 {
            "they are pushed out at once; move one of the two if that tears at them"
        } else {
            "they stay where they are, and what grows from them is pushed out and stretches; move the roots or the collider"
        };
        Some(format!(
            "strands.{}: {} of {} roots are inside colliders.{id} at the start, the deepest {:.3} m deep at \
             ({x:.3}, {y:.3}, {z:.3}): {then}",
            strands.id,
            inside.len(),
            places.len(),
            -gap
        ))
    };
    others.filter_map(told).collect()
}

/// Strands that start inside of the collider that holds an end of theirs: not the end, which may lie a little under the skin, but the
/// free particle nearest to it.
fn sunk(scene: &Scene, strands: &Strands, all: &[Strand], origin: Vec3) -> Vec<String> {
    let (held, tip) = (strands.held(), strands.particles - 1 - strands.held_at_tip());
    let seat = strands
        .seat(scene)
        .map(|seat| (seat, held, "which they grow from: their first free particle", "roots"));
    let tip = strands
        .tip_seat(scene)
        .map(|seat| (seat, tip, "which holds their tips: their last free particle", "tips"));
    let (from, turn) = frame(scene, strands.seat(scene), 0.0);
    let told = |(index, particle, which, ends): (usize, u32, &str, &str)| {
        let body = &scene.colliders[index];
        let (at, rotation) = body.pose(0.0);
        let places = all.iter().map(|strand| from + turn * strand.place(held, particle));
        let inside: Vec<(f32, Vec3)> = places
            .map(|place| (gap(&body.shape, rotation.inverse() * (place - at)), place))
            .filter(|(gap, _)| *gap < -SHALLOW)
            .collect();
        let (gap, deepest) = inside.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let [x, y, z] = (*deepest + origin).to_array();
        Some(format!(
            "strands.{}: {} of {} start inside colliders.{}, {which} is up to {:.3} m deep, at ({x:.3}, {y:.3}, {z:.3}), and is pushed \
             out at once, which stretches them; {ends} at its surface, or another direction",
            strands.id,
            inside.len(),
            all.len(),
            body.id,
            -gap
        ))
    };
    seat.into_iter().chain(tip).filter_map(told).collect()
}

/// Free and pinned particles in a collider; `origin` [m] is the scene's.
fn inside(start: &Start, collider: &Collider, origin: Vec3) -> Vec<String> {
    let (at, turn) = collider.pose(0.0);
    let back = turn.inverse();
    let gap = |x: &[f32; 3]| gap(&collider.shape, back * (Vec3::from(*x) - at));
    let gaps: Vec<f32> = start.positions.par_iter().map(gap).collect();
    let (cloth, id) = (&start.cloth.id, &collider.id);
    let told = |pinned: bool, what: &str, then: &str| {
        let of = || gaps.iter().enumerate().filter(move |(i, _)| start.pinned[*i] == pinned);
        let count = of().filter(|(_, gap)| **gap < -SHALLOW).count();
        let (deepest, gap) = of().min_by(|a, b| a.1.total_cmp(b.1))?;
        let [x, y, z] = (Vec3::from(start.positions[deepest]) + origin).to_array();
        (count > 0).then(|| {
            format!(
                "cloths.{cloth}: {count} of {} {what} inside colliders.{id} at the start, the deepest {:.3} m deep at \
                 ({x:.3}, {y:.3}, {z:.3}): {then}",
                of().count(),
                -gap
            )
        })
    };
    let free = told(
        false,
        "free particles are",
        "they are pushed out at once; move one of the two if that tears at it",
    );
    let then = "pins stay where they are, and the cloth around them is pushed out and stretches; move the pins or the \
                collider";
    free.into_iter().chain(told(true, "pinned particles are", then)).collect()
}

/// From the surface [m], negative inside; `x` in the collider's frame.
fn gap(shape: &ColliderShape, x: Vec3) -> f32 {
    match shape {
        ColliderShape::Plane => x.y,
        ColliderShape::Sphere { radius } => x.length() - radius,
        ColliderShape::Capsule { radius, half_height } => {
            (x - Vec3::Y * x.y.clamp(-half_height, *half_height)).length() - radius
        }
        ColliderShape::Box { half } => {
            let beyond = x.abs() - Vec3::from(*half);
            beyond.max(Vec3::ZERO).length() + beyond.max_element().min(0.0)
        }
        ColliderShape::Mesh { solid: Some(Ok(solid)), scale, .. } if solid.closed => {
            let x = x / scale;
            // A look at the ball around it spares the search.
            if x.length() > solid.radius { f32::INFINITY } else { solid.distance(x) * scale }
        }
        // A mesh with a boundary has no inside.
        ColliderShape::Mesh { .. } => f32::INFINITY,
    }
}

/// Cloth that is to keep off cloth and passes through it.
fn crossed(starts: &[Start], origin: Vec3) -> Vec<String> {
    let keeps_off = |start: &&Start| start.cloth.self_collision.is_some();
    if starts.iter().filter(keeps_off).count() < 2 {
        return pierced(starts, Vec3::ZERO).iter().map(|same| told(starts, same, origin)).collect();
    }
    // Grids that lie on each other line for line cross at particles and along edges, which is no passing through by sign.
    // A way off, and the other way off, it is; what only touches passes through one way at most.
    let (one, other) = (pierced(starts, ASIDE), pierced(starts, -ASIDE));
    let both = |same: &&Vec<Passage>| other.iter().any(|there| there[0].0 == same[0].0);
    one.iter().filter(both).map(|same| told(starts, same, origin)).collect()
}

/// The cloths of an edge and of a triangle that it passes through, the lower one first, and where [m].
type Passage = ([usize; 2], Vec3);

/// All passages of the cloths that keep off each other, those between the same cloths together. Each cloth is moved by
/// `aside` from the one before it [m].
fn pierced(starts: &[Start], aside: Vec3) -> Vec<Vec<Passage>> {
    let (mut points, mut faces, mut owner) = (Vec::new(), Vec::new(), Vec::new());
    for (index, start) in starts.iter().enumerate().filter(|(_, start)| start.cloth.self_collision.is_some())
    {
        let (first, way) = (points.len() as u32, aside * index as f32);
        points.extend(start.positions.iter().map(|x| Vec3::from(*x) + way));
        owner.resize(points.len(), index);
        faces.extend(start.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }
    if faces.is_empty() {
        return Vec::new();
    }
    let Ok((faces, nodes)) = tree::build(&points, &faces, &|_| Ok::<_, std::convert::Infallible>(()));
    let edges = mesh::edges::edges(&faces);
    let pierced = |edge: &mesh::edges::Edge| {
        let mut found: Vec<Passage> = Vec::new();
        let [p, q] = edge.ends.map(|end| points[end as usize]);
        let (low, high) = (p.min(q), p.max(q));
        let mut node = 0;
        while let Some(tree::Node { low: lower, high: upper, link: [skip, first, count] }) = nodes.get(node) {
            if low.cmpgt(*upper).any() || high.cmplt(*lower).any() {
                node = *skip as usize;
                continue;
            }
            for corners in &faces[*first as usize..(first + count) as usize] {
                let beside = edge.ends.iter().any(|end| corners.contains(end));
                let at = |corner: u32| points[corner as usize].as_dvec3();
                if !beside && pierces([p.as_dvec3(), q.as_dvec3()], corners.map(at)) {
                    let own = [owner[edge.ends[0] as usize], owner[corners[0] as usize]];
                    found.push(([own[0].min(own[1]), own[0].max(own[1])], (p + q) / 2.0));
                }
            }
            node += 1;
        }
        found
    };
    let mut found: Vec<Passage> = edges.par_iter().flat_map_iter(pierced).collect();
    // Stable: the first of a pair is that of the first edge.
    found.sort_by_key(|(pair, _)| *pair);
    found.chunk_by(|a, b| a.0 == b.0).map(<[Passage]>::to_vec).collect()
}

fn told(starts: &[Start], same: &[Passage], origin: Vec3) -> String {
    let ([a, b], at) = (same[0].0, same[0].1 + origin);
    let [one, other] = [a, b].map(|index| &starts[index].cloth.id);
    let heals = |index: usize| starts[index].cloth.self_collision.as_ref().is_some_and(|own| own.heal);
    let then = if heals(a) && heals(b) {
        "self collision takes them apart while it runs; move or turn one if they should not be"
    } else {
        "they stay so, for `heal` is false; move or turn one, or let it heal"
    };
    let whom = if a == b { "itself".to_string() } else { format!("cloths.{other}") };
    format!(
        "cloths.{one} passes through {whom} at the start, {} edges through triangles, the first at ({:.3}, {:.3}, {:.3}): \
         {then}",
        same.len(),
        at.x,
        at.y,
        at.z
    )
}

/// Whether a segment passes through a triangle: both ends on different sides, and the line inside of all three edges.
pub fn pierces([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let volume = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| (b - a).cross(c - a).dot(d - a);
    let (above, below) = (volume(a, b, c, p), volume(a, b, c, q));
    if above * below >= 0.0 {
        return false;
    }
    let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0)
}
