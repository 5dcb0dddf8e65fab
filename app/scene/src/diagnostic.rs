//! One finding about a scene, and a report of all of them in the manner of rustc.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind, Source};
use weft_core::text::visible;

/// Findings that a report shows.
const SHOWN: usize = 20;
/// Columns of a line on either side of the caret; what a program wrote may all stand on one line.
const AROUND: usize = 80;
/// Levels of a path, and characters of a message.
const LEVELS: usize = 8;
const LONGEST: usize = 400;

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
    /// Where it is not in the scene's own file: one that is included.
    pub origin: Option<Arc<Origin>>,
}

/// A file that a scene includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub name: String,
    pub text: String,
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
            origin: None,
        }
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `file.ron:LINE:COL: message (path)`.
    pub fn header(&self, name: &str) -> String {
        let name = self.origin.as_ref().map_or(name, |origin| &origin.name);
        let path = if self.path.is_empty() { String::new() } else { format!(" ({})", shallow(&self.path)) };
        let header = format!("{name}:{}:{}: {}{path}", self.line, self.column, cut(&self.message, LONGEST));
        visible(&header).into_owned()
    }

    /// The header and the lines of the text with a caret.
    pub fn report(&self, name: &str, text: &str) -> String {
        let (name, text) = self.origin.as_ref().map_or((name, text), |origin| (&origin.name, &origin.text));
        let mut out = self.header(name);
        out.push('\n');
        let hint =
            self.help.as_ref().map_or("here".to_owned(), |help| format!("help: {}", cut(help, LONGEST)));
        let hint = visible(&hint);
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
        let (line, span) = self.line_around(text);
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
        if report.write((name, Source::from(line.as_str())), &mut bytes).is_err() {
            return String::new();
        }
        // The first two lines repeat kind and place, which the header has; the last closes a box.
        let whole = String::from_utf8_lossy(&bytes);
        let mut out = String::new();
        for line in whole.lines().skip(2).filter(|line| !line.starts_with("--")) {
            // It numbers the line that it was given, which is not the first one of the file.
            let number = self.line.to_string();
            let margin = if line.starts_with(" 1 ") { number } else { " ".repeat(number.len()) };
            out.push_str(format!(" {margin}{}", line.get(2..).unwrap_or_default()).trim_end());
            out.push('\n');
        }
        out
    }
}

impl Diagnostic {
    /// The line of the text that it is in, cut to what stands around, and what of it is meant.
    fn line_around(&self, text: &str) -> (String, Range<usize>) {
        let at = self.span.start;
        let start = text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |newline| newline + 1);
        let (before, rest) = (text.get(start..at).unwrap_or(""), text.get(at..).unwrap_or(""));
        let after = rest.lines().next().unwrap_or("");
        let back = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(byte, _)| byte);
        let shown = after.char_indices().nth(AROUND).map_or(after.len(), |(byte, _)| byte);
        let (left, right) =
            (if back > 0 { "... " } else { "" }, if shown < after.len() { " ..." } else { "" });
        let before = format!("{left}{}", visible(&before[back..]));
        // A caret under one line reads better than a bracket over a page.
        let (meant, behind) = after[..shown].split_at(self.span.len().min(shown));
        let meant = visible(meant);
        let span = before.len()..before.len() + meant.len();
        (format!("{before}{meant}{}{right}", visible(behind)), span)
    }
}

/// At most so many characters.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    text.char_indices()
        .nth(most)
        .map_or(Cow::Borrowed(text), |(end, _)| format!("{} ...", &text[..end]).into())
}

/// The outermost levels of a path.
fn shallow(path: &str) -> Cow<'_, str> {
    let begins = path.char_indices().filter(|(at, c)| *at > 0 && matches!(c, '.' | '['));
    let end = begins.map(|(at, _)| at).nth(LEVELS - 1);
    end.map_or_else(|| cut(path, LONGEST), |end| cut(&path[..end], LONGEST) + "...")
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
    /// Who looked for mistakes stopped at so many.
    stopped: bool,
    /// The report, once it was asked for: the window shows it in every frame.
    rendered: OnceLock<String>,
}

impl SceneErrors {
    pub fn new(name: String, text: String, list: Vec<Diagnostic>) -> Self {
        Self { name, text, list, stopped: false, rendered: OnceLock::new() }
    }

    /// The same of a file with so many mistakes that others were not looked for.
    pub(crate) fn stopped(self, stopped: bool) -> Self {
        Self { stopped, ..self }
    }

    /// What is wrong with a file as a whole.
    pub fn of_file(path: &Path, why: String) -> Self {
        let list = vec![Diagnostic::new("", "", 0..0, why)];
        Self::new(path.display().to_string(), String::new(), list)
    }

    fn report(&self) -> String {
        let shown = self.list.iter().take(SHOWN).map(|finding| finding.report(&self.name, &self.text));
        let report = shown.collect::<Vec<_>>().join("\n");
        match self.list.len().saturating_sub(SHOWN) {
            0 => report,
            more => format!("{report}\n{}: and {more} more error(s){}\n", self.name, self.beyond()),
        }
    }

    /// Nobody reads so many: what comes after them was not looked for.
    fn beyond(&self) -> &'static str {
        if self.stopped { ", and perhaps others: none were looked for behind these" } else { "" }
    }

    /// What the report has below the line of the first finding: where it is, what to do, and the other findings.
    pub fn below(&self) -> String {
        self.to_string().split_once('\n').map_or_else(String::new, |(_, below)| below.trim_end().to_owned())
    }

    /// The first finding and how many more there are, for a status line.
    pub fn one_line(&self) -> String {
        let Some(first) = self.list.first() else {
            return self.name.clone();
        };
        let more = match self.list.len() - 1 {
            0 => String::new(),
            1 => " (and 1 more error)".to_owned(),
            more => format!(" (and {more} more errors{})", self.beyond()),
        };
        format!("{}{more}", first.header(&self.name))
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rendered.get_or_init(|| self.report()))
    }
}

impl std::error::Error for SceneErrors {}
