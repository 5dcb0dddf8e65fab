//! Lines and dots of a width in pixels over the picture: overlays. One draw call for all of a picture.
//!
//! Each is a rectangle of four corners that hold both ends; `line.wgsl` moves them apart. Rejected: GL's own lines, which are
//! one pixel wide on most drivers, and instances, each of which is a draw call of its own to a processor that draws.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use miniquad::{BufferId, BufferSource, BufferType, BufferUsage, RenderingBackend, TextureId, VertexFormat};

use super::TURNS;
use super::program::Program;
use super::shader::{Attribute, MAIN, ShaderKind};
use super::uniforms::uniforms;

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
};

/// Corners of a line, and of its two triangles.
const CORNERS: usize = 4;
const TRIANGLES: [u32; 6] = [0, 1, 2, 2, 1, 3];
/// A picture this high shows widths as they are [pixels].
const HEIGHT: f32 = 720.0;

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
    /// How far they stand before what they lie on, towards the eye [m].
    pub lift: f32,
}

impl Lines {
    pub fn clear(&mut self) {
        self.corners.clear();
    }

    /// Number of lines and dots.
    pub fn count(&self) -> usize {
        self.corners.len() / CORNERS
    }

    /// From `begin` to `end` [m], `color` as 0xRRGGBB, `width` [pixels] in a picture 720 pixels high.
    #[inline]
    pub fn add(&mut self, begin: Vec3, end: Vec3, color: u32, width: f32) {
        let (begin, end, color) = (begin.to_array(), end.to_array(), (color & 0x00ff_ffff) as f32);
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
}

struct Room {
    vertices: [BufferId; TURNS],
    indices: BufferId,
    lines: usize,
}

impl LineBuffers {
    /// Draws over what the target holds. Without lines nothing is done.
    pub(crate) fn draw(
        &mut self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        lines: &Lines,
        size: [f32; 2],
    ) {
        if lines.corners.is_empty() {
            return;
        }
        if let Some(small) = self.room.take_if(|room| room.lines < lines.count()) {
            small.delete(gl);
        }
        let room = self.room.get_or_insert_with(|| Room::new(gl, lines.count().next_power_of_two()));
        self.turn = (self.turn + 1) % TURNS;
        gl.buffer_update(room.vertices[self.turn], BufferSource::slice(&lines.corners));
        let object = LineObject { size, scale: (size[1] / HEIGHT).max(1.0), lift: lines.lift };
        program.apply(gl, [frame, bytemuck::bytes_of(&object)]);
        let textures: &[TextureId] = program.textures(&[]);
        gl.apply_bindings_from_slice(&[room.vertices[self.turn]], room.indices, textures);
        gl.draw(0, (lines.count() * TRIANGLES.len()) as i32, 1);
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
        let room = lines.corners.capacity();
        assert_eq!(lines.count(), 3);
        lines.clear();
        assert_eq!((lines.count(), lines.corners.capacity()), (0, room));
    }
}
