//! Where the sources are. A program without its sources runs, but cannot reload code.

use std::path::{Path, PathBuf};

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
        starts.into_iter().flatten().find_map(|start| Self::above(&start))
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

    /// Where this process keeps its live libraries; one folder per process, so that two windows do not meet.
    pub fn live_folder(&self) -> PathBuf {
        self.root.join("target/hot/live").join(std::process::id().to_string())
    }
}

/// The folder a file is in; a bare file name is in the working directory.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
