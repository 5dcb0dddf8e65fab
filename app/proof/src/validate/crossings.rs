//! Where cloth passes through cloth, by brute force: every edge against every triangle that shares no particle with it and
//! is as far along x.

use std::collections::BTreeSet;

use glam::DVec3;

use super::fixture::{Fixture, vector};
use weft_core::statistics::largest;
use weft_scene::{
    Scene,
    assemble::{self, Object},
    start::pierces,
};

/// The triangles of all cloths, as particles of the whole scene.
pub fn triangles(objects: &[Object]) -> Vec<[u32; 3]> {
    let of = |object: &Object| {
        let first = object.particles.start as u32;
        object.triangles.iter().map(move |corners| corners.map(|corner| corner + first)).collect::<Vec<_>>()
    };
    objects.iter().flat_map(of).collect()
}

/// Every edge once, the lower particle first, sorted.
pub fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sorted = |a: u32, b: u32| [a.min(b), a.max(b)];
    let of = |&[a, b, c]: &[u32; 3]| [sorted(a, b), sorted(b, c), sorted(c, a)];
    triangles.iter().flat_map(of).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Edges that pierce a triangle, with that triangle.
pub fn crossings(x: &[[f32; 4]], triangles: &[[u32; 3]]) -> Vec<([u32; 2], [u32; 3])> {
    let at = |particle: u32| vector(x[particle as usize]);
    let bounds: Vec<[DVec3; 2]> = triangles
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(at);
            [a.min(b).min(c), a.max(b).max(c)]
        })
        .collect();
    let low = |&triangle: &usize| bounds[triangle][0].x;
    let mut along: Vec<usize> = (0..triangles.len()).collect();
    along.sort_by(|a, b| low(a).total_cmp(&low(b)));
    let widest = largest(bounds.iter().map(|[low, high]| high.x - low.x));
    let mut found = Vec::new();
    for edge in edges(triangles) {
        let [p, q] = edge.map(at);
        let (lower, upper) = (p.min(q), p.max(q));
        let first = along.partition_point(|triangle| low(triangle) < lower.x - widest);
        let near = along[first..].iter().take_while(|triangle| low(triangle) <= upper.x);
        for (corners, [low, high]) in near.map(|&triangle| (&triangles[triangle], &bounds[triangle])) {
            let apart = lower.cmpgt(*high).any() || upper.cmplt(*low).any();
            if !apart && !edge.iter().any(|end| corners.contains(end)) && pierces([p, q], corners.map(at)) {
                found.push((edge, *corners));
            }
        }
    }
    found
}

/// Crossings of a run that stands for a scene.
pub fn of(fixture: &Fixture) -> usize {
    crossings(fixture.x(), &of_scene(&fixture.scene)).len()
}

/// The triangles of a scene.
pub fn of_scene(scene: &Scene) -> Vec<[u32; 3]> {
    triangles(&assemble::assemble(scene).objects)
}
