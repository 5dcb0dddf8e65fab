//! Roots on a cloth: along its edge or over its faces, each a point of a triangle.

use std::collections::BTreeMap;

use glam::{DVec3, Vec3 as Point};

use super::{Roots, Side, scatter::scatter};
use crate::{
    Cloth, Edge, Pin,
    mesh::{self, pins::held_by},
};

/// Where a root is on a cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Graft {
    /// Particles of the triangle, counted from the first of the cloth.
    pub corners: [u32; 3],
    /// What the place takes of each; they add up to 1.
    pub weights: [f32; 3],
}

/// A root, its place [m] and the way that the strand starts, at the start of the scene.
pub(crate) struct Site {
    pub graft: Graft,
    pub place: Point,
    pub direction: Point,
}

/// All roots; none where the cloth has no such edge or face, or was not read.
pub(crate) fn sites(cloth: &Cloth, roots: &Roots) -> Vec<Site> {
    let (positions, _, triangles) = mesh::start(cloth);
    let at = |corner: u32| Point::from(positions[corner as usize]).as_dvec3();
    match roots {
        Roots::Edge { side, count } => {
            let pin = side.edge().map(Pin::Edge);
            let on_side = pin.map(|pin| held_by([pin].iter(), &cloth.shape, &positions));
            along(
                &triangles,
                |particle| on_side.as_ref().is_none_or(|held| held[particle as usize]),
                at,
                *count,
            )
        }
        Roots::Surface { axis, angle, count } => {
            let faces = triangles.iter().map(|corners| corners.map(at));
            let found = scatter(faces, Point::from(*axis), *angle, *count);
            let site = |(face, weights): (usize, [f64; 3])| {
                let corners = triangles[face].map(at);
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                site(triangles[face], corners, weights, normal)
            };
            found.into_iter().map(site).collect()
        }
        Roots::Points { .. } | Roots::Row { .. } | Roots::Cap { .. } | Roots::File { .. } => Vec::new(),
    }
}

/// Evenly along all sides of triangles that no other triangle has, or those on one side of a grid; strands start straight out, in
/// the plane of the triangle.
fn along(
    triangles: &[[u32; 3]],
    on_side: impl Fn(u32) -> bool,
    at: impl Fn(u32) -> DVec3 + Copy,
    count: u32,
) -> Vec<Site> {
    let mut edges: BTreeMap<[u32; 2], Vec<[u32; 3]>> = BTreeMap::new();
    for &[a, b, c] in triangles {
        for [a, b, c] in [[a, b, c], [b, c, a], [c, a, b]] {
            edges.entry([a.min(b), a.max(b)]).or_default().push([a, b, c]);
        }
    }
    let free = edges.into_values().filter(|beside| beside.len() == 1).map(|beside| beside[0]);
    let (mut rim, mut length) = (Vec::new(), 0.0);
    for corners in free.filter(|[a, b, _]| on_side(*a) && on_side(*b)) {
        let own = at(corners[0]).distance(at(corners[1]));
        if own > 0.0 {
            rim.push((length, own, corners));
            length += own;
        }
    }
    let root = |i: u32| {
        let wanted = length * (f64::from(i) + 0.5) / f64::from(count);
        let (start, own, triangle) = rim[rim.partition_point(|(start, ..)| *start <= wanted) - 1];
        let t = ((wanted - start) / own).min(1.0);
        let corners = triangle.map(at);
        let edge = (corners[1] - corners[0]) / own;
        let inward = corners[2] - corners[0];
        site(triangle, corners, [1.0 - t, t, 0.0], edge * edge.dot(inward) - inward)
    };
    if rim.is_empty() { Vec::new() } else { (0..count).map(root).collect() }
}

fn site(triangle: [u32; 3], corners: [DVec3; 3], weights: [f64; 3], direction: DVec3) -> Site {
    let place: DVec3 = corners.iter().zip(weights).map(|(corner, weight)| *corner * weight).sum();
    Site {
        graft: Graft { corners: triangle, weights: weights.map(|weight| weight as f32) },
        place: place.as_vec3(),
        direction: direction.normalize_or(DVec3::NEG_Y).as_vec3(),
    }
}

impl Side {
    /// Of a grid; `None`: all around.
    fn edge(self) -> Option<Edge> {
        match self {
            Self::Left => Some(Edge::Left),
            Self::Right => Some(Edge::Right),
            Self::Top => Some(Edge::Top),
            Self::Bottom => Some(Edge::Bottom),
            Self::Rim => None,
        }
    }
}
