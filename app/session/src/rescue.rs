//! A program that dies goes on as a new process: same scene, state, window and process id, with code that is known to
//! be good.
//!
//! ```text
//!  each second: Rescue::tick → Draft (copies, main thread) → Writer (own thread) → target/hot/autosave/PROCESS.weft
//!  crash: handler ┐
//!  hang: watchdog ┴→ execve: weft … --resume FILE --crashed RECORDS → Resume::open → Choice → Session::resume
//! ```
//! Only live programs do this (the window, `weft run --watch`), and only on Unix do they restart by themselves;
//! elsewhere the autosave is there for `weft --resume`.

mod resume;
mod watchdog;
mod writer;

#[cfg(unix)]
mod handler;
#[cfg(not(unix))]
#[path = "rescue/handler_off.rs"]
mod handler;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

pub use resume::{Opened, Resume};

use weft_core::say;

pub use crate::autosave::{
    Autosave, Choice, Crash, Crashes, Library, WindowState, choose, now, write_atomically,
};
pub use crate::places::{file, folder, newest, prune, runs};
use crate::{places, session::Session};
use watchdog::Watchdog;
use writer::{Draft, Writer};

/// From one autosave to the next; with the time to write it, it is never older than a second.
const PERIOD: Duration = Duration::from_millis(750);

/// Keeps the autosave of a live program, and what restarts it. Drop it before the session.
pub struct Rescue {
    writer: Writer,
    path: PathBuf,
    last: Option<(Instant, Key)>,
    /// Time that the last draft took of the main thread.
    pub cost: Duration,
    /// Frame at which to panic.
    panic_at: Option<u64>,
    _watchdog: Watchdog,
}

/// What an autosave is worth writing for.
#[derive(PartialEq)]
struct Key {
    frame: u64,
    generation: u32,
    topology: u64,
    paused: bool,
    solver: String,
    params: weft_engine::run::Params,
    scene: PathBuf,
    window: Option<WindowState>,
}

impl Rescue {
    /// Starts to keep watch over `session`; `opened` says where it came from.
    pub fn start(session: &Session, opened: &resume::From) -> Result<Self, String> {
        let folder = places::folder(session.project());
        let path = places::file(&folder, std::process::id());
        places::prune(&folder);
        let replaced = opened.file.clone().filter(|file| file.parent() == Some(folder.as_path()));
        let writer = Writer::start(path.clone(), replaced)?;
        handler::arm(&arguments(std::env::args_os(), &path), &path, &opened.crashes)?;
        let panic_at = opened.panic_at;
        Ok(Self { writer, path, last: None, cost: Duration::ZERO, panic_at, _watchdog: Watchdog::start()? })
    }

    /// As [`Rescue::start`]; a program that cannot be rescued runs all the same, and says so.
    pub fn try_start(session: &Session, opened: &resume::From) -> Option<Self> {
        let started = Self::start(session, opened);
        started.map_err(|why| say::warn(format_args!("[rescue] no autosave: {why}"))).ok()
    }

    /// Once a frame: an autosave if it is time for one and something has changed.
    ///
    /// # Panics
    /// If it was asked for (`--panic-at`).
    pub fn tick(&mut self, session: &mut Session, window: Option<WindowState>, done: u64) {
        assert!(self.panic_at.is_none_or(|frame| session.run().frame < frame), "asked for by --panic-at");
        let now = Instant::now();
        if self.last.as_ref().is_some_and(|(at, _)| now - *at < PERIOD) {
            return;
        }
        let key = Key {
            frame: session.run().frame,
            generation: session.run().generation.number,
            topology: session.setup().topology(),
            paused: session.is_paused(),
            solver: session.run().solver.clone(),
            params: session.run().params.clone(),
            scene: session.setup().path().to_path_buf(),
            window,
        };
        if self.last.as_ref().is_some_and(|(_, last)| *last == key) {
            return;
        }
        let window = key.window.clone();
        session.read_all();
        if self.writer.offer(|memory| draft(session, window, done, memory)) {
            self.cost = now.elapsed();
            self.last = Some((now, key));
        }
    }

    /// Goes on as `program`, in the same process and window place, from the state as it is now and with the code that is
    /// linked into it. Returns only if that does not work, with the reason.
    pub fn become_program(
        &mut self,
        program: &Path,
        session: &mut Session,
        window: Option<WindowState>,
        done: u64,
    ) -> String {
        session.read_all();
        self.writer.finish();
        let save = draft(session, window, done, Vec::new()).written();
        let save = Autosave { running: Library::default(), good: Vec::new(), ..save };
        match write_atomically(&self.path, &save.to_bytes()) {
            Ok(()) => handler::become_program(program, &arguments(std::env::args_os(), &self.path)),
            Err(e) => format!("cannot write {}: {e}", self.path.display()),
        }
    }
}

/// Copies of everything that an autosave holds, in memory that is used again.
fn draft(session: &Session, window: Option<WindowState>, done: u64, memory: Vec<u8>) -> Draft {
    Draft {
        save: session.autosave(window, done, memory),
        file: session.setup().file().clone(),
        scene: session.scene().clone(),
    }
}

impl Drop for Rescue {
    /// A program that ends in order leaves no autosave; one whose main thread panicked goes on in a new process.
    fn drop(&mut self) {
        if std::thread::panicking() {
            handler::restart("PANIC", false);
            return;
        }
        handler::disarm();
        self.writer.finish();
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The arguments of the next process: those of this one, with its own autosave.
fn arguments(mine: impl Iterator<Item = OsString>, autosave: &std::path::Path) -> Vec<OsString> {
    let mut list: Vec<OsString> = Vec::new();
    let mut mine = mine.peekable();
    while let Some(argument) = mine.next() {
        match argument.to_str() {
            Some("--crashed") => _ = mine.next(),
            Some("--resume") => {
                // Its value may be left out.
                mine.next_if(|next| !next.to_string_lossy().starts_with('-'));
            }
            Some(text) if text.starts_with("--resume=") || text.starts_with("--crashed=") => {}
            _ => list.push(argument),
        }
    }
    list.extend(["--resume".into(), autosave.into()]);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_those_of_this_process_with_the_new_autosave() {
        let of = |text: &str| {
            let list = arguments(text.split(' ').map(OsString::from), std::path::Path::new("/a/7.weft"));
            list.iter().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("weft a.ron --size 9x9"), "weft a.ron --size 9x9 --resume /a/7.weft");
        assert_eq!(of("weft --resume /b/1.weft --crashed X"), "weft --resume /a/7.weft");
        assert_eq!(of("weft run a.ron --resume=/b --watch"), "weft run a.ron --watch --resume /a/7.weft");
        assert_eq!(of("weft --resume --threads 2"), "weft --threads 2 --resume /a/7.weft");
    }
}
