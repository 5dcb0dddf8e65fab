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
pub mod gate;
mod generation;
pub mod probe;
mod project;
mod rebuild;
mod session;
mod watcher;

#[cfg(feature = "reload")]
mod hotlib;
#[cfg(not(feature = "reload"))]
#[path = "live/hotlib_off.rs"]
mod hotlib;

pub use cargo::{BuildMessage, Level};
pub use gate::check_complete;
pub use generation::{Generation, Refusal};
pub use project::Project;
pub use rebuild::Rebuild;
pub use session::{Banned, Carry, Event, Live, Reload, Status};

/// The folder a file is in; a bare file name is in the working directory.
pub fn folder_of(file: &std::path::Path) -> &std::path::Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => std::path::Path::new("."),
    }
}
