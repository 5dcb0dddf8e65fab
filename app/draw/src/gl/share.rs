//! The context that draws, as wgpu can use it.

use std::{cell::Cell, ffi::c_void, rc::Rc};

use glow::HasContext;

use super::loader::Loader;

/// The OpenGL context that is current on this thread. Copies are the same one. Everything made with it has to be gone, or
/// forgotten, before the context is.
#[derive(Clone)]
pub struct GlShare {
    loader: Rc<Loader>,
    pub(super) gl: Rc<glow::Context>,
    /// Bound while it is wgpu's turn.
    pub(super) spare: Option<glow::NativeVertexArray>,
    /// Whether wgpu has a turn at all.
    pub(super) used: Rc<Cell<bool>>,
}

impl GlShare {
    /// Whether the context can compute; why not, if it cannot.
    pub fn current() -> Result<Self, String> {
        let loader = Loader::current().ok_or("no OpenGL context of GLX or EGL is current")?;
        // SAFETY: a context is current, and the addresses are those of its functions.
        let gl = unsafe { glow::Context::from_loader_function(|name| loader.address(name)) };
        let version = gl.version();
        if version.is_embedded || (version.major, version.minor) < (4, 3) {
            // SAFETY: the context is current.
            let text = unsafe { gl.get_parameter_string(glow::VERSION) };
            return Err(format!("OpenGL {text} has no compute shaders; 4.3 or newer does"));
        }
        // SAFETY: the context is current on this thread.
        let spare = unsafe { gl.create_vertex_array() }.ok();
        Ok(Self { loader: Rc::new(loader), gl: Rc::new(gl), spare, used: Rc::default() })
    }

    /// Address of one of its functions, null if there is none.
    pub fn address(&self, name: &str) -> *const c_void {
        self.loader.address(name)
    }

    /// From now on wgpu has turns on the context. To be called in such a turn.
    pub fn begin_use(&self) {
        if !self.used.replace(true) {
            // SAFETY: the vertex array was made on this context, which is current.
            unsafe { self.gl.bind_vertex_array(self.spare) };
        }
    }
}
