//! Lines and dots of a width in pixels over the picture: overlays. One draw call for all of a picture, one for lines of
//! one pixel (`thin_line.rs`), and one for each colour of those that share their points (`wire.rs`).
//!
//! Each is a rectangle of four corners that hold both ends; `line.wgsl` moves them apart. Rejected: GL's own lines for wide
//! ones, which most drivers do not have, and instances, each of which is a draw call of its own to a processor that draws.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};

use super::TURNS;
use super::program::Program;
use super::shader::{Attribute, MAIN, ShaderKind};
use super::thin_line::{End, ThinBuffers};
use super::uniforms::uniforms;
use super::wire::{WireBuffers, Wires};

uniforms! {
    /// `object` in `line.wgsl`.
    pub(crate) struct LineObject {
        /// Of the picture [pixels].
        size: [f32; 2],
        /// Pixels of the picture for one of a line's width.
        scale: f32,
        /// How far lines stand before what they lie on [m].
        lift: f32,
    }
}

pub(crate) static KIND: ShaderKind = ShaderKind {
    file: "line.wgsl",
    entries: &[MAIN],
    object: LineObject::FIELDS,
    textures: &[],
    attributes: &[
        Attribute { format: VertexFormat::Float4, buffer: 0 },
        Attribute { format: VertexFormat::Float4, buffer: 0 },
    ],
    strides: &[size_of::<Corner>() as i32],
    primitives: &[PrimitiveType::Triangles],
};

/// Corners of a line, and of its two triangles.
const CORNERS: usize = 4;
const TRIANGLES: [u32; 6] = [0, 1, 2, 2, 1, 3];
/// A picture this high shows widths as they are [pixels].
const HEIGHT: f32 = 720.0;
/// Lines up to this wide are thin; from this many pixels of the picture for one of theirs on, they are rectangles too.
const THIN: f32 = 1.0;
const THICK: f32 = 1.5;

/// Which of the four it is says its place in the buffer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Corner {
    begin: [f32; 3],
    /// sRGB in 24 bits, red first: whole numbers of that size are exact.
    color: f32,
    end: [f32; 3],
    /// [pixels]
    width: f32,
}

/// Lines and dots as they are drawn. Keeps its memory when it is cleared.
#[derive(Debug, Default)]
pub struct Lines {
    corners: Vec<Corner>,
    /// Of thin lines, two to each.
    ends: Vec<End>,
    /// Thin lines that share their points.
    pub wires: Wires,
    /// How far they stand before what they lie on, towards the eye [m].
    pub lift: f32,
}

impl Lines {
    pub fn clear(&mut self) {
        self.corners.clear();
        self.ends.clear();
        self.wires.clear();
    }

    /// Number of lines and dots.
    pub fn count(&self) -> usize {
        self.corners.len() / CORNERS + self.ends.len() / 2 + self.wires.count()
    }

    /// From `begin` to `end` [m], `color` as 0xRRGGBB, `width` [pixels] in a picture 720 pixels high.
    #[inline]
    pub fn add(&mut self, begin: Vec3, end: Vec3, color: u32, width: f32) {
        let color = (color & 0x00ff_ffff) as f32;
        if width <= THIN && begin != end {
            self.ends.extend([begin, end].map(|at| End { at: at.to_array(), color }));
            return;
        }
        let (begin, end) = (begin.to_array(), end.to_array());
        self.corners.extend_from_slice(&[Corner { begin, color, end, width }; CORNERS]);
    }

    /// A round dot; `width` is its diameter.
    pub fn dot(&mut self, at: Vec3, color: u32, width: f32) {
        self.add(at, at, color, width);
    }
}

/// The GL side: as large as the most lines of a picture so far.
#[derive(Default)]
pub(crate) struct LineBuffers {
    room: Option<Room>,
    turn: usize,
    thin: ThinBuffers,
    wires: WireBuffers,
    /// All lines as rectangles, in a picture that shows thin ones wider.
    widened: Vec<Corner>,
}

struct Room {
    vertices: [BufferId; TURNS],
    indices: BufferId,
    lines: usize,
}

