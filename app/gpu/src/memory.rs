//! How much memory an adapter has for itself, where its driver tells.

use wgpu::Adapter;

/// Memory that the device alone has [bytes]; `None` where the graphics interface does not say it.
#[cfg(any(target_os = "linux", target_os = "windows"))]
pub(crate) fn own(adapter: &Adapter) -> Option<u64> {
    /// `VK_MEMORY_HEAP_DEVICE_LOCAL_BIT`.
    const DEVICE_LOCAL: u32 = 1;
    // SAFETY: the handle is only asked; it is neither kept nor destroyed.
    let vulkan = unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }?;
    let instance = vulkan.shared_instance().raw_instance();
    // SAFETY: the physical device is one of this instance, which lives as long as the adapter.
    let memory = unsafe { instance.get_physical_device_memory_properties(vulkan.raw_physical_device()) };
    let heaps = &memory.memory_heaps[..memory.memory_heap_count as usize];
    heaps.iter().filter(|heap| heap.flags.as_raw() & DEVICE_LOCAL != 0).map(|heap| heap.size).max()
}

#[cfg(not(any(target_os = "linux", target_os = "windows")))]
pub fn own(_: &Adapter) -> Option<u64> {
    None
}
