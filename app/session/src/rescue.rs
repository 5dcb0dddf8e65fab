//! A program that dies goes on as a new process: same scene, state, window and process id, with code that is known to
//! be good.
//!
//! ```text
//!  each second: Rescue::tick → Draft (copies, main thread) → Writer (own thread) → target/hot/autosave/PROCESS.weft
//!  crash: handler ┐
//!  hang: watchdog ┴→ execve: weft … --resume FILE --crashed RECORDS → Resume::open → Choice → Session::resume
//! ```
//! The first autosave is written before anything can crash. Beside it lie the last one from before the code changed
//! (`PROCESS.older`) and the meshes of the scene (`PROCESS.meshes`), whose files may be gone when they are needed.
//! Only live programs do this (the window, `weft run --watch`), and only on Unix do they restart by themselves;
//! elsewhere the autosave is there for `weft --resume`.

mod memory;
mod resume;
mod watchdog;
mod writer;

#[cfg(unix)]
mod handler;
#[cfg(not(unix))]
#[path = "rescue/handler_off.rs"]
mod handler;

#[cfg(unix)]
pub use handler::signal_name;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use weft_core::clock::Instant;

pub use resume::{Opened, Resume};

use weft_core::{
    pulse::{Phase, fault},
    say,
};

pub use crate::autosave::{Autosave, Choice, Crash, Crashes, Library, WindowState, choose, now};
pub use crate::places::{file, folder, newest, prune, runs};
use crate::{places, session::Session};
use watchdog::Watchdog;
use writer::{Draft, Writer};

/// From one autosave to the next; with the time to write it, it is never older than a second.
const PERIOD: Duration = Duration::from_millis(750);

/// No folder, so nothing is written in it.
const NOWHERE: &str = "/dev/null";

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
    /// Of the scene, for what is turned while it is paused.
    revision: u64,
    topology: u64,
    surfaces: u64,
    paused: bool,
    solver: String,
    params: weft_engine::run::Params,
    scene: PathBuf,
    window: Option<WindowState>,
}

impl Rescue {
    /// Starts to keep watch over `session`; `opened` says where it came from, `window` and `done` are as for
    /// [`Rescue::tick`].
    pub fn start(
        session: &mut Session,
        opened: &resume::From,
        window: Option<WindowState>,
        done: u64,
    ) -> Result<Self, String> {
        let folder = places::folder(session.project());
        let path = places::file(&folder, std::process::id());
        let path = match places::make(&folder) {
            Ok(()) => path,
            // A crash then starts the scene again.
            Err(why) => {
                say::warn(format_args!("[rescue] no autosave: {why}"));
                places::file(Path::new(NOWHERE), std::process::id())
            }
        };
        places::prune(&folder);
        let mut told = false;
        if opened.file.as_ref() != Some(&path) {
            // Of an ended process that had the same number.
            places::remove(&path);
            session.read_all();
            match writer::write(&path, draft(session, window, done, Vec::new())) {
                Ok(()) => {
                    // It takes the place of the one that was read.
                    let read = opened.file.iter().filter(|file| file.parent() == Some(folder.as_path()));
                    read.for_each(|file| places::remove(file));
                }
                Err(_) if path.starts_with(NOWHERE) => {}
                Err(why) => {
                    say::warn(format_args!("[rescue] {why}"));
                    told = true;
                }
            }
        }
        let writer = Writer::start(path.clone(), told)?;
        handler::arm(&arguments(std::env::args_os(), &path), &path, &opened.crashes)?;
        handler::set_scene(session.setup().path());
        let (panic_at, watchdog) = (opened.panic_at, Watchdog::start(opened.children.clone())?);
        Ok(Self { writer, path, last: None, cost: Duration::ZERO, panic_at, _watchdog: watchdog })
    }

    /// As [`Rescue::start`]; a program that cannot be rescued runs all the same, and says so.
    pub fn try_start(
        session: &mut Session,
        opened: &resume::From,
        window: Option<WindowState>,
        done: u64,
    ) -> Option<Self> {
        if cfg!(target_arch = "wasm32") {
            // A page has no folder to write in, and nobody starts it again.
            return None;
        }
        let started = Self::start(session, opened, window, done);
        started.map_err(|why| say::warn(format_args!("[rescue] no autosave: {why}"))).ok()
    }

