//! Adapters, and the device that computes on one of them.

#[cfg_attr(target_arch = "wasm32", path = "adapter/no_instance.rs")]
mod instance;

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use super::{Link, columns::Columns, shared};
use wgpu::{
    Adapter, AdapterInfo, Backend, Backends, BufferBindingType, DeviceDescriptor, DeviceType, ErrorFilter,
    Features, Limits, MemoryHints,
};

use super::memory;
use weft_scene::check::MAX_PARTICLES;

/// Graphics interfaces that are asked for adapters. wgpu's own GL backend is not among them: it panics on the thread of
/// the window.
pub const BACKENDS: Backends = Backends::VULKAN.union(Backends::METAL).union(Backends::DX12);

/// What to do where nothing is found.
#[cfg(target_arch = "wasm32")]
pub const NO_ADAPTER: &str = "a page computes on the processor; the GPU path is the program's own";

/// What to install where nothing is found.
#[cfg(not(target_arch = "wasm32"))]
pub const NO_ADAPTER: &str = "no GPU adapter was found (Vulkan, Metal or DirectX 12): install the driver of the GPU, or for \
     a slow software adapter the packages mesa-vulkan-drivers and libvulkan1; the CPU path needs none";

/// Bytes of the longest column of a grid of cloth for each of its particles: 6 rows a particle, two indices a row.
const LONGEST_ROW: u64 = 48;

pub use instance::alive;

/// Share of the device's memory beyond which buffers are refused [%], where the driver tells how much there is.
const MEMORY_SHARE: u8 = 95;

/// An adapter as `weft adapters` lists it.
pub struct Listed {
    pub info: AdapterInfo,
    pub limits: Limits,
    pub features: Features,
    /// Of its own [bytes], where that is known.
    pub memory: Option<u64>,
}

impl Listed {
    fn of(adapter: &Adapter) -> Self {
        let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
        Self { info, limits, features, memory: memory::own(adapter) }
    }

    /// Particles a side of the largest square grid of cloth whose columns can be bound, and what bounds it.
    pub fn largest_grid(&self) -> (u64, &'static str) {
        largest_grid(&self.limits, None)
    }
}

/// `memory`: of the device, and what a particle takes of it [bytes].
fn largest_grid(limits: &Limits, memory: Option<(u64, u64)>) -> (u64, &'static str) {
    let binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / LONGEST_ROW;
    let memory = memory.map_or(u64::MAX, |(all, each)| all / 100 * u64::from(MEMORY_SHARE) / each.max(1));
    let bounds = [
        (MAX_PARTICLES, "the most that a scene may have"),
        (binding, "the limit of one binding"),
        (memory, "the device's memory"),
    ];
    let (particles, bound) = bounds.into_iter().min_by_key(|bound| bound.0).unwrap_or_default();
    (particles.isqrt(), bound)
}

/// Keeps Mesa's layer that looks for the desktop's device out of Vulkan where there is no session whose desktop it could ask:
/// it finds nothing, and Wayland's library prints an error each time. Who chooses a device by `DRI_PRIME` keeps the layer.
///
/// # Safety
/// No other thread runs: the environment changes.
pub unsafe fn quiet_layers() {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !["XDG_RUNTIME_DIR", "DRI_PRIME", "MESA_VK_DEVICE_SELECT"].into_iter().any(is_set) {
        // SAFETY: as the caller says.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// All adapters, the fastest kind first.
pub fn list() -> Vec<Listed> {
    adapters().iter().map(Listed::of).collect()
}

fn has_name(adapter: &Adapter, name: &str) -> bool {
    adapter.get_info().name.to_lowercase().contains(&name.to_lowercase())
}

/// Why none of these is opened.
fn none_of(name: Option<&str>, found: &[Adapter]) -> String {
    let names: Vec<String> = found.iter().map(|adapter| adapter.get_info().name).collect();
    match name {
        Some(name) if !names.is_empty() => {
            format!("no adapter's name contains `{name}`; there are {}", names.join(", "))
        }
        _ => NO_ADAPTER.into(),
    }
}

fn adapters() -> Vec<Adapter> {
    let mut found = instance::adapters();
    found.sort_by_key(|adapter| match adapter.get_info().device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    });
    found
}

/// An opened device; copies are the same device. It does not own buffers; those are its users'.
#[derive(Clone)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: AdapterInfo,
    pub limits: Limits,
    pub features: Features,
    /// Of its own [bytes], where that is known.
    pub memory: Option<u64>,
    /// How a picture gets what is computed.
    pub link: Link,
    /// What went wrong outside of any error scope, and why the device was lost.
    faults: Arc<Mutex<Vec<String>>>,
    /// Bytes that came back from the device since it was opened.
    read: Arc<AtomicU64>,
    /// In a page there is none, and the compiler sees that all code which needs one is for nothing.
    #[cfg(target_arch = "wasm32")]
    never: std::convert::Infallible,
}

