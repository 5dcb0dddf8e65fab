//! What the window keeps between runs: its size, theme and text, where panels are and which sections are open, view and overlays.
//!
//! A JSON file, `window.json`, in [`user_folder`]; where there is none nothing is kept. Only the window reads and writes it. Where two windows run, the one that changed something last is right.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use weft_core::files;
use weft_session::user_folder;

pub(crate) const FILE: &str = "window.json";
/// Bounds of what a file may ask for: text by its usual size.
const TEXT: (f32, f32) = (0.5, 3.0);
/// [pixels]
const SIZE: (u32, u32) = (160, 8192);

/// All of it. What a file does not say is as in a first run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Of the window [pixels].
    pub size: Option<[u32; 2]>,
    pub light: bool,
    /// By its usual size.
    pub text: f32,
    /// Whether there are panels, where that was chosen, and where they are: see `ui/dock/layout.rs`.
    pub panels: Option<bool>,
    pub layout: Option<serde_json::Value>,
    /// Sections of panels that were opened or closed.
    pub sections: BTreeMap<String, bool>,
    /// What is shown on the cloth, as `--view` takes it, and in which palette.
    pub view: String,
    pub palette: String,
    /// As `--overlay` takes them.
    pub overlays: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            size: None,
            light: false,
            text: 1.0,
            panels: None,
            layout: None,
            sections: BTreeMap::new(),
            view: String::new(),
            palette: String::new(),
            overlays: String::new(),
        }
    }
}

impl Settings {
    /// Numbers that make no window are brought into their bounds.
    fn bounded(mut self) -> Self {
        let within = |value: f32, (low, high): (f32, f32)| value.clamp(low, high);
        self.text = if self.text.is_finite() { within(self.text, TEXT) } else { 1.0 };
        self.size = self.size.map(|size| size.map(|side| side.clamp(SIZE.0, SIZE.1)));
        self
    }
}

/// The file, and what it holds.
#[derive(Debug, Default)]
pub struct Store {
    file: Option<PathBuf>,
    written: Settings,
}

impl Store {
    /// Keeps nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// The user's file, and what it says; the text is why it could not be read.
    pub fn open() -> (Self, Settings, Option<String>) {
        user_folder()
            .map_or_else(|| (Self::none(), Settings::default(), None), |folder| Self::open_in(&folder))
    }

    /// The same in a folder, which need not be there.
    pub fn open_in(folder: &Path) -> (Self, Settings, Option<String>) {
        let file = folder.join(FILE);
        let read = match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice::<Settings>(&bytes).map_err(|why| why.to_string()),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(Settings::default()),
            Err(why) => Err(why.to_string()),
        };
        let (settings, problem) = match read {
            Ok(settings) => (settings.bounded(), None),
            Err(why) => {
                let text =
                    format!("{}: {why}; the window starts as at first and writes it anew", file.display());
                (Settings::default(), Some(text))
            }
        };
        // What cannot be read is written over with the first change.
        (Self { file: Some(file), written: settings.clone() }, settings, problem)
    }

    /// Writes what changed; nothing is done where nothing did. An error is told once: nothing is kept after it.
    pub fn keep(&mut self, settings: &Settings) -> Result<(), String> {
        let Some(file) = self.file.as_ref().filter(|_| *settings != self.written) else { return Ok(()) };
        let written = write(file, settings)
            .map_err(|why| format!("{}: {why}; what the window looks like is not kept", file.display()));
        self.written = settings.clone();
        if written.is_err() {
            self.file = None;
        }
        written
    }
}

/// A reader finds the old file or the new one, whole.
fn write(file: &Path, settings: &Settings) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        files::make_folder(folder)?;
    }
    let text = serde_json::to_vec_pretty(settings)?;
    files::write(file, text)
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    fn temporary(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("weft-settings-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_is_kept_comes_back_and_is_bounded() {
        let folder = temporary("kept");
        let (mut store, mut settings, problem) = Store::open_in(&folder);
        assert_eq!((settings.clone(), problem), (Settings::default(), None));
        store.keep(&settings).expect("nothing to write");
        assert!(!folder.join(FILE).exists(), "nothing changed, nothing is written");
        settings.light = true;
        settings.text = 99.0;
        settings.sections.insert("wind".into(), false);
        store.keep(&settings).expect("a file");
        let (_, again, problem) = Store::open_in(&folder);
        assert_eq!(problem, None);
        assert!(again.light && again.text == TEXT.1 && again.sections["wind"] == settings.sections["wind"]);
        fs::remove_dir_all(&folder).expect("a folder");
    }

    #[test]
    fn a_broken_file_is_told_and_written_anew() {
        let folder = temporary("broken");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(FILE), "{ \"light\": tru").expect("a file");
        let (mut store, settings, problem) = Store::open_in(&folder);
        assert_eq!(settings, Settings::default());
        assert!(problem.is_some_and(|text| text.contains(FILE) && text.contains("line 1")));
        store.keep(&Settings { light: true, ..settings }).expect("a file");
        assert!(Store::open_in(&folder).1.light);
        fs::remove_dir_all(&folder).expect("a folder");
    }
}
