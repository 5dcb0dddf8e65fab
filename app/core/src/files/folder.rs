//! Why a folder cannot be made, in words that say what to do.

use std::{io, path::Path};

/// The reason for a folder that cannot be made: where something else has its place, or that of one that it lies in, what it is.
pub fn no_folder(folder: &Path, why: io::Error) -> io::Error {
    let taken = folder.ancestors().find(|above| above.symlink_metadata().is_ok_and(|data| !data.is_dir()));
    let Some(taken) = taken.filter(|taken| !taken.is_dir()) else { return why };
    let what = if taken.exists() { "is a file" } else { "is a link that leads nowhere" };
    let which = if taken == folder { "it".into() } else { taken.display().to_string() };
    let text = format!("{which} {what}, and a folder is wanted there: rename or remove it");
    io::Error::new(why.kind(), text)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::super::make_folder;

    #[test]
    fn what_stands_in_the_place_of_a_folder_is_named() {
        let root = std::env::temp_dir().join(format!("weft-folder-{}", std::process::id()));
        make_folder(&root.join("a/b")).expect("a folder");
        make_folder(&root.join("a/b")).expect("it is there");
        fs::write(root.join("file"), "").expect("a file");
        std::os::unix::fs::symlink(root.join("nowhere"), root.join("link")).expect("a link");
        std::os::unix::fs::symlink(root.join("a"), root.join("good")).expect("a link");
        make_folder(&root.join("good/c")).expect("a folder behind a link");
        for (folder, what) in [("file", "is a file"), ("file/b/c", "is a file"), ("link/b", "leads nowhere")]
        {
            let why = make_folder(&root.join(folder)).expect_err(folder).to_string();
            let place = root.join(folder.split('/').next().unwrap_or_default()).display().to_string();
            let place = if folder.contains('/') { place.as_str() } else { "it" };
            assert!(why.starts_with(place), "{why}");
            assert!(why.contains(what) && why.ends_with("rename or remove it"), "{why}");
        }
        fs::remove_dir_all(&root).expect("a folder");
    }
}
