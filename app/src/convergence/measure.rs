//! The measurement: the same state, the same step, each solver.

use std::{sync::Arc, time::Instant};

use sim_api::{ParamDesc, ParamKind, SolverDesc, World};

use crate::{
    assemble,
    elastic::Limit,
    lab::Lab,
    live::Generation,
    oracle::{self, Solution, Step},
    record::percentile,
    run::{Run, StepInput},
    scene::suggest,
    state::{Blueprint, Snapshot, State},
    threads::Threads,
};

/// One solver at one number of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// `None`: the solver has no such parameter.
    pub iterations: Option<u32>,
    /// Median time of the step [ms].
    pub ms: f64,
    /// As [`Step::residual`]; not finite if the step failed.
    pub residual: f64,
    /// Largest distance of a particle from the oracle's [m].
    pub farthest: f64,
    /// RMS of it [m].
    pub rms: f64,
}

/// One solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub solver: String,
    /// The parameter that was turned.
    pub parameter: Option<String>,
    /// Whether the solver is meant to solve this equation at all.
    pub implicit: bool,
    pub points: Vec<Point>,
    /// What the reader must know.
    pub note: Option<String>,
}

impl Curve {
    pub fn solves(&self) -> &'static str {
        if self.implicit { "implicit Euler" } else { "rigid constraints" }
    }
}

/// What all solvers start from.
pub struct Setup {
    pub step: Step,
    /// Rows stiffer than this are taken as this stiff [m/h²].
    pub stiffest: f64,
    /// How many rows that changed.
    pub softened: usize,
    /// Colliders taken away.
    pub colliders: usize,
    /// Dampers were taken away.
    pub damped: bool,
    generation: Arc<Generation>,
    blueprint: Blueprint,
    start: Snapshot,
    time: f64,
    world: World,
    /// Length of the step [s].
    dt: f32,
    threads: Threads,
}

impl Setup {
    /// From the present state of a lab.
    pub fn of(lab: &Lab, stiffest: f64) -> Result<Self, String> {
        let mut blueprint = lab.run.blueprint.clone();
        let colliders = lab.run.state.table("collider").map_or(0, |table| table.rows);
        blueprint.tables.retain(|table| table.name != "collider");
        let mut start = Snapshot::default();
        start.take(&lab.run.state);
        let (dt, world, time) = (lab.scene.step, assemble::world(&lab.scene), lab.run.time);
        let mut state = State::build(&lab.run.generation.schema, &blueprint)?;
        start.restore(&mut state);
        let damped = state.column::<f32>("distance", "damping").iter().any(|damping| *damping > 0.0);
        let softened = soften(&mut state, stiffest, dt);
        // What is softened has the same compliance for all, in single precision: the oracle needs no limit of its own.
        let step = Step::new(&state, &world, dt, time as f32, Limit::Stiffest(f64::INFINITY))?;
        Ok(Self {
            step,
            stiffest,
            softened,
            colliders,
            damped,
            generation: Arc::clone(&lab.run.generation),
            blueprint,
            start,
            time,
            world,
            dt,
            threads: Threads::new(lab.threads.count())?,
        })
    }

    /// The solvers of these names; all without names.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<String>, String> {
        let known: Vec<String> =
            self.generation.solvers().iter().map(|solver| solver.name.to_string()).collect();
        for name in names {
            if !known.contains(name) {
                let near = suggest::nearest(name, known.iter().map(String::as_str));
                let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                return Err(format!("there is no solver `{name}`{near} (solvers: {})", known.join(", ")));
            }
        }
        Ok(known.into_iter().filter(|name| names.is_empty() || names.contains(name)).collect())
    }

    pub fn is_explicit(&self, solver: &str) -> bool {
        self.solver(solver).is_some_and(|solver| parameter(solver, "integrator").is_some())
    }

    fn solver(&self, name: &str) -> Option<&SolverDesc> {
        self.generation.solvers().get(self.generation.solver(name)?)
    }

    fn run(&self, solver: &str) -> Result<Run, String> {
        let mut run = Run::new(Arc::clone(&self.generation), self.blueprint.clone(), solver)?;
        soften(&mut run.state, self.stiffest, self.dt);
        if run.param("substeps").is_some() {
            run.params.insert("substeps".into(), 1.0);
        }
        // Neither a limit of its own nor a tolerance that ends it early: the system is as it is, the iterations decide.
        for param in self.solver(solver).map_or(&[][..], |solver| solver.params.as_slice()) {
            match param.name.as_str() {
                "stiffest" => _ = run.params.insert(param.name.to_string(), param.max),
                "tolerance" => _ = run.params.insert(param.name.to_string(), param.min),
                _ => {}
            }
        }
        Ok(run)
    }
}

