//! Buffers in the device's own memory, and their names in OpenGL, which miniquad does not tell.

use miniquad::raw_gl;
use miniquad::{BufferId, BufferSource, BufferType, BufferUsage, RenderingBackend};

const GL_ARRAY_BUFFER_BINDING: u32 = 0x8894;
const GL_ELEMENT_ARRAY_BUFFER_BINDING: u32 = 0x8895;

/// A buffer and its name.
pub(crate) fn named(
    gl: &mut dyn RenderingBackend,
    of: BufferType,
    source: BufferSource<'_>,
) -> (BufferId, u32) {
    // Nothing is bound any more, so that the new buffer stays bound.
    gl.commit_frame();
    let binding = match of {
        BufferType::VertexBuffer => GL_ARRAY_BUFFER_BINDING,
        BufferType::IndexBuffer => GL_ELEMENT_ARRAY_BUFFER_BINDING,
    };
    let buffer = gl.new_buffer(of, BufferUsage::Immutable, source);
    let mut name = 0;
    // SAFETY: a query of the context that is current on this thread.
    unsafe { raw_gl::glGetIntegerv(binding, &raw mut name) };
    (buffer, name as u32)
}
