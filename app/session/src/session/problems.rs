//! What is wrong right now. The last good thing of each kind runs on; a problem goes away when it is mended.

use std::path::{Path, PathBuf};

use weft_draw::ShaderError;
use weft_engine::run::StepError;
use weft_scene::{Diagnostic, SceneErrors};

use crate::live::{BuildMessage, Level};

/// A shader file as it was saved, and why the last good one draws on.
pub struct Rejected {
    pub file: String,
    pub text: String,
    pub error: ShaderError,
}

#[derive(Default)]
pub struct Problems {
    /// Compiler messages of the last build, or why its library was refused.
    pub build: Vec<BuildMessage>,
    pub scene: Option<SceneErrors>,
    /// Why another scene, which was asked for, does not run.
    pub asked: Option<String>,
    /// Shader files that were saved and do not draw, with their text: several may only fit together.
    pub shaders: Vec<Rejected>,
    /// Files of `shaders/sim` that were saved and do not compute.
    pub passes: Vec<ShaderError>,
    /// What became of a device that failed, until the next switch.
    pub device: Option<String>,
    /// Textures that cannot be used.
    pub textures: Vec<String>,
    /// Watched folders that are gone.
    pub folders: Vec<PathBuf>,
    /// Why the run stands still.
    pub step: Option<StepError>,
    /// Code that was taken back, and why.
    pub code: Option<String>,
    /// Why this process took the place of another, until the next good save.
    pub restarted: Option<String>,
    /// What stability says about it, for an explicit solver above its limit.
    pub unstable: Option<String>,
    /// Solver parameters the code does not know (yet).
    pub pending: Vec<Diagnostic>,
}

impl Problems {
    /// A saved pass is not taken.
    pub fn refuse_pass(&mut self, file: &str, error: ShaderError) {
        self.passes.retain(|other| other.file != file && other.file != error.file);
        self.passes.push(error);
    }

    /// Title and text of everything that needs mending.
    pub fn list(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        if let Some(error) = &self.step {
            list.push((
                "paused at the state before the step (space: try again, r: reset, or save a fix)".to_string(),
                self.unstable.iter().fold(error.to_string(), |text, why| format!("{text}\n{why}")),
            ));
        }
        if let Some(text) = &self.restarted {
            list.push(("restarted".to_string(), text.clone()));
        }
        if let Some(text) = &self.code {
            list.push(("code: the last good one runs".to_string(), text.clone()));
        }
        for message in self.build.iter().filter(|message| message.level == Level::Error) {
            let place = if message.place.is_empty() { "not taken" } else { &message.place };
            list.push((format!("code: {place}"), message.rendered.clone()));
        }
        if let Some(errors) = &self.scene {
            list.push(("scene: the last good one runs on".to_string(), errors.to_string()));
        }
        if let Some(text) = &self.asked {
            list.push(("another scene: this one runs on".to_string(), text.clone()));
        }
        for rejected in &self.shaders {
            let title = format!("shader: the last good {} draws on", rejected.file);
            list.push((title, rejected.error.report.clone()));
        }
        for error in &self.passes {
            list.push((format!("pass: the last good {} goes on", error.file), error.report.clone()));
        }
        if let Some(text) = &self.device {
            list.push(("the GPU path".to_string(), text.clone()));
        }
        for error in &self.textures {
            list.push(("texture".to_string(), error.clone()));
        }
        list.extend(
            self.folders
                .iter()
                .map(|folder| ("folder: what was read of it runs on".to_string(), folder_gone(folder))),
        );
        list
    }
}

/// What is said of a folder whose files are watched.
pub(super) fn folder_gone(folder: &Path) -> String {
    format!("{} is gone: put it back, or make it anew, and its files are read again", folder.display())
}
