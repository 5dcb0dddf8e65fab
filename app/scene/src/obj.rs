//! Wavefront OBJ files: triangles with places in the file, checked so that every one can be simulated.
//!
//! Only `v`, `vt` and `f` count; groups, objects and materials of one file are one cloth. Polygons become fans.
//! The parser is `tobj`, which says what is wrong but not where: the line is found by reading ever shorter parts.

mod explain;
mod files;
mod kept;
mod surface;
mod work;

pub use files::{MeshFiles, read_all, unread_meshes};
pub use surface::{Surface, UNUSED};
pub use work::{Now as WorkNow, Progress, Work as ReadWork};

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use super::check::MAX_PARTICLES;
use crate::solid;
use explain::explain;
use files::CHECKED;

/// Larger files are refused unread.
const MAX_BYTES: u64 = 512 << 20;

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

/// A file as triangles; `solid`: a collider is to be made of them.
fn read(file: &str, folder: &Path, solid: bool, progress: &mut Progress) -> Result<Surface, Fault> {
    let path = folder.join(file);
    if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("obj")) {
        return Err(fault(format!("{file:?} is not a mesh file"), "the name must end in .obj"));
    }
    let size = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file).map(|data| data.len());
    let Some(size) = size else {
        let help = match weft_core::suggest::sibling(&path) {
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
    progress.part("finding its lines", 0.1, 1);
    let bytes =
        std::fs::read(&path).map_err(|error| fault(format!("cannot read {file:?}: {error}"), "try again"))?;
    parse_with(&String::from_utf8_lossy(&bytes), solid, progress)
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
    parse_with(text, false, &mut Progress::silent())
}

fn parse_with(text: &str, solid: bool, progress: &mut Progress) -> Result<Surface, Fault> {
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
    let triangles: usize = lines.faces.iter().map(|(_, corners)| corners - 2).sum();
    memory(text, &lines, triangles, solid, progress)?;
    progress.part("reading its numbers", 0.35, 2 * text.len());
    let mesh =
        load(&lines, lines.all.len(), false, Some(progress)).map_err(|error| explain(&lines, error))?;
    progress.part("checking its triangles", CHECKED, 1);
    surface::surface(&lines, &mesh)
}

/// Says what a file takes before it is taken, and refuses one that takes more than there is.
fn memory(
    text: &str,
    lines: &Lines,
    triangles: usize,
    solid: bool,
    progress: &Progress,
) -> Result<(), Fault> {
    let vertices = lines.vertices.len();
    // Text, its lines and numbers, all twice, measured; then the rows of a collider, its tables and what they begin with.
    let reading = 9 * text.len();
    let rows = if solid { solid::bytes(vertices, triangles) } else { 0 };
    let (needed, free) = (reading.max(3 * rows), work::free_memory());
    let gigabytes = |bytes: usize| bytes as f64 / 1e9;
    let kept = if solid { format!(": a collider of {:.2} GB", gigabytes(rows)) } else { String::new() };
    let text = format!(
        "{vertices} vertices, {triangles} triangles{kept}; up to {:.1} GB while it is made",
        gigabytes(needed)
    );
    progress.memory(&text);
    match free {
        Some(free) if needed > free => Err(fault(
            format!("{text}, and {:.1} GB of memory are free", gigabytes(free)),
            "use a coarser mesh, or end other programs",
        )),
        _ => Ok(()),
    }
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
fn load(
    lines: &Lines<'_>,
    count: usize,
    all_vertices: bool,
    progress: Option<&Progress>,
) -> Result<tobj::Mesh, tobj::LoadError> {
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
    let silent = Progress::silent();
    let mut reader = progress.unwrap_or(&silent).reader(text.as_bytes());
    let (models, _) = tobj::load_obj_buf(&mut reader, &options, |_| Ok(Default::default()))?;
    let mut mesh = models.into_iter().next().map(|model| model.mesh).unwrap_or_default();
    mesh.indices.drain(..(3 * vertices).min(mesh.indices.len()));
    mesh.texcoord_indices.drain(..(3 * vertices).min(mesh.texcoord_indices.len()));
    Ok(mesh)
}
