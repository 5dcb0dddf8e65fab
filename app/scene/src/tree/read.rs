//! From tokens to the tree, with the first thing that is wrong with the brackets.

use std::ops::Range;

use super::blame::Signs;
use super::scan::Scanner;
use super::{Entry, Group, Node, SyntaxError};

/// Deeper groups are refused.
const MAX_DEPTH: usize = 64;

/// The tree of a text, and what is wrong with its brackets, quotes and commas.
pub fn read(text: &str) -> (Node, Option<SyntaxError>) {
    let mut reader = Reader { scan: Scanner::new(text), signs: Signs::default(), open: Vec::new() };
    let unclosed = reader.scan.skip_attributes();
    reader.comment(unclosed);
    if reader.scan.at_end() && !reader.signs.any() {
        let what = if text.trim().is_empty() { "the file is empty" } else { "the file has comments alone" };
        let help = Some("a scene starts with `Scene(version: 1, ...`");
        reader.error(0..0, what.to_owned(), help);
    }
    let root = if reader.scan.at_end() { Node::default() } else { reader.value() };
    reader.space();
    if !reader.scan.at_end() && !reader.signs.any() {
        let at = reader.scan.at;
        let what = reader.scan.char_at(at);
        let message = format!("`{what}` after the end of the scene");
        reader.error(at..at + what.len_utf8(), message, None);
    }
    let Reader { scan, signs, .. } = reader;
    (root, signs.verdict(&scan))
}

struct Reader<'a> {
    scan: Scanner<'a>,
    signs: Signs,
    /// Opening positions of the groups around the current place.
    open: Vec<usize>,
}

impl Reader<'_> {
    fn error(&mut self, span: Range<usize>, message: String, help: Option<&str>) {
        self.signs.plain(span, message, help);
    }

    fn space(&mut self) {
        let unclosed = self.scan.skip_space();
        self.comment(unclosed);
    }

    /// Tells of a block comment that is never closed.
    fn comment(&mut self, unclosed: Option<usize>) {
        if let Some(start) = unclosed {
            let message = "this comment is never closed";
            self.signs.fatal(start..start + 2, message, Some("add `*/`"));
        }
    }

    fn value(&mut self) -> Node {
        let start = self.scan.at;
        if self.scan.literal() {
            if self.scan.unclosed {
                let message = "this text is never closed";
                self.signs.fatal(start..start + 1, message, Some("add `\"`"));
            }
            self.signs.text(start, self.scan.goes_over_line(start));
            return Node { span: start..self.scan.at, group: None };
        }
        self.scan.word();
        let name = start..self.scan.at;
        if !name.is_empty() {
            let before = self.scan.at;
            self.space();
            if self.scan.peek() != Some(b'(') {
                self.scan.at = before;
                return Node { span: name, group: None };
            }
        }
        match self.scan.peek() {
            Some(b'(' | b'[' | b'{') => self.group(name),
            Some(_) if !self.closing() && self.scan.peek() != Some(b',') => {
                let what = self.scan.char_at(start);
                self.scan.at += what.len_utf8();
                self.error(start..self.scan.at, format!("`{what}` is not expected here"), None);
                Node { span: start..self.scan.at, group: None }
            }
            _ => {
                let end = self.scan.at;
                self.error(
                    start..(start + 1).min(self.scan.len()),
                    "a value is missing here".to_owned(),
                    None,
                );
                Node { span: start..end, group: None }
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
            self.signs.fatal(open..open + 1, "brackets are nested too deeply", None);
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
            let mut entry = self.entry();
            let plain_values = wanted == b']'
                || wanted == b')' && entries.first().is_some_and(|first: &Entry| first.key.is_none());
            if plain_values && entry.key.is_some() {
                self.signs.field(open, before, wanted == b']');
            }
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
            self.signs.closed(open, close, &self.scan);
        } else {
            self.unclosed(open);
        }
        self.open.pop();
        let start = if name.is_empty() { open } else { name.start };
        let span = start..self.scan.at;
        Node { span, group: Some(Group { name, open, close, is_list: wanted == b']', entries }) }
    }

    fn entry(&mut self) -> Entry {
        let start = self.scan.at;
        let first = self.value();
        let after = self.scan.at;
        self.space();
        if self.scan.peek() != Some(b':') || first.group.is_some() {
            self.scan.at = after;
            return Entry { key: None, extent: start..after, value: first };
        }
        self.scan.at += 1;
        self.space();
        let value = self.value();
        let key = self.scan.without_quotes(first.span);
        Entry { key: Some(key), extent: start..self.scan.at, value }
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

    fn unclosed(&mut self, open: usize) {
        let at = self.scan.at;
        self.signs.unclosed(open, at, self.scan.at_end());
        // A bracket that belongs to a group further out closes this one as well.
        let found = self.scan.char_at(at);
        let outer = &self.open[..self.open.len().saturating_sub(1)];
        let fits =
            |&open: &usize| matches!((self.scan.char_at(open), found), ('(', ')') | ('[', ']') | ('{', '}'));
        if !self.scan.at_end() && !outer.iter().any(fits) {
            self.scan.at += 1;
        }
    }
}