    /// Once a frame: an autosave if it is time for one and something has changed.
    ///
    /// # Panics
    /// If it was asked for (`--panic-at`).
    pub fn tick(&mut self, session: &mut Session, window: Option<WindowState>, done: u64) {
        fault::at(Phase::Host);
        assert!(self.panic_at.is_none_or(|frame| session.run().frame < frame), "asked for by --panic-at");
        let now = Instant::now();
        if self.last.as_ref().is_some_and(|(at, _)| now - *at < PERIOD) {
            return;
        }
        let key = Key {
            frame: session.run().frame,
            generation: session.run().generation.number,
            revision: session.setup().revision(),
            topology: session.setup().topology(),
            surfaces: session.setup().surface_version(),
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
        if self.last.as_ref().is_none_or(|(_, last)| last.scene != key.scene) {
            handler::set_scene(&key.scene);
        }
        if self.writer.ended() {
            say::warn("[rescue] the thread of the autosave ended; it starts again");
            self.restart_writer();
        }
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
        let mut draft = draft(session, window, done, Vec::new());
        (draft.save.running, draft.save.good) = (Library::default(), Vec::new());
        let why = match writer::write(&self.path, draft) {
            Ok(()) => handler::become_program(program, &arguments(std::env::args_os(), &self.path)),
            Err(why) => why,
        };
        // This program goes on, and is saved as before.
        self.restart_writer();
        self.last = None;
        why
    }

    fn restart_writer(&mut self) {
        match Writer::start(self.path.clone(), false) {
            Ok(writer) => self.writer = writer,
            Err(why) => say::warn(format_args!("[rescue] no autosave: {why}")),
        }
    }
}

/// Writes a state that the user keeps: without code, its meshes in the same file.
pub(crate) fn write_state(
    session: &mut Session,
    path: &Path,
    window: Option<WindowState>,
) -> Result<(), String> {
    session.read_all();
    let mut draft = draft(session, window, 0, Vec::new());
    (draft.save.running, draft.save.good) = (Library::default(), Vec::new());
    writer::write_whole(path, draft)
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
    /// A program that ends in order leaves no autosave; one whose main thread panicked goes on in a new process, and one that
    /// never came to its first frame leaves what the one before it was in the middle of.
    fn drop(&mut self) {
        if std::thread::panicking() {
            handler::restart("PANIC", false);
            return;
        }
        handler::disarm();
        self.writer.finish();
        if self.last.is_some() {
            places::remove(&self.path);
        }
    }
}

/// The arguments of the next process: those of this one with its own autosave, and those from `--` on. It stands where one stood:
/// what came behind an option was no command, whatever its name.
pub fn arguments(mine: impl Iterator<Item = OsString>, autosave: &Path) -> [Vec<OsString>; 2] {
    let (mut list, mut place) = (Vec::<OsString>::new(), None);
    let mut mine = mine.peekable();
    while let Some(argument) = mine.next_if(|argument| argument != "--") {
        let here = list.len();
        match argument.to_str() {
            Some("--crashed" | "--running") => _ = mine.next(),
            Some("--resume") => {
                // Its value may be left out; `-` is one.
                mine.next_if(|next| next == "-" || !next.to_string_lossy().starts_with('-'));
            }
            Some(text) if OWN.iter().any(|own| text.starts_with(own)) => {}
            _ => {
                list.push(argument);
                continue;
            }
        }
        place.get_or_insert(here);
    }
    let place = place.unwrap_or(list.len());
    list.splice(place..place, ["--resume".into(), autosave.into()]);
    [list, mine.collect()]
}

/// Options that this program writes itself, with a value.
const OWN: [&str; 3] = ["--resume=", "--crashed=", "--running="];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_those_of_this_process_with_the_new_autosave() {
        let of = |text: &str| {
            let lists = arguments(text.split(' ').map(OsString::from), std::path::Path::new("/a/7.weft"));
            lists.concat().iter().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("weft a.ron --size 9x9"), "weft a.ron --size 9x9 --resume /a/7.weft");
        assert_eq!(of("weft --resume /b/1.weft --crashed X --running a.ron"), "weft --resume /a/7.weft");
        assert_eq!(of("weft run a.ron --resume=/b --watch"), "weft run a.ron --resume /a/7.weft --watch");
        assert_eq!(of("weft --resume --threads 2"), "weft --resume /a/7.weft --threads 2");
        assert_eq!(of("weft run --watch -- --a.ron"), "weft run --watch --resume /a/7.weft -- --a.ron");
        assert_eq!(of("weft --resume=/b check"), "weft --resume /a/7.weft check");
        assert_eq!(of("weft --resume -- a.ron"), "weft --resume /a/7.weft -- a.ron");
        assert_eq!(of("weft a.ron --resume - --threads 2"), "weft a.ron --resume /a/7.weft --threads 2");
    }
}
