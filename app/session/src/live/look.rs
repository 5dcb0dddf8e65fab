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
    /// There is nothing to read: it is gone, empty, or something else.
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

/// What a file is of which there is nothing to read.
fn nothing(file: &Path) -> Option<&'static str> {
    if let Some(size) = files::size(file) {
        return (size == 0).then_some("empty");
    }
    Some(match file.metadata() {
        Ok(data) if data.is_dir() => "a folder now",
        Ok(_) => "a pipe or a device now",
        Err(_) if file.is_symlink() => "a link that leads nowhere now",
        Err(_) => "gone",
    })
}

/// Files that are gone or empty, and since when.
#[derive(Default)]
pub(super) struct Gone(Vec<(PathBuf, Instant)>);

impl Gone {
    pub(super) fn look(&mut self, file: &Path) -> Look {
        let now = Instant::now();
        let Some(what) = nothing(file) else {
            self.0.retain(|(other, _)| other != file);
            return if is_fresh(file) { Look::Unsettled } else { Look::Settled };
        };
        let since = self.0.iter().find(|(other, _)| other == file).map(|(_, since)| *since);
        if since.is_none() {
            self.0.push((file.to_path_buf(), now));
        }
        if now.duration_since(since.unwrap_or(now)) < GONE_AFTER { Look::Unsettled } else { Look::Gone(what) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_place_of_a_file_is_said() {
        let folder = std::env::temp_dir().join(format!("weft-look-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("folder.ron")).expect("a folder");
        std::fs::write(folder.join("empty.ron"), "").expect("a file");
        std::fs::write(folder.join("good.ron"), "()").expect("a file");
        for (link, to) in [("loop.ron", "loop.ron"), ("device.ron", "/dev/zero")] {
            let _ = std::fs::remove_file(folder.join(link));
            std::os::unix::fs::symlink(to, folder.join(link)).expect("a link");
        }
        let said = ["folder", "empty", "good", "loop", "device", "gone"]
            .map(|file| nothing(&folder.join(file).with_extension("ron")));
        let link = "a link that leads nowhere now";
        let wanted = [
            Some("a folder now"),
            Some("empty"),
            None,
            Some(link),
            Some("a pipe or a device now"),
            Some("gone"),
        ];
        assert_eq!(said, wanted);
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
