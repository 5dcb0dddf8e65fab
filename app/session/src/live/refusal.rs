//! Why a built library does not run.

use std::fmt;

use serde::{Deserialize, Serialize};
use weft_engine::generation::Misfit;

use super::probe::Failure;

/// Why a library is not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Refusal {
    /// `sim_api` was edited, and what differs; nothing is named if another compiler built the library.
    ContractChanged(Vec<String>),
    /// It does not run: two other processes tried.
    Failed(Box<Failure>),
    /// It could not be tried, and why; no fault of the library.
    NotProbed(String),
    /// Anything else, in words.
    Broken(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::ContractChanged(lines) => {
                let what = match lines.as_slice() {
                    [] => "by another compiler or for another processor".to_string(),
                    lines => lines.join("; "),
                };
                write!(
                    f,
                    "sim_api changed ({what}): the running program cannot take this library. Undo the edit, or rebuild \
                     and restart with the state (key F5)"
                )
            }
            Self::Failed(failure) => failure.fmt(f),
            Self::NotProbed(why) => write!(f, "{why}; nothing is loaded untried: save again"),
            Self::Broken(why) => f.write_str(why),
        }
    }
}

impl Refusal {
    /// `file:line:column` of what is to be mended, if that is known.
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::Failed(failure) => failure.place(),
            _ => None,
        }
    }

    /// Whether the same library would be refused again, whatever it is tried on.
    pub fn lasts(&self) -> bool {
        match self {
            Self::Failed(failure) => !failure.fault.may_be_physics(),
            Self::NotProbed(_) => false,
            Self::ContractChanged(_) | Self::Broken(_) => true,
        }
    }
}

impl From<Misfit> for Refusal {
    fn from(misfit: Misfit) -> Self {
        match misfit {
            Misfit::Contract => Self::ContractChanged(Vec::new()),
            Misfit::Broken(why) => Self::Broken(why),
        }
    }
}
