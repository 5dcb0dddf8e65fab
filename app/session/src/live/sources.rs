//! The files that the hot library is built from, and whether one was saved since a build began.
//!
//! The system tells one save several times: an editor writes a file, waits for the disk, and then sets its mode. A build for each
//! of these would make the same library, and be said, tried and taken back, once more.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use weft_core::project::Project;
use xxhash_rust::xxh3::xxh3_64;

/// What a file is known by: when it was written, and its size.
pub(super) type Stamp = (SystemTime, u64);

const ROOTS: [&str; 6] =
    ["Cargo.toml", "Cargo.lock", ".cargo", "rust-toolchain", "rust-toolchain.toml", "sim-dylib"];

/// All of them, as they are now.
pub(super) fn stamps(project: &Project) -> BTreeMap<PathBuf, Stamp> {
    let mut files = BTreeMap::new();
    ROOTS.iter().for_each(|name| collect(&project.root.join(name), &mut files));
    files
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, Stamp>) {
    let Ok(data) = path.metadata() else { return };
    if data.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    } else if let Ok(written) = data.modified() {
        files.insert(path.to_path_buf(), (written, data.len()));
    }
}

/// What a build began with. With the hash of each file: two saves may come within one tick of the system's clock.
#[derive(PartialEq)]
pub(super) struct Sources(Vec<(PathBuf, SystemTime, u64)>);

impl Sources {
    pub(super) fn of(project: &Project) -> Self {
        let with_hash = |(path, (written, _)): (PathBuf, Stamp)| {
            let hash = fs::read(&path).map_or(0, |bytes| xxh3_64(&bytes));
            (path, written, hash)
        };
        Self(stamps(project).into_iter().map(with_hash).collect())
    }
}
