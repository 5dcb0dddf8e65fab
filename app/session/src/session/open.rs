//! A session from its scene file.

use std::sync::Arc;

use super::{Engine, Hand, Options, Recovery, Report, Rollback, Session, Setup, Timeline, options};
use weft_core::{
    command::CommandError,
    project::{Project, folder_of},
};
use weft_engine::{generation::Generation, run::Run, stability::Watch, threads::Threads};
use weft_scene::assemble::{self, Assembly, Object};

use crate::{live::Live, readings, tape::Taping};

impl Session {
    /// Loads the scene and builds its state. Watches nothing if `options.live` is false.
    pub fn open(options: Options) -> Result<Self, CommandError> {
        // Recordings, autosaves and links have it as text.
        if std::path::absolute(&options.scene).is_ok_and(|path| path.to_str().is_none()) {
            let name = options.scene.display();
            let why = format!("{name}: the name of the file, or of a folder of it, is not UTF-8: rename it");
            return Err(CommandError::Other(why));
        }
        let generation = Generation::built_in();
        let project = Project::find();
        let mut known = readings::vocabulary(&generation);
        if options.live && project.is_some() && !options.names_solver_of(&known.solvers) {
            // One saved since this program was built comes with the first live library; until then nothing is checked.
            known.solvers.clear();
        }
        let loaded = weft_scene::load(&options.scene, &known);
        // Nobody edits a run that is not live: what would wait for a save there is an error here.
        let loaded = loaded.and_then(|loaded| if options.live { Ok(loaded) } else { loaded.strict() });
        let loaded = loaded.map_err(|errors| errors.to_string())?;
        let (overrides, mut scene) = (options.overrides(), loaded.scene.clone());
        options::lay_over(&mut scene, &overrides, &known, folder_of(&options.scene))
            .map_err(CommandError::Usage)?;
        let Assembly { blueprint, objects } = assemble::assemble(&scene);
        let run = Run::new(Arc::clone(&generation), blueprint, &scene.solver.name)?;
        let live = if options.live { Live::start(project.as_ref(), options.carry) } else { Live::off() };
        let engine = Engine::new(run, Threads::new(options.threads)?);
        let setup = Setup::new(options.scene, loaded.scene, loaded.text, scene);
        let mut session = Self {
            project,
            live,
            ..Self::of(setup, objects, engine, Rollback::new(generation), Watch::new(options.live))
        };
        session.setup.overrides = overrides;
        session.report.problems.pending = loaded.pending;
        session.watch_files();
        session.use_solver();
        session.settle();
        session.tell_notes(loaded.notes);
        Ok(session)
    }

    /// A session of these parts, which watches nothing and is not paused.
    pub(super) fn of(
        mut setup: Setup,
        objects: Vec<Object>,
        engine: Engine,
        rollback: Rollback,
        stability: Watch,
    ) -> Self {
        setup.set_objects(objects, &engine.run().blueprint);
        let hand = Hand::new(setup.scene.colliders.len());
        Self {
            setup,
            engine,
            timeline: Timeline::default(),
            recovery: Recovery::new(rollback),
            hand,
            report: Report::new(stability),
            project: None,
            live: Live::off(),
            paused: false,
            stop: None,
            undo: super::undo::Undo::default(),
            auto: super::auto::Auto::default(),
            async_load: None,
            reread: false,
            taping: Taping::default(),
        }
    }
}
