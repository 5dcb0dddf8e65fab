//! From tokens to the tree, with the first thing that is wrong with the brackets.

use std::ops::Range;

use super::scan::Scanner;
use super::{Entry, Group, Node, SyntaxError};

/// Deeper groups are refused.
const MAX_DEPTH: usize = 64;

/// The tree of a text and its syntax errors, in text order.
pub fn read(text: &str) -> (Node, Vec<SyntaxError>) {
    let mut reader = Reader {
        scan: Scanner::new(text),
        errors: Vec::new(),
        pairs: Vec::new(),
        open: Vec::new(),
    };
    reader.scan.skip_attributes();
    reader.space();
    if reader.scan.at_end() {
        reader.error(
            0..0,
            "the file is empty".to_owned(),
            Some("a scene starts with `Scene(version: 1, ...`"),
        );
        return (Node::default(), reader.errors);
    }
    let root = reader.value();
    reader.space();
    if !reader.scan.at_end() && reader.errors.is_empty() {
        let at = reader.scan.at;
        let what = reader.scan.char_at(at);
        reader.error(
            at..at + what.len_utf8(),
            format!("`{what}` after the end of the scene"),
            None,
        );
    }
    reader.blame_indentation();
    (root, reader.errors)
}

struct Reader<'a> {
    scan: Scanner<'a>,
    errors: Vec<SyntaxError>,
    /// Opening and closing positions of all closed groups.
    pairs: Vec<(usize, usize)>,
    /// Opening positions of the groups around the current place.
    open: Vec<usize>,
}

