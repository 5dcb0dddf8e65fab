//! Whose turn it is on a context that miniquad and wgpu share.
//!
//! miniquad sets what differs from its cache, wgpu what a command needs. So the state that miniquad left is put back before it
//! goes on, and wgpu works with a vertex array of its own: which index buffer is bound belongs to the vertex array.

use std::{
    num::NonZeroU32,
    ops::{Deref, DerefMut},
};

use glow::HasContext;
use miniquad::RenderingBackend;

use super::GlShare;

/// Switches that wgpu turns, and miniquad sets only when its own cache says so.
const SWITCHES: [u32; 10] = [
    glow::DEPTH_TEST,
    glow::STENCIL_TEST,
    glow::SCISSOR_TEST,
    glow::BLEND,
    glow::CULL_FACE,
    glow::POLYGON_OFFSET_FILL,
    glow::SAMPLE_ALPHA_TO_COVERAGE,
    glow::DEPTH_CLAMP,
    glow::RASTERIZER_DISCARD,
    glow::FRAMEBUFFER_SRGB,
];

/// What passes wrote is read as vertices, their indices and texels, and by whatever reads buffers.
const BARRIERS: u32 = glow::VERTEX_ATTRIB_ARRAY_BARRIER_BIT
    | glow::ELEMENT_ARRAY_BARRIER_BIT
    | glow::PIXEL_BUFFER_BARRIER_BIT
    | glow::BUFFER_UPDATE_BARRIER_BIT;

/// How long is waited for pictures before it is asked whether there are news [ns].
const LOOK_UP_NS: i32 = 2_000_000;

/// miniquad, and whom it shares its context with.
pub struct Gl {
    backend: Box<dyn RenderingBackend>,
    shared: Option<Shared>,
    /// Off only to show what comes of it.
    pub guarded: bool,
}

struct Shared {
    share: GlShare,
    /// miniquad's state while it is not its turn.
    left: State,
}

/// miniquad's turn, until it is dropped.
pub struct Turn<'a> {
    gl: &'a mut Gl,
}

impl Gl {
    /// Nobody else uses the context.
    pub fn alone(backend: Box<dyn RenderingBackend>) -> Self {
        Self { backend, shared: None, guarded: true }
    }

    /// From now on it is wgpu's turn whenever it is not miniquad's. Once for a context.
    pub fn share(&mut self, share: &GlShare) {
        let left = State::of(&share.gl);
        self.shared = Some(Shared { share: share.clone(), left });
    }

    /// miniquad's turn.
    pub fn turn(&mut self) -> Turn<'_> {
        let shared = self.shared.as_ref().filter(|shared| shared.share.used.get());
        if let (Some(shared), true) = (shared, self.guarded) {
            shared.left.put_back(&shared.share.gl);
        }
        Turn { gl: self }
    }

    /// Waits until all is drawn.
    pub fn finish(&mut self) {
        let _turn = self.turn();
        // SAFETY: the context is current on this thread.
        unsafe { miniquad::raw_gl::glFinish() };
    }

    /// Waits until all is drawn or `news` has something better to do; it is asked again and again meanwhile, where the context
    /// has fences.
    pub fn finish_unless(&mut self, news: &mut dyn FnMut() -> bool) {
        let gl = self.shared.as_ref().map(|shared| &shared.share.gl);
        // SAFETY: the context is current on this thread, and the fence is of it; fences are no state that turns put back.
        let fence = gl.and_then(|gl| unsafe { gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) }.ok());
        let (Some(gl), Some(fence)) = (gl, fence) else { return self.finish() };
        loop {
            // SAFETY: as above.
            let status = unsafe { gl.client_wait_sync(fence, glow::SYNC_FLUSH_COMMANDS_BIT, LOOK_UP_NS) };
            if status != glow::TIMEOUT_EXPIRED || news() {
                break;
            }
        }
        // SAFETY: as above; what waits for it goes on.
        unsafe { gl.delete_sync(fence) };
    }

    fn give(&mut self) {
        if let Some(shared) = self.shared.as_mut().filter(|_| self.guarded) {
            let gl = &shared.share.gl;
            shared.left = State::of(gl);
            if shared.share.used.get() {
                // SAFETY: the vertex array was made on this context.
                unsafe { gl.bind_vertex_array(shared.share.spare) };
            }
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.gl.give();
    }
}

impl Deref for Turn<'_> {
    type Target = dyn RenderingBackend;

    fn deref(&self) -> &Self::Target {
        &*self.gl.backend
    }
}

impl DerefMut for Turn<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.gl.backend
    }
}

/// The state of a context that the other side's work can change.
struct State {
    vertex_array: i32,
    program: i32,
    array_buffer: i32,
    /// Where textures come from and go to, if it is not memory of the host: wgpu leaves one bound.
    pixel_unpack_buffer: i32,
    pixel_pack_buffer: i32,
    draw_framebuffer: i32,
    read_framebuffer: i32,
    active_texture: i32,
    unpack_alignment: i32,
    pack_alignment: i32,
    switches: [bool; SWITCHES.len()],
}

impl State {
    fn of(gl: &glow::Context) -> Self {
        // SAFETY: queries of the current context.
        unsafe {
            Self {
                vertex_array: gl.get_parameter_i32(glow::VERTEX_ARRAY_BINDING),
                program: gl.get_parameter_i32(glow::CURRENT_PROGRAM),
                array_buffer: gl.get_parameter_i32(glow::ARRAY_BUFFER_BINDING),
                pixel_unpack_buffer: gl.get_parameter_i32(glow::PIXEL_UNPACK_BUFFER_BINDING),
                pixel_pack_buffer: gl.get_parameter_i32(glow::PIXEL_PACK_BUFFER_BINDING),
                draw_framebuffer: gl.get_parameter_i32(glow::DRAW_FRAMEBUFFER_BINDING),
                read_framebuffer: gl.get_parameter_i32(glow::READ_FRAMEBUFFER_BINDING),
                active_texture: gl.get_parameter_i32(glow::ACTIVE_TEXTURE),
                unpack_alignment: gl.get_parameter_i32(glow::UNPACK_ALIGNMENT),
                pack_alignment: gl.get_parameter_i32(glow::PACK_ALIGNMENT),
                switches: SWITCHES.map(|switch| gl.is_enabled(switch)),
            }
        }
    }

    fn put_back(&self, gl: &glow::Context) {
        let name = |name: i32| NonZeroU32::new(name as u32);
        let buffer = |number| name(number).map(glow::NativeBuffer);
        let framebuffer = |number| name(number).map(glow::NativeFramebuffer);
        // SAFETY: names that this context had bound; what was deleted since is bound as nothing.
        unsafe {
            gl.memory_barrier(BARRIERS);
            gl.bind_vertex_array(name(self.vertex_array).map(glow::NativeVertexArray));
            gl.use_program(name(self.program).map(glow::NativeProgram));
            gl.bind_buffer(glow::ARRAY_BUFFER, buffer(self.array_buffer));
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, buffer(self.pixel_unpack_buffer));
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, buffer(self.pixel_pack_buffer));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, framebuffer(self.draw_framebuffer));
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, framebuffer(self.read_framebuffer));
            gl.active_texture(self.active_texture as u32);
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, self.unpack_alignment);
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, self.pack_alignment);
            for (switch, on) in SWITCHES.into_iter().zip(self.switches) {
                if on { gl.enable(switch) } else { gl.disable(switch) }
            }
        }
    }
}
