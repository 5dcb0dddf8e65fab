//! The context that draws, as wgpu can use it.

use std::{cell::Cell, rc::Rc, sync::LazyLock};

use glow::HasContext;
use wgpu::{Backends, Instance, InstanceDescriptor, InstanceFlags, hal::api::Gles};

use super::loader::Loader;
use crate::gpu::Gpu;

/// Storage buffers that a pass may need at least: the longest lists bind so many.
const LEAST_BUFFERS: u32 = 8;

/// No driver of its own: adapters are brought along.
static INSTANCE: LazyLock<Instance> = LazyLock::new(|| {
    Instance::new(InstanceDescriptor {
        backends: Backends::empty(),
        flags: InstanceFlags::empty(),
        ..InstanceDescriptor::new_without_display_handle()
    })
});

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

    /// A device on the context. Changes its state: to be called in wgpu's turn.
    pub(in super::super) fn open(&self) -> Result<Gpu, String> {
        if !self.used.replace(true) {
            // SAFETY: the vertex array was made on this context, which is current.
            unsafe { self.gl.bind_vertex_array(self.spare) };
        }
        // SAFETY: the context is current on this thread, the only one that draws; it stays so while the device is in use.
        let adapter = unsafe {
            wgpu::hal::gles::Adapter::new_external(
                |name| self.loader.address(name),
                wgpu::GlBackendOptions::default(),
            )
            .map(|exposed| INSTANCE.create_adapter_from_hal::<Gles>(exposed))
        };
        let adapter = adapter.ok_or("wgpu cannot use this OpenGL context")?;
        let limits = adapter.limits();
        let name = adapter.get_info().name;
        if !adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
            return Err(format!("OpenGL of {name} does not compute"));
        }
        let buffers = limits.max_storage_buffers_per_shader_stage;
        if buffers < LEAST_BUFFERS {
            return Err(format!(
                "OpenGL of {name} binds {buffers} buffers in a pass; the passes need {LEAST_BUFFERS}"
            ));
        }
        Gpu::of(&adapter)
    }
}