impl Reader<'_> {
    fn error(&mut self, span: Range<usize>, message: String, help: Option<&str>) {
        // After the first bracket error all others are consequences of it.
        if self.errors.is_empty() {
            self.errors.push(SyntaxError {
                span,
                message,
                help: help.map(str::to_owned),
                bracket: false,
            });
        }
    }

    fn space(&mut self) {
        if let Some(start) = self.scan.skip_space() {
            self.error(
                start..start + 2,
                "this comment is never closed".to_owned(),
                Some("add `*/`"),
            );
        }
    }

    fn value(&mut self) -> Node {
        let start = self.scan.at;
        if self.scan.literal() {
            if self.scan.unclosed {
                self.error(
                    start..start + 1,
                    "this text is never closed".to_owned(),
                    Some("add `\"`"),
                );
            }
            return Node {
                span: start..self.scan.at,
                group: None,
            };
        }
        self.scan.word();
        let name = start..self.scan.at;
        if !name.is_empty() {
            let before = self.scan.at;
            self.space();
            if self.scan.peek() != Some(b'(') {
                self.scan.at = before;
                return Node {
                    span: name,
                    group: None,
                };
            }
        }
        match self.scan.peek() {
            Some(b'(' | b'[' | b'{') => self.group(name),
            Some(_) if !self.closing() && self.scan.peek() != Some(b',') => {
                let what = self.scan.char_at(start);
                self.scan.at += what.len_utf8();
                self.error(
                    start..self.scan.at,
                    format!("`{what}` is not expected here"),
                    None,
                );
                Node {
                    span: start..self.scan.at,
                    group: None,
                }
            }
            _ => {
                let end = self.scan.at;
                self.error(
                    start..(start + 1).min(self.scan.len()),
                    "a value is missing here".to_owned(),
                    None,
                );
                Node {
                    span: start..end,
                    group: None,
                }
            }
        }
    }

    fn closing(&self) -> bool {
        matches!(self.scan.peek(), Some(b')' | b']' | b'}'))
    }

    fn group(&mut self, name: Range<usize>) -> Node {
        let open = self.scan.at;
        let wanted = match self.scan.peek() {
            Some(b'(') => b')',
            Some(b'[') => b']',
            _ => b'}',
        };
        self.scan.at += 1;
        self.open.push(open);
        let mut entries = Vec::new();
        if self.open.len() > MAX_DEPTH {
            self.error(
                open..open + 1,
                "brackets are nested too deeply".to_owned(),
                None,
            );
            self.scan.at = self.scan.len();
        }
        let mut comma = true;
        loop {
            self.space();
            if self.scan.at_end() || self.closing() {
                break;
            }
            if !comma {
                let at = self.scan.at;
                let end = entries.last().map_or(at, |entry: &Entry| entry.extent.end);
                let found = self.scan.char_at(at);
                let help = format!("found `{found}` after it");
                self.error(
                    end.saturating_sub(1)..end,
                    "a comma is missing after this".to_owned(),
                    Some(&help),
                );
            }
            let before = self.scan.at;
            let mut entry = self.entry(wanted);
            comma = self.comma(&mut entry);
            entries.push(entry);
            // A stray comma alone makes no progress.
            if self.scan.at == before {
                self.scan.at += 1;
            }
        }
        let close = self.scan.at;
        if self.scan.peek() == Some(wanted) {
            self.scan.at += 1;
            self.pairs.push((open, close));
        } else {
            self.unclosed(open, wanted);
        }
        self.open.pop();
        let start = if name.is_empty() { open } else { name.start };
        let span = start..self.scan.at;
        Node {
            span,
            group: Some(Group {
                name,
                open,
                close,
                is_list: wanted == b']',
                entries,
            }),
        }
    }

    fn entry(&mut self, close: u8) -> Entry {
        let start = self.scan.at;
        let first = self.value();
        let after = self.scan.at;
        self.space();
        if self.scan.peek() != Some(b':') || first.group.is_some() {
            self.scan.at = after;
            return Entry {
                key: None,
                extent: start..after,
                value: first,
            };
        }
        if close == b']'
            && let Some(&open) = self.open.last()
        {
            let help = format!(
                "`]` is missing before the field in line {}",
                self.scan.line_of(start)
            );
            self.error(
                open..open + 1,
                "this `[` is never closed".to_owned(),
                Some(&help),
            );
        }
        self.scan.at += 1;
        self.space();
        let value = self.value();
        let key = self.scan.without_quotes(first.span);
        Entry {
            key: Some(key),
            extent: start..self.scan.at,
            value,
        }
    }

    fn comma(&mut self, entry: &mut Entry) -> bool {
        let after = self.scan.at;
        self.space();
        if self.scan.peek() == Some(b',') {
            self.scan.at += 1;
            entry.extent.end = self.scan.at;
            return true;
        }
        if !self.scan.at_end() && !self.closing() {
            self.scan.at = after;
        }
        false
    }

    fn unclosed(&mut self, open: usize, wanted: u8) {
        let first = self.errors.is_empty();
        let (bracket, wanted) = (self.scan.char_at(open), char::from(wanted));
        if self.scan.at_end() {
            let message = format!("this `{bracket}` is never closed");
            self.error(open..open + 1, message, Some(&format!("add `{wanted}`")));
        } else {
            let found = self.scan.char_at(self.scan.at);
            let line = self.scan.line_of(self.scan.at);
            let message = format!("this `{bracket}` is never closed");
            let help = format!("`{wanted}` is missing before the `{found}` in line {line}");
            self.error(open..open + 1, message, Some(&help));
            // A bracket that belongs to a group further out closes this one as well.
            let outer = &self.open[..self.open.len().saturating_sub(1)];
            let fits = |&open: &usize| {
                matches!(
                    (self.scan.char_at(open), found),
                    ('(', ')') | ('[', ']') | ('{', '}')
                )
            };
            if !outer.iter().any(fits) {
                self.scan.at += 1;
            }
        }
        if let [error] = self.errors.as_mut_slice() {
            error.bracket |= first;
        }
    }

    /// A group that was closed by a bracket standing further left than the group's own line is the one
    /// whose bracket is missing: the first such pair is a better place than the one that was left over.
    fn blame_indentation(&mut self) {
        let [error] = self.errors.as_mut_slice() else {
            return;
        };
        if !error.bracket {
            return;
        }
        let suspect = self.pairs.iter().find(|&&(open, close)| {
            self.scan.line_of(open) != self.scan.line_of(close)
                && self.scan.first_on_line(close)
                && self.scan.indentation(close) < self.scan.indentation(open)
        });
        if let Some(&(open, close)) = suspect {
            error.span = open..open + 1;
            error.message = format!("this `{}` is never closed", self.scan.char_at(open));
            error.help = Some(format!(
                "the `{}` in line {} closes it, but stands further left",
                self.scan.char_at(close),
                self.scan.line_of(close)
            ));
        }
    }
}
