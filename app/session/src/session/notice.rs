//! Lines for the user: printed, recorded, and shown in the panel for a while.

/// Something the user should see: a line in the panel, the terminal and the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// `reload`, `scene`, `shader`, `texture`, `build`, `step`, `stability`, `folder` or `log`.
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
