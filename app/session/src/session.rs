//! A session: one scene that runs, and everything that may change under it. Window and headless runs share it.
//!
//! ```text
//! Setup     scene, file, objects, moving pins      what is run
//! Engine    run, device                            where it is computed          step · read · refresh · swap
//! Timeline  history, loop, beside, blow-up         what was, and what else could be
//! Recovery  trial of new code, code before         what to go back to
//! Hand      grab, drags, holds                     what acts from outside
//! Report    problems, notices, numbers             what is told
//! ```
//! Each owner keeps its own invariants and knows no other; what touches several of them is a method of [`Session`].
//!
//! A frame, as `app.rs` and `headless.rs` call it: [`Session::poll`] (code, scene and shader changes) →
//! [`Session::step`] → [`Session::measure`] → drawing.

mod animated_pins;
mod apply;
mod async_load;
mod auto;
mod blow_up;
mod carry;
mod colliders;
mod compare;
mod cut;
mod edit;
mod engine;
mod hand;
mod listed;
mod load;
mod notice;
mod open;
mod options;
mod pins;
mod poll;
mod problems;
mod recovery;
mod replay;
mod report;
mod resume;
mod rewind;
mod rollback;
mod seats;
mod self_collision;
mod setup;
mod stop;
mod surfaces;
mod swap;
mod taken;
mod taping;
mod timeline;
mod trial;
mod uncut;
mod undo;
mod waits;
mod write;

use sim_api::SolverDesc;
use weft_core::{project::Project, state::State};
use weft_engine::run::{self, Run, StepError};
use weft_gpu::{GpuRun, ReadbackScope};
use weft_scene::{Scene, assemble::Object};

use crate::{
    beside::Twin,
    history::History,
    live::Live,
    on_device::Change,
    readings,
    tape::{Input, Tape, Taping, What},
};

pub use crate::drag::Drag;
pub use animated_pins::AnimatedPins;
pub use auto::{AutoState, Limit};
pub use blow_up::{BlowUp, spacing};
pub use engine::{Capabilities, Device, Engine};
pub use hand::{Grab, Hand};
pub use notice::Notice;
pub use options::Options;
pub use poll::Polled;
pub use problems::{Problems, Rejected};
pub use recovery::{LastSwap, Recovery};
pub use report::Report;
pub use rollback::Rollback;
pub use setup::Setup;
pub use stop::Stop;
pub use timeline::Timeline;

pub struct Session {
    setup: Setup,
    engine: Engine,
    timeline: Timeline,
    recovery: Recovery,
    hand: Hand,
    report: Report,
    project: Option<Project>,
    live: Live,
    paused: bool,
    /// What it pauses at.
    stop: Option<Stop>,
    undo: undo::Undo,
    /// Substeps that follow the error of lengths.
    auto: auto::Auto,
    /// Meshes that are being read for a scene that does not run yet.
    async_load: Option<async_load::AsyncLoad>,
    /// The scene's file is not the one that runs: to be read at the next poll.
    reread: bool,
    /// Where inputs are put down, while a recorder wants them.
    taping: Taping,
}

impl Session {
    /// One fixed step with the newest code. On an error the state stays as it was and the session pauses.
    /// Returns what the hot code logged and, after a reload, how long it took.
    pub fn step(&mut self) -> Result<Vec<Notice>, StepError> {
        self.limit_step();
        self.take_jump();
        self.read_held();
        self.begin_moment();
        self.hand.move_colliders(&self.setup.scene, self.engine.run_mut());
        self.carry_jumped();
        self.sync_gpu();
        self.engine.keep_previous();
        self.collect_holds();
        match self.advance() {
            Ok(()) => Ok(self.finish_step()),
            Err(error) => self.fail_step(error),
        }
    }

