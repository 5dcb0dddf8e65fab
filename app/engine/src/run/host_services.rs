//! What the hot code calls back into during a step, and the frame's way onto the thread pool.

use std::{collections::BTreeMap, ffi::c_void};

use sim_api::{Frame, Status};

use weft_core::stages::StageClock;

use crate::{generation::Generation, threads::Threads};

/// Names of readings that are kept at most: code that makes up a new one in each step would fill the memory.
pub(super) const MOST_READINGS: usize = 256;

/// Behind `Frame::context`.
pub(super) struct Context<'a> {
    pub stages: &'a mut StageClock,
    pub threads: &'a Threads,
    pub log: &'a mut Vec<String>,
    pub readings: &'a mut BTreeMap<String, f32>,
    /// The first name for which there was no room.
    pub no_room: Option<String>,
}

/// `Frame::stage`.
pub(super) unsafe extern "C" fn stage(context: *mut c_void, name: *const u8, len: usize) {
    // SAFETY: the context is the one of this call; name and length come from a `&str`.
    let (context, name) = unsafe { (&mut *context.cast::<Context>(), std::slice::from_raw_parts(name, len)) };
    context.stages.mark(std::str::from_utf8(name).unwrap_or("?"), context.threads.counters());
}

/// `Frame::log`.
pub(super) unsafe extern "C" fn log(context: *mut c_void, text: *const u8, len: usize) {
    // SAFETY: as in `stage`.
    let (context, text) = unsafe { (&mut *context.cast::<Context>(), std::slice::from_raw_parts(text, len)) };
    context.log.push(String::from_utf8_lossy(text).into_owned());
}

/// `Frame::reading`.
pub(super) unsafe extern "C" fn reading(context: *mut c_void, name: *const u8, len: usize, value: f32) {
    // SAFETY: as in `stage`.
    let (context, name) = unsafe { (&mut *context.cast::<Context>(), std::slice::from_raw_parts(name, len)) };
    let name = std::str::from_utf8(name).unwrap_or("?");
    if let Some(known) = context.readings.get_mut(name) {
        *known = value;
    } else if context.readings.len() < MOST_READINGS {
        context.readings.insert(name.to_string(), value);
    } else {
        context.no_room.get_or_insert_with(|| name.to_string());
    }
}

/// A frame on its way to the pool: its pointers belong to a call that waits.
pub(super) struct FrameOnPool<'a>(&'a mut Frame);

// SAFETY: `Threads::run` returns only when the closure has ended; nothing else uses the frame meanwhile.
unsafe impl Send for FrameOnPool<'_> {}

impl<'a> FrameOnPool<'a> {
    /// # Safety
    /// The frame is filled for the generation that `step` is called with, and stays valid until `step` returns.
    pub(super) unsafe fn new(frame: &'a mut Frame) -> Self {
        Self(frame)
    }

    pub(super) fn step(self, generation: &Generation) -> Status {
        // SAFETY: vouched for in `new`.
        unsafe { generation.step(self.0) }
    }
}
