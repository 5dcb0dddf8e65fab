//! The one copy of the source tree that tests edit: `target/.../edit-copy`. Its own `target/hot` stays from test to
//! test and from run to run, so that the hot library is built from scratch once.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::places;

/// Only one test edits at a time.
static ALONE: Mutex<()> = Mutex::new(());

pub struct EditCopy {
    pub root: PathBuf,
    _alone: MutexGuard<'static, ()>,
}

impl EditCopy {
    /// The copy, brought in line with the tree.
    pub fn fresh() -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = Self { root: places::build().join("test-files/edit-copy"), _alone: alone };
        copy.restore();
        // What programs of earlier tests left when they were killed.
        let _ = fs::remove_dir_all(copy.root.join("target/hot/autosave"));
        copy
    }

    /// Every file as in the tree; files that are not in the tree go, build products stay.
    pub fn restore(&self) {
        let tree = places::root();
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .current_dir(&tree)
            .output();
        let listed = listed.expect("git lists the tree's files").stdout;
        let files: Vec<PathBuf> = String::from_utf8_lossy(&listed).lines().map(PathBuf::from).collect();
        assert!(files.len() > 50, "{} is a git checkout", tree.display());
        self.remove_others(&self.root, &files);
        for file in files.iter().filter(|file| tree.join(file).is_file()) {
            let wanted = fs::read(tree.join(file)).expect("a file of the tree");
            let path = self.root.join(file);
            // Equal files keep their time, so that cargo does not build them again.
            if fs::read(&path).ok().as_ref() != Some(&wanted) {
                fs::create_dir_all(path.parent().expect("inside the copy")).expect("target/ is writable");
                fs::write(&path, wanted).expect("target/ is writable");
            }
        }
    }

    fn remove_others(&self, folder: &Path, files: &[PathBuf]) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let inside = path.strip_prefix(&self.root).expect("inside the copy");
            if inside == Path::new("target") {
                continue;
            }
            if path.is_dir() {
                self.remove_others(&path, files);
            } else if !files.iter().any(|file| file == inside) {
                fs::remove_file(&path).expect("target/ is writable");
            }
        }
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.root.join(file), text).unwrap_or_else(|e| panic!("{file}: {e}"));
    }

    /// Saves `file` with the first `from` replaced; returns the text before.
    pub fn edit(&self, file: &str, from: &str, to: &str) -> String {
        let before = self.read(file);
        assert!(before.contains(from), "{file} has no `{from}`");
        self.write(file, &before.replacen(from, to, 1));
        before
    }
}
