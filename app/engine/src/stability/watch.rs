//! The live reading: about once a second a copy of the state is looked at on another thread, from where it ended last.

use std::{thread::JoinHandle, time::Duration};

use weft_core::clock::Instant;

use super::{Lanczos, Verdict, verdict::Question};
use crate::run::Run;

/// From one answer to the next question.
const PAUSE: Duration = Duration::from_secs(1);
/// Lanczos steps of a live answer: the warm start makes up for the rest, and its bound is added whatever it is.
const STEPS: usize = 40;
const TOLERANCE: f64 = 1e-3;

#[derive(Default)]
pub struct Watch {
    /// The last answer; `None` before the first, or where there is nothing elastic to ask about.
    pub latest: Option<Verdict>,
    work: Option<JoinHandle<(Result<Verdict, String>, Lanczos)>>,
    lanczos: Lanczos,
    asked: Option<Instant>,
    /// The limit was passed and said.
    warned: bool,
    live: bool,
}

impl Watch {
    /// One that is not `live` answers only when it is asked.
    pub fn new(live: bool) -> Self {
        Self { live, ..Self::default() }
    }

    /// Takes an answer that is ready, asks again when it is time. Returns a warning when a run passes its limit.
    pub fn update(&mut self, run: &Run, air: f32, dt: f32) -> Option<String> {
        if !self.live {
            return None;
        }
        let mut warning = None;
        if self.work.as_ref().is_some_and(JoinHandle::is_finished) {
            // A thread that panicked has no answer, and loses the warm start.
            let answer = self.work.take().and_then(|work| work.join().ok());
            let (answer, lanczos) = answer.unwrap_or((Err("it panicked".into()), Lanczos::default()));
            self.lanczos = lanczos;
            warning = self.take(answer.ok());
        }
        if self.work.is_none() && self.asked.is_none_or(|asked| asked.elapsed() > PAUSE) {
            self.asked = Some(Instant::now());
            match Question::of(run, air, dt) {
                Ok(question) => {
                    let mut lanczos = std::mem::take(&mut self.lanczos);
                    let work = move || (question.answer(&mut lanczos, TOLERANCE, STEPS), lanczos);
                    // Without a thread there is no reading, and the cloth runs on.
                    self.work = std::thread::Builder::new().name("stability".into()).spawn(work).ok();
                }
                Err(_) => self.latest = None,
            }
        }
        warning
    }

    /// Answers at once, on this thread: what a run without a window prints. Returns a warning as [`Watch::update`].
    pub fn ask(&mut self, run: &Run, air: f32, dt: f32) -> Option<String> {
        let answer = Question::of(run, air, dt)
            .and_then(|question| question.answer(&mut self.lanczos, TOLERANCE, 4 * STEPS));
        self.take(answer.ok())
    }

    /// The warning, while the last answer is above the limit.
    pub fn danger(&self) -> Option<String> {
        let (ratio, dt_max) = self.latest.as_ref().and_then(|v| v.dt_over_dt_max.zip(v.dt_max))?;
        let enough = self.latest.as_ref().and_then(|verdict| verdict.enough);
        (ratio > 1.0).then(|| warning(ratio, dt_max, enough))
    }

    fn take(&mut self, answer: Option<Verdict>) -> Option<String> {
        self.latest = answer;
        let danger = self.danger();
        let warned = std::mem::replace(&mut self.warned, danger.is_some());
        danger.filter(|_| !warned)
    }
}

fn warning(ratio: f64, dt_max: f64, enough: Option<f64>) -> String {
    let first = if dt_max > 1e-15 {
        let ratio = if ratio < 1e4 { format!("{ratio:.3}") } else { format!("{ratio:.1e}") };
        format!("the substep is {ratio} times the longest stable one, {:.3e} ms", dt_max * 1e3)
    } else {
        "no step of this scheme is stable at this stiffness (unbounded: rigid constraints, compliance 0)"
            .to_string()
    };
    let way = match enough {
        Some(substeps) => format!("{substeps} substeps are enough, or take softer constraints"),
        None => "take more substeps, softer constraints or a stability_cap above 0 and below 1".to_string(),
    };
    format!("{first}: the run gains energy; {way}")
}
