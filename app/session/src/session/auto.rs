//! `auto` of a scene: as many substeps, or iterations where a solver has none, as the lengths need.
//!
//! Every few steps the error of lengths is looked at ([`readings::length_error`]). Of a substep it goes with h², so the number
//! follows the root of it by what is wanted: up at once, down slowly, and never to more than the time of a step bears. What is
//! set is the scene's parameter, like a slider's: panel, autosave, tape and `write` see it. Without a limit of the time the
//! numbers follow from the state alone, and so do the bits.

use std::{fmt, time::Duration};

use sim_api::ParamDesc;

use super::Session;
use crate::{
    beside::{EFFORT, written},
    readings,
    tape::Input,
};

/// Steps between two looks.
const EVERY: usize = 6;
/// The error that is aimed at, by what is wanted, and that at which less work is tried.
const AIM: f32 = 0.7;
const LOW: f32 = 0.45;
/// Most and least that the number changes by at a time.
const UP: f32 = 1.5;
const DOWN: f32 = 0.9;
/// Looks before what was too little is tried again: 2 s.
const AGAIN: u32 = 20;

/// What was seen when it last looked.
#[derive(Clone, Debug, PartialEq)]
pub struct AutoState {
    /// Error of lengths, as the scene's `auto.stretch`.
    pub error: f32,
    /// Name of the parameter that follows, and its value.
    pub param: &'static str,
    pub value: f32,
    /// What keeps the error from getting smaller, if something does.
    pub limit: Option<Limit>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// `auto.ms`.
    Time,
    /// The largest value that the parameter may have.
    Range,
}

impl fmt::Display for AutoState {
    /// Without what is wanted: `error 0.83 % with 37 substeps`, and why not less.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "error {:.2} % with {} {}", 100.0 * self.error, self.value, self.param)?;
        match self.limit {
            Some(Limit::Time) => f.write_str(", more take too long"),
            Some(Limit::Range) => f.write_str(", the most there are"),
            None => Ok(()),
        }
    }
}

/// The number that follows, and what it goes by.
#[derive(Default)]
pub(super) struct Auto {
    /// Times of the last steps [ms].
    took: Vec<f32>,
    errors: Vec<f32>,
    pub(super) state: Option<AutoState>,
    /// More than what was too little, and for how many looks it is not tried again.
    least: (f32, u32),
    /// A tape says what was set.
    pub(super) by_tape: bool,
}

impl Auto {
    pub(super) fn stepped(&mut self, took: Duration) {
        self.took.push(took.as_secs_f32() * 1e3);
    }

    /// Median of the steps since the last look [ms]; `None` before it is time for the next.
    fn look(&mut self) -> Option<f32> {
        if self.took.len() < EVERY {
            return None;
        }
        let middle = *self.took.select_nth_unstable_by(EVERY / 2, f32::total_cmp).1;
        self.took.clear();
        Some(middle)
    }
}

/// The parameter's next value with an error of `error` times what is wanted, and what holds it back; it goes down to `least`,
/// and `most` is what the time bears.
fn next(param: &ParamDesc, now: f32, error: f32, [least, most]: [f32; 2]) -> (f32, Option<Limit>) {
    let factor = (error / AIM).sqrt();
    let wanted = if error > 1.0 {
        (now * factor.min(UP)).max(now + 1.0).round()
    } else if error < LOW {
        (now * factor.max(DOWN)).min(now - 1.0).round().max(least.min(now))
    } else {
        now
    };
    let bounded = param.clamp(wanted.min(most.floor()).max(1.0));
    let limit = match error > 1.0 {
        true if most.floor() < wanted && bounded < wanted => Some(Limit::Time),
        true if bounded < wanted => Some(Limit::Range),
        _ => None,
    };
    (bounded, limit)
}

impl Session {
    /// What `auto` of the scene found last, while it is on.
    pub fn auto(&self) -> Option<&AutoState> {
        self.auto.state.as_ref().filter(|_| self.setup.scene.auto.stretch > 0.0)
    }

    /// After a step: looks whether lengths are as exact as the scene wants them.
    pub(super) fn follow_lengths(&mut self) {
        let wanted = self.setup.scene.auto.clone();
        let busy =
            self.auto.by_tape || self.timeline.replay().is_some() || self.engine.device().wanted().is_some();
        if wanted.stretch <= 0.0 || busy {
            let auto = &mut self.auto;
            (auto.state, auto.least) = (None, (0.0, 0));
            auto.took.clear();
            return;
        }
        let Self { auto, engine, .. } = self;
        let Some(ms) = auto.look() else { return };
        let Some(error) = readings::length_error(&engine.run().state, &mut auto.errors) else { return };
        let Some(solver) = engine.run().description() else { return };
        let Some(param) = EFFORT.iter().find_map(|name| solver.param(name)) else { return };
        let name = param.name.as_str();
        let now = engine.run().value(param);
        let most = if wanted.ms > 0.0 { now * wanted.ms / ms.max(1e-3) } else { f32::INFINITY };
        let off = error / wanted.stretch;
        auto.least =
            if off > 1.0 { (now + 1.0, AGAIN) } else { (auto.least.0, auto.least.1.saturating_sub(1)) };
        let least = if auto.least.1 > 0 { auto.least.0 } else { 0.0 };
        let (value, limit) = next(param, now, off, [least, most]);
        auto.state = Some(AutoState { error, param: name, value, limit });
        if value != now {
            self.note(|| Input::Param { name: name.to_string(), value });
            self.setup.scene.solver.params.insert(name.to_string(), written(param, value));
            self.use_solver();
        }
    }
}
