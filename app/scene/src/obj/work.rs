//! How far the reading of a large mesh is: each tenth is a line, and the panel asks for it.
//!
//! Who waits for another thread shares the [`Work`] with it, and may leave: the reading then ends with an error.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use weft_core::clock::Instant;

use weft_core::say;

use super::{Fault, fault};

/// Files above this take seconds: the work on them is told [bytes].
pub(super) const LARGE: u64 = 16 << 20;

/// What is being done to which file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    pub file: String,
    /// "finding the faces", ...
    pub part: &'static str,
    /// Of all parts together, 0..=1.
    pub share: f32,
    /// What it will take, as a half sentence; empty while that is not known.
    pub memory: String,
}

/// Seen by the thread that works and by who waits.
#[derive(Default)]
pub struct Work {
    now: Mutex<Now>,
    /// Nobody waits any more.
    left: AtomicBool,
}

impl Work {
    pub fn now(&self) -> Now {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change<T>(&self, change: impl FnOnce(&mut Now) -> T) -> T {
        change(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Nobody waits any more: the thread that reads ends at its next look.
    pub fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    pub fn is_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }
}

/// The work on one file. Parts follow each other, each with its share of the whole.
pub struct Progress<'a> {
    work: &'a Work,
    /// It takes long enough to be told.
    large: bool,
    start: Instant,
    /// Share of the whole at which the part in hand begins, and at which it ends; the last one ends at `most`.
    part: [f32; 2],
    most: f32,
    /// Units of work that the part has, and those that are done.
    units: usize,
    done: AtomicUsize,
}

impl<'a> Progress<'a> {
    /// Of a file of so many bytes. Its last part ends at `most`.
    pub fn new(work: &'a Work, file: &str, bytes: u64, most: f32) -> Self {
        let large = bytes > LARGE;
        if large {
            work.change(|now| *now = Now { file: file.to_string(), ..Now::default() });
            say::warn(format_args!("{file}: reading {:.0} MB ...", bytes as f64 / 1e6));
        }
        Self { work, large, start: Instant::now(), part: [0.0; 2], most, units: 1, done: AtomicUsize::new(0) }
    }

    /// For what takes no time.
    pub fn silent(work: &'a Work) -> Self {
        Self::new(work, "", 0, 1.0)
    }

    /// Begins a part of so many units, which ends at a share of the whole.
    pub fn part(&mut self, name: &'static str, end: f32, units: usize) {
        self.part = [self.part[1], end];
        (self.units, self.done) = (units.max(1), AtomicUsize::new(0));
        if self.large {
            self.work.change(|now| now.part = name);
            self.tell(self.part[0]);
        }
    }

    /// So many more units are done. An error where nobody waits any more.
    pub fn add(&self, units: usize) -> Result<(), Fault> {
        if self.work.is_left() {
            return Err(fault("nobody waits for this mesh", "open the scene again"));
        }
        let before = self.done.fetch_add(units, Ordering::Relaxed);
        // A lock for each hundredth of the part.
        let hundredth = |done: usize| 100 * done / self.units;
        if self.large && hundredth(before) != hundredth(before + units) {
            let share = ((before + units) as f32 / self.units as f32).min(1.0);
            self.tell(self.part[0] + share * (self.part[1] - self.part[0]));
        }
        Ok(())
    }

    fn tell(&self, share: f32) {
        let share = (share / self.most).min(1.0);
        let tenth = |share: f32| (share * 10.0) as u32;
        let line = self.work.change(|now| {
            let further = share > now.share;
            let next = further && tenth(share) > tenth(now.share);
            now.share = now.share.max(share);
            next.then(|| format!("{}: {} %, {}", now.file, 10 * tenth(share), now.part))
        });
        if let Some(line) = line {
            say::warn(format_args!("{line} ({:.0} s)", self.start.elapsed().as_secs_f32()));
        }
    }

    /// Says what the file will take, as a half sentence, before it is taken.
    pub fn memory(&self, text: &str) {
        if self.large {
            let file = self.work.change(|now| {
                now.memory = text.to_string();
                now.file.clone()
            });
            say::warn(format_args!("{file}: {text}"));
        }
    }

    /// Says that it is done, and what came of it.
    pub fn ready(&self, what: &str) {
        if self.large {
            self.tell(self.most);
            let (file, seconds) = (self.work.now().file, self.start.elapsed().as_secs_f32());
            say::warn(format_args!("{file}: {what}, ready after {seconds:.1} s"));
        }
    }
}
