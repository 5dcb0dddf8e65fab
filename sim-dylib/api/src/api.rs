//! What crosses the door: the library's one export, a step's inputs, and the status that comes back.

use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

use crate::{FactorService, List, Par, ReadingDesc, SolverDesc, TableDesc, TableView, panic_site};

/// The library's one export. `fingerprint` and `size` stay first: they are read before anything else is trusted.
#[repr(C)]
pub struct Api {
    /// [`crate::FINGERPRINT`] of the library's own copy of this crate.
    pub fingerprint: u64,
    /// `size_of::<Api>()`.
    pub size: usize,
    pub tables: List<TableDesc>,
    pub solvers: List<SolverDesc>,
    /// Given after a step of any solver: of what the driver does around it.
    pub readings: List<ReadingDesc>,
    pub step: Step,
}

/// Advances the state by one frame.
///
/// # Safety
/// The frame's pointers are valid and its tables are bound to the library's own schema.
pub type Step = unsafe extern "C" fn(*mut Frame) -> Status;

/// Name of the export, `fn() -> *const Api`.
pub const fn entry_name() -> &'static [u8] {
    b"sim_api\0"
}

/// How a step ended.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Ok = 0,
    /// The hot code panicked; [`FrameParts::message`] says why. Columns are half written.
    Panicked = 1,
    /// The frame does not fit the library (unknown solver, other tables). Nothing was written.
    BadFrame = 2,
}

/// Fields that act on all particles.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct World {
    /// Acceleration [m/s2].
    pub gravity: [f32; 3],
    /// Mass-proportional drag c [1/s]: a = -c v.
    pub air_damping: f32,
    pub wind: Wind,
}

/// Moving air: force on a particle of area A is `coefficient A (n . (u - v)) n`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// Mean velocity u [m/s].
    pub velocity: [f32; 3],
    /// Pressure per velocity [N s/m3].
    pub coefficient: f32,
    /// Size of gusts as a share of the velocity, 0..=1.
    pub gust: f32,
    /// Wave length of gusts [m].
    pub gust_length: f32,
}

/// A particle that is held by the hand (or a script): it goes from `begin` to `end` during the frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    pub particle: u32,
    /// Position at the start of the frame [m].
    pub begin: [f32; 3],
    /// Position at the end of the frame [m].
    pub end: [f32; 3],
}

/// A buffer of the host for text; longer text is cut at a character boundary.
#[repr(C)]
struct Message {
    data: *mut u8,
    capacity: usize,
    len: usize,
}

impl Message {
    /// # Safety
    /// `data` must be valid for `capacity` bytes.
    unsafe fn write(&mut self, text: &str) {
        let mut len = text.len().min(self.capacity);
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        // SAFETY: vouched for by the caller; `len` is within both.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), self.data, len) };
        self.len = len;
    }
}

/// Everything one step gets. All pointers belong to the host and are valid during the call.
#[repr(C)]
pub struct Frame {
    /// Index into [`Api::solvers`].
    pub solver: u32,
    params: *const f32,
    param_count: usize,
    /// Length of the frame [s].
    pub dt: f32,
    /// Simulated time at the start of the frame [s].
    pub time: f32,
    pub world: World,
    tables: *const TableView,
    table_count: usize,
    holds: *const Hold,
    hold_count: usize,
    pub par: Par,
    pub factor: FactorService,
    stage: Text,
    log: Text,
    reading: Number,
    context: *mut c_void,
    message: Message,
}

/// `f(context, text, length)`
type Text = unsafe extern "C" fn(*mut c_void, *const u8, usize);
/// `f(context, name, length, value)`
type Number = unsafe extern "C" fn(*mut c_void, *const u8, usize, f32);