    /// The engine's step, and the judgement of how long it took.
    fn advance(&mut self) -> Result<(), StepError> {
        let Self { setup, engine, timeline, hand, .. } = self;
        let (frame, time) = (engine.run().frame, engine.run().time);
        if let (run, Some(gpu)) = engine.parts() {
            timeline.note_device(run, gpu);
        }
        let input = run::input(&setup.scene, &hand.holds);
        let took = engine.step(&input, &mut timeline.beside, setup.scene.gravity)?;
        took.into_iter().for_each(|took| self.auto.stepped(took));
        let judged = took.map_or(Ok(()), |took| self.judge(took));
        if judged.is_err() {
            self.engine.run_mut().take_back(frame, time);
        }
        judged
    }

    /// The step counts: what follows from it, and lines about it.
    fn finish_step(&mut self) -> Vec<Notice> {
        self.taping.with(Tape::stepped);
        self.hand.moved();
        self.keep_moment();
        if self.hand.pulls() {
            // The energy is the hand's.
            self.timeline.jumped();
        }
        let Self { setup, engine, timeline, recovery, report, .. } = self;
        setup.update_surfaces(&mut engine.run_mut().state);
        report.problems.step = None;
        let (scene, run) = (&setup.scene, engine.run_mut());
        let bad = |kind| move |text| Notice::bad(kind, text);
        let log: Vec<String> = run.log.drain(..).collect();
        let mut lines: Vec<Notice> = log.into_iter().map(|line| Notice::good("log", line)).collect();
        lines.append(&mut report.take_notices());
        lines.extend(recovery.finish_first_step());
        lines.extend(report.stability.update(run, scene.air_damping, scene.step).map(bad("stability")));
        lines.extend(timeline.watch_energy(run.frame, scene.gravity).map(bad("energy")));
        lines.extend(report.self_collision.after_step(run, scene).into_iter().map(bad("self collision")));
        lines.extend(self.check_stop());
        self.follow_lengths();
        lines
    }

    /// The step does not count. A device that is opened again goes on; else the session pauses.
    fn fail_step(&mut self, error: StepError) -> Result<Vec<Notice>, StepError> {
        self.place_with_strands(&seats::begins(&self.engine.run().state));
        let frame = self.engine.run().frame;
        self.taping.with(|tape| tape.line(frame, What::Failed(error.to_string())));
        self.jumped("a step failed");
        if let (StepError::Gpu(why), true) = (&error, self.engine.recovers()) {
            self.device_failed(why);
            return Ok(self.report.take_notices());
        }
        self.paused = true;
        // The live answer may still be on its way when a run blows up at once.
        self.ask_stability();
        self.report.problems.unstable = self.report.stability.danger();
        self.report.problems.step = Some(error.clone());
        self.roll_back(&error);
        Err(error)
    }

    /// The state with the columns of `scope` up to date, wherever they are computed. A device that does not answer is left.
    pub fn read(&mut self, scope: ReadbackScope) -> &State {
        if let Err(error) = self.engine.read(scope) {
            self.device_failed(&error.to_string());
        }
        &self.engine.run().state
    }

    /// All of it.
    pub fn read_all(&mut self) -> &State {
        self.read(ReadbackScope::All)
    }

    /// Brings all of it up to date, or says that the device does not answer.
    pub fn try_read(&mut self) -> Result<(), StepError> {
        self.engine.read(ReadbackScope::All).map(drop)
    }

    /// Lets a tool write into the run: its state is up to date before, and the device follows.
    pub fn edit_run<T>(&mut self, edit: impl FnOnce(&mut Run) -> T) -> T {
        self.read_all();
        let result = edit(self.engine.run_mut());
        self.engine.refresh(Change::State);
        self.jumped("a tool wrote into the state");
        result
    }

    /// Takes the numbers that the panel shows; part of the frame's stage `readings`.
    pub fn measure(&mut self) {
        self.read_all();
        self.report.measure(self.engine.run(), &self.setup.scene);
        self.timeline.beside.measure(&self.setup.scene);
    }

