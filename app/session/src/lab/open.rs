//! A lab from its scene file: what it begins with.

use crate::readings;
use std::{path::PathBuf, sync::Arc};
use weft_core::energy;

use super::{Device, Drag, Lab, Options, Problems, Rollback, options};
use weft_core::project::{Project, folder_of};
use weft_engine::{generation::Generation, run::Run, stability::Watch, threads::Threads};
use weft_scene::{
    Scene,
    assemble::{self, Assembly, Object},
};

use crate::{
    handles::Handles,
    history::History,
    live::Live,
    readings::{Measured, Meter},
};

/// What a lab begins with.
pub(super) struct Parts {
    pub(super) project: Option<Project>,
    pub(super) threads: Threads,
    pub(super) scene: Scene,
    pub(super) file: Scene,
    pub(super) scene_path: PathBuf,
    pub(super) objects: Vec<Object>,
    pub(super) run: Run,
    pub(super) rollback: Rollback,
    pub(super) live: Live,
    pub(super) stability: Watch,
    pub(super) drags: Vec<Drag>,
    pub(super) overrides: Vec<(String, String)>,
}

impl Lab {
    /// Loads the scene and builds its state. Watches nothing if `options.live` is false.
    pub fn open(options: Options) -> Result<Self, String> {
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
        options::lay_over(&mut scene, &overrides, &known, folder_of(&options.scene))?;
        let Assembly { blueprint, objects } = assemble::assemble(&scene);
        let mut run = Run::new(Arc::clone(&generation), blueprint, &scene.solver.name)?;
        run.log.extend(loaded.notes);
        let live = if options.live {
            Live::start(project.as_ref(), Some(&options.scene), options.carry)
        } else {
            Live::off()
        };
        let mut lab = Self::of(Parts {
            project,
            threads: Threads::new(options.threads)?,
            drags: vec![Drag::default(); scene.colliders.len()],
            file: loaded.scene,
            scene_path: options.scene,
            objects,
            run,
            rollback: Rollback::new(generation),
            stability: Watch::new(options.live),
            live,
            overrides,
            scene,
        });
        lab.problems.pending = loaded.pending;
        lab.use_solver();
        lab.settle();
        Ok(lab)
    }

    /// A lab of these parts; what is not among them is empty.
    pub(super) fn of(parts: Parts) -> Self {
        let Parts { project, threads, drags, file, scene_path, objects, run, rollback, stability, .. } =
            parts;
        Self {
            project,
            threads,
            drags,
            file,
            scene_path,
            handles: Handles::of(&parts.scene, &objects, &run.blueprint),
            run,
            rollback,
            stability,
            objects,
            live: parts.live,
            overrides: parts.overrides,
            scene: parts.scene,
            gpu: None,
            device: Device::default(),
            problems: Problems::default(),
            paused: false,
            grab: None,
            measured: Measured::default(),
            previous: Vec::new(),
            topology: 1,
            surfaces: super::surface::Surfaces::default(),
            history: History::default(),
            replay: None,
            began: None,
            alarm: None,
            energy_watch: energy::Watch::default(),
            told: super::crowded::Told::default(),
            twin: None,
            code_before: None,
            held: Vec::new(),
            meter: Meter::default(),
            first_step: None,
            ahead: None,
            reread: false,
            waits_for_save: false,
            last_swap: None,
        }
    }
}
