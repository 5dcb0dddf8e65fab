//! Whether a saved file is whole: editors write in parts, empty a file before they write it, or rename a new one into its place.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use weft_core::{clock::Instant, files};

/// A file that was written so recently may be half of what it will be.
pub(super) const SETTLES_IN: Duration = Duration::from_millis(60);
/// A file that is gone or empty for so long is.
const GONE_AFTER: Duration = Duration::from_millis(500);

/// What a saved file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Settled,
    /// Written, emptied or taken away so recently that its editor may not be done.
    Unsettled,
    /// There is nothing to read: it is `gone` or `empty`.
    Gone(&'static str),
}

/// What is said of a file that is `Gone`, and what to do.
pub fn gone(what: &str) -> String {
    format!("the file is {what}: put it back, or save it again from the editor")
}

/// Whether a file was written so recently that its editor may not be done.
pub fn is_fresh(path: &Path) -> bool {
    let written = path.metadata().and_then(|data| data.modified()).ok();
    written.and_then(|written| written.elapsed().ok()).is_some_and(|age| age < SETTLES_IN)
}

/// Files that are gone or empty, and since when.
#[derive(Default)]
pub(super) struct Gone(Vec<(PathBuf, Instant)>);

impl Gone {
    pub(super) fn look(&mut self, file: &Path) -> Look {
        let now = Instant::now();
        let what = match files::size(file) {
            None => "gone",
            Some(0) => "empty",
            Some(_) => {
                self.0.retain(|(other, _)| other != file);
                return if is_fresh(file) { Look::Unsettled } else { Look::Settled };
            }
        };
        let since = self.0.iter().find(|(other, _)| other == file).map(|(_, since)| *since);
        if since.is_none() {
            self.0.push((file.to_path_buf(), now));
        }
        if now.duration_since(since.unwrap_or(now)) < GONE_AFTER { Look::Unsettled } else { Look::Gone(what) }
    }
}
