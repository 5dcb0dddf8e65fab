//! A state that was saved under a running session.

use std::sync::Arc;

use weft_core::files;

use super::{Notice, Problems, Session, options, resume};
use crate::{autosave::Autosave, readings};

impl Session {
    /// Goes on where `saved` was written, in its scene and with the present code. Meshes whose files are broken or gone are those
    /// that were saved with it. On an error all is as it was.
    pub fn load_state(&mut self, saved: &Autosave) -> Result<(), String> {
        let path = saved.scene_file();
        let scene_of = |text: &str| resume::read(&path, text, || resume::kept(&saved.meshes));
        let (file, mut scene) = (scene_of(&saved.file)?, scene_of(&saved.scene)?);
        scene.origin = saved.origin;
        let (loaded, objects) = resume::run_of(saved, &scene, Arc::clone(&self.engine.run().generation))?;
        let known = weft_scene::Vocabulary::default();
        if cfg!(target_arch = "wasm32") {
            // From elsewhere: a page's own scene of that name would be laid over it.
            files::replace(&path, saved.file.as_bytes()).map_err(|why| why.to_string())?;
        }
        // What is wrong with the file is said when it is read. Where it was saved since, the state has the scene that it was saved with.
        match weft_scene::load(&path, &known) {
            Err(_) => self.reread = true,
            Ok(loaded) if loaded.scene != file => {
                let text = "the scene's file says something else by now; the state runs as it was saved, until the file is saved again";
                self.report.notice(Notice::good("state", text));
            }
            Ok(_) => {}
        }
        self.release();
        self.undo.clear();
        self.async_load = None;
        self.hand.drags = resume::drags_of(saved, &scene);
        self.setup.replace(&path, file, saved.file.clone());
        self.setup.exchange(scene);
        self.setup.overrides.clone_from(&saved.overrides);
        self.report.problems = std::mem::take(&mut self.report.problems).of_other_scene();
        self.engine.run_mut().set_time(loaded.frame, loaded.time);
        self.install(loaded.state, loaded.blueprint, objects);
        self.use_solver();
        self.paused = saved.paused;
        self.watch_files();
        Ok(())
    }

    /// Lays `--solver` and `--set` over the scene that runs. Returns the objects that start again by that.
    pub(crate) fn lay_over(&mut self, overrides: &[(String, String)]) -> Result<Vec<String>, String> {
        if overrides.is_empty() {
            return Ok(Vec::new());
        }
        let known = readings::vocabulary(&self.engine.run().generation);
        let mut scene = self.setup.scene.clone();
        options::lay_over(&mut scene, overrides, &known, self.setup.folder())?;
        let reset = self.apply(scene)?;
        self.setup.overrides.extend_from_slice(overrides);
        Ok(reset)
    }
}

impl Problems {
    /// What does not come from the scene.
    pub(super) fn of_other_scene(self) -> Self {
        let Self { build, shaders, passes, device, .. } = self;
        Self { build, shaders, passes, device, ..Self::default() }
    }
}
