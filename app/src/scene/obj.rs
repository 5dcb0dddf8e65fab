//! Wavefront OBJ files: triangles with places in the file, checked so that every one can be simulated.
//!
//! Only `v`, `vt` and `f` count; groups, objects and materials of one file are one cloth. Polygons become fans.
//! The parser is `tobj`, which says what is wrong but not where: the line is found by reading ever shorter parts.

mod kept;
mod surface;

pub use surface::{Surface, UNUSED};

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Instant;

use super::check::MAX_PARTICLES;
use super::{ColliderShape, Scene, Shape};
use crate::say;
use crate::solid::Solid;

/// Larger files are refused unread.
const MAX_BYTES: u64 = 512 << 20;

/// Files above this take seconds: each part of the work is told [bytes].
const LARGE: u64 = 16 << 20;

/// `None`: not read yet.
pub type Reading = Option<Result<Arc<Surface>, Fault>>;

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
            *surface = Some(surface_of(file, folder));
        }
    }
    for collider in &mut scene.colliders {
        if let ColliderShape::Mesh { file, solid, .. } = &mut collider.shape {
            *solid = Some(solid_of(file, folder));
        }
    }
}

fn surface_of(file: &str, folder: &Path) -> Result<Arc<Surface>, Fault> {
    let path = folder.join(file);
    if let Some(kept) = kept::surface(&path) {
        return Ok(kept);
    }
    let stamp = kept::stamp(&path);
    let surface = Arc::new(read(file, folder)?);
    kept::keep(&path, stamp, Arc::downgrade(&surface), Weak::new());
    Ok(surface)
}

fn solid_of(file: &str, folder: &Path) -> Result<Arc<Solid>, Fault> {
    let path = folder.join(file);
    if let Some(kept) = kept::solid(&path) {
        return Ok(kept);
    }
    let (stamp, start) = (kept::stamp(&path), Instant::now());
    let surface = read(file, folder)?;
    let large = stamp.is_some_and(|(_, bytes)| bytes > LARGE);
    if large {
        say::warn(format_args!("{file}: building normals, tree and grid of distances ..."));
    }
    let solid = Arc::new(Solid::new(&surface));
    if large {
        say::warn(format_args!(
            "{file}: ready after {:.1} s; {:.0} MB of memory",
            start.elapsed().as_secs_f32(),
            solid.bytes() as f64 / 1e6
        ));
    }
    kept::keep(&path, stamp, Weak::new(), Arc::downgrade(&solid));
    Ok(solid)
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
    let start = Instant::now();
    if size > LARGE {
        say::warn(format_args!("{file}: reading {:.0} MB ...", size as f64 / 1e6));
    }
    let bytes =
        std::fs::read(&path).map_err(|error| fault(format!("cannot read {file:?}: {error}"), "try again"))?;
    let surface = parse(&String::from_utf8_lossy(&bytes))
        .map_err(|fault| Fault { message: format!("{file}: {}", fault.message), ..fault })?;
    if size > LARGE {
        say::warn(format_args!(
            "{file}: {} triangles, read and checked in {:.1} s",
            surface.triangles.len(),
            start.elapsed().as_secs_f32()
        ));
    }
    Ok(surface)
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
    surface::surface(&lines, &mesh)
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
