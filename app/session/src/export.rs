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

use weft_core::{files, memory};

pub use obj::text as obj;
pub use surface::{Object, Paint, Surface};

/// Its head has 32 bits for the length [bytes].
const LONGEST_GLB: usize = u32::MAX as usize;

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

    /// Whether so many frames like this one fit into the memory and into one file, to be asked before they are simulated.
    ///
    /// # Errors
    /// Why they do not.
    pub fn fits(format: Format, surface: &Surface, frames: u64) -> Result<(), String> {
        let frames = if format.moves() { frames as f64 } else { 1.0 };
        let count = |of: fn(&Object) -> usize| surface.objects.iter().map(of).sum::<usize>() as f64;
        let particles = count(|object| object.positions.len());
        let ids =
            count(|object| 3 * object.triangles.len() + object.lines.iter().map(Vec::len).sum::<usize>());
        let kept = frames * (24.0 * particles + 8.0 * count(|object| object.uvs.len()) + 4.0 * ids);
        // Positions and normals of each frame, and a weight of each target at each time; of a text numbers of some digits.
        let file = match format {
            Format::Glb => frames * 24.0 * particles + 4.0 * frames * frames * surface.objects.len() as f64,
            _ => frames * 36.0 * particles,
        };
        let gigabytes = |bytes: f64| bytes / 1e9;
        let what = format!("{frames} frames of {particles} particles in one file");
        if format == Format::Glb && file > LONGEST_GLB as f64 {
            let size = gigabytes(file);
            return Err(format!(
                "{what} are {size:.1} GB, and .glb holds 4.3; fewer frames, or .usda, or `####` in the name"
            ));
        }
        let needed = kept + 2.0 * file;
        let refused = |free: usize| {
            format!(
                "{what} take {:.1} GB of memory, and {:.1} GB are free; fewer frames, or `####` in the name for a file of each",
                gigabytes(needed),
                gigabytes(free as f64)
            )
        };
        memory::short_of(needed as usize).map_or(Ok(()), |free| Err(refused(free)))
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
        let bytes = self.bytes();
        if self.format == Format::Glb && bytes.len() > LONGEST_GLB {
            return Err(format!("{}: {} bytes are too many for .glb", path.display(), bytes.len()));
        }
        files::write(path, bytes).map_err(|why| format!("cannot write {}: {why}", path.display()))
    }
}
