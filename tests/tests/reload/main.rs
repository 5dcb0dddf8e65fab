//! Edits of a copy of this tree while the program runs.

mod edits;
mod hostile_edits;
mod many;
mod probe;
mod readme;
#[cfg(unix)]
mod rescue;
#[cfg(unix)]
mod soak;
#[cfg(unix)]
mod survival;
