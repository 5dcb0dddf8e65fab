//! Files that scenes are made of: those of the disk, or in a browser those that the page holds in memory.

#[cfg(not(target_arch = "wasm32"))]
mod disk;
#[cfg(target_arch = "wasm32")]
#[path = "files/page.rs"]
mod disk;
mod replace;

pub use disk::{Stamp, Writer, create, list, open, read, size, stamp};
#[cfg(target_arch = "wasm32")]
pub use disk::{put, saved};
pub use replace::{aside, replace};
