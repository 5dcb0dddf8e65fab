//! Files that are whole at any moment.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// Writes a file aside and renames it into place: a reader finds the old one or the new one, whole. `aside` is in the same
/// folder; who is the only one to write it this way picks its name. `private`: nobody else may read it, and a link that was put in
/// its place is not followed.
pub fn replace_with(
    path: &Path,
    aside: &Path,
    private: bool,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    // What an earlier try left there.
    let _ = fs::remove_file(aside);
    let _pending = super::Pending::new(aside);
    let file = if private { create_private(aside) } else { File::create_new(aside) };
    let written = file.and_then(|mut file| write(&mut file)).and_then(|()| fs::rename(aside, path));
    if written.is_err() {
        let _ = fs::remove_file(aside);
    }
    written
}

/// A new file that nobody else may read. Where one is already, or a link, that is an error.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A name for [`replace_with`] that no other program takes: `FILE.PROCESS.new`.
pub fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_is_the_old_one_or_the_new_one() {
        let folder = std::env::temp_dir().join(format!("weft-replace-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a.csv");
        let text = |text: &'static str| move |file: &mut File| file.write_all(text.as_bytes());
        replace_with(&path, &aside(&path), false, text("old")).expect("written");
        let fails = |file: &mut File| file.write_all(b"half").and(Err(io::ErrorKind::StorageFull.into()));
        assert!(replace_with(&path, &aside(&path), false, fails).is_err());
        assert_eq!(fs::read_to_string(&path).expect("the old one"), "old");
        replace_with(&path, &aside(&path), true, text("new")).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("the new one"), "new");
        assert_eq!(crate::files::list(&folder), [path], "nothing is left aside");
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
