//! Stands in for the watcher in a browser: files are put into the page, and it knows which.

use std::{
    path::{Path, PathBuf},
    sync::mpsc,
};

use weft_core::{clock::Instant, files};

/// A file that was put into the page.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub path: PathBuf,
    pub at: Instant,
}

pub(super) struct Watcher;

impl Watcher {
    pub(super) fn new(_: Option<(PathBuf, mpsc::Sender<Instant>)>) -> Result<Self, String> {
        // Those that came with the page are read as they are.
        drop(files::saved());
        Ok(Self)
    }

    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on a disk")]
    pub(super) fn watch(&mut self, _: &Path, _: bool) -> Result<(), String> {
        Ok(())
    }

    /// A page has all of its folders.
    #[expect(clippy::unused_self, reason = "as on a disk")]
    pub(super) fn missing(&self) -> impl Iterator<Item = &Path> {
        std::iter::empty()
    }

    /// Each changed file once.
    #[expect(clippy::unused_self, reason = "as on a disk")]
    pub(super) fn drain(&mut self) -> Vec<Change> {
        let mut paths = files::saved();
        paths.sort();
        paths.dedup();
        paths.into_iter().map(|path| Change { path, at: Instant::now() }).collect()
    }
}
