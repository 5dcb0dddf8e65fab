//! Names of the files that a run writes.

use std::path::{Path, PathBuf};

use weft_core::{command::CommandError, project::check_folder_of};
use weft_session::Session;

/// Of a file, with room for the end of one that is not whole yet [bytes].
const LONGEST_NAME: usize = 230;

/// A file that cannot be written is said before the work, not after it.
pub(crate) fn check_file(option: &str, path: &Path, end: &str) -> Result<(), CommandError> {
    if path.extension().is_none_or(|given| given != end) {
        let text = format!("{option} {}: the file name must end in .{end}", path.display());
        return Err(CommandError::Usage(text));
    }
    Ok(check_folder(option, path)?)
}

/// The same of its folder and its name, whatever that ends in.
pub(crate) fn check_folder(option: &str, path: &Path) -> Result<(), String> {
    let can_be = match check_folder_of(path) {
        Ok(()) if path.is_dir() => Err("it is a folder: name a file".into()),
        Ok(()) if path.file_name().is_some_and(|name| name.len() > LONGEST_NAME) => {
            Err("the name is too long".into())
        }
        folder => folder,
    };
    can_be.map_err(|why| format!("{option} {}: {why}", path.display()))
}

/// A file that the scene is made of is not written over.
pub(crate) fn spare(option: &str, path: &Path, session: &Session) -> Result<(), String> {
    let setup = session.setup();
    let mut read = setup.reads().map(|file| setup.folder().join(file)).chain([setup.path().to_path_buf()]);
    match path.canonicalize() {
        Ok(own) if read.any(|file| file.canonicalize().is_ok_and(|file| file == own)) => {
            Err(format!("{option} {}: the scene is made of this file; name another", path.display()))
        }
        _ => Ok(()),
    }
}

/// Whether a name has a place for the number of a frame.
pub(crate) fn is_sequence(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains('#'))
}

/// The name with the number of a frame in place of each `####`, as many digits.
pub(crate) fn numbered(path: &Path, frame: u64) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (mut made, mut rest) = (String::new(), name.as_ref());
    while let Some(first) = rest.find('#') {
        let tail = rest[first..].trim_start_matches('#');
        let width = rest.len() - first - tail.len();
        made += &format!("{}{frame:0width$}", &rest[..first]);
        rest = tail;
    }
    path.with_file_name(made + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_a_sequence_are_numbered_with_the_digits_that_are_asked_for() {
        let name = |pattern: &str, frame| numbered(Path::new(pattern), frame).display().to_string();
        assert!(is_sequence(Path::new("a/flag-####.obj")) && !is_sequence(Path::new("a#/flag.obj")));
        assert_eq!(name("a/flag-####.obj", 7), "a/flag-0007.obj");
        assert_eq!(name("##.obj", 123), "123.obj");
        assert_eq!(name("é###_#.obj", 12), "é012_12.obj");
    }
}
