//! A scene as a bare run: tables, solvers and threads; no files, no window, colliders stand still.
//!
//! For cases and tests that write their scene themselves: what cannot be wrong unless the code is wrong panics.

use std::{fmt, sync::Arc};
use weft_core::state::col;

use glam::DVec3;
use sim_api::Hold;

use weft_core::state::{Blueprint, StateHash};
use weft_engine::{
    generation::Generation,
    run::{Run, StepError, StepInput},
    threads::Threads,
};
use weft_scene::{
    Scene,
    assemble::{self, Assembly},
};
use weft_session::session::AnimatedPins;

pub struct Fixture {
    pub run: Run,
    pub scene: Scene,
    pub threads: Threads,
    pub guarded: bool,
    /// Steps in what [`Fixture::frames`] counts as a frame; see [`Fixture::cut`].
    pub steps: usize,
    pins: AnimatedPins,
    holds: Vec<Hold>,
    /// Moves the run instead of its own code.
    mover: Option<Mover>,
}

/// A step by something else than the run's own code.
pub type Mover = Box<dyn FnMut(&mut Run, &StepInput) -> Result<(), StepError>>;

/// A frame whose step failed.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedFrame {
    pub frame: u64,
    pub error: StepError,
}

impl fmt::Display for FailedFrame {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "frame {}: {}", self.frame, self.error)
    }
}

/// Names of all solvers.
pub fn all_solvers() -> Vec<&'static str> {
    Generation::built_in().solvers().iter().map(|solver| solver.name.as_str()).collect()
}

/// Names of the solvers with cloth of their own. Those for strands move cloth as `xpbd` or as PBD does, bit for bit
/// (`tests/topics/strand_newton.rs`), or not at all, so that its numbers are theirs.
pub fn solvers() -> Vec<&'static str> {
    let generation = Generation::built_in();
    let own = generation.solvers().iter().filter(|solver| !solver.for_strands);
    own.map(|solver| solver.name.as_str()).collect()
}

/// The same scene with another solver at its defaults.
pub fn with_solver(mut scene: Scene, solver: &str) -> Scene {
    if scene.solver.name != solver {
        scene.solver.name = solver.to_string();
        scene.solver.params.clear();
    }
    scene
}

impl Fixture {
    /// From the text of a scene.
    pub fn new(text: &str) -> Self {
        Self::of(
            weft_scene::parse_text("test", text, None, &weft_scene::Vocabulary::default())
                .expect("a good scene")
                .scene,
        )
    }

    pub fn of(scene: Scene) -> Self {
        let Assembly { blueprint, objects } = assemble::assemble(&scene);
        let pins = AnimatedPins::of(&scene, &objects, &blueprint);
        Self { pins, ..Self::from_tables(scene, blueprint) }
    }

    /// As [`Fixture::of`] on tables of the caller's own.
    pub fn from_tables(scene: Scene, blueprint: Blueprint) -> Self {
        Self::with_code(Generation::built_in(), scene, blueprint)
    }

    /// As [`Fixture::made`] with other code than the program's own.
    pub fn with_code(code: Arc<Generation>, scene: Scene, blueprint: Blueprint) -> Self {
        let run = Run::new(code, blueprint, &scene.solver.name).expect("good tables");
        let threads = Threads::new(1).expect("one thread");
        let mut fixture = Self {
            run,
            scene,
            threads,
            guarded: true,
            steps: 1,
            pins: AnimatedPins::default(),
            holds: Vec::new(),
            mover: None,
        };
        let params = fixture.scene.solver.params.clone();
        for param in fixture.run.description().expect("a known solver").params.as_slice() {
            let value = params.get(param.name.as_str());
            if let Some(value) = value.and_then(|value| assemble::param_value(param, value)) {
                fixture.run.params.insert(param.name.to_string(), value);
            }
        }
        fixture
    }

    pub fn threads(mut self, count: usize) -> Self {
        self.threads = Threads::new(count).expect("threads");
        self
    }

