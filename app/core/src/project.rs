//! Where the sources are. A program without its sources runs, but cannot reload code.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use crate::text;

/// The root of a source tree of Weft.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    pub root: PathBuf,
}

impl Project {
    /// Looks upwards from the working directory, then from the executable.
    pub fn find() -> Option<Self> {
        let exe = std::env::current_exe().ok();
        let starts = [std::env::current_dir().ok(), exe.and_then(|exe| exe.parent().map(Path::to_path_buf))];
        starts.into_iter().flatten().find_map(|start| Self::above(&start)).filter(|found| is_own(&found.root))
    }

    /// The first folder at or above `start` that holds the hot code.
    pub fn above(start: &Path) -> Option<Self> {
        let root = start.ancestors().find(|dir| dir.join("sim-dylib/Cargo.toml").is_file())?;
        Some(Self { root: root.to_path_buf() })
    }

    pub fn code(&self) -> PathBuf {
        self.root.join("sim-dylib")
    }

    pub fn shaders(&self) -> PathBuf {
        self.root.join("shaders")
    }

    pub fn scenes(&self) -> PathBuf {
        self.root.join("scenes")
    }

    /// Solvers that have a file and are not in the list: they are no part of the code.
    pub fn unlisted_solvers(&self) -> Vec<String> {
        let source = self.code().join("src");
        let Ok(list) = text::read(&source.join("solvers.rs")) else { return Vec::new() };
        let listed =
            |name: &str| list.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        let files =
            fs::read_dir(source.join("solvers")).into_iter().flatten().flatten().map(|file| file.path());
        let code = files.filter(|file| file.extension().is_some_and(|end| end == "rs"));
        let names = code.filter_map(|file| Some(file.file_stem()?.to_str()?.to_string()));
        let mut names: Vec<String> = names.filter(|name| !listed(name)).collect();
        names.sort();
        names
    }

    /// Where this process keeps its live libraries; one folder per process, so that two windows do not meet.
    pub fn live_folder(&self) -> PathBuf {
        self.root.join("target/hot/live").join(std::process::id().to_string())
    }
}

/// The working directory when this was asked for first, which the program does at its start: hot code may change it.
pub fn start_folder() -> &'static Path {
    static START: OnceLock<PathBuf> = OnceLock::new();
    START.get_or_init(|| std::env::current_dir().unwrap_or_default())
}

/// Whether a folder belongs to who runs this program, or to the system: code of others is not built, `build.rs` and all,
/// because somebody put it above the working directory.
pub fn is_own(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let owner = |path: &Path| path.metadata().map(|data| data.uid()).ok();
        // The program's own tree is trusted as the program is.
        let exe = std::env::current_exe().ok().and_then(|exe| owner(&exe));
        let mine = owner(Path::new("/proc/self"));
        let owner = owner(folder);
        owner.is_none() || mine.is_none() || owner == mine || owner == Some(0) || owner == exe
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        true
    }
}

/// The folder a file is in; a bare file name is in the working directory.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether a file can be made there.
///
/// # Errors
/// Without the file's name: that its folder is missing.
pub fn check_folder_of(file: &Path) -> Result<(), String> {
    if folder_of(file).is_dir() { Ok(()) } else { Err("there is no such folder".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_that_is_not_listed_is_found() {
        let root = std::env::temp_dir().join(format!("weft-unlisted-{}", std::process::id()));
        let project = Project { root: root.clone() };
        let solvers = project.code().join("src/solvers");
        fs::create_dir_all(solvers.join("xpbd")).unwrap();
        for (file, text) in [
            ("../solvers.rs", "solvers! {\n    xpbd,\n}"),
            ("xpbd.rs", ""),
            ("pbd.rs", ""),
            ("xpbd/a.rs", ""),
        ] {
            fs::write(solvers.join(file), text).unwrap();
        }
        assert_eq!(project.unlisted_solvers(), ["pbd"]);
        fs::remove_dir_all(root).unwrap();
    }
}
