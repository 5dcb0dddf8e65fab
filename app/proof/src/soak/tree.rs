//! A copy of the source tree to edit, for the soak and for tests. Its own `target/hot` stays from run to run, so that
//! the library is built from scratch once.

use std::{
    fs,
    path::{Path, PathBuf},
};

pub struct Tree {
    pub root: PathBuf,
}

impl Tree {
    /// Makes the copy in `root` equal to the tree at `from`; files that are equal keep their time, so that cargo does not
    /// build them again.
    pub fn copy(from: &Path, root: PathBuf) -> Result<Self, String> {
        mirror(from, &root)
            .map_err(|e| format!("cannot copy {} to {}: {e}", from.display(), root.display()))?;
        Ok(Self { root })
    }

    pub fn read(&self, file: &str) -> Result<String, String> {
        fs::read_to_string(self.root.join(file)).map_err(|e| format!("{file}: {e}"))
    }

    pub fn write(&self, file: &str, text: &str) -> Result<(), String> {
        fs::write(self.root.join(file), text).map_err(|e| format!("{file}: {e}"))
    }
}

/// Build products and hidden folders are nobody's sources.
fn is_source(name: &std::ffi::OsStr) -> bool {
    name != "target" && !name.to_string_lossy().starts_with('.')
}

fn mirror(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if is_source(&entry.file_name()) && !from.join(entry.file_name()).exists() {
            let path = entry.path();
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if !is_source(&entry.file_name()) {
            continue;
        }
        if path.is_dir() {
            mirror(&path, &target)?;
        } else {
            let wanted = fs::read(&path)?;
            if fs::read(&target).ok().as_ref() != Some(&wanted) {
                fs::write(&target, wanted)?;
            }
        }
    }
    Ok(())
}
