//! The probe: a new library runs in two other processes first, on copies of what runs here. What crashes, loops or
//! spoils the state does it there.
//!
//! ```text
//!  build finished ─ Live::poll ─ Trial: images of all runs, what acts on them          (main thread: a copy of memory)
//!                   Prober     ─ library to a file, Order and images to two children    (a thread of its own)
//!    child, 1 thread  ┐  load → contract → Run::from_image → a few steps, each checked
//!    child, 2 threads ┘  → a step of two substeps of every other solver on a small cloth, shared out between them
//!                   Prober     ─ both done, equal bits → publish; else a `Failure` that says who, what and when
//! ```
//! The children are started beforehand (`weft probe` waits at its standard input) and end with the host.
//!
//! What refuses a library: a panic, a signal, a stack that overflowed, no memory, a step without end, a write beside a
//! column or to one of the host's, tables it does not accept, different bits with one and two threads. NaN and a matrix
//! that has no factor can be physics instead (an explicit solver above its stable step): they refuse a library only if
//! the code that runs now comes through the same steps from the same image, and did not just stop there itself.
//! Of the solvers that do not run, only what would end or spoil the host counts: a panic is caught there too.
//!
//! What it cannot see: anything after its few steps, and what depends on a state that did not come up in them.

mod child;
mod failure;
mod limits;
mod look;
mod pair;
mod prober;
mod small;
mod watch;
mod wire;

use sim_api::{Hold, World};

pub use child::main;
pub use failure::{Failure, Fault};
pub use pair::this_program;
pub use prober::{Prober, Verdict};
pub use wire::read_all;

use weft_engine::run::{Params, RunImage};

/// Images above this size are not copied [bytes]; the library is tried on a small cloth instead.
pub const LARGEST: usize = 50 << 20;

/// What a new library is tried on.
#[derive(Clone, Default)]
pub struct Trial {
    pub runs: Vec<TrialRun>,
}

/// A run as it is between two steps, and what acts on it.
#[derive(Clone)]
pub struct TrialRun {
    pub solver: String,
    pub params: Params,
    /// `None`: above [`LARGEST`].
    pub image: Option<RunImage>,
    /// Length of a frame [s].
    pub dt: f32,
    pub world: World,
    /// What the hand holds, where it holds it.
    pub holds: Vec<Hold>,
    /// Time of the last step [s]; 0 before the first one.
    pub step_secs: f32,
    /// The code that runs stopped at this state with NaN or without a factor.
    pub stopped: bool,
}

impl Trial {
    /// Whether anything is tried on the small cloth for want of an image.
    pub fn small(&self) -> bool {
        self.runs.iter().any(|run| run.image.is_none())
    }
}
