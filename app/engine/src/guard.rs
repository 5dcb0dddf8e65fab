//! What the hot code may not change: the working directory, the environment, what signals do, limits, how numbers are rounded, and
//! the threads of the process. The probe refuses code that does; where it happens later, all but threads is put back, and
//! threads are told.
//!
//! A look costs a few microseconds of system calls. It does not see what is changed and changed back within a step.

mod floats;
mod process;
mod started;

pub(crate) use floats::Kept;
pub(crate) use started::Marked;

use process::Surroundings;

/// What is told of code that starts one.
pub const STARTED: &str = "started a thread, which hot code may not: use `sim.par`";

/// How the process was when the first step began.
pub struct Guard {
    before: Surroundings,
}

impl Guard {
    /// As the process is now.
    pub fn new() -> Self {
        floats::changed();
        Self { before: Surroundings::now() }
    }

    /// What was changed since, in words; it is put back.
    pub fn put_back(&mut self) -> Vec<&'static str> {
        let mut changed = self.before.put_back();
        if floats::changed() {
            changed.push("how numbers are rounded (MXCSR or FPCR)");
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
