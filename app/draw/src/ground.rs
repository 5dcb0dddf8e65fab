//! The floor and the background: one quad, two shaders.

use miniquad::{
    BufferId, BufferSource, BufferType, BufferUsage, PrimitiveType, RenderingBackend, TextureId, VertexFormat,
};

use super::program::Program;
use super::shader::{Attribute, LIGHT_MAPS, MAIN, ShaderKind};
use super::uniforms::uniforms;

uniforms! {
    /// `object` in `ground.wgsl`; the fields are those of `Ground`.
    pub(crate) struct GroundObject {
        color: [f32; 3],
        height: f32,
        grid: f32,
    }
}

uniforms! {
    /// `object` in `sky.wgsl`.
    pub(crate) struct SkyObject {
        world_from_clip: [f32; 16],
    }
}

const CORNER: &[Attribute] = &[Attribute { format: VertexFormat::Float2, buffer: 0 }];

pub(crate) static GROUND: ShaderKind = ShaderKind {
    file: "ground.wgsl",
    entries: &[MAIN],
    object: GroundObject::FIELDS,
    textures: LIGHT_MAPS,
    attributes: CORNER,
    strides: &[0],
    primitives: &[PrimitiveType::Triangles],
};

pub(crate) static SKY: ShaderKind = ShaderKind {
    file: "sky.wgsl",
    entries: &[MAIN],
    object: SkyObject::FIELDS,
    textures: LIGHT_MAPS,
    attributes: CORNER,
    strides: &[0],
    primitives: &[PrimitiveType::Triangles],
};

/// The square from (−1, −1) to (1, 1).
pub(crate) struct Quad {
    vertices: BufferId,
    indices: BufferId,
}

impl Quad {
    pub(crate) fn new(gl: &mut dyn RenderingBackend) -> Self {
        let corners = [[-1.0f32, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let indices = [0u16, 1, 2, 0, 2, 3];
        Self {
            vertices: gl.new_buffer(
                BufferType::VertexBuffer,
                BufferUsage::Immutable,
                BufferSource::slice(&corners),
            ),
            indices: gl.new_buffer(
                BufferType::IndexBuffer,
                BufferUsage::Immutable,
                BufferSource::slice(&indices),
            ),
        }
    }

    /// Draws the quad with either shader; `object` is the bytes of its block.
    pub(crate) fn draw(
        &self,
        gl: &mut dyn RenderingBackend,
        program: &mut Program,
        frame: &[u8],
        object: &[u8],
        maps: &[TextureId],
    ) {
        program.apply(gl, [frame, object]);
        gl.apply_bindings_from_slice(&[self.vertices], self.indices, program.textures(maps));
        gl.draw(0, 6, 1);
    }
}
