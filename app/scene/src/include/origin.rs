//! The text that comes out, and where each part of it was written.

use std::{ops::Range, path::PathBuf, sync::Arc};

use super::part::{At, Part, Shape};
use crate::{Diagnostic, diagnostic::Origin};

/// A file of a scene.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

impl Source {
    /// A finding in this file, which is the scene's own as number 0.
    pub(super) fn place(&self, file: usize, mut found: Diagnostic) -> Diagnostic {
        if file > 0 {
            found.origin = Some(Arc::new(Origin { name: self.name.clone(), text: self.text.clone() }));
        }
        found
    }
}

/// A piece of the text that was written somewhere.
struct Piece {
    /// Where it begins in the text.
    begin: usize,
    at: At,
    /// Byte for byte what is written there.
    exact: bool,
}

/// The text of a scene with all its parts.
pub(crate) struct Expanded {
    pub text: String,
    /// The scene's own, then those that it includes; empty where it has no parts.
    files: Vec<Source>,
    pieces: Vec<Piece>,
    pub errors: Vec<Diagnostic>,
    unused: Vec<(At, String)>,
}

impl Expanded {
    pub(super) fn plain(text: &str) -> Self {
        Self {
            text: text.to_string(),
            files: Vec::new(),
            pieces: Vec::new(),
            errors: Vec::new(),
            unused: Vec::new(),
        }
    }

    pub(super) fn new(
        files: Vec<Source>,
        made: Option<&Part>,
        errors: Vec<Diagnostic>,
        unused: Vec<(At, String)>,
    ) -> Self {
        let mut expanded = Self { text: String::new(), files, pieces: Vec::new(), errors, unused };
        made.iter().for_each(|part| expanded.put(part));
        expanded
    }

    /// It has no parts: the text as it stands.
    pub(crate) fn is_plain(&self) -> bool {
        self.files.is_empty()
    }

    /// Files that it includes, those that could not be read too.
    pub(crate) fn included(&self) -> Vec<PathBuf> {
        self.files.iter().skip(1).map(|source| source.path.clone()).collect()
    }

    /// What a person may want to know.
    pub(crate) fn notes(&self) -> Vec<String> {
        let line = |at: &At| Diagnostic::new(&self.files[at.file].text, "", at.span.clone(), "").line;
        let note = |(at, name): &(At, String)| {
            format!("{}:{}: the variable `{name}` is not used", self.files[at.file].name, line(at))
        };
        self.unused.iter().map(note).collect()
    }

    /// A finding in the text, where it was written.
    pub(crate) fn place(&self, found: Diagnostic) -> Diagnostic {
        if self.files.is_empty() || found.origin.is_some() {
            return found;
        }
        let after = self.pieces.partition_point(|piece| piece.begin <= found.span.start);
        let Some(piece) = after.checked_sub(1).map(|at| &self.pieces[at]) else { return found };
        let (source, whole) = (&self.files[piece.at.file], piece.at.span.clone());
        let span: Range<usize> = if piece.exact {
            let start = (whole.start + found.span.start - piece.begin).min(whole.end);
            start..(start + found.span.len()).min(whole.end)
        } else {
            whole
        };
        let mut placed = Diagnostic::new(&source.text, found.path, span, found.message);
        placed.help = found.help;
        source.place(piece.at.file, placed)
    }

    fn written(&mut self, at: &At) {
        let text = self.files[at.file].text.get(at.span.clone()).unwrap_or_default().to_string();
        self.piece(at, &text, true);
    }

    fn piece(&mut self, at: &At, text: &str, exact: bool) {
        self.pieces.push(Piece { begin: self.text.len(), at: at.clone(), exact });
        self.text.push_str(text);
    }

    fn put(&mut self, part: &Part) {
        let (name, open, entries) = match &part.shape {
            Shape::Scalar(None) => return self.written(&part.at),
            Shape::Scalar(Some(text)) => return self.piece(&part.at, text, false),
            Shape::Group { name, open, entries } => (name, open, entries),
        };
        if !name.span.is_empty() {
            self.written(name);
        }
        self.written(open);
        let close = match self.text.as_bytes().last() {
            Some(b'[') => "]",
            Some(b'{') => "}",
            _ => ")",
        };
        for (i, (key, part)) in entries.iter().enumerate() {
            if i > 0 {
                self.text.push_str(", ");
            }
            if let Some(key) = key {
                let quote = if key.quoted { "\"" } else { "" };
                self.text.push_str(quote);
                self.written(&key.at);
                self.text.push_str(quote);
                self.text.push_str(": ");
            }
            self.put(part);
        }
        let end = At { file: part.at.file, span: part.at.span.end.saturating_sub(1)..part.at.span.end };
        self.piece(&end, close, false);
    }
}
