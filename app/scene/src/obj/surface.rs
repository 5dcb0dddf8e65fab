//! Triangles of a file: checked one by one and where they meet, with what a person may want to know about them.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::super::mesh::edges::{self, Edge};
use super::super::{Vec2, Vec3};
use super::{
    Fault, fault,
    text::{NONE, Text},
};

/// A triangle is flat if its area is below this share of its longest edge squared.
const FLAT: f64 = 1e-7;
/// Triangles flatter than this are told: height over the longest edge.
const THIN: f64 = 0.01;

/// Not a particle: no face uses the vertex.
pub const UNUSED: u32 = u32::MAX;

/// Triangles of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Units of the file, only vertices that faces use, in the order of the file.
    pub positions: Vec<Vec3>,
    /// Wound alike on both sides of every edge.
    pub triangles: Vec<[u32; 3]>,
    /// The first texture coordinate of each vertex, v downwards; empty if the file has none.
    pub uvs: Vec<Vec2>,
    /// Particle of each `v` line, or [`UNUSED`].
    pub particle_of: Vec<u32>,
    /// What a person may want to know about it, a sentence each.
    pub notes: Vec<String>,
}

/// The triangles of what was read, if they can be simulated.
pub(super) fn surface(text: &Text) -> Result<Surface, Fault> {
    let points = &text.positions;
    if let Some(bad) = points.iter().position(|x| !x.iter().all(|value| value.is_finite())) {
        let message = format!("vertex {bad} (line {}) is not finite: {:?}", text.vertices[bad], points[bad]);
        return Err(fault(message, "vertices are counted from 0; mend or delete it"));
    }
    let (mut particle_of, mut used) = (vec![UNUSED; points.len()], 0);
    text.triangles.as_flattened().iter().for_each(|&vertex| particle_of[vertex as usize] = 0);
    for particle in particle_of.iter_mut().filter(|particle| **particle == 0) {
        *particle = used;
        used += 1;
    }
    let kept = points.iter().zip(&particle_of).filter(|(_, particle)| **particle != UNUSED);
    let surface = Surface {
        positions: kept.map(|(x, _)| *x).collect(),
        triangles: text.triangles.iter().map(|t| t.map(|vertex| particle_of[vertex as usize])).collect(),
        uvs: uvs(text, &particle_of, used as usize),
        particle_of,
        notes: Vec::new(),
    };
    let name = |triangle: u32| {
        let (face, line) = text.face(triangle as usize);
        format!("face {face} (line {line})")
    };
    degenerate(&surface, &name)?;
    let edges = edges::edges(&surface.triangles);
    winding(&surface, &edges, &name)?;
    Ok(Surface { notes: notes(&surface, &edges, &name), ..surface })
}

/// The first coordinate of each vertex; v is turned from up to down.
fn uvs(text: &Text, particle_of: &[u32], particles: usize) -> Vec<Vec2> {
    let (vertices, textures) = (text.triangles.as_flattened(), text.textures.as_flattened());
    if textures.iter().all(|texture| *texture == NONE) {
        return Vec::new();
    }
    let mut uvs: Vec<Option<Vec2>> = vec![None; particles];
    for (&vertex, &texture) in vertices.iter().zip(textures).filter(|(_, texture)| **texture != NONE) {
        let [u, v] = text.texcoords[texture as usize];
        uvs[particle_of[vertex as usize] as usize].get_or_insert([u, 1.0 - v]);
    }
    uvs.into_iter().map(|uv| uv.filter(|uv| uv.iter().all(|x| x.is_finite())).unwrap_or_default()).collect()
}

fn degenerate(surface: &Surface, name: &impl Fn(u32) -> String) -> Result<(), Fault> {
    let point = |i: u32| DVec3::from(surface.positions[i as usize].map(f64::from));
    for (triangle, &[a, b, c]) in (0..).zip(&surface.triangles) {
        let (ab, ac) = (point(b) - point(a), point(c) - point(a));
        let longest = ab.length_squared().max(ac.length_squared()).max((ac - ab).length_squared());
        let area = 0.5 * ab.cross(ac).length();
        if a == b || b == c || a == c || longest <= 0.0 || area <= FLAT * longest {
            let message = format!("{} has no area", name(triangle));
            let help = "delete it, or merge vertices by distance before the export; faces are counted from 0";
            return Err(fault(message, help));
        }
    }
    Ok(())
}

