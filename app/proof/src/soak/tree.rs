//! A copy of the source tree to edit, for the soak and for tests. Its own `target/hot` stays from run to run, so that
//! the library is built from scratch once.

use std::{
    fs,
    path::{Path, PathBuf},
};

pub struct Tree {
    pub root: PathBuf,
}

/// In a folder that is a copy: what else is in it may be deleted.
const MARK: &str = ".weft-soak";

impl Tree {
    /// The same of a folder that somebody named.
    ///
    /// # Errors
    /// One with files of somebody's own, which would be deleted, or inside what is copied.
    pub fn copy_to_named(from: &Path, folder: &Path) -> Result<Self, String> {
        let failed = |why: &dyn std::fmt::Display| format!("--tree {}: {why}", folder.display());
        let whole = |path: &Path| fs::canonicalize(path).map_err(|why| failed(&why));
        fs::create_dir_all(folder).map_err(|why| failed(&why))?;
        let (root, own) = (whole(folder)?, whole(from)?);
        let inside = root.strip_prefix(&own).is_ok_and(|rest| rest.iter().all(is_source));
        let empty = || fs::read_dir(&root).is_ok_and(|mut entries| entries.next().is_none());
        if inside || own.starts_with(&root) {
            // One that was made for this is empty.
            let _ = fs::remove_dir(&root);
            return Err(failed(
                &"a copy of the source tree cannot be in it or around it: name a folder elsewhere",
            ));
        }
        if !root.join(MARK).exists() && !empty() {
            let why =
                "what is in it would be deleted, and it is no copy that `weft soak` made: name a new folder";
            return Err(failed(&why));
        }
        Self::copy(from, root)
    }

    /// Makes the copy in `root` equal to the tree at `from`; files that are equal keep their time, so that cargo does not
    /// build them again.
    pub fn copy(from: &Path, root: PathBuf) -> Result<Self, String> {
        fs::create_dir_all(&root)
            .and_then(|()| fs::write(root.join(MARK), ""))
            .and_then(|()| mirror(from, &root))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_files_of_somebody_is_left_alone() {
        let folder = std::env::temp_dir().join(format!("weft-soak-tree-{}", std::process::id()));
        let (from, mine, new) = (folder.join("from"), folder.join("mine"), folder.join("new"));
        fs::create_dir_all(from.join("src")).expect("a folder");
        fs::create_dir_all(&mine).expect("a folder");
        fs::write(from.join("src/a.rs"), "a").expect("a file");
        fs::write(mine.join("letter.txt"), "mine").expect("a file");
        let refused = |to: &Path| Tree::copy_to_named(&from, to).map(drop).expect_err("refused");
        assert!(refused(&mine).contains("would be deleted") && mine.join("letter.txt").exists());
        for near in [&from, &folder, &from.join("src"), &from.join("copy")] {
            assert!(refused(near).contains("in it or around it"), "{}", near.display());
        }
        assert!(!from.join("copy").exists() && mine.join("letter.txt").exists());
        // Its own copy is made anew.
        Tree::copy_to_named(&from, &new).map(drop).expect("a copy");
        fs::write(new.join("src/b.rs"), "b").expect("a file");
        Tree::copy_to_named(&from, &new).map(drop).expect("a copy");
        assert!(new.join("src/a.rs").exists() && !new.join("src/b.rs").exists());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
