//! Lines for the terminal. A reader that went away (`weft run … | head`) is no reason to stop, so errors are dropped.

use std::{fmt::Display, io::Write};

/// A line to the standard output.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A line to the standard error.
pub fn warn(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
