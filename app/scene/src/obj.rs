//! Wavefront OBJ files: triangles with places in the file, checked so that every one can be simulated.
//!
//! ```text
//! text.rs     the lines `v`, `vt` and `f` as numbers, polygons as fans
//! surface.rs  checks of the triangles, one by one and where they meet
//! files.rs    the files of a scene, and what came of those that were read before
//! kept.rs     the meshes of a scene as bytes, for a program that goes on without their files
//! locks.rs    strands: lines of OBJ, and `.hair` files
//! work.rs     how far the reading of a large file is, and its end where nobody waits any more
//! ```
//! Groups, objects and materials of one file are one cloth.
//! Rejected: the crate `tobj`, which says what is wrong but not where, and joins vertices in an order of its own.

mod files;
mod kept;
pub mod locks;
mod polygon;
pub mod solid;
mod surface;
mod text;
mod work;

pub use files::{MeshFiles, read_all, unread_meshes};
pub use kept::KeptMeshes;
pub use surface::{Surface, UNUSED};
pub use work::{Now as WorkNow, Progress, Work as ReadWork};

use std::{borrow::Cow, fmt::Display, path::Path, sync::Arc};

use super::check::MAX_PARTICLES;
use files::CHECKED;
use text::Text;
use weft_core::{suggest, text::without_mark};

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

impl Fault {
    /// With the file, line or whatever it was found in before what it says.
    fn inside(self, place: impl Display) -> Self {
        Self { message: format!("{place}: {}", self.message), ..self }
    }
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
    let size = size(file, &path)?;
    if size > MAX_BYTES {
        return Err(fault(
            format!("{file}: {size} bytes are too many"),
            format!("at most {MAX_BYTES}; use fewer triangles"),
        ));
    }
    let bytes = bytes(file, &path)?;
    parse_with(&text_of(file, &bytes)?, solid, progress).map_err(|fault| fault.inside(file))
}

/// How large a file is that a scene names [bytes].
fn size(file: &str, path: &Path) -> Result<u64, Fault> {
    weft_core::files::size(path).ok_or_else(|| fault(suggest::no_file(file, path), suggest::missing(path)))
}

/// What is in it.
fn bytes(file: &str, path: &Path) -> Result<Vec<u8>, Fault> {
    let cannot = |error| fault(format!("cannot read {file:?}: {error}"), "try again");
    weft_core::files::read(path).map_err(cannot)
}

/// The text of a file; names of groups and materials in it may be in any encoding.
fn text_of<'a>(file: &str, bytes: &'a [u8]) -> Result<Cow<'a, str>, Fault> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(fault(format!("{file} is UTF-16 text"), "save it as UTF-8"));
    }
    Ok(String::from_utf8_lossy(without_mark(bytes)))
}

/// Reads and checks the text of a file.
pub fn parse(text: &str) -> Result<Surface, Fault> {
    parse_with(text, false, &mut Progress::silent(&ReadWork::default()))
}

fn parse_with(text: &str, solid: bool, progress: &mut Progress) -> Result<Surface, Fault> {
    progress.part("reading its numbers", 0.2, text.len());
    let read = text::read(text, progress)?;
    if read.faces.is_empty() {
        return Err(fault("it has no faces", "export the mesh with faces: lines such as `f 1 2 3`"));
    }
    let vertices = read.positions.len();
    if vertices as u64 > MAX_PARTICLES {
        return Err(fault(
            format!("{vertices} vertices are too many"),
            format!("at most {MAX_PARTICLES} in a scene; use a coarser mesh"),
        ));
    }
    memory(&read, solid, progress)?;
    progress.part("checking its triangles", CHECKED, 1);
    surface::surface(&read)
}

/// Says what a mesh takes before it is made, and refuses one that takes more than there is.
fn memory(read: &Text, solid: bool, progress: &Progress) -> Result<(), Fault> {
    let (vertices, triangles) = (read.positions.len(), read.triangles.len());
    // Its edges, as sides of triangles first; then the rows of a collider, its tables and what they begin with. Measured.
    let edges = 160 * triangles + 32 * vertices;
    let rows = if solid { solid::bytes(vertices, triangles) } else { 0 };
    let needed = edges.max(3 * rows);
    let gigabytes = |bytes: usize| bytes as f64 / 1e9;
    let kept = if solid { format!(": a collider of {:.2} GB", gigabytes(rows)) } else { String::new() };
    let text = format!(
        "{vertices} vertices, {triangles} triangles{kept}; up to {:.1} GB while it is made",
        gigabytes(needed)
    );
    progress.memory(&text);
    let refused = |free| {
        let message = format!("{text}, and {:.1} GB of memory are free", gigabytes(free));
        fault(message, "use a coarser mesh, or end other programs")
    };
    weft_core::memory::short_of(needed).map_or(Ok(()), |free| Err(refused(free)))
}