/// Gives rows that are stiffer than `stiffest` m/h² that stiffness, m the mass of the lighter end, and takes the
/// dampers away. Returns how many were stiffer.
fn soften(state: &mut State, stiffest: f64, h: f32) -> usize {
    let limit = Limit::Inertia { times: stiffest, h: h.into() };
    let w: Vec<f64> =
        state.column::<[f32; 4]>("particle", "position").iter().map(|row| row[3].into()).collect();
    let pairs = state.column::<[u32; 2]>("distance", "idx").iter();
    let pairs: Vec<f64> = pairs.map(|idx| w[idx[0] as usize].max(w[idx[1] as usize])).collect();
    let single = |table| state.column::<u32>(table, "idx").iter().map(|&i| w[i as usize]).collect::<Vec<_>>();
    let (tethers, attachments) = (single("tether"), single("attachment"));
    let mut softened = 0;
    for (table, weights) in [("distance", pairs), ("tether", tethers), ("attachment", attachments)] {
        for (compliance, w) in state.column_mut::<f32>(table, "compliance").iter_mut().zip(weights) {
            let least = (1.0 / limit.stiffness(0.0, w)) as f32;
            if *compliance < least {
                *compliance = least;
                softened += 1;
            }
        }
    }
    state.column_mut::<f32>("distance", "damping").fill(0.0);
    softened
}

fn parameter<'a>(solver: &'a SolverDesc, name: &str) -> Option<&'a ParamDesc> {
    solver.params.as_slice().iter().find(|param| param.name.as_str() == name)
}

/// The outermost number of iterations that a solver has.
fn iterations(solver: &SolverDesc) -> Option<&ParamDesc> {
    let last = solver.params.as_slice().iter();
    let mut last = last.filter(|p| p.kind == ParamKind::Count && p.name.as_str().ends_with("iterations"));
    parameter(solver, "iterations").or_else(|| parameter(solver, "newton_iterations")).or_else(|| last.next())
}

/// One curve for each solver that is not explicit.
pub fn curves(
    setup: &Setup,
    solution: &Solution,
    solvers: &[String],
    counts: &[u32],
    repeats: usize,
) -> Result<Vec<Curve>, String> {
    let implicit = solvers.iter().filter(|solver| !setup.is_explicit(solver));
    implicit.map(|solver| curve(setup, solution, solver, counts, repeats)).collect()
}

fn curve(
    setup: &Setup,
    solution: &Solution,
    name: &str,
    counts: &[u32],
    repeats: usize,
) -> Result<Curve, String> {
    let solver = setup.solver(name).ok_or_else(|| format!("there is no solver `{name}`"))?;
    let turned = iterations(solver);
    let mut run = setup.run(name)?;
    let implicit = !name.starts_with("pbd");
    let note =
        (!implicit).then(|| "makes rows rigid, whatever their compliance: not this equation".to_string());
    let mut curve = Curve {
        solver: name.into(),
        parameter: turned.map(|p| p.name.to_string()),
        implicit,
        points: Vec::new(),
        note,
    };
    let Some(turned) = turned else {
        curve.points.push(point(setup, solution, &mut run, None, repeats, &mut curve.note));
        return Ok(curve);
    };
    for &count in counts.iter().filter(|&&count| turned.clamp(count as f32) == count as f32) {
        run.params.insert(turned.name.to_string(), count as f32);
        let point = point(setup, solution, &mut run, Some(count), repeats, &mut curve.note);
        curve.points.push(point);
    }
    if curve.points.is_empty() {
        curve.note = Some(format!("none of the numbers is within {} to {}", turned.min, turned.max));
    }
    Ok(curve)
}

fn point(
    setup: &Setup,
    solution: &Solution,
    run: &mut Run,
    iterations: Option<u32>,
    repeats: usize,
    note: &mut Option<String>,
) -> Point {
    let input = StepInput { dt: setup.dt, world: setup.world, holds: &[], guarded: false };
    let mut times: Vec<f32> = Vec::new();
    // The first one is not timed: it fills caches, and solvers that factor a matrix do it then.
    for repeat in 0..=repeats.max(1) {
        setup.start.restore(&mut run.state);
        run.time = setup.time;
        let start = Instant::now();
        if let Err(error) = run.step(&setup.threads, &input) {
            *note = Some(error.to_string());
            return Point { iterations, ms: f64::NAN, residual: f64::NAN, farthest: f64::NAN, rms: f64::NAN };
        }
        if repeat > 0 {
            times.push(start.elapsed().as_secs_f32() * 1e3);
        }
    }
    times.sort_by(f32::total_cmp);
    let x = oracle::positions(&run.state);
    let (farthest, rms) = setup.step.distance(&x, &solution.x);
    Point { iterations, ms: percentile(&times, 0.5).into(), residual: setup.step.residual(&x), farthest, rms }
}
