//! Why a step did not count, in words.

use std::{fmt, time::Duration};

/// What of a frame is wrong that is no rotation.
pub const NO_ROTATION: &str = "the length of the quaternion segment.rotation";

/// What of a position is no place.
pub const INVERSE_MASS: &str = "w of particle.position, the inverse mass";

/// Why a step did not count. The state is the one from before it.
#[derive(Clone, Debug, PartialEq)]
pub enum StepError {
    Panicked {
        solver: String,
        message: String,
    },
    NotFinite {
        solver: String,
        particle: usize,
        column: &'static str,
        /// How many more there are and what may have caused it, as a half sentence; empty if there is nothing to say.
        hint: String,
    },
    /// The same of a row of another table, or of another column.
    Spoilt {
        solver: String,
        /// `table.column`
        column: String,
        row: usize,
    },
    /// A frame of a strand that is no unit quaternion.
    NoRotation {
        solver: String,
        /// Of the table `segment`.
        row: usize,
    },
    /// The w of a position, which stays what the host made it.
    InverseMass {
        solver: String,
        particle: usize,
    },
    /// A service of the host could not do what the solver asked for.
    NotFactored {
        solver: String,
        message: String,
    },
    UnknownSolver {
        solver: String,
        known: Vec<String>,
    },
    BadFrame,
    /// New code that takes far longer than the code before it.
    TooSlow {
        solver: String,
        took: Duration,
        limit: Duration,
    },
    /// The GPU path could not go on.
    Gpu(String),
    /// The GPU path has no passes for what was to run there.
    NotOffered(String),
    /// `table.column` beside which something was written; what else was hit is not known.
    WroteBeside {
        solver: String,
        column: String,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Panicked { solver, message } => write!(f, "solver {solver} panicked at {message}"),
            Self::NotFinite { solver, particle, column, hint } => {
                let made = made_not_finite(&format!("particle.{column}"), *particle, hint);
                write!(f, "solver {solver} {made}")
            }
            Self::Spoilt { solver, column, row } => {
                write!(f, "solver {solver} {}", made_not_finite(column, *row, ""))
            }
            Self::NoRotation { solver, row } => {
                write!(f, "solver {solver} left {NO_ROTATION} of row {row} other than 1")
            }
            Self::InverseMass { solver, particle } => {
                write!(
                    f,
                    "solver {solver} changed {INVERSE_MASS} of particle {particle}, which is the host's"
                )
            }
            Self::NotFactored { solver, message } => write!(f, "solver {solver} has no factor: {message}"),
            Self::UnknownSolver { solver, known } => {
                write!(f, "this code has no solver `{solver}`; it has {}", known.join(", "))
            }
            Self::WroteBeside { solver, column } => {
                write!(
                    f,
                    "solver {solver} wrote outside of {column}, right before its first or behind its last row"
                )
            }
            Self::TooSlow { solver, took, limit } => {
                let (took, limit) = (took.as_secs_f64(), limit.as_secs_f64());
                write!(
                    f,
                    "solver {solver} took {took:.2} s for a step, {limit:.2} s are allowed after a swap"
                )
            }
            Self::Gpu(why) | Self::NotOffered(why) => f.write_str(why),
            Self::BadFrame => f.write_str("the library does not accept the tables it declared (State::bind)"),
        }
    }
}

/// What a step made of a value of `table.column`, with the hint of [`StepError::NotFinite`].
pub fn made_not_finite(column: &str, row: usize, hint: &str) -> String {
    let of = if column.starts_with("particle.") { "particle" } else { "row" };
    format!("made {column} of {of} {row} NaN or infinite{hint}")
}
