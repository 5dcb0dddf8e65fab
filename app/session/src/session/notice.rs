//! Lines for the user: printed, recorded, and shown in the panel for a while.

use std::time::Instant;

use super::Session;
use weft_core::say;

use crate::{recorder::Recorder, ring::Ring};

/// Something the user should see: a line in the panel, the terminal and the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// `reload`, `scene`, `shader`, `texture`, `build`, `step`, `stability` or `log`.
    pub kind: &'static str,
    pub text: String,
    pub good: bool,
}

impl Notice {
    pub fn good(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), good: true }
    }

    pub fn bad(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), good: false }
    }
}

/// Prints notices and writes them to the recording.
pub fn announce(
    session: &Session,
    ring: &Ring,
    recorder: Option<&mut Recorder>,
    notices: &[Notice],
) -> Result<(), String> {
    for notice in notices {
        say::say(format_args!("[{}] {}", notice.kind, notice.text));
    }
    let Some(recorder) = recorder else { return Ok(()) };
    for notice in notices {
        let text = format!("{}: {}", notice.kind, notice.text);
        recorder.event(session.run().frame, ring.elapsed_ms(Instant::now()), &text)?;
    }
    Ok(())
}
