//! Buffers of the picture, as the device uses them.

use std::num::NonZeroU32;

use wgpu::{
    Buffer, BufferDescriptor, BufferUsages,
    hal::{self, api::Gles},
    wgt::BufferUses,
};

use crate::gpu::Gpu;

/// A buffer of the picture, by its name in OpenGL, as one of the device. It stays the picture's: the device does not delete
/// it, and a picture that does has to be told of first.
pub fn adopt(gpu: &Gpu, name: u32, bytes: u64) -> Result<Buffer, String> {
    const STORAGE: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_SRC);
    let name = NonZeroU32::new(name).ok_or("the picture has no vertex buffer")?;
    let label = Some("vertices");
    gpu.scoped("a vertex buffer of the picture", || {
        // SAFETY: the device is on the context that made the buffer, which has `bytes` bytes; nothing maps it. Without an
        // owner's callback wgpu would delete it.
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
