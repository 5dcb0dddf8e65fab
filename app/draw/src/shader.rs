//! What a shader file must provide, the texts themselves, and the error a person reads.

use std::fmt;

use miniquad::{PrimitiveType, VertexFormat};

use super::uniforms::{Field, Frame};
use super::{cloth, ground, line, solid, strand, thin_line, wire};

/// Text that follows every other file before it is parsed: light, shadow, tone mapping.
pub const COMMON: &str = "common.wgsl";

/// A vertex and a fragment entry point that run together.
#[derive(Clone, Copy, Debug)]
pub struct EntryPair {
    pub vertex: &'static str,
    pub fragment: &'static str,
    /// What it writes is added to what is there.
    pub adds: bool,
}

pub const MAIN: EntryPair = EntryPair { vertex: "vs_main", fragment: "fs_main", adds: false };
pub const SHADOW: EntryPair = EntryPair { vertex: "vs_shadow", fragment: "fs_shadow", adds: false };
pub const OPACITY: EntryPair = EntryPair { vertex: "vs_opacity", fragment: "fs_opacity", adds: true };

/// A vertex attribute; its `@location` is its place in the list.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    pub format: VertexFormat,
    pub buffer: usize,
}

/// One shader file: its entry points and everything that Rust supplies to it.
#[derive(Debug)]
pub struct ShaderKind {
    pub file: &'static str,
    pub entries: &'static [EntryPair],
    /// Members of `var<uniform> object`.
    pub object: &'static [Field],
    /// Names of the texture variables, in the order in which they are bound.
    pub textures: &'static [TextureSlot],
    pub attributes: &'static [Attribute],
    /// Bytes from row to row of each vertex buffer; 0 = tightly packed.
    pub strides: &'static [i32],
    /// What the vertices make: the first of these where nothing else is said.
    pub primitives: &'static [PrimitiveType],
}

/// A texture variable that Rust binds.
#[derive(Clone, Copy, Debug)]
pub struct TextureSlot {
    pub name: &'static str,
    /// `texture_depth_2d` with a comparison sampler, else `texture_2d<f32>`.
    pub depth: bool,
}

pub const ALBEDO: TextureSlot = TextureSlot { name: "albedo", depth: false };
pub const SHADOW_MAP: TextureSlot = TextureSlot { name: "shadow_map", depth: true };
/// A depth that is fetched, not compared.
pub const HAIR_DEPTH: TextureSlot = TextureSlot { name: "hair_depth", depth: false };
pub const HAIR_LAYERS: TextureSlot = TextureSlot { name: "hair_layers", depth: false };
/// Strands that hairs lie between (`guide_maps.rs`).
pub const GUIDES: TextureSlot = TextureSlot { name: "guides", depth: false };
pub const AROUND: TextureSlot = TextureSlot { name: "around", depth: false };
/// What stands between the lamp and all that is drawn.
pub const LIGHT_MAPS: &[TextureSlot] = &[SHADOW_MAP, HAIR_DEPTH, HAIR_LAYERS];

impl ShaderKind {
    /// Members of the uniform block behind a WGSL variable, and the block's place in `Program::apply`.
    pub fn block(&self, variable: &str) -> Option<(usize, &'static [Field])> {
        match variable {
            "frame" => Some((0, Frame::FIELDS)),
            "object" if !self.object.is_empty() => Some((1, self.object)),
            _ => None,
        }
    }

    pub fn block_names(&self) -> &'static str {
        if self.object.is_empty() { "frame" } else { "frame, object" }
    }
}

/// Every file that has entry points.
pub static KINDS: [&ShaderKind; 8] = [
    &cloth::KIND,
    &strand::KIND,
    &solid::KIND,
    &ground::GROUND,
    &ground::SKY,
    &line::KIND,
    &thin_line::KIND,
    &wire::KIND,
];

pub fn kind_of(file: &str) -> Option<&'static ShaderKind> {
    KINDS.iter().copied().find(|kind| kind.file == file)
}

/// The WGSL texts, by file name.
#[derive(Clone, Debug)]
pub struct ShaderSources {
    texts: Vec<(&'static str, String)>,
}

impl ShaderSources {
    /// The texts that were compiled into the program.
    pub fn built_in() -> Self {
        let texts = [
            (COMMON, include_str!("../../../shaders/draw/common.wgsl")),
            (cloth::KIND.file, include_str!("../../../shaders/draw/cloth.wgsl")),
            (strand::KIND.file, include_str!("../../../shaders/draw/strand.wgsl")),
            (solid::KIND.file, include_str!("../../../shaders/draw/solid.wgsl")),
            (ground::GROUND.file, include_str!("../../../shaders/draw/ground.wgsl")),
            (ground::SKY.file, include_str!("../../../shaders/draw/sky.wgsl")),
            (line::KIND.file, include_str!("../../../shaders/draw/line.wgsl")),
            (thin_line::KIND.file, include_str!("../../../shaders/draw/thin_line.wgsl")),
            (wire::KIND.file, include_str!("../../../shaders/draw/wire.wgsl")),
        ];
        Self { texts: texts.map(|(name, text)| (name, text.to_owned())).to_vec() }
    }

    /// Names of all files, `common.wgsl` first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.texts.iter().map(|(name, _)| *name)
    }

    /// The text of a file; empty if there is no such file.
    pub fn text(&self, file: &str) -> &str {
        self.texts.iter().find(|(name, _)| *name == file).map_or("", |(_, text)| text)
    }

    /// Replaces a text. False if no shader has that file name.
    pub fn set(&mut self, file: &str, text: &str) -> bool {
        let found = self.texts.iter_mut().find(|(name, _)| *name == file);
        found.is_some_and(|(_, old)| {
            text.clone_into(old);
            true
        })
    }
}

/// What a message names in backquotes, in its order.
pub fn named_in(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// Why a shader was refused. The last good one goes on drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderError {
    pub file: String,
    /// Counted from 1.
    pub line: Option<u32>,
    /// Counted from 1, in bytes.
    pub column: Option<u32>,
    /// One line.
    pub message: String,
    /// Several lines, with the source and a caret where there is a place to show.
    pub report: String,
}

impl ShaderError {
    /// An error without a place in the text.
    pub fn new(file: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let report = format!("error: {message}\n  --> {file}");
        Self { file: file.to_owned(), line: None, column: None, message, report }
    }
}

impl fmt::Display for ShaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => {
                write!(f, "{}:{line}:{column}: {}", self.file, self.message)
            }
            _ => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for ShaderError {}
