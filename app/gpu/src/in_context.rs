//! The link `InContextGl` on wgpu's side: a device on the OpenGL context that draws, and the picture's buffers as its own.

use std::{num::NonZeroU32, sync::LazyLock};

use wgpu::{
    Backends, Buffer, BufferDescriptor, BufferUsages, Instance, InstanceDescriptor, InstanceFlags,
    hal::{self, api::Gles},
    wgt::BufferUses,
};

use weft_draw::gl::GlShare;

use crate::Gpu;

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

/// A device on the context. Changes its state: to be called in wgpu's turn.
pub(crate) fn open(share: &GlShare) -> Result<Gpu, String> {
    share.begin_use();
    // SAFETY: the context is current on this thread, the only one that draws; it stays so while the device is in use.
    let adapter = unsafe {
        wgpu::hal::gles::Adapter::new_external(|name| share.address(name), wgpu::GlBackendOptions::default())
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

/// A buffer of the picture, by its name in OpenGL, as one of the device. It stays the picture's: the device does not delete
/// it, and a picture that does has to be told of first.
///
/// # Safety
/// `name` is a buffer of at least so many bytes of the context that `gpu` computes on, and lives as long as the result.
pub(crate) unsafe fn adopt(gpu: &Gpu, name: u32, bytes: u64) -> Result<Buffer, String> {
    const STORAGE: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_SRC);
    let name = NonZeroU32::new(name).ok_or("the picture has no vertex buffer")?;
    let label = Some("vertices");
    gpu.scoped("a vertex buffer of the picture", || {
        // SAFETY: vouched for by the caller; nothing maps the buffer. Without an owner's callback wgpu would delete it.
        unsafe {
            let usage = BufferUses::STORAGE_READ_WRITE | BufferUses::STORAGE_READ_ONLY | BufferUses::COPY_SRC;
            let descriptor =
                hal::BufferDescriptor { label, size: bytes, usage, memory_flags: hal::MemoryFlags::empty() };
            let device = gpu.device.as_hal::<Gles>()?;
            let raw = device.buffer_from_raw(name, &descriptor, Some(Box::new(|| ())));
            drop(device);
            let descriptor =
                BufferDescriptor { label, size: bytes, usage: STORAGE, mapped_at_creation: false };
            Some(gpu.device.create_buffer_from_hal::<Gles>(raw, &descriptor))
        }
    })?
    .ok_or_else(|| format!("{} does not compute on the context of the picture", gpu.info.name))
}
