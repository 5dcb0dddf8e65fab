//! The laboratory: one scene, one run and everything that may change under it. Window and headless runs share it.
//!
//! A frame, as `app.rs` and `headless.rs` call it:
//! [`Lab::poll`] (code, scene and shader changes) → holds and colliders → [`Lab::step`] → readings → drawing.

mod adapt;
mod ahead;
mod began;
mod colliders;
mod compare;
mod crowded;
mod cut;
mod device;
mod edit;
mod hold;
mod notice;
mod offers;
mod open;
mod options;
mod paint;
mod passes;
mod poll;
mod problems;
mod replay;
mod resume;
mod rewind;
mod rollback;
mod surface;
mod swap;
mod trial;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};
use weft_core::energy;
use weft_core::state::col;
use weft_engine::run;

use weft_core::{
    project::{Project, folder_of},
    state::State,
};
use weft_engine::{
    generation::Generation,
    run::{Run, StepError},
    stability::Watch,
    threads::Threads,
};
use weft_gpu::{Bring, GpuRun};
use weft_scene::{Diagnostic, Scene, assemble::Object};

use crate::{
    handles::Handles,
    history::{History, Replay, Twin},
    live::{Live, Reload},
    readings::{Measured, Meter},
};

use device::Change;

pub use began::{Began, spacing};
pub use colliders::Drag;
pub use device::Device;
pub use hold::Grab;
pub use notice::{Notice, announce};
pub use offers::Offers;
pub use options::Options;
pub use poll::Polled;
pub use problems::{Problems, Rejected};
pub use rollback::Rollback;

/// In a window one frame of so many has its passes timed.
const PROFILE_EVERY: u64 = 30;

pub struct Lab {
    pub project: Option<Project>,
    pub threads: Threads,
    /// The scene as it runs: the file, `--set`, and what the panel changed since.
    pub scene: Scene,
    /// The scene as last read from its file.
    pub file: Scene,
    pub scene_path: PathBuf,
    pub objects: Vec<Object>,
    /// Pins that move.
    pub handles: Handles,
    pub run: Run,
    /// Moves the run instead of its own code; the state follows at [`Lab::fetch`].
    pub gpu: Option<GpuRun>,
    /// Whether it is asked for, and what came of it.
    pub device: Device,
    pub live: Live,
    pub problems: Problems,
    /// Which code is known to be good.
    pub rollback: Rollback,
    pub paused: bool,
    /// Particles in the hand.
    pub grab: Option<Grab>,
    /// Readings of the last step.
    pub measured: Measured,
    /// Largest frequency and step of explicit schemes, about once a second while watched.
    pub stability: Watch,
    /// Positions before the last step, for drawing in between.
    pub previous: Vec<[f32; 4]>,
    /// Changes whenever the surface of a cloth does.
    pub topology: u64,
    /// What is left of the cloths.
    surfaces: surface::Surfaces,
    /// Moments to go back to; off until it gets a budget.
    pub history: History,
    /// The frames that repeat, while they do.
    pub replay: Option<Replay>,
    /// Where a blow-up began, while it is shown.
    pub began: Option<Began>,
    /// Frame in which the energy was seen to run away.
    pub alarm: Option<u64>,
    energy_watch: energy::Watch,
    told: crowded::Told,
    /// The code before beside the present one, while they are compared.
    pub twin: Option<Box<Twin>>,
    /// The generation that ran before the present one.
    code_before: Option<Arc<Generation>>,
    /// Particles that the last step held, while history is on.
    held: Vec<u32>,
    /// Where colliders were dragged, one for each.
    drags: Vec<Drag>,
    /// `--solver` and `--set`: laid over the file each time it is read.
    overrides: Vec<(String, String)>,
    meter: Meter,
    /// A swap whose first step is still to come.
    first_step: Option<(Reload, Arc<Generation>)>,
    /// Meshes that are being read for a scene that does not run yet.
    ahead: Option<ahead::Ahead>,
    /// The scene's file is not the one that runs: to be read at the next poll.
    reread: bool,
    /// How long the last swap took.
    pub last_swap: Option<LastSwap>,
    /// Crashed too often: paused until a good save.
    waits_for_save: bool,
}

/// Parts of the time from a save to the first step.
#[derive(Clone, Copy, Debug)]
pub struct LastSwap {
    /// From the end of the build to the verdict of the probe.
    pub probe: Duration,
    /// From publishing the library to the end of its first step.
    pub to_running: Duration,
}

impl Lab {
    /// The folder of the scene file: textures are looked up from here.
    pub fn folder(&self) -> PathBuf {
        folder_of(&self.scene_path).to_path_buf()
    }

    /// Positions of all particles [m].
    pub fn positions(&self) -> &[[f32; 4]] {
        self.run.state.get(col::particle::position)
    }

    /// Particles, and rows of all constraint tables.
    pub fn sizes(&self) -> (usize, usize) {
        let state = &self.run.state;
        let particles = state.table("particle").map_or(0, |table| table.rows);
        (particles, state.constraints().iter().map(|(_, rows)| rows).sum())
    }

