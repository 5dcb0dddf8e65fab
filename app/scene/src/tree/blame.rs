//! Which of several mistakes in the brackets is the cause, and not a consequence.
//!
//! A missing bracket or quote is noticed late: everything up to there was read in the wrong group. So all
//! signs are collected while reading, and the one that was noticed first in the text is told.

use std::ops::Range;

use super::SyntaxError;
use super::scan::Scanner;

/// Signs seen while reading.
#[derive(Default)]
pub(super) struct Signs {
    /// Mistakes other than brackets, in the order they were found.
    plain: Vec<SyntaxError>,
    /// A text, a comment or the depth: nothing after it was read rightly.
    fatal: Option<SyntaxError>,
    /// Groups that may lack their closing bracket.
    suspects: Vec<Suspect>,
    /// The brackets do not match, so that one of the suspects is guilty.
    unmatched: bool,
    /// The first text in quotes that goes over the end of its line.
    long_text: Option<usize>,
}

struct Suspect {
    open: usize,
    /// Where it was noticed.
    at: usize,
    why: Why,
}

enum Why {
    /// The text ends.
    End,
    /// A bracket of another kind, or one of a group further out, stands there.
    Other,
    /// A field stands among plain values.
    Field,
    /// Its closing bracket stands further left than its own line.
    Left,
}

impl Signs {
    pub(super) fn plain(&mut self, span: Range<usize>, message: String, help: Option<&str>) {
        self.plain.push(SyntaxError { span, message, help: help.map(str::to_owned) });
    }

    pub(super) fn fatal(&mut self, span: Range<usize>, message: &str, help: Option<&str>) {
        let help = help.map(str::to_owned);
        self.fatal.get_or_insert_with(|| SyntaxError { span, message: message.to_owned(), help });
    }

    pub(super) fn text(&mut self, start: usize, goes_on: bool) {
        if goes_on && self.long_text.is_none() {
            self.long_text = Some(start);
        }
    }

    /// A group that ends without its bracket, at the end of the text or before another bracket.
    pub(super) fn unclosed(&mut self, open: usize, at: usize, end: bool) {
        self.unmatched = true;
        let why = if end { Why::End } else { Why::Other };
        self.suspects.push(Suspect { open, at, why });
    }

    /// A field where there should be none; in a list that alone is a mistake.
    pub(super) fn field(&mut self, open: usize, at: usize, list: bool) {
        self.unmatched |= list;
        self.suspects.push(Suspect { open, at, why: Why::Field });
    }

    /// A group with its bracket.
    pub(super) fn closed(&mut self, open: usize, close: usize, scan: &Scanner<'_>) {
        let further_left = scan.first_on_line(close) && scan.indentation(close) < scan.indentation(open);
        if further_left {
            self.suspects.push(Suspect { open, at: close, why: Why::Left });
        }
    }

    pub(super) fn any(&self) -> bool {
        self.unmatched || self.fatal.is_some() || !self.plain.is_empty()
    }

    /// The cause.
    pub(super) fn verdict(self, scan: &Scanner<'_>) -> Option<SyntaxError> {
        let first_plain = self.plain.into_iter().min_by_key(|error| error.span.start);
        let first_suspect = self.suspects.iter().min_by_key(|suspect| suspect.at).filter(|_| self.unmatched);
        if let Some(start) = self.long_text {
            let plain = first_plain.as_ref().map(|error| error.span.start);
            let places =
                [plain, first_suspect.map(|suspect| suspect.at), self.fatal.as_ref().map(|e| e.span.start)];
            if places.into_iter().flatten().any(|place| place > start) {
                let help = Some("it goes over the end of its line: add `\"`".to_owned());
                let message = "this text is never closed".to_owned();
                return Some(SyntaxError { span: start..start + 1, message, help });
            }
        }
        self.fatal.or_else(|| first_suspect.map(|suspect| suspect.told(scan))).or(first_plain)
    }
}

impl Suspect {
    fn told(&self, scan: &Scanner<'_>) -> SyntaxError {
        let bracket = scan.char_at(self.open);
        let wanted = match bracket {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        let (found, line) = (scan.char_at(self.at), scan.line_of(self.at));
        let help = match self.why {
            Why::End => format!("add `{wanted}`"),
            Why::Other => format!("`{wanted}` is missing before the `{found}` in line {line}"),
            Why::Field => format!("`{wanted}` is missing before the field in line {line}"),
            Why::Left => format!("the `{found}` in line {line} closes it, but stands further left"),
        };
        let message = format!("this `{bracket}` is never closed");
        SyntaxError { span: self.open..self.open + 1, message, help: Some(help) }
    }
}
