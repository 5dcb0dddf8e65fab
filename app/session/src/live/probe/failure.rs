//! What a probe found, in words for the person who saved the code.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::limits;
use weft_engine::{
    guard::STARTED,
    run::{NO_ROTATION, made_not_finite},
};

/// What went wrong in the probe, where and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// The solver at work; `None`: the library was being loaded.
    pub solver: Option<String>,
    /// Step of the probe, from 1, and how many there were to be; 0 steps: of a solver that does not run, on a small
    /// cloth.
    pub step: u32,
    pub steps: u32,
    /// On the small cloth instead of the one that runs.
    pub small: bool,
    /// Threads of the solver.
    pub threads: usize,
    pub fault: Fault,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fault {
    /// `file:line:column: text`.
    Panicked(String),
    /// `table.column`, the row in it, and the hint of the step that failed.
    NotFinite {
        column: String,
        row: usize,
        hint: String,
    },
    /// Row of a frame of a strand that is no unit quaternion.
    NoRotation(usize),
    /// A service of the host could not do what the solver asked for.
    NotFactored(String),
    WroteBeside(String),
    /// A column, or what else is the host's.
    WroteGiven(String),
    /// What of the process it changed.
    Changed(String),
    /// A thread.
    Started,
    /// The tables do not fit the library, or the other way round.
    BadTables(String),
    /// A signal by number, and what was printed.
    Signal(i32, String),
    StackOverflow,
    /// What was allowed [bytes].
    Memory(u64),
    /// What was waited for [s].
    Endless(f32),
    /// The code ended the process, with this exit code.
    Exited(Option<i32>),
    /// Values of a row with one and with two threads.
    Differs {
        column: String,
        row: usize,
        one: String,
        two: String,
    },
}

impl Fault {
    /// Whether it can come of the scene and the step instead of a mistake in the code.
    pub fn may_be_physics(&self) -> bool {
        matches!(self, Self::NotFinite { .. } | Self::NotFactored(_))
    }
}

impl Failure {
    /// `file:line:column`, if that is known.
    pub fn place(&self) -> Option<&str> {
        let Fault::Panicked(message) = &self.fault else { return None };
        let place = message.split_once(": ")?.0;
        (place.split(':').count() == 3).then_some(place)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.solver {
            Some(solver) => write!(f, "solver {solver} {}", self.fault)?,
            None => write!(f, "the library {} while it was loaded", self.fault)?,
        }
        if self.solver.is_some() {
            match self.steps {
                0 => f.write_str(" (it does not run now; in 1 step of a small cloth)")?,
                steps => write!(f, " (step {} of {steps} of the probe", self.step)?,
            }
            if self.steps > 0 {
                write!(f, "{})", if self.small { ", on a small cloth" } else { "" })?;
            }
        }
        f.write_str("; the last good code runs on: save a fix")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Panicked(message) => write!(f, "panicked at {message}"),
            Self::NotFinite { column, row, hint } => f.write_str(&made_not_finite(column, *row, hint)),
            Self::NoRotation(row) => write!(f, "left {NO_ROTATION} of row {row} other than 1"),
            Self::NotFactored(message) => write!(f, "has no factor: {message}"),
            Self::WroteBeside(column) => {
                write!(f, "wrote outside of {column}, right before its first or behind its last row")
            }
            Self::WroteGiven(column) => write!(f, "wrote to {column}, which is the host's and read only"),
            Self::Changed(what) => write!(f, "changed {what}, which is the host's"),
            Self::Started => f.write_str(STARTED),
            Self::BadTables(why) => write!(f, "cannot run on the tables: {why}"),
            Self::Signal(signal, said) => {
                f.write_str(&limits::signal(*signal))?;
                if said.is_empty() { Ok(()) } else { write!(f, ": {said}") }
            }
            Self::StackOverflow => f.write_str("overflowed its stack: does it call itself without end?"),
            Self::Memory(most) => write!(f, "asked for more than {} MB of memory", most >> 20),
            Self::Endless(secs) => write!(f, "did not finish 1 step in {secs:.0} s: an endless loop?"),
            Self::Exited(Some(code)) => write!(f, "ended the process with exit code {code}"),
            Self::Exited(None) => f.write_str("ended the process"),
            Self::Differs { column, row, one, two } => write!(
                f,
                "does not repeat itself: {column} of row {row} is {one} with one thread and {two} with two, from the \
                 same state. Does it use time, addresses or random numbers, read a scratch column before it writes it, \
                 or write a row from two threads?"
            ),
        }
    }
}