/// Normals, wind and hinges need one front for the whole cloth. Nothing is flipped here: a file with two fronts is
/// usually wrong in more than that, and a Möbius strip cannot be mended.
fn winding(surface: &Surface, edges: &[Edge], name: &impl Fn(u32) -> String) -> Result<(), Fault> {
    // Two of one place that look to opposite sides are a closed surface.
    let alike = |[a, b]: [u32; 2]| {
        let [mut own, other] = [a, b].map(|triangle| surface.triangles[triangle as usize]);
        (0..3).any(|_| {
            own.rotate_left(1);
            own == other
        })
    };
    if let Some(edge) = edges.iter().find(|edge| edge.faces >= 2 && alike(edge.triangles)) {
        let [first, second] = edge.triangles;
        return Err(fault(format!("{} repeats {}", name(second), name(first)), "delete one of them"));
    }
    let Some(edge) = edges.iter().find(|edge| edge.faces == 2 && edge.hinge().is_none()) else {
        return Ok(());
    };
    let [first, second] = edge.triangles;
    let message = format!("{} and {} are wound opposite ways along their edge", name(first), name(second));
    Err(fault(message, "give all faces the same front (Blender: Mesh > Normals > Recalculate Outside)"))
}

/// Height over the longest edge.
fn flatness(surface: &Surface, corners: &[u32; 3]) -> f64 {
    let [a, b, c] = corners.map(|i| DVec3::from(surface.positions[i as usize].map(f64::from)));
    let (ab, ac) = (b - a, c - a);
    let longest = ab.length_squared().max(ac.length_squared()).max((c - b).length_squared());
    ab.cross(ac).length() / longest
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn notes(surface: &Surface, edges: &[Edge], name: &impl Fn(u32) -> String) -> Vec<String> {
    let mut notes = Vec::new();
    let boundary = edges.iter().filter(|edge| edge.faces == 1).count();
    notes.push(format!(
        "{}, {}, {}, {boundary} of them on the boundary",
        counted(surface.positions.len(), "particle"),
        counted(surface.triangles.len(), "triangle"),
        counted(edges.len(), "edge")
    ));
    let mut thin =
        surface.triangles.iter().enumerate().filter(|(_, corners)| flatness(surface, corners) < THIN);
    if let Some((first, _)) = thin.next() {
        notes.push(format!(
            "{} more than {} times as long as high, the first at {}: stiff in one direction, and they bend badly",
            match 1 + thin.count() {
                1 => "1 triangle is".to_string(),
                count => format!("{count} triangles are"),
            },
            (1.0 / THIN).round(),
            name(first as u32),
        ));
    }
    let mut crowded = edges.iter().filter(|edge| edge.faces > 2);
    if let Some(first) = crowded.next() {
        let [a, b] = first.ends.map(|end| surface.vertex(end));
        notes.push(format!(
            "{} edge(s) with more than two triangles do not resist bending; the first is between the vertices {a} and {b}",
            1 + crowded.count()
        ));
    }
    // -0 and 0 are the same place.
    let mut places: Vec<[u32; 3]> =
        surface.positions.iter().map(|x| x.map(|value| (value + 0.0).to_bits())).collect();
    places.sort_unstable();
    let double = places.windows(2).filter(|pair| pair[0] == pair[1]).count();
    if double > 0 {
        notes.push(format!(
            "{} where another one does: the cloth comes apart there; merge them by distance if it should not",
            if double == 1 { "1 vertex lies".to_string() } else { format!("{double} vertices lie") }
        ));
    }
    let loose = surface.particle_of.iter().filter(|particle| **particle == UNUSED).count();
    if loose > 0 {
        let what = if loose == 1 {
            "1 vertex belongs to no face and is"
        } else {
            "vertices belong to no face and are"
        };
        let count = if loose == 1 { String::new() } else { format!("{loose} ") };
        notes.push(format!("{count}{what} left out"));
    }
    notes
}

impl Surface {
    /// The vertex in the file of a particle.
    fn vertex(&self, particle: u32) -> usize {
        self.particle_of.iter().position(|known| *known == particle).unwrap_or(0)
    }
}
