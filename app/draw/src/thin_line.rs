//! Lines of one pixel, GL's own: two ends each, so that a processor that draws takes a third of the time of rectangles.
//!
//! Drivers need not make them wider: pictures that want them so have the rectangles of `line.rs`.

use bytemuck::{Pod, Zeroable};
use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};

use super::TURNS;
use super::program::Program;
use super::shader::{Attribute, MAIN, ShaderKind};
use super::uniforms::uniforms;

uniforms! {
    /// `object` in `thin_line.wgsl`.
    pub(crate) struct ThinObject {
        /// How far lines stand before what they lie on [m].
        lift: f32,
    }
}

pub(crate) static KIND: ShaderKind = ShaderKind {
    file: "thin_line.wgsl",
    entries: &[MAIN],
    object: ThinObject::FIELDS,
    textures: &[],
    attributes: &[Attribute { format: VertexFormat::Float4, buffer: 0 }],
    strides: &[size_of::<End>() as i32],
    primitives: &[PrimitiveType::Lines],
};

/// One end of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct End {
    /// World space [m].
    pub at: [f32; 3],
    /// sRGB in 24 bits, red first: whole numbers of that size are exact.
    pub color: f32,
}

/// The GL side: as large as the most ends of a picture so far.
#[derive(Default)]
pub(crate) struct ThinBuffers {
    room: Option<Room>,
    turn: usize,
}

struct Room {
    vertices: [BufferId; TURNS],
    indices: BufferId,
    ends: usize,
}

impl ThinBuffers {
    /// Draws over what the target holds, two ends to a line. Without any nothing is done.
    pub(crate) fn draw(
        &mut self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        (ends, lift): (&[End], f32),
    ) {
        if ends.is_empty() {
            return;
        }
        if let Some(small) = self.room.take_if(|room| room.ends < ends.len()) {
            small.vertices.into_iter().chain([small.indices]).for_each(|buffer| gl.delete_buffer(buffer));
        }
        let room = self.room.get_or_insert_with(|| Room::new(gl, ends.len().next_power_of_two()));
        self.turn = (self.turn + 1) % TURNS;
        gl.buffer_update(room.vertices[self.turn], BufferSource::slice(ends));
        program.apply(gl, [frame, bytemuck::bytes_of(&ThinObject { lift })]);
        let textures: &[TextureId] = program.textures(&[]);
        gl.apply_bindings_from_slice(&[room.vertices[self.turn]], room.indices, textures);
        gl.draw(0, ends.len() as i32, 1);
    }
}

impl Room {
    fn new(gl: &mut dyn RenderingBackend, ends: usize) -> Self {
        let indices: Vec<u32> = (0..ends as u32).collect();
        let mut stream = || {
            let source = BufferSource::empty::<u8>(ends * size_of::<End>());
            gl.new_buffer(BufferType::VertexBuffer, BufferUsage::Stream, source)
        };
        let vertices = std::array::from_fn(|_| stream());
        let source = BufferSource::slice(&indices);
        let indices = gl.new_buffer(BufferType::IndexBuffer, BufferUsage::Immutable, source);
        Self { vertices, indices, ends }
    }
}
