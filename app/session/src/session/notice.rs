//! Lines for the user: printed, recorded, and shown in the panel for a while.

/// Something the user should see: a line in the panel, the terminal and the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// `reload`, `scene`, `shader`, `texture`, `build`, `step`, `stability`, `folder` or `log`.
    pub kind: &'static str,
    pub text: String,
    pub good: bool,
    /// Lines that the terminal has below it: all mistakes in a file, with what to do about each.
    pub more: String,
}

impl Notice {
    pub fn good(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), good: true, more: String::new() }
    }

    pub fn bad(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), good: false, more: String::new() }
    }

    /// Of several lines, of which only the terminal has more than the first.
    pub fn report(kind: &'static str, report: &str, end: &str) -> Self {
        let (first, more) = report.split_once('\n').unwrap_or((report, ""));
        Self { more: more.trim_end().to_owned(), ..Self::bad(kind, format!("{first}{end}")) }
    }
}
