//! Live editing: watch the sources, build the library, let it through the gate, swap it between two frames.
//!
//! ```text
//!  save *.rs → Watcher → Builder (cargo, own thread) → gate (complete?) → Prober (two other processes: same contract?
//!              good steps?) → publish by rename → LibReloader::update() on the main thread → Generation, pinned for ever
//!  save *.wgsl, *.ron, textures → Watcher → the frame loop, which keeps the last good one on an error
//! ```
//! Generation 0 is linked into the program, so nothing here is needed to start.

mod builder;
mod cargo;
pub mod contract;
mod direct;
mod event;
pub mod gate;
mod look;
mod overseer;
pub mod probe;
mod rebuild;
mod refusal;
mod session;
mod sources;
#[cfg_attr(target_arch = "wasm32", path = "live/watcher_web.rs")]
mod watcher;

#[cfg(feature = "reload")]
mod hotlib;
#[cfg(not(feature = "reload"))]
#[path = "live/hotlib_off.rs"]
mod hotlib;

pub use cargo::{BuildMessage, Level};
pub use event::{Event, Reload, Status};
pub use gate::check_complete;
pub use look::{Look, gone, is_fresh};
pub use rebuild::Rebuild;
pub use refusal::Refusal;
pub use session::{Banned, Carry, Live};

/// Why code is not reloaded where there is no source tree.
const NO_CODE: &str = if cfg!(target_arch = "wasm32") {
    "a page has no compiler: scenes and shaders are edited here"
} else {
    "no source tree found here: code is not reloaded"
};
