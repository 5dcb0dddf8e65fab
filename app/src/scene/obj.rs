//! Wavefront OBJ files: triangles with places in the file, checked so that every one can be simulated.
//!
//! Only `v`, `vt` and `f` count; groups, objects and materials of one file are one cloth. Polygons become fans.
//! The parser is `tobj`, which says what is wrong but not where: the line is found by reading ever shorter parts.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use glam::DVec3;

use super::check::MAX_PARTICLES;
use super::mesh::edges::{self, Edge};
use super::{Scene, Shape, Vec2, Vec3};

/// Larger files are refused unread.
const MAX_BYTES: u64 = 512 << 20;

/// A triangle is flat if its area is below this share of its longest edge squared.
const FLAT: f64 = 1e-7;

/// Not a particle: no face uses the vertex.
pub const UNUSED: u32 = u32::MAX;

/// `None`: not read yet.
pub type Reading = Option<Result<Arc<Surface>, Fault>>;

/// Triangles of a file.
#[derive(Clone, Debug, Default, PartialEq)]
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

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub message: String,
    pub help: String,
}

fn fault(message: impl Into<String>, help: impl Into<String>) -> Fault {
    Fault { message: message.into(), help: help.into() }
}

/// Reads the files of all meshes of a scene; they are looked up in `folder`.
pub fn read_all(scene: &mut Scene, folder: &Path) {
    for cloth in &mut scene.cloths {
        if let Shape::Mesh { file, surface, .. } = &mut cloth.shape {
            *surface = Some(read(file, folder).map(Arc::new));
        }
    }
}

fn read(file: &str, folder: &Path) -> Result<Surface, Fault> {
    let path = folder.join(file);
    if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("obj")) {
        return Err(fault(format!("{file:?} is not a mesh file"), "the name must end in .obj"));
    }
    let size = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file).map(|data| data.len());
    let Some(size) = size else {
        let help = match super::suggest::sibling(&path) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("looked for {}", path.display()),
        };
        return Err(fault(format!("there is no file {file:?}"), help));
    };
    if size > MAX_BYTES {
        return Err(fault(
            format!("{file}: {size} bytes are too many"),
            format!("at most {MAX_BYTES}; use fewer triangles"),
        ));
    }
    let bytes =
        std::fs::read(&path).map_err(|error| fault(format!("cannot read {file:?}: {error}"), "try again"))?;
    parse(&String::from_utf8_lossy(&bytes))
        .map_err(|fault| Fault { message: format!("{file}: {}", fault.message), ..fault })
}

/// The lines that count, with where they are in the file.
#[derive(Default)]
struct Lines<'a> {
    /// Text, line number from 1, and whether it is a `v`.
    all: Vec<(&'a str, usize, bool)>,
    /// Line number of each `v`.
    vertices: Vec<usize>,
    /// Line number and corners of each `f`.
    faces: Vec<(usize, usize)>,
}

/// Reads and checks the text of a file.
pub fn parse(text: &str) -> Result<Surface, Fault> {
    let lines = scan(text)?;
    if lines.faces.is_empty() {
        return Err(fault("it has no faces", "export the mesh with faces: lines such as `f 1 2 3`"));
    }
    if lines.vertices.len() as u64 > MAX_PARTICLES {
        let count = lines.vertices.len();
        return Err(fault(
            format!("{count} vertices are too many"),
            format!("at most {MAX_PARTICLES} in a scene; use a coarser mesh"),
        ));
    }
    let mesh = load(&lines, lines.all.len(), false).map_err(|error| explain(&lines, error))?;
    surface(&lines, &mesh)
}

