//! The program in a folder of its own, outside of any source tree: neither cargo nor another test's files matter there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use weft_session::rescue::Autosave;

use crate::{
    places,
    process::{Running, poll},
};

/// The program with the scene `hanging.ron`, smaller and without its texture.
pub struct Alone {
    pub folder: PathBuf,
}

impl Alone {
    pub fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("weft-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(places::weft(), folder.join("weft")).unwrap();
        let scene = fs::read_to_string(places::scene("hanging.ron")).unwrap();
        let plain = scene
            .replace("textures/stripes.png", "")
            .replace("columns: 64, rows: 64", "columns: 24, rows: 24");
        assert!(plain.contains("rows: 24"), "hanging.ron has another grid");
        fs::write(folder.join("hanging.ron"), plain).unwrap();
        Self { folder }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.folder.join("weft"));
        command.args(arguments).current_dir(&self.folder).env("XDG_CACHE_HOME", self.folder.join("cache"));
        command
    }

    pub fn start(&self, arguments: &[&str]) -> Running {
        Running::start(self.command(arguments))
    }

    pub fn autosaves(&self) -> PathBuf {
        self.folder.join("cache/weft/autosave")
    }

    /// Whole autosaves: a process that is killed while it writes one leaves a part beside it.
    pub fn saves(&self) -> usize {
        let files = fs::read_dir(self.autosaves()).into_iter().flatten().flatten();
        files.filter(|file| file.path().extension().is_some_and(|end| end == "weft")).count()
    }

    /// An autosave of this process with at least `frame` frames.
    pub fn saved(&self, process: u32, frame: u64) -> Autosave {
        let file = self.autosaves().join(format!("{process}.weft"));
        poll("an autosave", || Autosave::read(&file).ok().filter(|saved| saved.run.frame >= frame))
    }

    /// The hash after a number of frames without a break.
    pub fn hash(&self, frames: &str) -> String {
        self.hash_on(frames, "cpu")
    }

    /// The same on a path (`cpu` or `gpu`).
    pub fn hash_on(&self, frames: &str, path: &str) -> String {
        let run = ["run", "hanging.ron", "--frames", frames, "--path", path];
        let output = self.command(&run).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.lines().find(|line| line.starts_with("state hash")).unwrap_or_else(|| panic!("{said}")).into()
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Files in a folder.
pub fn count(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}
