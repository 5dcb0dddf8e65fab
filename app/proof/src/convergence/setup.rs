//! What all solvers start from: one state, one step, one system.

use std::sync::Arc;
use weft_core::state::col;

use sim_api::{Kind, SolverDesc, World};

use weft_core::{
    state::{Blueprint, Snapshot, State},
    suggest,
};
use weft_engine::{
    elastic::Limit,
    generation::Generation,
    run::{Run, StepError, StepInput},
    threads::Threads,
};
use weft_scene::assemble;
use weft_session::Session;

use crate::oracle::{Solution, Step};

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
    /// There are strands that resist bending.
    rods: bool,
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
    /// From the present state of a session.
    pub fn of(session: &Session, stiffest: f64) -> Result<Self, String> {
        let mut blueprint = session.run().blueprint.clone();
        let colliders = session.run().state.table("collider").map_or(0, |table| table.rows);
        blueprint.tables.retain(|table| table.name != "collider");
        let mut start = Snapshot::default();
        start.take(&session.run().state);
        let (dt, world, time) = (session.scene().step, assemble::world(session.scene()), session.run().time);
        let mut state = State::build(&session.run().generation.schema, &blueprint)?;
        start.restore(&mut state);
        let rods = state.get(col::segment::bend).iter().any(|bend| *bend > 0.0);
        let damped = state.get(col::distance::damping).iter().any(|damping| *damping > 0.0);
        let softened = soften(&mut state, stiffest, dt);
        // What is softened has the same compliance for all, in single precision: the oracle needs no limit of its own.
        let step = Step::new(&state, &world, dt, time as f32, Limit::Stiffest(f64::INFINITY))?;
        Ok(Self {
            step,
            stiffest,
            softened,
            colliders,
            damped,
            rods,
            generation: Arc::clone(&session.run().generation),
            blueprint,
            start,
            time,
            world,
            dt,
            threads: Threads::new(session.engine().threads().count())?,
        })
    }

    /// The solvers of these names; all of cloth without names.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<String>, String> {
        let known: Vec<String> =
            self.generation.solvers().iter().map(|solver| solver.name.to_string()).collect();
        for name in names {
            if !known.contains(name) {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                return Err(suggest::unknown("solver", name, &known));
            }
        }
        let of_cloth =
            |name: &str| self.solver(name).is_some_and(|solver| solver.taken("distance").is_some());
        let chosen = |name: &String| if names.is_empty() { of_cloth(name) } else { names.contains(name) };
        Ok(known.into_iter().filter(chosen).collect())
    }

    /// Residual of the oracle's positions rounded to single precision: about what a perfect solver is left with.
    pub fn floor(&self, solution: &Solution) -> f64 {
        let rounded: Vec<_> = solution.x.iter().map(|x| x.as_vec3().as_dvec3()).collect();
        self.step.residual(&rounded)
    }

    /// Why a solver takes no step that could be compared, if it does not.
    pub fn left_out(&self, solver: &str) -> Option<&'static str> {
        let solver = self.solver(solver)?;
        if solver.kind == Kind::Explicit {
            return Some("it integrates explicitly and does not solve the implicit step");
        }
        // The reference has the lengths of segments alone.
        let bends = self.rods && solver.reads_compliance() && solver.taken("segment").is_some();
        bends.then_some("it bends and twists the strands here as rods, of which the reference has nothing")
    }

    /// Whether there is anything but strands.
    pub fn has_cloth(&self) -> bool {
        self.blueprint.table("triangle").is_some_and(|table| table.rows > 0)
    }

    pub fn solver(&self, name: &str) -> Option<&'static SolverDesc> {
        self.generation.description(name)
    }

    /// A run with one substep a frame; neither limits of its own nor a tolerance change the system.
    pub fn run(&self, solver: &str) -> Result<Run, String> {
        let mut run = Run::new(Arc::clone(&self.generation), self.blueprint.clone(), solver)?;
        soften(&mut run.state, self.stiffest, self.dt);
        if run.param("substeps").is_some() {
            run.params.insert("substeps".into(), 1.0);
        }
        // Neither a limit of its own nor a tolerance that ends it early: the system is as it is, the iterations decide.
        let Some(solver) = self.solver(solver) else { return Ok(run) };
        let ends = [
            (solver.stiffness.parameter().and_then(|limit| solver.param(limit)), f32::INFINITY),
            (solver.param("tolerance"), 0.0),
        ];
        for (param, end) in ends {
            run.params.extend(param.map(|param| (param.name.to_string(), param.clamp(end))));
        }
        Ok(run)
    }

    /// Puts a run back to the start.
    pub fn restore(&self, run: &mut Run) {
        self.start.restore(&mut run.state);
        run.time = self.time;
    }

    /// Takes the step that is compared.
    pub fn step_once(&self, run: &mut Run) -> Result<(), StepError> {
        let input = StepInput { dt: self.dt, world: self.world, holds: &[], guarded: false };
        run.step(&self.threads, &input)
    }
}

/// Gives rows that are stiffer than `stiffest` m/h² that stiffness, m the mass of the lighter end, and takes the
/// dampers away. Returns how many were stiffer.
fn soften(state: &mut State, stiffest: f64, h: f32) -> usize {
    let limit = Limit::Inertia { times: stiffest, h: h.into() };
    let w: Vec<f64> = state.get(col::particle::position).iter().map(|row| row[3].into()).collect();
    let pairs = state.get(col::distance::idx).iter();
    let pairs: Vec<f64> = pairs.map(|idx| w[idx[0] as usize].max(w[idx[1] as usize])).collect();
    let single = |idx| state.get(idx).iter().map(|&i| w[i as usize]).collect::<Vec<_>>();
    let (tethers, attachments) = (single(col::tether::idx), single(col::attachment::idx));
    let mut softened = 0;
    let tables = [
        (col::distance::compliance, pairs),
        (col::tether::compliance, tethers),
        (col::attachment::compliance, attachments),
    ];
    for (compliance, weights) in tables {
        for (compliance, w) in state.get_mut(compliance).iter_mut().zip(weights) {
            let least = (1.0 / limit.stiffness(0.0, w)) as f32;
            if *compliance < least {
                *compliance = least;
                softened += 1;
            }
        }
    }
    state.get_mut(col::distance::damping).fill(0.0);
    softened
}
