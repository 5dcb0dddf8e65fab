//! Files that scenes are made of, and that are kept of them: those of the disk, or in a browser those that the page holds in memory.

use std::{io::Read, path::Path};

#[cfg(not(target_arch = "wasm32"))]
mod disk;
#[cfg(target_arch = "wasm32")]
#[path = "files/page.rs"]
mod disk;
mod folder;
mod pending;
mod replace;

pub use disk::{
    Stamp, Writer, age, create, list, make_folder, open, read, remove, rename, replace, size, stamp, target,
    waiting, write,
};
#[cfg(target_arch = "wasm32")]
pub use disk::{put, saved};
#[cfg(not(target_arch = "wasm32"))]
pub use disk::{tell_of_limits, write_with};
pub use folder::no_folder;
pub use pending::Pending;
#[cfg(unix)]
pub use pending::{leave_nothing_pending, remove_pending};
pub use replace::{aside, create_private, replace_with};

/// A whole file, if there is memory for it and `fits` takes its first bytes, at most 16: a file of many gigabytes is not read to see
/// that it is something else.
///
/// # Errors
/// With the file's name: that it cannot be read, or what `fits` says of it.
pub fn read_if(path: &Path, fits: impl FnOnce(&[u8]) -> Result<(), String>) -> Result<Vec<u8>, String> {
    let mut first = Vec::new();
    let cannot = |why: std::io::Error| format!("cannot read {}: {why}", path.display());
    open(path).and_then(|file| file.take(16).read_to_end(&mut first)).map_err(cannot)?;
    fits(&first).map_err(|why| format!("{}: {why}", path.display()))?;
    // What is made of it takes as much again, at least.
    let needed = size(path).and_then(|size| usize::try_from(size.saturating_mul(2)).ok()).unwrap_or(0);
    if let Some(free) = crate::memory::short_of(needed) {
        let [needed, free] = [needed, free].map(|bytes| bytes as f64 / 1e9);
        let path = path.display();
        return Err(format!("{path}: reading it takes {needed:.1} GB, and {free:.1} GB of memory are free"));
    }
    read(path).map_err(cannot)
}

/// A file while [`replace`] writes it; it is left where the program ends meanwhile.
pub fn unfinished(path: &Path) -> std::path::PathBuf {
    path.with_extension("new")
}
