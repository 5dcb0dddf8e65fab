//! Files that are written aside, known to a signal handler: Ctrl-C or SIGTERM leaves none of them, and says so.
//!
//! A handler may neither allocate nor lock: names lie in fixed places made of atomics. One that is reused while a handler reads it
//! gives a name that no file has, at worst.

use std::{
    path::Path,
    sync::atomic::{AtomicU8, Ordering},
};

/// Written at once, at most; what is beyond is left where a signal ends the program.
const PLACES: usize = 16;
/// Longest name [bytes], with the 0 at its end.
const LONGEST: usize = 4096;

const FREE: u8 = 0;
const TAKEN: u8 = 1;
const SET: u8 = 2;
/// The same of a file of which nothing is told.
const QUIET: u8 = 3;

struct Place {
    state: AtomicU8,
    name: [AtomicU8; LONGEST],
}

static ALL: [Place; PLACES] =
    [const { Place { state: AtomicU8::new(FREE), name: [const { AtomicU8::new(0) }; LONGEST] } }; PLACES];

/// A file that is removed if a signal ends the program before this is dropped.
pub struct Pending(Option<usize>);

impl Pending {
    pub fn new(path: &Path) -> Self {
        Self::with(path, SET)
    }

    /// The same of a file that is nobody's loss.
    pub fn quiet(path: &Path) -> Self {
        Self::with(path, QUIET)
    }

    fn with(path: &Path, state: u8) -> Self {
        // The folder may be another one by then.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let name = path.as_os_str().as_encoded_bytes();
        if name.len() >= LONGEST {
            return Self(None);
        }
        let free = |place: &&Place| {
            place.state.compare_exchange(FREE, TAKEN, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        let Some(index) = ALL.iter().position(|place| free(&place)) else { return Self(None) };
        let bytes = name.iter().copied().chain([0]);
        ALL[index].name.iter().zip(bytes).for_each(|(to, byte)| to.store(byte, Ordering::Relaxed));
        ALL[index].state.store(state, Ordering::Release);
        Self(Some(index))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(index) = self.0 {
            ALL[index].state.store(FREE, Ordering::Release);
        }
    }
}

/// Removes them all and names them on the standard error: for signal handlers, it makes system calls only.
#[cfg(unix)]
pub fn remove_pending() {
    for place in &ALL {
        let state = place.state.load(Ordering::Acquire);
        if state != SET && state != QUIET {
            continue;
        }
        let mut name = [0_u8; LONGEST];
        for (to, byte) in name.iter_mut().zip(&place.name[..LONGEST - 1]) {
            *to = byte.load(Ordering::Relaxed);
        }
        let length = name.iter().position(|byte| *byte == 0).unwrap_or(0);
        // SAFETY: both are allowed in a handler; the name ends with a 0, and the lengths are those of the texts.
        unsafe {
            if libc::unlink(name.as_ptr().cast()) == 0 && state == SET {
                for text in
                    [b"weft: stopped; removed what was not whole: ".as_slice(), &name[..length], b"\n"]
                {
                    libc::write(2, text.as_ptr().cast(), text.len());
                }
            }
        }
    }
}

/// From here on Ctrl-C, SIGTERM and a terminal that closes end the program as ever, but leave no file that is not whole and no
/// build. One that is ignored (`nohup`) stays ignored.
#[cfg(unix)]
pub fn leave_nothing_pending() {
    unsafe extern "C" fn end(signal: libc::c_int) {
        remove_pending();
        crate::child::end_groups();
        // SAFETY: the signal is blocked until the handler returns, and ends the process then.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: `end` is async-signal-safe.
        unsafe {
            if libc::signal(signal, end as *const () as libc::sighandler_t) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}
