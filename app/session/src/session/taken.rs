//! A session from a tape: another process left it there, on another machine perhaps.

use std::{path::Path, sync::Arc};

use super::{Engine, Rollback, Session, Setup, resume};
use crate::{
    autosave::Autosave,
    tape::{Draft, HandImage},
};
use weft_core::project::Project;
use weft_engine::{generation::Generation, run::Run, stability::Watch, threads::Threads};
use weft_scene::{KeptMeshes, Scene, assemble::Object};

/// What is read of a tape before anything of a session is touched.
struct Taken {
    file: Scene,
    scene: Scene,
    run: Run,
    objects: Vec<Object>,
}

impl Taken {
    fn new(saved: &Autosave, meshes: &KeptMeshes, code: &Arc<Generation>) -> Result<Self, String> {
        let name = saved.scene_path.display().to_string();
        let (file, scene) = (scene(&name, &saved.file, meshes)?, scene(&name, &saved.scene, meshes)?);
        Self::of(saved, file, scene, code)
    }

    fn of(saved: &Autosave, file: Scene, mut scene: Scene, code: &Arc<Generation>) -> Result<Self, String> {
        scene.origin = saved.origin;
        let (run, objects) = resume::run_of(saved, &scene, Arc::clone(code))?;
        Ok(Self { file, scene, run, objects })
    }
}

/// A scene as text, whose meshes are `kept` and looked up nowhere.
pub(super) fn scene(name: &str, text: &str, kept: &KeptMeshes) -> Result<Scene, String> {
    // No folder has such a name.
    let loaded = weft_scene::parse_kept(name, text, Path::new("\0"), kept);
    loaded.map(|loaded| loaded.scene).map_err(|errors| format!("its scene: {}", errors.one_line()))
}

impl Session {
    /// Goes on where a tape has all of a session, with this code and `threads` (0: one for each core). It watches nothing.
    pub fn from_tape(
        saved: &Autosave,
        meshes: &KeptMeshes,
        hand: &HandImage,
        code: Arc<Generation>,
        threads: usize,
    ) -> Result<Self, String> {
        let Taken { file, scene, run, objects } = Taken::new(saved, meshes, &code)?;
        let setup = Setup::new(saved.scene_file(), file, saved.file.clone(), scene);
        let engine = Engine::new(run, Threads::new(threads)?);
        let mut session = Self {
            project: Project::find(),
            ..Self::of(setup, objects, engine, Rollback::new(code), Watch::new(false))
        };
        session.auto.by_tape = true;
        session.take_up(saved, hand)?;
        Ok(session)
    }

    /// The same under a session that runs.
    pub fn take_whole(
        &mut self,
        saved: &Autosave,
        meshes: &KeptMeshes,
        hand: &HandImage,
    ) -> Result<(), String> {
        let code = Arc::clone(&self.engine.run().generation);
        let taken = Taken::new(saved, meshes, &code)?;
        self.take(saved, taken, hand)
    }

    /// The same as [`Session::whole`] has it.
    pub fn take_draft(&mut self, draft: &Draft) -> Result<(), String> {
        let Draft { head, save, file, scene } = draft;
        let code = Arc::clone(&self.engine.run().generation);
        let taken = Taken::of(save, file.clone(), scene.clone(), &code)?;
        self.take(save, taken, &head.hand)
    }

    fn take(&mut self, saved: &Autosave, taken: Taken, hand: &HandImage) -> Result<(), String> {
        self.read_all();
        let Taken { file, scene, run, objects } = taken;
        self.hand.drop_grab();
        self.undo.clear();
        self.setup.replace(&saved.scene_file(), file, saved.file.clone());
        self.setup.exchange(scene);
        self.hand.drags = resume::drags_of(saved, &self.setup.scene);
        let Run { state, blueprint, frame, time, .. } = run;
        self.engine.run_mut().set_time(frame, time);
        self.install(state, blueprint, objects);
        self.take_up(saved, hand)
    }

    /// What no table holds.
    fn take_up(&mut self, saved: &Autosave, hand: &HandImage) -> Result<(), String> {
        self.setup.overrides.clone_from(&saved.overrides);
        self.hand.drags = resume::drags_of(saved, &self.setup.scene);
        self.take_hand(hand);
        self.report.problems.step = None;
        self.use_solver();
        self.engine.forget_previous();
        self.setup.update_surfaces(&mut self.engine.run_mut().state);
        self.measure();
        if self.engine.device().wanted() == saved.gpu.as_ref() {
            return Ok(());
        }
        match &saved.gpu {
            Some(gpu) => Ok(self.use_gpu_as_kept(gpu)?),
            None => self.use_cpu().map_err(|why| why.to_string()),
        }
    }
}
