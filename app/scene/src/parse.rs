//! RON text → [`Scene`], with many errors in one pass.
//!
//! `ron` stops at its first error and knows only how far it had read. So each error is placed on its
//! token through the [`tree`] of spans; then the faulty entry is overwritten with spaces, which
//! keeps all positions, and the text is read again. Errors that only follow from such a gap are not told.

mod explain;

use std::ops::Range;

use ron::error::{Error, Position, SpannedError};
use ron::extensions::Extensions;

use super::locate::Located;
use super::tree::{self, Entry, Group, Node};
use super::{Diagnostic, Scene, VERSION, model::DEFAULT_SOLVER_OF_STRANDS};

/// More than these in one file are not worth reading.
const MAX_ERRORS: usize = 24;

/// What was read, and what was wrong with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    /// None if the errors left nothing usable.
    pub scene: Option<Scene>,
    pub errors: Vec<Diagnostic>,
    /// Parts of the text that `scene` was read without.
    pub blanked: Vec<Range<usize>>,
    /// The tree of what `scene` was read from.
    pub root: Node,
    /// There were so many mistakes that none were looked for behind them.
    pub stopped: bool,
}

/// How scenes are read: `Some(..)` need not be written.
pub(crate) fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Reads a scene; ranges and rules between fields are not checked.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let original = Located::new(text);
    if let Some(alone) = newer_version(&original).or_else(|| conflict(&original)) {
        parsed.errors.push(alone);
        return parsed;
    }
    let mut working = text.replacen('\u{feff}', "   ", usize::from(text.starts_with('\u{feff}')));
    // Every round blanks an entry, so that it ends; gaps without an error of their own are rounds as well.
    for _ in 0..MAX_ERRORS * 4 {
        let error = match options().from_str::<Scene>(&working) {
            Ok(mut scene) => {
                let root = tree::read(&working).0;
                let text = Located { text: &working, root };
                if !scene.strands.is_empty() && text.node("solver.name").is_none() {
                    DEFAULT_SOLVER_OF_STRANDS.clone_into(&mut scene.solver.name);
                }
                parsed.root = text.root;
                parsed.scene = Some(scene);
                return parsed;
            }
            Err(error) => error,
        };
        let (root, syntax) = tree::read(&working);
        if let Some(wrong) = syntax {
            if parsed.errors.is_empty() {
                let path = original.path_at(wrong.span.start);
                let mut diagnostic = Diagnostic::new(text, path, wrong.span, wrong.message);
                diagnostic.help = wrong.help;
                parsed.errors.push(diagnostic);
            }
            return parsed;
        }
        let located = Located { text: &working, root };
        let finding = find(&located, &error);
        if !finding.follows_from(&parsed.blanked) {
            parsed.errors.push(explain::diagnostic(&original, &finding, &error.code));
        }
        let gap = finding.gap();
        match gap {
            Some(gap) if parsed.errors.len() < MAX_ERRORS => {
                blank(&mut working, &gap);
                parsed.blanked.push(gap);
            }
            gap => {
                // A mistake that has no end to read on from is the last one in any case.
                parsed.stopped = gap.is_some();
                return parsed;
            }
        }
    }
    parsed.stopped = true;
    parsed
}

/// A newer format may differ in anything, so its version is told before all else.
fn newer_version(text: &Located<'_>) -> Option<Diagnostic> {
    let span = text.node("version")?.span.clone();
    let version: u64 = text.slice(&span).parse().ok().filter(|&version| version > u64::from(VERSION))?;
    let message = format!("version {version} is newer than this Weft understands ({VERSION})");
    let help = "use a newer Weft, or write the scene for this one";
    Some(Diagnostic::new(text.text, "version", span, message).help(help))
}

/// Lines that git leaves where two versions of a file do not go together.
fn conflict(text: &Located<'_>) -> Option<Diagnostic> {
    const MARK: &str = "<<<<<<< ";
    let start = if text.text.starts_with(MARK) { 0 } else { text.text.find(&format!("\n{MARK}"))? + 1 };
    let end = text.text[start..].find('\n').map_or(text.text.len(), |length| start + length);
    let help = "keep one of the two versions, and take out the lines of `<<<<<<<`, `=======` and `>>>>>>>`";
    let message = "two versions of the file were merged, and this place is not decided";
    Some(Diagnostic::new(text.text, text.path_at(start), start..end, message).help(help))
}

/// Where an error is: the entries around it from the outside in, and the token itself.
struct Finding<'n> {
    chain: Vec<(&'n Group, &'n Entry)>,
    /// The innermost group around it.
    group: Option<(&'n Node, &'n Group)>,
    span: Range<usize>,
    /// Something is missing in `group`.
    missing: bool,
}

