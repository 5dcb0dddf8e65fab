//! How far the reading of a large mesh is: each tenth is a line, and the panel asks for it.
//!
//! A thread that reads for the window is lent a [`Work`] that both see ([`Work::during`]); any other has its own.

use std::{
    cell::RefCell,
    io::{self, BufReader, Read},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Instant,
};

use weft_core::say;

/// Files above this take seconds: the work on them is told [bytes].
pub const LARGE: u64 = 16 << 20;

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

thread_local! {
    static LENT: RefCell<Option<Arc<Work>>> = const { RefCell::new(None) };
}

impl Work {
    pub fn now(&self) -> Now {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change<T>(&self, change: impl FnOnce(&mut Now) -> T) -> T {
        change(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Nobody waits any more: the thread that reads unwinds at its next look.
    pub fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    /// Everything that this thread reads in `read` is told to `work`.
    pub fn during<T>(work: &Arc<Self>, read: impl FnOnce() -> T) -> T {
        LENT.with(|lent| *lent.borrow_mut() = Some(Arc::clone(work)));
        let done = read();
        LENT.with(|lent| *lent.borrow_mut() = None);
        done
    }
}

/// The work on one file. Parts follow each other, each with its share of the whole.
pub struct Progress {
    work: Arc<Work>,
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

impl Progress {
    /// Of a file of so many bytes. Its last part ends at `most`.
    pub fn of(file: &str, bytes: u64, most: f32) -> Self {
        let work = LENT.with(|lent| lent.borrow().clone()).unwrap_or_default();
        let large = bytes > LARGE;
        if large {
            work.change(|now| *now = Now { file: file.to_string(), ..Now::default() });
            say::warn(format_args!("{file}: reading {:.0} MB ...", bytes as f64 / 1e6));
        }
        Self { work, large, start: Instant::now(), part: [0.0; 2], most, units: 1, done: AtomicUsize::new(0) }
    }

    /// For what takes no time.
    pub fn silent() -> Self {
        Self::of("", 0, 1.0)
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

    /// So many more units are done. Unwinds without a word where nobody waits any more: no part of the work has a way to
    /// end early.
    pub fn add(&self, units: usize) {
        if self.work.left.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new("nobody waits for this mesh"));
        }
        let before = self.done.fetch_add(units, Ordering::Relaxed);
        // A lock for each hundredth of the part.
        let hundredth = |done: usize| 100 * done / self.units;
        if self.large && hundredth(before) != hundredth(before + units) {
            let share = ((before + units) as f32 / self.units as f32).min(1.0);
            self.tell(self.part[0] + share * (self.part[1] - self.part[0]));
        }
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

    /// A reader of text whose units are bytes.
    pub fn reader<'a>(&'a self, text: &'a [u8]) -> BufReader<impl Read + 'a> {
        BufReader::with_capacity(1 << 16, Counted { text, progress: self })
    }
}

/// Memory that programs can still have [bytes]; `None` where the system does not say it as Linux does.
pub fn free_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

struct Counted<'a> {
    text: &'a [u8],
    progress: &'a Progress,
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(into)?;
        self.progress.add(count);
        Ok(count)
    }
}