fn scan(text: &str) -> Result<Lines<'_>, Fault> {
    let mut lines = Lines::default();
    let mut coordinates = 0_usize;
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split_whitespace();
        let key = words.next();
        match key {
            Some("v") => lines.vertices.push(number),
            Some("vt") => coordinates += 1,
            Some("f") => {
                let corners = words.clone().count();
                if corners < 3 {
                    let message = format!("line {number}: a face of {corners} corner(s)");
                    return Err(fault(message, "a face needs at least three, such as `f 1 2 3`"));
                }
                // tobj overflows on these.
                let texture = |word: &str| word.split('/').nth(1)?.parse::<i64>().ok();
                if let Some(outside) =
                    words.filter_map(texture).find(|i| *i == 0 || i.unsigned_abs() > coordinates as u64)
                {
                    let message = format!("line {number}: there is no texture coordinate {outside}");
                    let help = format!("the file has {coordinates} up to there, counted from 1");
                    return Err(fault(message, help));
                }
                lines.faces.push((number, corners));
            }
            _ => continue,
        }
        lines.all.push((line, number, key == Some("v")));
    }
    Ok(lines)
}

/// The first `count` lines as one mesh of triangles with all vertices in the order of the file; with `all_vertices` the
/// `v` lines after them too.
fn load(lines: &Lines<'_>, count: usize, all_vertices: bool) -> Result<tobj::Mesh, tobj::LoadError> {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    let kept = || {
        let with_index = lines.all.iter().enumerate();
        with_index.filter(|(i, line)| *i < count || (all_vertices && line.2)).map(|(_, line)| line)
    };
    let vertices = kept().filter(|line| line.2).count();
    let mut text = String::new();
    // tobj numbers vertices as faces use them; these points use each once, in order, and give a triangle each.
    for vertex in 1..=vertices {
        let _ = writeln!(text, "f {vertex}");
    }
    for (line, _, is_vertex) in kept() {
        // What follows the three numbers is a weight or a colour.
        let words = line.split_whitespace().take(if *is_vertex { 4 } else { usize::MAX });
        words.for_each(|word| text.extend([word, " "]));
        text.push('\n');
    }
    let (models, _) = tobj::load_obj_buf(&mut text.as_bytes(), &options, |_| Ok(Default::default()))?;
    let mut mesh = models.into_iter().next().map(|model| model.mesh).unwrap_or_default();
    mesh.indices.drain(..(3 * vertices).min(mesh.indices.len()));
    mesh.texcoord_indices.drain(..(3 * vertices).min(mesh.texcoord_indices.len()));
    Ok(mesh)
}

/// An error of tobj with the line that it comes from.
fn explain(lines: &Lines<'_>, error: tobj::LoadError) -> Fault {
    // A part that ends before the line is read without this error; a face may name vertices that come later.
    let all_vertices = error == tobj::LoadError::FaceVertexOutOfBounds;
    let (mut good, mut bad) = (0, lines.all.len());
    while good + 1 < bad {
        let middle = usize::midpoint(good, bad);
        let fails = load(lines, middle, all_vertices).is_err_and(|other| other == error);
        if fails { bad = middle } else { good = middle }
    }
    let (text, number, _) = lines.all[bad - 1];
    let shown: String = text.trim().chars().take(40).collect();
    let vertices = lines.vertices.len();
    let (what, help) = match error {
        tobj::LoadError::FaceVertexOutOfBounds => (
            "names a vertex that is not there",
            format!("the file has {vertices}, counted from 1; export it again"),
        ),
        tobj::LoadError::PositionParseError => {
            ("is not a vertex", "three numbers, such as `v 0.5 1.0 0.0`".to_owned())
        }
        tobj::LoadError::FaceParseError => ("is not a face", "whole numbers, such as `f 1 2 3`".to_owned()),
        _ => ("cannot be read", format!("{error}; export the file again")),
    };
    fault(format!("line {number} {what}: `{shown}`"), help)
}