impl LineBuffers {
    /// Draws over what the target holds, with the programs of `line.wgsl`, `thin_line.wgsl` and `wire.wgsl`. Without lines
    /// nothing is done.
    pub(crate) fn draw(
        &mut self,
        gl: &mut dyn RenderingBackend,
        [wide, thin, wire]: [&mut Program; 3],
        frame: &[u8],
        lines: &Lines,
        size: [f32; 2],
    ) {
        let scale = (size[1] / HEIGHT).max(1.0);
        if scale < THICK {
            self.wires.draw(gl, wire, frame, (&lines.wires, lines.lift));
            self.thin.draw(gl, thin, frame, (&lines.ends, lines.lift));
            self.rectangles(gl, wide, frame, &lines.corners, LineObject { size, scale, lift: lines.lift });
            return;
        }
        let mut widened = std::mem::take(&mut self.widened);
        widened.clear();
        widened.extend_from_slice(&lines.corners);
        let (ends, _) = lines.ends.as_chunks::<2>();
        widened.extend(ends.iter().flat_map(|&[begin, end]| {
            [Corner { begin: begin.at, color: begin.color, end: end.at, width: THIN }; CORNERS]
        }));
        widened.extend(lines.wires.lines().flat_map(|(color, ends)| {
            let [begin, end] = ends.map(|[x, y, z, _]| [x, y, z]);
            [Corner { begin, color: color as f32, end, width: THIN }; CORNERS]
        }));
        self.rectangles(gl, wide, frame, &widened, LineObject { size, scale, lift: lines.lift });
        self.widened = widened;
    }

    fn rectangles(
        &mut self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        corners: &[Corner],
        object: LineObject,
    ) {
        let lines = corners.len() / CORNERS;
        if lines == 0 {
            return;
        }
        if let Some(small) = self.room.take_if(|room| room.lines < lines) {
            small.delete(gl);
        }
        let room = self.room.get_or_insert_with(|| Room::new(gl, lines.next_power_of_two()));
        self.turn = (self.turn + 1) % TURNS;
        gl.buffer_update(room.vertices[self.turn], BufferSource::slice(corners));
        program.apply(gl, [frame, bytemuck::bytes_of(&object)]);
        let textures: &[TextureId] = program.textures(&[]);
        gl.apply_bindings_from_slice(&[room.vertices[self.turn]], room.indices, textures);
        gl.draw(0, (lines * TRIANGLES.len()) as i32, 1);
    }
}

impl Room {
    fn new(gl: &mut dyn RenderingBackend, lines: usize) -> Self {
        let first = (0..lines as u32).map(|line| line * CORNERS as u32);
        let indices: Vec<u32> = first.flat_map(|first| TRIANGLES.map(|corner| first + corner)).collect();
        let bytes = lines * CORNERS * size_of::<Corner>();
        let mut stream = || {
            let source = BufferSource::empty::<u8>(bytes);
            gl.new_buffer(BufferType::VertexBuffer, BufferUsage::Stream, source)
        };
        let vertices = std::array::from_fn(|_| stream());
        let source = BufferSource::slice(&indices);
        let indices = gl.new_buffer(BufferType::IndexBuffer, BufferUsage::Immutable, source);
        Self { vertices, indices, lines }
    }

    fn delete(self, gl: &mut dyn RenderingBackend) {
        self.vertices.into_iter().chain([self.indices]).for_each(|buffer| gl.delete_buffer(buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_survive_as_numbers_and_memory_stays() {
        let mut lines = Lines::default();
        for color in [0, 0x00ff_ffff, 0x0012_3457] {
            lines.dot(Vec3::ZERO, color, 3.0);
            assert_eq!(lines.corners.last().map(|corner| corner.color as u32), Some(color));
        }
        lines.add(Vec3::ZERO, Vec3::X, 0x0012_3457, THIN);
        lines.add(Vec3::ZERO, Vec3::X, 0x0012_3457, 2.0 * THIN);
        assert_eq!(lines.ends.iter().map(|end| end.color as u32).collect::<Vec<_>>(), [0x0012_3457; 2]);
        let room = (lines.corners.capacity(), lines.ends.capacity());
        assert_eq!((lines.count(), lines.corners.len()), (5, 4 * CORNERS));
        lines.clear();
        assert_eq!((lines.count(), (lines.corners.capacity(), lines.ends.capacity())), (0, room));
    }
}
