//! Tokens of RON text by byte position.

use std::ops::Range;

/// A place in the text; every method leaves `at` on a character boundary within it.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Where each line but the first begins.
    lines: Vec<usize>,
    pub at: usize,
    /// The last literal ran into the end of the text.
    pub unclosed: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let lines = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        Self { text, lines, at: 0, unclosed: false }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The character that starts at a position; a space past the end.
    pub(super) fn char_at(&self, at: usize) -> char {
        self.text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ')
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Skips to just after a text, or to the end; false if it is not there.
    fn past(&mut self, needle: &str) -> bool {
        let found = self.rest().find(needle);
        self.at = found.map_or(self.text.len(), |offset| self.at + offset + needle.len());
        found.is_some()
    }

    /// Skips white space and comments; gives the start of a block comment that is never closed.
    pub(super) fn skip_space(&mut self) -> Option<usize> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(is_space);
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.past("\n");
            } else if trimmed.starts_with("/*") {
                let start = self.at;
                if !self.block_comment() {
                    return Some(start);
                }
            } else {
                return None;
            }
        }
    }

    pub(super) fn block_comment(&mut self) -> bool {
        let mut depth = 0_usize;
        let bytes = self.text.as_bytes();
        while let Some(pair) = bytes.get(self.at..self.at + 2) {
            match pair {
                b"/*" => depth += 1,
                b"*/" => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return true;
            }
        }
        self.at = self.text.len();
        false
    }

    /// `#![enable(..)]` at the head of the file; gives the start of a block comment that is never closed.
    pub(super) fn skip_attributes(&mut self) -> Option<usize> {
        let mut unclosed = self.skip_space();
        while self.rest().starts_with("#!") {
            self.past("]");
            unclosed = self.skip_space();
        }
        unclosed
    }

    /// A text, raw text, byte text or character; false if something else starts here.
    pub(super) fn literal(&mut self) -> bool {
        self.unclosed = false;
        let rest = self.rest();
        let body = rest.strip_prefix('b').unwrap_or(rest);
        let prefix = rest.len() - body.len();
        let raw = body.strip_prefix('r').map(|raw| (raw, raw.len() - raw.trim_start_matches('#').len()));
        if body.starts_with('"') || body.starts_with('\'') {
            let quote = body.as_bytes()[0];
            self.at += prefix + 1;
            self.unclosed = !self.past_quote(quote);
        } else if let Some((raw, marks)) = raw
            && raw.get(marks..).is_some_and(|text| text.starts_with('"'))
        {
            self.at += prefix + 1 + marks + 1;
            let end = format!("\"{}", "#".repeat(marks));
            self.unclosed = !self.past(&end);
        } else {
            return false;
        }
        true
    }

    fn past_quote(&mut self, quote: u8) -> bool {
        while let Some(byte) = self.peek() {
            self.at += self.char_at(self.at).len_utf8();
            if byte == b'\\' && !self.at_end() {
                self.at += self.char_at(self.at).len_utf8();
            } else if byte == quote {
                return true;
            }
        }
        false
    }

    /// A number or a name: everything up to white space, punctuation or a comment.
    pub(super) fn word(&mut self) {
        let rest = self.rest();
        let end = rest
            .char_indices()
            .find(|&(at, c)| {
                is_space(c)
                    || "()[]{},:\"'".contains(c)
                    || rest[at..].starts_with("//")
                    || rest[at..].starts_with("/*")
            })
            .map_or(rest.len(), |(at, _)| at);
        self.at += end;
    }

    /// The inside of a quoted text; any other span as it is.
    pub(super) fn without_quotes(&self, span: Range<usize>) -> Range<usize> {
        let text = self.text.get(span.clone()).unwrap_or("");
        let Some(first) = text.find('"').filter(|_| text.ends_with(['"', '#'])) else {
            return span;
        };
        let last = text.rfind('"').unwrap_or(first);
        if last > first { span.start + first + 1..span.start + last } else { span }
    }

    /// The literal from `start` to here is in plain quotes and holds a line end.
    pub(super) fn goes_over_line(&self, start: usize) -> bool {
        self.text.get(start..self.at).is_some_and(|text| text.starts_with('"') && text.contains('\n'))
    }

    /// Line number from 1.
    pub(super) fn line_of(&self, at: usize) -> usize {
        1 + self.lines.partition_point(|start| *start <= at)
    }

    /// What stands on the same line before a position.
    pub(super) fn line_head(&self, at: usize) -> &'a str {
        let before = self.lines.partition_point(|start| *start <= at).checked_sub(1);
        self.text.get(before.map_or(0, |line| self.lines[line])..at).unwrap_or("")
    }

    /// Only white space and closing brackets stand before it on its line.
    pub(super) fn first_on_line(&self, at: usize) -> bool {
        self.line_head(at).chars().all(|c| is_space(c) || ")]}".contains(c))
    }

    /// Leading white space of the line, in characters.
    pub(super) fn indentation(&self, at: usize) -> usize {
        self.line_head(at).chars().take_while(|&c| is_space(c)).count()
    }
}

/// The text without the white space at its head.
pub(super) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// White space as RON has it, and a byte order mark.
fn is_space(c: char) -> bool {
    c.is_ascii_whitespace()
        || matches!(c, '\x0b' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}