/// What a host makes a [`Frame`] of.
pub struct FrameParts<'a> {
    /// Index into [`Api::solvers`].
    pub solver: u32,
    /// Values of that solver's parameters, in the declared order.
    pub params: &'a [f32],
    /// Length of the frame [s].
    pub dt: f32,
    /// Simulated time at the start of the frame [s].
    pub time: f32,
    pub world: World,
    /// One view per table of the library's schema, in its order.
    pub tables: &'a [TableView],
    pub holds: &'a [Hold],
    pub par: Par,
    pub factor: FactorService,
    /// What ran since the last mark was the stage of this name.
    pub stage: Text,
    /// A line for the panel or the terminal.
    pub log: Text,
    /// A number about this step under a name.
    pub reading: Number,
    /// What `stage`, `log` and `reading` are called with.
    pub context: *mut c_void,
    /// What a failed step says is written here, at its start.
    pub message: &'a mut [u8],
}

impl Frame {
    /// # Safety
    /// The parts outlive the frame, and nothing else uses the columns of the tables or the message as long as it is used.
    /// `stage`, `log` and `reading` may be called with this context and any text, from the thread that runs the step.
    pub unsafe fn new(parts: FrameParts) -> Self {
        let message = parts.message;
        Self {
            solver: parts.solver,
            params: parts.params.as_ptr(),
            param_count: parts.params.len(),
            dt: parts.dt,
            time: parts.time,
            world: parts.world,
            tables: parts.tables.as_ptr(),
            table_count: parts.tables.len(),
            holds: parts.holds.as_ptr(),
            hold_count: parts.holds.len(),
            par: parts.par,
            factor: parts.factor,
            stage: parts.stage,
            log: parts.log,
            reading: parts.reading,
            context: parts.context,
            message: Message { data: message.as_mut_ptr(), capacity: message.len(), len: 0 },
        }
    }

    pub fn params(&self) -> &[f32] {
        // SAFETY: `new` took slices that outlive the frame.
        unsafe { std::slice::from_raw_parts(self.params, self.param_count) }
    }

    pub fn tables(&self) -> &[TableView] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts(self.tables, self.table_count) }
    }

    pub fn holds(&self) -> &[Hold] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts(self.holds, self.hold_count) }
    }

    /// What ran since the last mark (or the start) was `name`. Times of equal names add up.
    pub fn stage(&self, name: &str) {
        // SAFETY: the host vouches for the function and its context; the text is copied before it returns.
        unsafe { (self.stage)(self.context, name.as_ptr(), name.len()) }
    }

    /// A number about this step, shown and recorded under its name; a second one of the same name replaces it. A
    /// [`ReadingDesc`] that the solver lists is shown with unit and meaning, any other name as it is.
    pub fn reading(&self, name: impl AsRef<str>, value: f32) {
        let name = name.as_ref();
        // SAFETY: as above.
        unsafe { (self.reading)(self.context, name.as_ptr(), name.len(), value) }
    }

    /// Prints a line in the panel and the terminal.
    pub fn log(&self, text: &str) {
        // SAFETY: as above.
        unsafe { (self.log)(self.context, text.as_ptr(), text.len()) }
    }
}

/// Runs `step` and turns a panic into [`Status::Panicked`] with its message: nothing unwinds through the door.
///
/// # Safety
/// `frame` is what the host passed to [`Api::step`].
pub unsafe fn catch_step(frame: *mut Frame, step: impl FnOnce(&Frame) -> Status) -> Status {
    let _watch = panic_site::Watch::start();
    // SAFETY: vouched for by the caller.
    let result = catch_unwind(AssertUnwindSafe(|| step(unsafe { &*frame })));
    result.unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("a panic without a message");
        let site = panic_site::Watch::site().unwrap_or_default();
        // SAFETY: vouched for by the caller.
        unsafe { (*frame).message.write(&format!("{site}: {text}")) };
        Status::Panicked
    })
}

layout! {
    Api { fingerprint, size, tables, solvers, readings, step }
    World { gravity, air_damping, wind }
    Wind { velocity, coefficient, gust, gust_length }
    Hold { particle, begin, end }
    Message { data, capacity, len }
    Frame {
        solver, params, param_count, dt, time, world, tables, table_count, holds, hold_count, par, factor, stage, log,
        reading, context, message,
    }
}
