//! Ends a build that would never end: one that a newer save has overtaken, or that takes the machine's memory.
//!
//! ```text
//!  save → Watcher → Overseer → Builder → compiler
//!                      └ a save meanwhile, and the build is a long one; or memory is short ─→ kills compiler and children
//! ```

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

use weft_core::{child::Group, clock::Instant, memory};

/// From one look at a build to the next.
const PERIOD: Duration = Duration::from_millis(500);
/// No machine has less for all else while a compiler takes the most of what is in use [bytes].
const LEFT: usize = 512 << 20;

/// Why a build was ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ended {
    /// There is a newer save, and it is built instead.
    Overtaken,
    /// The compiler had so many bytes, and the machine hardly any.
    Memory(usize),
}

/// The build in hand.
#[derive(Default)]
pub(super) struct Build {
    /// The compiler, or cargo.
    pub child: Mutex<Option<Group>>,
    state: Mutex<Option<State>>,
}

struct State {
    since: Instant,
    /// So long it may go on with a newer save waiting.
    patience: Duration,
    newer: bool,
    ended: Option<Ended>,
}

impl Build {
    /// It begins, or goes on in another way.
    pub(super) fn begin(&self, patience: Duration) {
        *self.state() = Some(State { since: Instant::now(), patience, newer: false, ended: None });
    }

    /// It came to its end; why, if that was not its own.
    pub(super) fn end(&self) -> Option<Ended> {
        self.state().take().and_then(|state| state.ended)
    }

    /// Ends the compiler and all that it started.
    pub(super) fn kill(&self) {
        if let Some(child) = self.child.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            child.kill();
        }
    }

    fn state(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at it once. Returns whether there is one.
    fn look(&self, saved: bool) -> bool {
        let mut state = self.state();
        let Some(state) = state.as_mut() else { return false };
        state.newer |= saved;
        if state.ended.is_none() {
            state.ended = if state.newer && state.since.elapsed() > state.patience {
                Some(Ended::Overtaken)
            } else {
                self.takes_all().map(Ended::Memory)
            };
        }
        if state.ended.is_some() {
            self.kill();
        }
        true
    }

    /// What the compiler has, if that leaves the machine hardly any memory [bytes].
    fn takes_all(&self) -> Option<usize> {
        let free = memory::free().filter(|free| *free < LEFT)?;
        let child = self.child.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Group::id)?;
        let taken = [child].into_iter().chain(family(child)).filter_map(memory::resident_of).sum();
        (taken > free).then_some(taken)
    }
}

/// Starts the thread: it hands saves on, and looks after the build while there is one.
pub(super) fn start(saves: mpsc::Receiver<Instant>, builder: mpsc::Sender<Instant>, build: Arc<Build>) {
    thread::spawn(move || {
        while let Ok(save) = saves.recv() {
            if builder.send(save).is_err() {
                return;
            }
            // The builder takes a moment to begin.
            let mut idle = 0;
            while idle < 2 {
                let saved = match saves.recv_timeout(PERIOD) {
                    Ok(save) => builder.send(save).is_ok(),
                    Err(mpsc::RecvTimeoutError::Timeout) => false,
                    Err(mpsc::RecvTimeoutError::Disconnected) => return,
                };
                idle = if build.look(saved) || saved { 0 } else { idle + 1 };
            }
        }
    });
}

/// The processes that one started, and those that they did.
fn family(of: u32) -> Vec<u32> {
    let all: Vec<[u32; 2]> = memory::processes();
    let mut family = vec![of];
    let mut next = 0;
    while let Some(parent) = family.get(next).copied() {
        family.extend(all.iter().filter(|[_, own]| *own == parent).map(|[child, _]| *child));
        next += 1;
    }
    family.split_off(1)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    /// A shell that waits for a child of its own.
    fn shell() -> Group {
        Group::start(Command::new("sh").args(["-c", "sleep 100 & wait"])).expect("a shell")
    }

    fn child_of(build: &Build) -> u32 {
        let own = build.child.lock().unwrap().as_ref().map(Group::id).expect("a child");
        loop {
            if let [child] = family(own)[..] {
                return child;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_newer_save_ends_a_long_build_with_all_that_it_started_and_no_other() {
        let build = Build::default();
        assert!(!build.look(true), "there is none");
        *build.child.lock().unwrap() = Some(shell());
        let inner = child_of(&build);
        build.begin(Duration::from_secs(100));
        assert!(build.look(true));
        assert_eq!(build.end(), None, "it is not a long one yet");
        build.begin(Duration::ZERO);
        assert!(build.look(false));
        assert!(memory::resident_of(inner).is_some(), "nothing is newer");
        assert!(build.look(true));
        assert_eq!(build.end(), Some(Ended::Overtaken));
        let status = build.child.lock().unwrap().take().expect("a child").wait().expect("its end");
        assert_eq!(status.code(), None);
        // Its child is ended, too, when the system comes to it; as a zombie it has no memory.
        let begin = std::time::Instant::now();
        while memory::resident_of(inner).is_some_and(|bytes| bytes > 0) {
            assert!(begin.elapsed() < Duration::from_secs(50), "its child sleeps for 100");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