    /// What readings read.
    pub fn readings(&self) -> readings::Input<'_> {
        readings::Input {
            code: &self.engine.run().generation,
            solver: &self.engine.run().solver,
            state: &self.engine.run().state,
            given: &self.engine.run().readings,
            scene: &self.setup.scene,
            objects: self.setup.objects(),
            measured: self.report.measured(),
            stability: self.report.stability.latest.as_ref(),
            difference: self.timeline.twin().map(|twin| &twin.difference),
        }
    }

    /// The same of a run beside.
    pub fn readings_beside<'a>(&'a self, twin: &'a Twin) -> readings::Input<'a> {
        let Run { generation, solver, state, readings, .. } = &twin.run;
        let (measured, difference) = (twin.measured(), None);
        readings::Input {
            code: generation,
            solver,
            state,
            given: readings,
            measured,
            stability: None,
            difference,
            ..self.readings()
        }
    }

    /// A line about a step that is larger than an explicit scheme bears, worked out now.
    pub fn ask_stability(&mut self) -> Option<String> {
        self.report.ask_stability(self.engine.run(), &self.setup.scene)
    }

    /// Back to the start of the scene, with the code, solver and values as they are now.
    pub fn reset(&mut self) -> Result<(), String> {
        self.note(|| Input::Reset);
        self.hand.drop_grab();
        self.forget();
        self.hand.drags.fill(Drag::default());
        let run = self.engine.run_mut();
        run.state = State::build(&run.generation.schema, &run.blueprint)?;
        run.set_time(0, 0.0);
        self.settle();
        self.go_on();
        Ok(())
    }

    /// Brings everything that follows from the state in line with it, after it was replaced.
    fn settle(&mut self) {
        self.engine.refresh(Change::State);
        self.setup.update_surfaces(&mut self.engine.run_mut().state);
        self.place_colliders();
        self.engine.forget_previous();
        self.restart_beside();
        self.timeline.jumped();
        self.measure();
    }

    /// A failed step paused the session; something changed since.
    fn go_on(&mut self) {
        let waited = std::mem::take(&mut self.recovery.waits_for_save);
        self.paused &= self.report.problems.step.is_none() && !waited;
        self.report.problems.step = None;
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    pub fn report(&self) -> &Report {
        &self.report
    }

    pub fn live(&self) -> &Live {
        &self.live
    }

    pub fn project(&self) -> Option<&Project> {
        self.project.as_ref()
    }

    /// What is asked of a device, and what came of it.
    pub fn device(&self) -> &Device {
        self.engine.device()
    }

    /// The scene as it runs.
    pub fn scene(&self) -> &Scene {
        &self.setup.scene
    }

    pub fn objects(&self) -> &[Object] {
        self.setup.objects()
    }

    /// Code, values and time; on the GPU path its state is that of the last [`Session::read`].
    pub fn run(&self) -> &Run {
        self.engine.run()
    }

    /// The device's half of the run, while it moves it.
    pub fn gpu(&self) -> Option<&GpuRun> {
        self.engine.gpu()
    }

    /// Positions of all particles [m], as of the last [`Session::read`].
    pub fn positions(&self) -> &[[f32; 4]] {
        self.engine.positions()
    }

    pub fn history(&self) -> &History {
        self.timeline.history()
    }

    /// Keeps moments within `megabytes` from now on; 0 turns it off.
    pub fn set_history_budget(&mut self, megabytes: usize) {
        self.timeline.history.set_budget(megabytes);
    }

    pub fn solvers(&self) -> &'static [SolverDesc] {
        self.engine.run().generation.solvers()
    }

    pub fn problems(&self) -> &Problems {
        &self.report.problems
    }

    /// For problems that others find: shaders, textures, builds of the whole program.
    pub fn problems_mut(&mut self) -> &mut Problems {
        &mut self.report.problems
    }

    /// A line for the user, with the next ones.
    pub fn notify(&mut self, notice: Notice) {
        self.report.notice(notice);
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Particles, and rows of all constraint tables.
    pub fn sizes(&self) -> (usize, usize) {
        let state = &self.engine.run().state;
        let particles = state.table("particle").map_or(0, |table| table.rows);
        (particles, state.constraints().iter().map(|(_, rows)| rows).sum())
    }
}