    /// Every step by `mover` from now on.
    pub fn moved_by(mut self, mover: Mover) -> Self {
        self.mover = Some(mover);
        self
    }

    /// Sets a parameter of the solver that runs; it must have it.
    pub fn set(mut self, param: &str, value: f32) -> Self {
        self.run.params.insert(param.to_string(), value);
        assert_eq!(self.run.param(param), Some(value), "{} has no such parameter", self.run.solver);
        self
    }

    /// Whether the solver that runs has a parameter.
    pub fn has(&self, param: &str) -> bool {
        self.run.param(param).is_some()
    }

    /// As [`Fixture::set`] where the solver has the parameter.
    pub fn set_if(self, param: &str, value: f32) -> Self {
        if self.has(param) { self.set(param, value) } else { self }
    }

    /// Cuts a frame into `count` equal steps: by the solver's own substeps, or by shorter steps of the host.
    pub fn cut(mut self, count: u32) -> Self {
        if self.has("substeps") {
            return self.set("substeps", count as f32);
        }
        (self.scene.step, self.steps) = (self.scene.step / count as f32, count as usize);
        self
    }

    /// Frames, until a step fails.
    pub fn try_frames(&mut self, count: usize) -> Result<(), FailedFrame> {
        for _ in 0..count * self.steps {
            self.try_step().map_err(|error| FailedFrame { frame: self.run.frame, error })?;
        }
        Ok(())
    }

    pub fn try_step(&mut self) -> Result<(), StepError> {
        self.holds.clear();
        self.pins.add_holds(&self.scene, self.run.time, &self.run.state, &mut self.holds);
        let input = StepInput {
            dt: self.scene.step,
            world: assemble::world(&self.scene),
            holds: &self.holds,
            guarded: self.guarded,
        };
        match &mut self.mover {
            Some(mover) => mover(&mut self.run, &input),
            None => self.run.step(&self.threads, &input),
        }
    }

    pub fn frames(&mut self, count: usize) {
        self.try_frames(count).expect("the step counts");
    }

    pub fn hash(&self) -> StateHash {
        StateHash::of(&self.run.state)
    }

    /// Where all particles are [m].
    pub fn places(&self) -> Vec<DVec3> {
        self.x().iter().map(|row| vector(*row)).collect()
    }

    pub fn x(&self) -> &[[f32; 4]] {
        self.run.state.get(col::particle::position)
    }

    pub fn v(&self) -> &[[f32; 4]] {
        self.run.state.get(col::particle::velocity)
    }

    pub fn x_mut(&mut self) -> &mut [[f32; 4]] {
        self.run.state.get_mut(col::particle::position)
    }

    pub fn v_mut(&mut self) -> &mut [[f32; 4]] {
        self.run.state.get_mut(col::particle::velocity)
    }

    pub fn mass(&self) -> &[f32] {
        self.run.state.get(col::particle::mass)
    }

    /// Sum of m v [kg m/s].
    pub fn momentum(&self) -> DVec3 {
        self.v().iter().zip(self.mass()).map(|(v, m)| vector(*v) * f64::from(*m)).sum()
    }

    /// Sum of m x cross v [kg m2/s].
    pub fn angular_momentum(&self) -> DVec3 {
        let rows = self.x().iter().zip(self.v()).zip(self.mass());
        rows.map(|((x, v), m)| vector(*x).cross(vector(*v)) * f64::from(*m)).sum()
    }

    /// Sum of m |v|: the scale that momentum is compared with [kg m/s].
    pub fn momentum_scale(&self) -> f64 {
        self.v().iter().zip(self.mass()).map(|(v, m)| vector(*v).length() * f64::from(*m)).sum()
    }

    pub fn mean_velocity(&self) -> DVec3 {
        self.momentum() / self.mass().iter().copied().map(f64::from).sum::<f64>()
    }
}

/// The xyz of a row.
pub fn vector(row: [f32; 4]) -> DVec3 {
    DVec3::new(row[0].into(), row[1].into(), row[2].into())
}
