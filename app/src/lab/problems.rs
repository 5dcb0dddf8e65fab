//! What is wrong right now. The last good thing of each kind runs on; a problem goes away when it is mended.

use crate::{
    draw::ShaderError,
    live::{BuildMessage, Level},
    run::StepError,
    scene::{Diagnostic, SceneErrors},
};

#[derive(Default)]
pub struct Problems {
    /// Compiler messages of the last build, or why its library was refused.
    pub build: Vec<BuildMessage>,
    pub scene: Option<SceneErrors>,
    /// One for each shader file that failed.
    pub shaders: Vec<ShaderError>,
    /// A texture that cannot be used, by path.
    pub textures: Vec<String>,
    /// Why the run stands still.
    pub step: Option<StepError>,
    /// Solver parameters the code does not know (yet).
    pub pending: Vec<Diagnostic>,
}

impl Problems {
    /// Title and text of everything that needs mending.
    pub fn list(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        if let Some(error) = &self.step {
            list.push(("paused: the state is the one before the step".to_string(), error.to_string()));
        }
        for message in self.build.iter().filter(|message| message.level == Level::Error) {
            list.push((format!("code: {}", message.place), message.rendered.clone()));
        }
        if let Some(errors) = &self.scene {
            list.push(("scene: the last good one runs on".to_string(), errors.to_string()));
        }
        for error in &self.shaders {
            list.push((format!("shader: the last good {} draws on", error.file), error.report.clone()));
        }
        for error in &self.textures {
            list.push(("texture".to_string(), error.clone()));
        }
        list
    }

    pub fn shader_failed(&mut self, error: ShaderError) {
        self.shaders.retain(|other| other.file != error.file);
        self.shaders.push(error);
    }

    pub fn shader_mended(&mut self, file: &str) {
        self.shaders.retain(|other| other.file != file);
    }
}
