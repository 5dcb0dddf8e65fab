//! The surface of a run for other programs, in the scene's world and in metres, y up.
//!
//! ```text
//! .obj    Wavefront; one frame                                       text, read by everything, `shape: Mesh(file: …)` too
//! .ply    binary; one frame, the surfaces of all cloths as one       vertices, faces, and the edges of strands
//! .glb    glTF 2.0; one frame, or many as morph targets              with colour and texture
//! .usda   USD; one frame, or many as time samples                    text
//! ```
//! A cloth is a mesh with texture coordinates, a list of strands its lines, each by its id. Where something tears, many frames in
//! one file have the triangles and lines that are whole in the last one.

mod gltf;
mod obj;
mod ply;
mod surface;
mod usda;

use std::path::Path;

use weft_core::files;

pub use obj::text as obj;
pub use surface::{Object, Paint, Surface};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Obj,
    Ply,
    Glb,
    Usda,
}

impl Format {
    /// All of them, by what the name of a file ends in.
    pub const ALL: [(&str, Self); 4] =
        [("obj", Self::Obj), ("ply", Self::Ply), ("glb", Self::Glb), ("usda", Self::Usda)];

    /// That of a file with this name.
    ///
    /// # Errors
    /// A name that ends otherwise.
    pub fn of(path: &Path) -> Result<Self, String> {
        let end = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let found = Self::ALL.iter().find(|(name, _)| *name == end).map(|(_, format)| *format);
        found.ok_or_else(|| {
            let ends = Self::ALL.map(|(name, _)| format!(".{name}"));
            format!("{}: the file name must end in one of {}", path.display(), ends.join(", "))
        })
    }

    /// Whether one file can hold many frames.
    pub fn moves(self) -> bool {
        matches!(self, Self::Glb | Self::Usda)
    }
}

/// Some frames of a run, which end up in one file.
#[derive(Clone, Debug)]
pub struct Export {
    format: Format,
    /// Frames of a second.
    rate: f64,
    frames: Vec<Surface>,
}

impl Export {
    /// `step`: of the scene [s], the time between two frames.
    pub fn new(format: Format, step: f32) -> Self {
        // A step is written as single precision; rates are whole numbers almost always.
        let rate = 1.0 / f64::from(step);
        let whole = rate.round();
        Self {
            format,
            rate: if (rate - whole).abs() < 1e-4 * whole { whole } else { rate },
            frames: Vec::new(),
        }
    }

    /// Takes the next frame; where the file holds one, the last one stays.
    ///
    /// # Errors
    /// Another number of objects or particles than in the frames before: the scene was edited in between.
    pub fn add(&mut self, surface: Surface) -> Result<(), String> {
        if !self.format.moves() {
            self.frames.clear();
        }
        if self.frames.last().is_some_and(|last| !last.same_particles(&surface)) {
            return Err("the scene's cloths changed: frames before and after do not fit into one file".into());
        }
        self.frames.push(surface);
        Ok(())
    }

    /// What the file is made of; nothing without a frame.
    pub fn bytes(&self) -> Vec<u8> {
        let Some(last) = self.frames.last() else { return Vec::new() };
        match self.format {
            Format::Obj => obj::text(last).into_bytes(),
            Format::Ply => ply::bytes(last),
            Format::Glb => gltf::bytes(&self.frames, self.rate),
            Format::Usda => usda::text(&self.frames, self.rate).into_bytes(),
        }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// A file that cannot be written, by its name.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        files::write(path, self.bytes()).map_err(|why| format!("cannot write {}: {why}", path.display()))
    }
}