fn surface(lines: &Lines<'_>, mesh: &tobj::Mesh) -> Result<Surface, Fault> {
    let points: Vec<Vec3> = mesh.positions.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect();
    if let Some(bad) = points.iter().position(|x| !x.iter().all(|value| value.is_finite())) {
        let line = lines.vertices.get(bad).copied().unwrap_or(0);
        let message = format!("vertex {bad} (line {line}) is not finite: {:?}", points[bad]);
        return Err(fault(message, "vertices are counted from 0; mend or delete it"));
    }
    let (mut particle_of, mut used) = (vec![UNUSED; points.len()], 0);
    mesh.indices.iter().for_each(|&vertex| particle_of[vertex as usize] = 0);
    for particle in particle_of.iter_mut().filter(|particle| **particle == 0) {
        *particle = used;
        used += 1;
    }
    let mut surface = Surface { uvs: uvs(mesh, &particle_of, used as usize), ..Surface::default() };
    let corners = |t: &[u32]| [0, 1, 2].map(|corner| particle_of[t[corner] as usize]);
    surface.triangles = mesh.indices.chunks_exact(3).map(corners).collect();
    let kept = points.iter().zip(&particle_of).filter(|(_, particle)| **particle != UNUSED);
    surface.positions = kept.map(|(x, _)| *x).collect();
    surface.particle_of = particle_of;
    // A polygon of n corners is n - 2 triangles.
    let faces = lines.faces.iter().zip(0..);
    let face_of: Vec<(usize, usize)> =
        faces.flat_map(|(&(line, corners), face)| std::iter::repeat_n((face, line), corners - 2)).collect();
    let name = |triangle: u32| {
        let (face, line) = face_of.get(triangle as usize).copied().unwrap_or_default();
        format!("face {face} (line {line})")
    };
    degenerate(&surface, &name)?;
    let edges = edges::edges(&surface.triangles);
    winding(&surface, &edges, &name)?;
    surface.notes = notes(&surface, &edges);
    Ok(surface)
}

/// The first coordinate of each vertex; v is turned from up to down.
fn uvs(mesh: &tobj::Mesh, particle_of: &[u32], particles: usize) -> Vec<Vec2> {
    if mesh.texcoord_indices.len() != mesh.indices.len() || mesh.texcoords.is_empty() {
        return Vec::new();
    }
    let mut uvs: Vec<Option<Vec2>> = vec![None; particles];
    for (&vertex, &texture) in mesh.indices.iter().zip(&mesh.texcoord_indices) {
        let at = 2 * texture as usize;
        let uv = [mesh.texcoords[at], 1.0 - mesh.texcoords[at + 1]];
        uvs[particle_of[vertex as usize] as usize].get_or_insert(uv);
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
    let Some(edge) = edges.iter().find(|edge| edge.faces == 2 && edge.hinge().is_none()) else {
        return Ok(());
    };
    let [first, second] = edge.triangles;
    let corners = |triangle: u32| {
        let mut corners = surface.triangles[triangle as usize];
        corners.sort_unstable();
        corners
    };
    if corners(first) == corners(second) {
        return Err(fault(format!("{} repeats {}", name(second), name(first)), "delete one of them"));
    }
    let message = format!("{} and {} are wound opposite ways along their edge", name(first), name(second));
    Err(fault(message, "give all faces the same front (Blender: Mesh > Normals > Recalculate Outside)"))
}

fn notes(surface: &Surface, edges: &[Edge]) -> Vec<String> {
    let mut notes = Vec::new();
    let boundary = edges.iter().filter(|edge| edge.faces == 1).count();
    notes.push(format!(
        "{} particles, {} triangles, {} edges, {boundary} of them on the boundary",
        surface.positions.len(),
        surface.triangles.len(),
        edges.len()
    ));
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
            "{double} vertices lie where another one does: the cloth comes apart there; merge them by distance if it should not"
        ));
    }
    let loose = surface.particle_of.iter().filter(|particle| **particle == UNUSED).count();
    if loose > 0 {
        notes.push(format!("{loose} vertices belong to no face and are left out"));
    }
    notes
}

impl Surface {
    /// The vertex in the file of a particle.
    fn vertex(&self, particle: u32) -> usize {
        self.particle_of.iter().position(|known| *known == particle).unwrap_or(0)
    }
}
