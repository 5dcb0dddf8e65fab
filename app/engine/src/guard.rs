//! What the hot code may not change: the working directory, the environment, what signals do, limits, how numbers are rounded, and
//! the threads of the process. The probe refuses code that does; where it happens later, all but threads is put back, and
//! threads are told.
//!
//! A look costs a few microseconds of system calls. It does not see what is changed and changed back within a step.

mod floats;
mod process;
mod signals;
#[cfg(unix)]
mod standing;
mod started;

pub(crate) use floats::Kept;
pub(crate) use signals::Lent;
#[cfg(all(test, unix))]
pub(crate) use signals::changed as changed_about_signals;
pub(crate) use started::Marked;

use process::Surroundings;

/// What is told of code that starts one.
pub const STARTED: &str = "started a thread, which hot code may not: use `sim.par`";

/// What hot code changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// In words that follow "changed".
    pub what: &'static str,
    /// Where it may be: a hard limit, the user and the like stay.
    pub is_back: bool,
}

impl Change {
    fn put_back(what: &'static str) -> Self {
        Self { what, is_back: true }
    }

    #[cfg(unix)]
    fn gone(what: &'static str) -> Self {
        Self { what, is_back: false }
    }
}

/// How the process was when the first step began.
pub struct Guard {
    before: Surroundings,
}

impl Guard {
    /// As the process is now.
    pub fn new() -> Self {
        floats::changed();
        signals::changed().for_each(drop);
        Self { before: Surroundings::now() }
    }

    /// What was changed since; it is put back where that may be.
    pub fn put_back(&mut self) -> Vec<Change> {
        let mut changed = self.before.put_back();
        changed.extend(signals::changed().map(Change::put_back));
        changed.dedup();
        if floats::changed() {
            changed.push(Change::put_back("how numbers are rounded (MXCSR or FPCR)"));
        }
        changed
    }

    /// Threads that anybody started since the last look, or since the guard is: for the probe, which starts none itself.
    pub fn started(&mut self) -> bool {
        self.before.more_threads()
    }

    /// Threads that steps started and that still run, since the last look of any run of this process.
    pub fn started_in_steps(&mut self) -> bool {
        started::look()
    }
}

impl Default for Guard {
    fn default() -> Self {
        Self::new()
    }
}
