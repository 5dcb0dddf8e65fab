//! A scene as a bare run: tables, built-in solvers and threads; no files, no window, colliders stand still.

use glam::DVec3;
use weft::{
    assemble::{self, Assembly},
    live::Generation,
    run::{Run, StepError, StepInput},
    scene::{self, Scene, Shape},
    state::StateHash,
    threads::Threads,
};

pub struct Rig {
    pub run: Run,
    pub scene: Scene,
    pub threads: Threads,
    pub guarded: bool,
}

/// Names of all solvers.
pub fn solvers() -> Vec<&'static str> {
    Generation::built_in().solvers().iter().map(|solver| solver.name.as_str()).collect()
}

/// The scene of a file in `scenes/`, each grid `columns` by `rows` particles.
pub fn small(file: &str, columns: u32, rows: u32) -> Scene {
    let infos = assemble::solver_infos(Generation::built_in().solvers());
    let mut scene = scene::load(super::places::scene(file), &infos).expect("scenes are good").scene;
    for cloth in &mut scene.cloths {
        if let Shape::Grid { columns: c, rows: r, .. } = &mut cloth.shape {
            (*c, *r) = (columns, rows);
        }
    }
    scene
}

/// The same scene with another solver at its defaults.
pub fn with_solver(mut scene: Scene, solver: &str) -> Scene {
    if scene.solver.name != solver {
        scene.solver.name = solver.to_string();
        scene.solver.params.clear();
    }
    scene
}

impl Rig {
    /// From the text of a scene.
    pub fn new(text: &str) -> Self {
        Self::of(scene::parse_text("test", text, None, &[]).expect("a good scene").scene)
    }

    pub fn of(scene: Scene) -> Self {
        let Assembly { blueprint, .. } = assemble::assemble(&scene);
        Self::made(scene, blueprint)
    }

    /// As [`Rig::of`] on tables of the caller's own.
    pub fn made(scene: Scene, blueprint: weft::state::Blueprint) -> Self {
        let run = Run::new(Generation::built_in(), blueprint, &scene.solver.name).expect("good tables");
        let threads = Threads::new(1).expect("one thread");
        let mut rig = Self { run, scene, threads, guarded: true };
        let params = rig.scene.solver.params.clone();
        let solver = rig.scene.solver.name.clone();
        let known = Generation::built_in().solvers().iter().find(|known| known.name.as_str() == solver);
        for param in known.expect("a known solver").params.as_slice() {
            let value = params.get(param.name.as_str());
            if let Some(value) = value.and_then(|value| assemble::param_value(param, value)) {
                rig.run.params.insert(param.name.to_string(), value);
            }
        }
        rig
    }

    pub fn threads(mut self, count: usize) -> Self {
        self.threads = Threads::new(count).expect("threads");
        self
    }

    /// Sets a parameter of the solver that runs; it must have it.
    pub fn set(mut self, param: &str, value: f32) -> Self {
        self.run.params.insert(param.to_string(), value);
        assert_eq!(self.run.param(param), Some(value), "{} has no such parameter", self.run.solver);
        self
    }

    pub fn try_step(&mut self) -> Result<(), StepError> {
        let input = StepInput {
            dt: self.scene.step,
            world: assemble::world(&self.scene),
            holds: &[],
            guarded: self.guarded,
        };
        self.run.step(&self.threads, &input)
    }

    pub fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.try_step().expect("the step counts");
        }
    }

    pub fn hash(&self) -> StateHash {
        StateHash::of(&self.run.state)
    }

    pub fn x(&self) -> &[[f32; 4]] {
        self.run.state.column("particle", "position")
    }

    pub fn v(&self) -> &[[f32; 4]] {
        self.run.state.column("particle", "velocity")
    }

    pub fn x_mut(&mut self) -> &mut [[f32; 4]] {
        self.run.state.column_mut("particle", "position")
    }

    pub fn v_mut(&mut self) -> &mut [[f32; 4]] {
        self.run.state.column_mut("particle", "velocity")
    }

    pub fn mass(&self) -> &[f32] {
        self.run.state.column("particle", "mass")
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
