//! The autosave: everything a program is in the middle of, as a file that another process goes on from.
//!
//! ```text
//!  "WEFTSAVE"  version u32  length u64  xxh3-64 of the content u64  content (postcard)    all little endian
//! ```
//! A file that is cut short or damaged is refused as a whole.

mod choice;
mod crash;

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::drag::Drag;
use weft_core::{files, project::Project};
use weft_engine::run::RunImage;
use weft_gpu::GpuOptions;

pub use choice::{Choice, choose};
pub use crash::{Crash, Crashes, now};

const MAGIC: &[u8; 8] = b"WEFTSAVE";
/// Goes up with every change of [`Autosave`], and of the meshes that lie beside it ([`weft_scene::KeptMeshes`]).
const VERSION: u32 = 7;
const HEAD: usize = 28;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Autosave {
    /// Process that wrote it.
    pub process: u32,
    /// Since 1970 [ms].
    pub at: u64,
    /// Working directory; the scene's path is seen from here.
    pub folder: PathBuf,
    pub scene_path: PathBuf,
    /// RON of the scene as last read from its file, and as it runs.
    pub file: String,
    pub scene: String,
    /// `--solver` and `--set`.
    pub overrides: Vec<(String, String)>,
    pub run: RunImage,
    /// What its positions are relative to [m].
    pub origin: [f32; 3],
    /// The GPU path was asked for.
    pub gpu: Option<GpuOptions>,
    /// Where the hand has each collider.
    pub drags: Vec<Drag>,
    pub paused: bool,
    /// The code that ran.
    pub running: Library,
    /// Code that is known to be good, the newest last.
    pub good: Vec<Library>,
    /// Frames of `--frames` that are done.
    pub done: u64,
    pub window: Option<WindowState>,
    /// The meshes of its scenes (postcard), where the file goes to other places by itself; else they lie beside it.
    #[serde(with = "serde_bytes")]
    pub meshes: Vec<u8>,
}

/// Hot code as a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Library {
    /// Of its generation; 0: built in, without a file.
    pub number: u32,
    /// xxh3-64 of the file.
    pub hash: u64,
    pub file: PathBuf,
}

/// How the window looked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowState {
    /// Left and top on the screen [pixels]; `None`: not known here.
    pub place: Option<(u32, u32)>,
    /// Width and height [pixels].
    pub size: (u32, u32),
    /// Target [m], distance [m], yaw, pitch and field of view [rad].
    pub camera: [f32; 7],
    /// Places in the lists of quantities and palettes.
    pub shown: [u8; 2],
    pub help: bool,
}

impl Autosave {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes =
            Vec::with_capacity(self.run.state.len() + self.meshes.len() + 2 * self.scene.len() + 4096);
        bytes.resize(HEAD, 0);
        // Memory cannot fail to be written.
        let mut bytes = postcard::to_extend(self, bytes).unwrap_or_default();
        let (length, hash) = ((bytes.len() - HEAD) as u64, xxh3_64(&bytes[HEAD..]));
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..20].copy_from_slice(&length.to_le_bytes());
        bytes[20..28].copy_from_slice(&hash.to_le_bytes());
        bytes
    }

    /// Reads what [`Autosave::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let part = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
        let number = |from: usize, to: usize| {
            part(from, to).iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte))
        };
        if part(0, 8) == weft_timings::MAGIC {
            return Err("it is a recording, which `weft FILE` plays, and no state".into());
        }
        if part(0, 8) != MAGIC {
            return Err("it is not an autosave or a state of weft".into());
        }
        let version = number(8, 12);
        if version != u64::from(VERSION) {
            return Err(format!(
                "it has version {version} of the format and this program reads version {VERSION}"
            ));
        }
        let content = bytes.get(HEAD..).unwrap_or_default();
        if content.len() as u64 != number(12, 20) || bytes.len() < HEAD {
            return Err(format!("it is not whole: {} bytes of {}", content.len(), number(12, 20)));
        }
        if xxh3_64(content) != number(20, 28) {
            return Err("it is damaged: its checksum does not fit".into());
        }
        postcard::from_bytes(content).map_err(|e| format!("its content does not fit this program: {e}"))
    }

    pub fn read(path: &Path) -> Result<Self, String> {
        let fits =
            |first: &[u8]| if first.starts_with(MAGIC) { Ok(()) } else { Self::from_bytes(first).map(drop) };
        let bytes = files::read_if(path, fits)?;
        Self::from_bytes(&bytes).map_err(|why| format!("{}: {why}", path.display()))
    }

    /// The scene file, seen from the present working directory.
    pub fn scene_file(&self) -> PathBuf {
        if cfg!(target_arch = "wasm32") {
            // A page has one folder of scenes, wherever it was saved.
            return Path::new("scenes").join(self.scene_path.file_name().unwrap_or_default());
        }
        let here = std::env::current_dir().is_ok_and(|here| here == self.folder);
        if here { self.scene_path.clone() } else { self.folder.join(&self.scene_path) }
    }
}

impl Library {
    /// The file's bytes, if it is still the same file and one of those that this program keeps for itself: an autosave may
    /// come from anywhere.
    pub fn bytes(&self, project: Option<&Project>) -> Result<Vec<u8>, String> {
        let folder = project.map(|project| project.root.join("target/hot/live"));
        let inside = folder.and_then(|folder| {
            self.file.canonicalize().ok()?.strip_prefix(folder.canonicalize().ok()?).ok().map(drop)
        });
        if inside.is_none() {
            return Err(format!(
                "{} is no library of a live session of this source tree",
                self.file.display()
            ));
        }
        let bytes = fs::read(&self.file).map_err(|e| format!("{}: {e}", self.file.display()))?;
        if xxh3_64(&bytes) == self.hash {
            Ok(bytes)
        } else {
            Err(format!("{} has changed since", self.file.display()))
        }
    }
}
