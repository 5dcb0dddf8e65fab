//! The graphics interfaces of this machine.

use std::sync::LazyLock;

use wgpu::{Adapter, Instance, InstanceDescriptor, InstanceFlags, MemoryBudgetThresholds};

use super::{BACKENDS, MEMORY_SHARE};

/// One for the process: each would load the drivers again.
static INSTANCE: LazyLock<Instance> = LazyLock::new(|| {
    Instance::new(InstanceDescriptor {
        backends: BACKENDS,
        flags: InstanceFlags::empty(),
        memory_budget_thresholds: MemoryBudgetThresholds {
            for_resource_creation: Some(MEMORY_SHARE),
            ..MemoryBudgetThresholds::default()
        },
        ..InstanceDescriptor::new_without_display_handle()
    })
});

/// All of them, in no order.
pub(super) fn adapters() -> Vec<Adapter> {
    pollster::block_on(INSTANCE.enumerate_adapters(BACKENDS))
}

/// Devices and buffers that are open in this process.
pub fn alive() -> (usize, usize) {
    let report = INSTANCE.generate_report();
    report.map_or((0, 0), |report| {
        let hub = report.hub_report();
        (hub.devices.num_kept_from_user, hub.buffers.num_kept_from_user)
    })
}