impl Finding<'_> {
    /// What to leave out to read on: the field or list item around the error.
    fn gap(&self) -> Option<Range<usize>> {
        let inside = |entry: &Entry| {
            let whole = self.group.map(|(node, _)| &node.span).filter(|_| self.missing);
            whole.is_none_or(|whole| {
                entry.value.span.start <= whole.start && whole.end <= entry.value.span.end
            })
        };
        let removable =
            |&&(group, entry): &&(&Group, &Entry)| (entry.key.is_some() || group.is_list) && inside(entry);
        self.chain.iter().rev().find(removable).map(|(_, entry)| entry.extent.clone())
    }

    fn follows_from(&self, blanked: &[Range<usize>]) -> bool {
        let Some((node, group)) = self.group.filter(|_| self.missing) else {
            return false;
        };
        let covers =
            |node: &Node, gap: &Range<usize>| node.span.start <= gap.start && gap.end <= node.span.end;
        // A gap deeper down takes no field away from this group.
        let direct = |gap: &&Range<usize>| {
            covers(node, gap) && !group.entries.iter().any(|entry| covers(&entry.value, gap))
        };
        blanked.iter().any(|gap| direct(&gap))
    }
}

fn find<'n>(text: &'n Located<'_>, error: &SpannedError) -> Finding<'n> {
    let at = offset(text.text, error.span.end);
    let mut chain = Vec::new();
    let mut innermost = None;
    let mut node = &text.root;
    while let Some(group) = &node.group
        && group.open < at
        && at <= group.close
    {
        innermost = Some((node, group));
        let start = |entry: &Entry| entry.extent.start;
        let Some(entry) = group.entries.iter().rev().find(|entry| start(entry) <= at) else {
            break;
        };
        chain.push((group, entry));
        node = &entry.value;
    }
    let named = |name: &str| {
        let key = |entry: &Entry| entry.key.clone().filter(|key| text.slice(key) == name);
        let value = |entry: &Entry| Some(head(&entry.value)).filter(|head| text.slice(head) == name);
        chain.iter().rev().find_map(|(_, entry)| key(entry).or_else(|| value(entry)))
    };
    let around = || innermost.map(|(node, _)| head(node));
    let innermost_value = || chain.last().map(|(_, entry)| head_or_all(&entry.value));
    let root = || head(&text.root);
    let about_group = match &error.code {
        Error::ExpectedDifferentLength { .. } => true,
        Error::InvalidValueForType { found, .. } => found == "a sequence" || found == "a map",
        _ => false,
    };
    let (span, missing) = match &error.code {
        Error::NoSuchStructField { found, .. }
        | Error::NoSuchEnumVariant { found, .. }
        | Error::ExpectedDifferentStructName { found, .. } => (named(found).or_else(innermost_value), false),
        Error::DuplicateStructField { field, .. } => (named(field).or_else(innermost_value), false),
        Error::MissingStructField { .. } => (around(), true),
        _ if about_group => (around(), false),
        _ => (innermost_value(), false),
    };
    // The error is about the whole group, so its last item must not count.
    if about_group
        && chain
            .last()
            .is_some_and(|(group, _)| innermost.is_some_and(|(_, inner)| std::ptr::eq(*group, inner)))
    {
        chain.pop();
    }
    Finding { chain, group: innermost, span: span.unwrap_or_else(root), missing }
}

/// The name of a group or its opening bracket; a scalar as it is.
fn head(node: &Node) -> Range<usize> {
    match &node.group {
        Some(group) if !group.name.is_empty() => group.name.clone(),
        Some(group) => group.open..group.open + 1,
        None => node.span.clone(),
    }
}

fn head_or_all(node: &Node) -> Range<usize> {
    if node.group.as_ref().is_some_and(|group| !group.name.is_empty()) {
        head(node)
    } else {
        node.span.clone()
    }
}

/// Byte position of a line and column as `ron` counts them.
fn offset(text: &str, position: Position) -> usize {
    let start: usize = text.split_inclusive('\n').take(position.line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or("");
    let column = position.col.saturating_sub(1);
    start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at)
}

/// Overwrites a part with spaces; line ends stay.
fn blank(text: &mut String, gap: &Range<usize>) {
    let spaces: String = text
        .get(gap.clone())
        .unwrap_or("")
        .bytes()
        .map(|byte| if byte == b'\n' || byte == b'\r' { char::from(byte) } else { ' ' })
        .collect();
    if spaces.len() == gap.len() {
        text.replace_range(gap.clone(), &spaces);
    }
}
