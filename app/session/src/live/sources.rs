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

use serde::{Deserialize, Serialize};
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

/// What a build began with, in the order of the paths. With the hash of each file: two saves may come within one tick of the system's clock.
#[derive(PartialEq, Serialize, Deserialize)]
pub(super) struct Sources(Vec<(PathBuf, SystemTime, u64)>);

impl Sources {
    pub(super) fn of(project: &Project) -> Self {
        let with_hash = |(path, (written, _)): (PathBuf, Stamp)| {
            let hash = fs::read(&path).map_or(0, |bytes| xxh3_64(&bytes));
            (path, written, hash)
        };
        Self(stamps(project).into_iter().map(with_hash).collect())
    }

    /// Whether cargo would overlook one of these, which are about to be built into a target folder; notes them there for the next
    /// time, in whatever window that is.
    pub(super) fn are_overlooked(&self, folder: &Path) -> bool {
        let note = folder.join("sources");
        let before = fs::read(&note).ok().and_then(|bytes| postcard::from_bytes(&bytes).ok());
        // Where nothing can be noted, cargo alone judges.
        if let Ok(bytes) = postcard::to_allocvec(&(self, SystemTime::now())) {
            let _ = fs::write(note, bytes);
        }
        before.is_some_and(|(before, built)| self.overlooked(&before, built))
    }

    /// Whether there is a file that cargo takes for the one it built, `before`: another, and older than that build. `mv`, `cp -p`
    /// and archives set its time back.
    fn overlooked(&self, before: &Self, built: SystemTime) -> bool {
        self.0.iter().any(|file| {
            let was = before.0.binary_search_by(|was| was.0.cmp(&file.0));
            file.1 < built && was.is_ok_and(|was| before.0[was] != *file)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_older_file_in_place_of_another_is_overlooked_by_cargo() {
        let at = |secs| SystemTime::UNIX_EPOCH + Duration::from_secs(secs);
        let files = |secs, hash| Sources(vec![("a.rs".into(), at(secs), hash)]);
        assert!(files(5, 8).overlooked(&files(9, 8), at(10)));
        assert!(files(9, 7).overlooked(&files(9, 8), at(10)), "another text of the same time");
        assert!(!files(9, 8).overlooked(&files(9, 8), at(10)), "it is the same");
        assert!(!files(11, 9).overlooked(&files(9, 8), at(10)), "cargo sees it");
        let folder = std::env::temp_dir().join(format!("weft-sources-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        assert!(!files(9, 8).are_overlooked(&folder), "nothing was built");
        // Another window, or the program started again, finds what was built before.
        assert!(files(5, 7).are_overlooked(&folder) && !files(5, 7).are_overlooked(&folder));
        fs::remove_dir_all(folder).expect("a folder");
    }
}
