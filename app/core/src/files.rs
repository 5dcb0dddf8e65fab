//! Files that scenes are made of, and that are kept of them: those of the disk, or in a browser those that the page holds in memory.

#[cfg(not(target_arch = "wasm32"))]
mod disk;
#[cfg(target_arch = "wasm32")]
#[path = "files/page.rs"]
mod disk;
mod folder;
mod pending;
mod replace;

#[cfg(not(target_arch = "wasm32"))]
pub use disk::tell_of_limits;
pub use disk::{
    Stamp, Writer, age, create, list, make_folder, open, read, remove, rename, replace, size, stamp, waiting,
    write,
};
#[cfg(target_arch = "wasm32")]
pub use disk::{put, saved};
pub use folder::no_folder;
pub use pending::Pending;
#[cfg(unix)]
pub use pending::{leave_nothing_pending, remove_pending};
pub use replace::{aside, create_private, replace_with};

/// A file while [`replace`] writes it; it is left where the program ends meanwhile.
pub fn unfinished(path: &std::path::Path) -> std::path::PathBuf {
    path.with_extension("new")
}
