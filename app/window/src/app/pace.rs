//! The clock of the window: fixed steps for the time that has passed, and the rest until the next frame.

use std::{path::PathBuf, time::Duration};

use weft_core::clock::Instant;

use super::App;
use crate::ui::{NOTICE_TIME, Speed};
use weft_session::{Notice, live::Status, ring::Stage};

/// Longest time that is caught up with in one frame [s]; beyond it the cloth runs slower than real time.
const MAX_CATCH_UP: f64 = 0.2;
/// The same of the time that its steps take [s]: more would be seen as a jerk, or delay what the hand does.
const LONGEST_RUN: f64 = 0.1;
/// Shortest frame [s]: drivers do not always honour the swap interval.
const SHORTEST_FRAME: f64 = 1.0 / 125.0;
/// The same while the compiler works and a processor draws the pictures: both want the same cores [s].
const SHORTEST_FRAME_BESIDE_BUILD: f64 = 1.0 / 12.0;
/// The same at first: a save of a solver runs within this time, if the pictures let it.
const SHORTEST_FRAME_AFTER_SAVE: f64 = 1.0 / 4.0;
const AFTER_SAVE: Duration = Duration::from_millis(400);
/// What the compiler and the probe get of that at least, however long the picture takes [s].
const REST_BESIDE_BUILD: f64 = 1.0 / 60.0;

/// Nobody looks for news more often while nothing moves [s].
const SHORTEST_IDLE: f64 = 1.0 / 20.0;
/// This long after the last event a window in which nothing moves is drawn again.
const STILL: Duration = Duration::from_millis(800);
/// Time in which steps are done that no clock asks for [s].
const FREE_RUN: f64 = 1.0 / 60.0;
/// The speed is that of about so much time [s].
const SPEED_OVER: f64 = 1.0;

/// What frame times are of: times of something else say nothing.
#[derive(Default, PartialEq)]
pub(super) struct Timed {
    scene: PathBuf,
    solver: String,
    gpu: bool,
    paused: bool,
    beside: usize,
}

/// Whether compiler or probe came to something between two steps: it does not wait for the picture of that frame.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Hurry {
    #[default]
    No,
    Asked,
    /// No picture was drawn; the next one is.
    Done,
}

/// How fast it went.
pub(super) struct Measured {
    since: Instant,
    /// Simulated [s].
    done: f64,
    /// By real time; `None` before there is enough of it, and while nothing runs.
    pub real_time: Option<f64>,
}

impl Default for Measured {
    fn default() -> Self {
        Self { since: Instant::now(), done: 0.0, real_time: None }
    }
}

impl Measured {
    /// `done` more were simulated [s].
    fn add(&mut self, done: f64) {
        self.done += done;
        let took = self.since.elapsed().as_secs_f64();
        if took >= SPEED_OVER {
            *self = Self { real_time: Some(self.done / took), ..Self::default() };
        }
    }
}

impl App {
    /// Fixed steps, as many as the clock asks for.
    pub(super) fn steps(&mut self) {
        if self.film_step() {
            return;
        }
        let now = Instant::now();
        let step = f64::from(self.session.scene().step);
        let passed = (now - self.last_update).as_secs_f64();
        self.behind += match self.speed {
            Speed::Times(times) => passed * f64::from(times),
            Speed::Free => step,
        };
        self.last_update = now;
        if self.session.is_paused() {
            self.behind = 0.0;
        }
        // One for each picture: each press of the key is seen.
        if self.single_steps > 0 {
            self.single_steps -= 1;
            self.behind = step;
        }
        let fast = if let Speed::Times(times) = self.speed { f64::from(times).max(1.0) } else { 1.0 };
        self.behind = self.behind.min((MAX_CATCH_UP * fast).max(step));
        let mut done = 0.0;
        while self.behind >= step {
            self.behind -= step;
            if !self.play() {
                self.behind = 0.0;
                break;
            }
            done += step;
            let start = Instant::now();
            let result = self.session.step();
            self.ring.add(Stage::Step, start.elapsed());
            match result {
                Ok(notices) => {
                    self.played();
                    notices.into_iter().for_each(|notice| self.notify(notice));
                }
                Err(error) => {
                    self.play_failed(&error.to_string());
                    self.behind = 0.0;
                    self.notify(Notice::bad("step", error.to_string()));
                }
            }
            let ran = now.elapsed().as_secs_f64();
            if self.speed == Speed::Free && self.behind < step && ran < FREE_RUN {
                self.behind += if self.session.is_paused() { 0.0 } else { step };
            }
            if self.hurry == Hurry::No && self.session.attend() {
                self.hurry = Hurry::Asked;
            }
            if ran > LONGEST_RUN || self.hurry == Hurry::Asked {
                self.behind = self.behind.min(step);
                break;
            }
        }
        if self.session.is_paused() {
            self.measured = Measured::default();
        } else {
            self.measured.add(done);
        }
    }