impl Gpu {
    /// Opens the fastest kind of adapter, or the first whose name contains `name`, with all that it can do.
    pub fn open(name: Option<&str>) -> Result<Self, String> {
        let found = adapters();
        let adapter = found.iter().find(|adapter| name.is_none_or(|name| has_name(adapter, name)));
        adapter.map_or_else(|| Err(none_of(name, &found)), Self::of)
    }

    /// Whether there is an adapter whose name contains `name`, where there is any.
    ///
    /// # Errors
    /// Says which there are.
    pub fn named(name: &str) -> Result<(), String> {
        let found = adapters();
        if found.is_empty() || found.iter().any(|adapter| has_name(adapter, name)) {
            return Ok(());
        }
        Err(none_of(Some(name), &found))
    }

    #[cfg(target_arch = "wasm32")]
    pub(super) fn of(_: &Adapter) -> Result<Self, String> {
        Err(NO_ADAPTER.into())
    }

    /// Opens an adapter with all that it can do.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn of(adapter: &Adapter) -> Result<Self, String> {
        let (info, limits) = (adapter.get_info(), adapter.limits());
        let features =
            adapter.features() & (Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_PASSES);
        let descriptor = DeviceDescriptor {
            label: Some("weft"),
            required_features: features,
            required_limits: limits.clone(),
            memory_hints: MemoryHints::Performance,
            ..DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| format!("{}: cannot be opened: {error}", info.name))?;
        let faults = Arc::new(Mutex::new(Vec::new()));
        let note = |faults: &Arc<Mutex<Vec<String>>>, text: String| {
            faults.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        };
        let kept = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note(&kept, one_line(&error))));
        let kept = Arc::clone(&faults);
        device.set_device_lost_callback(move |reason, text| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                note(&kept, format!("the device was lost: {text}"));
            }
        });
        let memory = memory::own(adapter);
        let link = Link::Readback { why: "nothing is drawn meanwhile".into() };
        Ok(Self { device, queue, info, limits, features, memory, link, faults, read: Arc::default() })
    }

    /// The same device, with what its link turned out to be.
    #[must_use]
    pub(super) fn linked(self, link: Link) -> Self {
        Self { link, ..self }
    }

    /// How passes bind the numbers of their dispatch. Mesa's software Vulkan optimises a shader anew whenever a uniform that
    /// a loop or a branch depends on changes, which is before almost every dispatch: 80 % of the time. What is read from a
    /// storage buffer stays a load.
    pub(super) fn frame_binding(&self) -> BufferBindingType {
        if self.info.device_type == DeviceType::Cpu && self.info.backend == Backend::Vulkan {
            BufferBindingType::Storage { read_only: true }
        } else {
            BufferBindingType::Uniform
        }
    }

    /// Whether OpenGL is drawn by the processor: it compiles a large pass for seconds where it runs first.
    pub(super) fn compiles_late(&self) -> bool {
        self.info.device_type == DeviceType::Cpu && self.is_in_context()
    }

    /// How many columns a pass may bind; any number where none are shared: where those would not fit into one buffer, and on an OpenGL
    /// that compiles late and was not asked for, for there is a faster adapter then.
    pub(super) fn places(&self, columns: &Columns) -> usize {
        let limits = &self.limits;
        if self.compiles_late() && self.link != (Link::InContextGl { asked: true }) {
            return usize::MAX;
        }
        let shared = columns.index(shared::TABLE, shared::NAME).map_or(0, |all| columns.list[all].bytes());
        if shared > limits.max_storage_buffer_binding_size {
            return usize::MAX;
        }
        let frame = usize::from(self.frame_binding() != BufferBindingType::Uniform);
        (limits.max_storage_buffers_per_shader_stage as usize).saturating_sub(frame)
    }

    /// Of a column: it is one buffer and one binding [bytes].
    pub(super) fn most_bytes(&self) -> u64 {
        self.limits.max_storage_buffer_binding_size.min(self.limits.max_buffer_size)
    }

    /// Multiple of a place in a buffer that is bound so [bytes].
    pub(super) fn frame_alignment(&self) -> usize {
        let limits = &self.limits;
        let bytes = match self.frame_binding() {
            BufferBindingType::Uniform => limits.min_uniform_buffer_offset_alignment,
            BufferBindingType::Storage { .. } => limits.min_storage_buffer_offset_alignment,
        };
        bytes as usize
    }

    /// Whether it computes on the context that draws.
    pub fn is_in_context(&self) -> bool {
        matches!(self.link, Link::InContextGl { .. })
    }

    /// Runs `work`; an error of validation, memory or the driver inside comes back as a text.
    pub fn scoped<T>(&self, what: &str, work: impl FnOnce() -> T) -> Result<T, String> {
        let filters = [ErrorFilter::Internal, ErrorFilter::OutOfMemory, ErrorFilter::Validation];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let made = work();
        let mut error = None;
        for scope in scopes.into_iter().rev() {
            error = error.or(pollster::block_on(scope.pop()));
        }
        match error {
            Some(error) => Err(format!("{what}: {}", one_line(&error))),
            None => self.fault().map_or(Ok(made), Err),
        }
    }

    /// What went wrong since the last call, if anything did.
    pub fn fault(&self) -> Option<String> {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let first = faults.drain(..).next();
        first.map(|fault| format!("{}: {fault}", self.info.name))
    }

    /// Bytes that came back from the device since it was opened: columns, flags and times.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    pub(super) fn count_read(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes of the device's memory in use, where that is known.
    pub fn used(&self) -> Option<u64> {
        self.device.generate_allocator_report().map(|report| report.total_allocated_bytes)
    }

    /// An error if so many more bytes do not fit into the device's own memory, as far as that is known.
    pub fn fits(&self, bytes: u64) -> Result<(), String> {
        let (Some(memory), Some(used)) = (self.memory, self.used()) else { return Ok(()) };
        if used + bytes <= memory / 100 * u64::from(MEMORY_SHARE) {
            return Ok(());
        }
        let [bytes, used, memory] = [bytes, used, memory].map(|bytes| bytes.div_ceil(1 << 20));
        let name = &self.info.name;
        Err(format!("{name}: {bytes} MiB more do not fit beside {used} of {memory} MiB that are in use"))
    }

    /// Waits until all submitted work is done.
    pub fn wait(&self) -> Result<(), String> {
        loop {
            match self.device.poll(wgpu::PollType::wait_indefinitely()) {
                // OpenGL waits for 2 s at a time, and no longer.
                Err(wgpu::PollError::Timeout) if self.is_in_context() => {}
                Err(error) => return Err(format!("{}: {error}", self.info.name)),
                Ok(_) => break,
            }
        }
        self.fault().map_or(Ok(()), Err)
    }

    /// As [`Listed::largest_grid`]; `each`: bytes of memory that a particle takes, where that is known.
    pub fn largest_grid(&self, each: Option<u64>) -> (u64, &'static str) {
        largest_grid(&self.limits, self.memory.zip(each))
    }

    /// Whether a whole pass can be timed.
    pub fn times_passes(&self) -> bool {
        self.features.contains(Features::TIMESTAMP_QUERY)
    }

    /// Whether dispatches inside a pass can be timed.
    pub fn times_dispatches(&self) -> bool {
        self.features.contains(Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_PASSES)
    }
}

/// An error and its causes in one line.
fn one_line(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
