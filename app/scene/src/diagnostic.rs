//! One finding about a scene, and a report of all of them in the manner of rustc.

use std::fmt;
use std::ops::Range;

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind, Source};

/// A finding with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The field, such as `cloths[0].material.density`; empty for the file as a whole.
    pub path: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// Bytes of the text.
    pub span: Range<usize>,
    pub message: String,
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding at a span of the text; the span is cut to the text and to character boundaries.
    pub fn new(text: &str, path: impl Into<String>, span: Range<usize>, message: impl Into<String>) -> Self {
        let start = boundary(text, span.start);
        let end = boundary(text, span.end).max(start);
        let head = text.get(..start).unwrap_or("");
        let line_start = head.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            path: path.into(),
            line: 1 + head.matches('\n').count(),
            column: 1 + head[line_start..].trim_start_matches('\u{feff}').chars().count(),
            span: start..end,
            message: message.into(),
            help: None,
        }
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `file.ron:LINE:COL: message (path)`.
    pub fn header(&self, name: &str) -> String {
        let path = if self.path.is_empty() { String::new() } else { format!(" ({})", self.path) };
        format!("{name}:{}:{}: {}{path}", self.line, self.column, self.message)
    }

    /// The header and the lines of the text with a caret.
    pub fn report(&self, name: &str, text: &str) -> String {
        let mut out = self.header(name);
        out.push('\n');
        let hint = self.help.as_ref().map_or("here".to_owned(), |help| format!("help: {help}"));
        let snippet = self.snippet(name, text, &hint);
        if snippet.is_empty() && self.help.is_some() {
            out.push_str("  ");
            out.push_str(&hint);
            out.push('\n');
        }
        out.push_str(&snippet);
        out
    }

    fn snippet(&self, name: &str, text: &str, hint: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        // A caret under one line reads better than a bracket over a page.
        let body = text.get(self.span.clone()).unwrap_or("");
        let first = body.lines().next().unwrap_or("");
        let span = self.span.start..self.span.start + first.len();
        let config = Config::new()
            .with_color(false)
            .with_char_set(CharSet::Ascii)
            .with_index_type(IndexType::Byte)
            .with_compact(false);
        let report = Report::build(ReportKind::Error, (name, span.clone()))
            .with_config(config)
            .with_label(Label::new((name, span)).with_message(hint))
            .finish();
        let mut bytes = Vec::new();
        if report.write((name, Source::from(text)), &mut bytes).is_err() {
            return String::new();
        }
        // The first two lines repeat kind and place, which the header has; the last closes a box.
        let whole = String::from_utf8_lossy(&bytes);
        let mut out = String::new();
        for line in whole.lines().skip(2).filter(|line| !line.starts_with("--")) {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Why a scene was refused: at least one finding, in text order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneErrors {
    /// The file as it was named.
    pub name: String,
    pub text: String,
    pub list: Vec<Diagnostic>,
}

impl SceneErrors {
    /// The first finding and how many more there are, for a status line.
    pub fn one_line(&self) -> String {
        let Some(first) = self.list.first() else {
            return self.name.clone();
        };
        let more = match self.list.len() - 1 {
            0 => String::new(),
            1 => " (and 1 more error)".to_owned(),
            more => format!(" (and {more} more errors)"),
        };
        format!("{}{more}", first.header(&self.name))
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            f.write_str(&diagnostic.report(&self.name, &self.text))?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}
