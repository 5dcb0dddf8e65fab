//! What happens to a session from outside, and how far its library is.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use weft_core::clock::Instant;
use weft_engine::generation::Generation;

use super::{BuildMessage, Refusal};

/// Times of one reload, for the panel, the recording and the latency test.
#[derive(Clone, Copy, Debug)]
pub struct Reload {
    pub saved: Instant,
    pub built: Instant,
    /// The children of the probe had run it.
    pub probed: Instant,
    pub published: Instant,
    /// It was tried on a small cloth: the state here is too large to copy.
    pub small: bool,
}

/// Something that changed, or that came of it.
pub enum Event {
    /// A library passed the probe and is loaded; call its code from the next step on.
    Swapped(Arc<Generation>, Reload),
    /// The build failed; the old code runs on.
    BuildFailed(Vec<BuildMessage>),
    /// The library was built but is not taken.
    Refused(Refusal),
    /// Code cannot be rebuilt here, and why; said once.
    Off(String),
    /// The build made what runs already.
    Unchanged,
    Shader(PathBuf),
    Scene(PathBuf, Instant),
    Texture(PathBuf, Instant),
    /// A file of a mesh or of strands.
    Mesh(PathBuf, Instant),
    /// Folders whose files are not seen any more, because they are gone: all of them, whenever they are others.
    Folders(Vec<PathBuf>),
}

impl Event {
    /// The file that was saved.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Shader(file) | Self::Scene(file, _) | Self::Texture(file, _) | Self::Mesh(file, _) => {
                Some(file)
            }
            _ => None,
        }
    }
}

/// What the panel says about the library.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// No reload in this session, and why.
    Off(String),
    /// The program's own code runs while the first live library is built.
    FirstBuild {
        crates: usize,
    },
    /// Since when, and how many crates are done.
    Building {
        since: Instant,
        crates: usize,
    },
    Ready,
}