    /// Frame times begin again when they are those of something else.
    pub(super) fn watch_timed(&mut self) {
        let session = &self.session;
        let timed = Timed {
            scene: session.setup().path().to_path_buf(),
            solver: session.run().solver.clone(),
            gpu: session.gpu().is_some(),
            paused: session.is_paused(),
            beside: session.timeline().beside().twins().len(),
        };
        if timed != self.timed {
            self.timed = timed;
            self.ring.begin_again();
        }
    }

    /// Something happened that may change the picture.
    pub(super) fn stir(&mut self) {
        self.stirred = Instant::now();
    }

    /// Nothing moves, nobody touches anything and no news are awaited: the picture on the screen is the one that would be
    /// drawn.
    pub(super) fn is_still(&self) -> bool {
        let quiet = self.notices.back().is_none_or(|(at, _)| at.elapsed() > NOTICE_TIME + STILL);
        self.session.is_paused()
            && self.single_steps == 0
            && self.frames.is_none()
            && self.recorder.is_none()
            && self.rebuild.is_none()
            && !self.is_filming()
            && !self.panel.is_busy()
            && quiet
            && self.session.live().works_since().is_none()
            && !matches!(self.session.live().status, Status::FirstBuild { .. } | Status::Building { .. })
            && self.stirred.elapsed() > STILL
    }

    fn is_filming(&self) -> bool {
        self.filming.is_some()
    }

    /// How far the picture is between the last two states, 0..=1.
    pub(super) fn share(&self) -> f32 {
        if self.session.is_paused() || self.is_filming() {
            1.0
        } else {
            (self.behind / f64::from(self.session.scene().step)) as f32
        }
    }

    /// Waits for the time of the next frame, or for something that a frame is to take in.
    pub(super) fn rest(&mut self) {
        if cfg!(target_arch = "wasm32") {
            // The browser asks for the next frame.
            return;
        }
        if weft_draw::software_gl() && !self.is_still() {
            // A processor that draws does so when it must: else in the swap, which comes after the wait and before the news.
            let session = &mut self.session;
            self.gl.finish_unless(&mut || session.attend());
        }
        let done = Instant::now();
        while !self.session.attend() {
            let works = self.session.live().works_since().filter(|_| weft_draw::software_gl());
            let shortest = match works.map(|since| since.elapsed()) {
                None if self.is_still() => SHORTEST_IDLE,
                Some(time) if time < AFTER_SAVE => SHORTEST_FRAME_AFTER_SAVE,
                Some(_) => SHORTEST_FRAME_BESIDE_BUILD,
                None => SHORTEST_FRAME,
            };
            let next = self.last_update + Duration::from_secs_f64(shortest);
            let rest = Duration::from_secs_f64(if works.is_some() { REST_BESIDE_BUILD } else { 0.0 });
            let next = next.max(done + rest);
            if Instant::now() >= next {
                return;
            }
            self.session.live().idle(next);
        }
    }
}