    /// One fixed step with the newest code. On an error the state stays as it was and the lab pauses.
    /// Returns what the hot code logged and, after a reload, how long it took.
    pub fn step(&mut self) -> Result<Vec<Notice>, StepError> {
        self.limit_step();
        self.follow_hand();
        self.begin_step();
        self.keep_device();
        self.previous.clear();
        if !self.device.bring.is_drawn() {
            self.previous.extend_from_slice(self.run.state.get(col::particle::position));
        }
        self.move_colliders();
        let positions = self.run.state.get_mut(col::particle::position);
        let recorded = self.history.at().and_then(|at| self.history.moment(at));
        let holds = if let (Some(replay), Some(recorded)) = (&mut self.replay, recorded) {
            replay.holds(recorded, positions)
        } else {
            let hand = self.grab.as_mut().map_or(&[][..], |grab| grab.holds(positions));
            if self.handles.is_empty() {
                hand
            } else {
                self.handles.holds(&self.scene, self.run.time, positions, hand)
            }
        };
        rewind::note(&mut self.history, &mut self.held, holds);
        let input = run::input(&self.scene, holds);
        let (twin, gravity) = (self.twin.as_deref_mut(), self.scene.gravity);
        let (frame, time) = (self.run.frame, self.run.time);
        let stepped = if let Some(gpu) = &mut self.gpu {
            gpu.want_energy(self.history.is_on());
            self.history.note_host(&self.run, gpu);
            if self.device.bring != Bring::Nothing {
                gpu.profile = frame.is_multiple_of(PROFILE_EVERY);
            }
            gpu.step(&mut self.run, &input)
                .and_then(|()| gpu.bring(&mut self.run, self.device.bring).map_err(StepError::Gpu))
        } else {
            let stepped = compare::step(&mut self.run, twin, &self.threads, &input, gravity);
            stepped.and_then(|took| {
                let judged = self.judge(took);
                if judged.is_err() {
                    self.run.take_back(frame, time);
                }
                judged
            })
        };
        if let Err(error) = stepped {
            self.place_colliders();
            if let (StepError::Gpu(why), true) = (&error, self.device.recovers) {
                self.device_failed(why);
                return Ok(std::mem::take(&mut self.device.notices));
            }
            self.paused = true;
            // The live answer may still be on its way when a run blows up at once.
            self.stability.ask(&self.run, self.scene.air_damping, self.scene.step);
            self.problems.unstable = self.stability.danger();
            self.problems.step = Some(error.clone());
            self.roll_back(&error);
            return Err(error);
        }
        if let Some(grab) = &mut self.grab {
            grab.moved();
        }
        self.keep_step();
        self.keep_surfaces();
        let wild = self.watch_energy().map(|text| Notice::bad("energy", text));
        let crowded = self.watch_self_collision().into_iter().map(|text| Notice::bad("self collision", text));
        self.problems.step = None;
        let first_step = self.first_step.take();
        let first_step = first_step.map(|(reload, generation)| {
            let now = Instant::now();
            self.last_swap = Some(LastSwap {
                probe: reload.probed - reload.built,
                to_running: now.saturating_duration_since(reload.published),
            });
            poll::first_step_notice(&reload, &generation, now)
        });
        let (air, dt) = (self.scene.air_damping, self.scene.step);
        let unstable = self.stability.update(&self.run, air, dt).map(|text| Notice::bad("stability", text));
        let log = self.run.log.drain(..).map(|line| Notice::good("log", line));
        let device = std::mem::take(&mut self.device.notices);
        Ok(log.chain(device).chain(first_step).chain(unstable).chain(wild).chain(crowded).collect())
    }

    /// Reads what the panel shows; part of the frame's stage `readings`.
    pub fn read(&mut self) {
        self.catch_up();
        self.measured = self.meter.read(&self.run.state, self.scene.gravity);
    }

    /// Back to the start of the scene, with the code, solver and values as they are now.
    pub fn reset(&mut self) -> Result<(), String> {
        self.grab = None;
        self.forget();
        self.drags.fill(Drag::default());
        self.run.state = State::build(&self.run.generation.schema, &self.run.blueprint)?;
        (self.run.frame, self.run.time) = (0, 0.0);
        self.settle();
        self.go_on();
        Ok(())
    }

    /// Brings everything that follows from the state in line with it, after it was replaced.
    fn settle(&mut self) {
        self.device_replaced(Change::State);
        self.keep_surfaces();
        self.place_colliders();
        self.previous = self.positions().to_vec();
        self.restart_twin();
        self.energy_watch.jumped();
        self.read();
    }

    /// A failed step paused the lab; something changed since.
    fn go_on(&mut self) {
        let waited = std::mem::take(&mut self.waits_for_save);
        self.paused &= self.problems.step.is_none() && !waited;
        self.problems.step = None;
    }

    /// Problems of the scene's solver parameters.
    pub fn pending(&self) -> &[Diagnostic] {
        &self.problems.pending
    }
}
