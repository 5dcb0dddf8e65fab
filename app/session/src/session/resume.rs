//! A session as an autosave, and a session that goes on from one.

use std::{path::Path, sync::Arc};

use sim_api::model::COUNTED;

use super::{Drag, Engine, Options, Rollback, Session, Setup};
use weft_core::{
    files,
    project::{Project, folder_of},
};
use weft_engine::{generation::Generation, run::Run, stability::Watch, threads::Threads};
use weft_scene::{
    KeptMeshes, Scene,
    assemble::{self, Assembly, Object},
};

use crate::{
    autosave::{self, Autosave, Choice, Library, WindowState},
    live::{Carry, Live},
};

impl Session {
    /// Everything that another process needs to go on from here, except for the words of the scenes.
    /// `memory` may be that of an earlier one.
    pub fn autosave(&self, window: Option<WindowState>, done: u64, memory: Vec<u8>) -> Autosave {
        Autosave {
            process: if cfg!(target_arch = "wasm32") { 0 } else { std::process::id() },
            at: autosave::now(),
            folder: weft_core::project::start_folder().to_path_buf(),
            scene_path: self.setup.path().to_path_buf(),
            file: String::new(),
            scene: String::new(),
            overrides: self.setup.overrides.clone(),
            run: self.engine.run().image_into(memory),
            origin: self.setup.scene.origin,
            gpu: self.engine.device().wanted().cloned(),
            drags: self.hand.drags.clone(),
            paused: self.paused,
            running: library(&self.engine.run().generation),
            good: self.recovery.rollback.good().iter().map(|good| library(good)).collect(),
            done,
            window,
            meshes: Vec::new(),
        }
    }

    /// Goes on where `saved` was written, with the first code of `choice` that loads. Also returns why others did not.
    /// Meshes whose files are broken or gone are those that were saved with it, or in the file `meshes`.
    pub fn resume(
        saved: &Autosave,
        choice: &Choice,
        options: &Options,
        meshes: &Path,
    ) -> Result<(Self, Vec<String>), String> {
        let scene_path = saved.scene_file();
        let beside = || match saved.meshes.as_slice() {
            [] => kept(&files::read(meshes).unwrap_or_default()),
            meshes => kept(meshes),
        };
        let scene_of = |text: &str| read(&scene_path, text, beside);
        let (file, mut scene) = (scene_of(&saved.file)?, scene_of(&saved.scene)?);
        scene.origin = saved.origin;
        let project = Project::find();
        let numbers = saved.good.iter().chain([&saved.running]).map(|library| library.number);
        let crashed = options.carry.last;
        let last = numbers.max().unwrap_or(0).max(crashed);
        // Read now: the start of the live session may remove files of ended processes.
        let bytes = |code: &Library| code.bytes(project.as_ref());
        let files: Vec<_> = choice.code.iter().map(|code| (code, code.number > 0, bytes(code))).collect();
        let mut notes = Vec::new();
        let mut live = if options.live {
            let carry = Carry { wait: choice.hold, last, ..options.carry.clone() };
            Live::start(project.as_ref(), carry)
        } else {
            Live::off()
        };
        // All of them, the wanted one last: the others are what is gone back to if it crashes again.
        let mut good = Vec::new();
        for (code, _, bytes) in files.into_iter().rev().filter(|(_, is_file, _)| *is_file) {
            let loaded = bytes.and_then(|bytes| live.adopt(bytes, code.number).map_err(|e| e.to_string()));
            match loaded {
                Ok(loaded) => good.push(loaded),
                Err(why) => notes.push(format!("generation {} does not load again: {why}", code.number)),
            }
        }
        let generation = good.last().map_or_else(Generation::built_in, Arc::clone);
        let (run, objects) = run_of(saved, &scene, generation)?;
        let drags = drags_of(saved, &scene);
        // Saved since, or while no program ran; what is wrong with it is said then.
        let reread = weft_scene::load(&scene_path, &weft_scene::Vocabulary::default())
            .map_or(true, |loaded| loaded.scene != file);
        let engine = Engine::new(run, Threads::new(options.threads)?);
        let setup = Setup::new(scene_path, file, saved.file.clone(), scene);
        let mut session = Self {
            project,
            live,
            paused: saved.paused || choice.hold,
            reread,
            ..Self::of(setup, objects, engine, Rollback::after(good), Watch::new(options.live))
        };
        session.setup.overrides.clone_from(&saved.overrides);
        session.hand.drags = drags;
        session.recovery.waits_for_save = choice.hold;
        session.watch_files();
        session.use_solver();
        session.engine.forget_previous();
        session.setup.update_surfaces(&mut session.engine.run_mut().state);
        session.measure();
        Ok((session, notes))
    }
}

/// The run of an autosave and the objects of its scene.
pub(super) fn run_of(
    saved: &Autosave,
    scene: &Scene,
    generation: Arc<Generation>,
) -> Result<(Run, Vec<Object>), String> {
    let Assembly { blueprint, objects } = assemble::assemble(scene);
    let mut run = Run::from_image(generation, &saved.run)?;
    match run.blueprint.first_other(&blueprint) {
        None => {}
        // What a program counts for itself is of no file.
        Some(table) if COUNTED.contains(&table) => {
            return Err(format!(
                "another version of weft wrote it, whose table `{table}` has other rows: open it with that, or start from the scene"
            ));
        }
        Some(_) => {
            return Err(format!("{}: its meshes are others than they were", saved.scene_file().display()));
        }
    }
    run.state.distrust_derived();
    Ok((run, objects))
}

/// Where its hand has the colliders.
pub(super) fn drags_of(saved: &Autosave, scene: &Scene) -> Vec<Drag> {
    let mut drags = saved.drags.clone();
    drags.resize(scene.colliders.len(), Drag::default());
    drags
}

fn library(generation: &Generation) -> Library {
    let file = generation.file.as_ref().map(|kept| kept.0.clone()).unwrap_or_default();
    Library { number: generation.number, hash: generation.hash, file }
}

/// Meshes as they were written with an autosave; none where they cannot be read.
pub(super) fn kept(bytes: &[u8]) -> KeptMeshes {
    postcard::from_bytes(bytes).unwrap_or_default()
}

/// What is wrong on disk is no reason not to go on: it is said when the file is read again.
pub(super) fn read(path: &Path, text: &str, kept: impl FnOnce() -> KeptMeshes) -> Result<Scene, String> {
    let (name, known) = (path.display().to_string(), weft_scene::Vocabulary::default());
    let loaded = weft_scene::parse_text(&name, text, Some(folder_of(path)), &known);
    let loaded = loaded.or_else(|_| weft_scene::parse_kept(&name, text, folder_of(path), &kept()));
    loaded
        .map(|loaded| loaded.scene)
        .map_err(|errors| format!("the scene of the autosave: {}", errors.one_line()))
}
