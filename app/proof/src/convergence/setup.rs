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

use super::TOLERANCE;
use crate::oracle::{Rods, Solution, Step};

/// An equation and its solution in double precision.
pub struct Reference<'a> {
    pub step: &'a Step,
    pub solution: Solution,
    /// Residual of that solution rounded to single precision: about what a perfect solver is left with.
    pub floor: f64,
}

impl<'a> Reference<'a> {
    fn of(step: &'a Step) -> Result<Self, String> {
        let solution = step.solve(TOLERANCE, 200)?;
        if step.scale() == 0.0 || solution.residual == 0.0 {
            return Err("nothing pulls, pushes or bends in this step: take a later one, --frames N".into());
        }
        let floor = step.residual(&solution.place.rounded());
        Ok(Self { step, solution, floor })
    }
}

/// The solutions that some solvers are compared with.
pub struct References<'a> {
    /// Of rows over particles.
    pub rows: Option<Reference<'a>>,
    /// With strands as rods.
    pub rods: Option<Reference<'a>>,
}

impl References<'_> {
    /// That of a solver.
    pub fn of(&self, setup: &Setup, solver: &SolverDesc) -> Option<&Reference<'_>> {
        if setup.as_rods(solver) { self.rods.as_ref() } else { self.rows.as_ref() }
    }
}

/// What all solvers start from.
pub struct Setup {
    /// The equation of rows over particles.
    pub step: Step,
    /// That of strands that resist bending, for solvers that take them as rods.
    pub rods: Option<Step>,
    /// Rows stiffer than this are taken as this stiff [m/h²].
    pub stiffest: f64,
    /// How many rows that changed.
    pub softened: usize,
    /// What else was changed for the step, in words.
    pub changes: Vec<String>,
    generation: Arc<Generation>,
    blueprint: Blueprint,
    start: Snapshot,
    time: f64,
    world: World,
    /// Length of the step [s].
    dt: f32,
    threads: Threads,
}

/// Tables of what the reference does not know: contact, gas, and ends of strands on cloth and on bodies, which are held instead.
const LEFT_OUT: [&str; 7] = ["collider", "layer", "balloon", "root", "bearer", "borne", "mount"];

impl Setup {
    /// From the present state of a session.
    pub fn of(session: &Session, stiffest: f64) -> Result<Self, String> {
        let mut blueprint = session.run().blueprint.clone();
        let rows = |name: &str| session.run().state.table(name).map_or(0, |table| table.rows);
        let (colliders, touches, ends) =
            (rows("collider"), rows("layer") > 0, rows("root") + rows("mount") > 0);
        blueprint.tables.retain(|table| !LEFT_OUT.contains(&table.name));
        let mut start = Snapshot::default();
        start.take(&session.run().state);
        let (dt, world, time) = (session.scene().step, assemble::world(session.scene()), session.run().time);
        let mut state = State::build(&session.run().generation.schema, &blueprint)?;
        start.restore(&mut state);
        let bends = state.get(col::segment::bend).iter().any(|bend| *bend > 0.0);
        let grids = state.get(col::segment::grid).iter().any(|grid| *grid != u32::MAX);
        let damped = state.get(col::distance::damping).iter().any(|damping| *damping > 0.0);
        let changes = [
            (
                colliders > 0,
                format!("contact is left out: {colliders} collider(s) are taken away for this step"),
            ),
            (touches, "self collision is left out".to_string()),
            (rows("balloon") > 0, "the gas of balloons is left out".to_string()),
            (damped, "the damping of springs is left out".to_string()),
            (grids, "strands do not feel each other in this step".to_string()),
            (ends, "ends of strands on cloth and on bodies are held where they are".to_string()),
        ];
        let changes = changes.into_iter().filter_map(|(changed, text)| changed.then_some(text)).collect();
        let softened = simplify(&mut state, stiffest, dt);
        // What is softened has the same compliance for all, in single precision: the oracle needs no limit of its own.
        let limit = Limit::Stiffest(f64::INFINITY);
        let step = Step::new(&state, &world, dt, time as f32, limit)?;
        let rods = bends.then(|| Step::of_rods(&mut state, &world, dt, time as f32, limit)).transpose()?;
        Ok(Self {
            step,
            stiffest,
            softened,
            changes,
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

    /// The references that these solvers are compared with.
    pub fn references(&self, solvers: &[String]) -> Result<References<'_>, String> {
        let compared = || {
            solvers.iter().filter(|name| self.left_out(name).is_none()).filter_map(|name| self.solver(name))
        };
        let rows = compared().any(|solver| !self.as_rods(solver));
        let rods = self.rods.as_ref().filter(|_| compared().any(|solver| self.as_rods(solver)));
        Ok(References {
            rows: rows.then(|| Reference::of(&self.step)).transpose()?,
            rods: rods.map(Reference::of).transpose()?,
        })
    }

    /// Why a solver takes no step that could be compared, if it does not.
    pub fn left_out(&self, solver: &str) -> Option<&'static str> {
        let solver = self.solver(solver)?;
        (solver.kind == Kind::Explicit)
            .then_some("it integrates explicitly and does not solve the implicit step")
    }

    /// Whether a solver bends and twists the strands here as rods.
    pub fn as_rods(&self, solver: &SolverDesc) -> bool {
        self.rods.is_some() && solver.reads_compliance() && solver.taken("segment").is_some()
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
        self.start.restore(&mut run.state);
        simplify(&mut run.state, self.stiffest, self.dt);
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

/// Gives rows that are stiffer than `stiffest` m/h² that stiffness, m the mass of the lighter end, and takes away the dampers, and
/// the grids through which strands feel each other. Ends of strands stay where they are. Returns how many were stiffer.
fn simplify(state: &mut State, stiffest: f64, h: f32) -> usize {
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
            // Between two pins it moves nothing, and rigid it would have so much energy that all else is lost in it.
            let least = if w > 0.0 { (1.0 / limit.stiffness(0.0, w)) as f32 } else { 1.0 };
            if *compliance < least {
                *compliance = least;
                softened += usize::from(w > 0.0);
            }
        }
    }
    let segments = Rods::of(state).map_or_else(Vec::new, |rods| rods.segments);
    let stretch = state.get_mut(col::segment::stretch);
    for segment in segments {
        let [a, b] = segment.ends.map(|end| w[end as usize]);
        let own = &mut stretch[segment.frame as usize];
        *own = own.min(limit.stiffness(0.0, a.max(b)) as f32);
    }
    state.get_mut(col::distance::damping).fill(0.0);
    state.get_mut(col::segment::grid).fill(u32::MAX);
    hold_ends(state);
    softened
}

/// Takes strands off what holds them: frames of clamped ends stay as they are.
fn hold_ends(state: &mut State) {
    let base = state.first_of_strands();
    let rotation = state.get(col::segment::rotation);
    let ends = state.get(col::strand::span).iter().map(|[first, stride, count]| {
        [*first, first + stride * count.saturating_sub(2)].map(|particle| rotation[particle as usize - base])
    });
    let ends: Vec<[[f32; 4]; 2]> = ends.collect();
    for (own, ends) in state.get_mut(col::strand::root_rotation).iter_mut().zip(&ends) {
        *own = ends[0];
    }
    for (own, ends) in state.get_mut(col::strand::tip_rotation).iter_mut().zip(&ends) {
        *own = ends[1];
    }
    state.get_mut(col::strand::seat).fill(u32::MAX);
    state.get_mut(col::strand::tip).fill(u32::MAX);
    state.get_mut(col::strand::borne).fill([u32::MAX; 2]);
}
