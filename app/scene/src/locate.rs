//! Where a field such as `cloths[0].material.density` or `solver.params.substeps` stands in the text.
//!
//! Items of a list are named by number (`[0]`, `.0`) or by their `id`. Struct and variant names are
//! transparent: `colliders.ball.shape.radius` finds the number in `shape: Sphere(radius: 0.4)`.

use std::ops::Range;

use super::tree::{Entry, Group, Node};

/// A text with its tree.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    pub text: &'a str,
    pub root: Node,
}

/// What was found for a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The value, or the nearest written thing around it.
    pub span: Range<usize>,
    /// The whole path is written in the text.
    pub exact: bool,
}

/// The parts of a path: `cloths[0].id` gives `cloths`, `0`, `id`.
pub fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split(['.', '[', ']']).filter(|segment| !segment.is_empty())
}

impl<'a> Located<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, root: super::tree::read(text).0 }
    }

    /// The value at a path. If it is not written (a default), the name or opening bracket of the
    /// innermost group that is.
    pub fn find(&self, path: &str) -> Place {
        let mut node = unwrapped(self.text, &self.root);
        for segment in segments(path) {
            match self.entry(node, segment) {
                Some(entry) => node = unwrapped(self.text, &entry.value),
                None => {
                    return Place { span: head(node), exact: false };
                }
            }
        }
        Place { span: node.span.clone(), exact: true }
    }

    /// The tree at a path, if it is written.
    pub fn node(&self, path: &str) -> Option<&Node> {
        let mut node = unwrapped(self.text, &self.root);
        for segment in segments(path) {
            node = unwrapped(self.text, &self.entry(node, segment)?.value);
        }
        Some(node)
    }

    /// The name of a field, for messages about the field itself rather than its value.
    pub fn find_key(&self, path: &str) -> Option<Range<usize>> {
        let mut node = unwrapped(self.text, &self.root);
        let mut key = None;
        for segment in segments(path) {
            let entry = self.entry(node, segment)?;
            key.clone_from(&entry.key);
            node = unwrapped(self.text, &entry.value);
        }
        key
    }

    /// The path of the innermost entry that covers a position, list items by number.
    pub fn path_at(&self, position: usize) -> String {
        let mut path = String::new();
        let mut node = &self.root;
        while let Some(group) = &node.group {
            let covers = |entry: &&Entry| entry.extent.contains(&position);
            let Some((index, entry)) = group.entries.iter().enumerate().find(|(_, entry)| covers(entry))
            else {
                break;
            };
            match &entry.key {
                Some(key) => {
                    let dot = if path.is_empty() { "" } else { "." };
                    path = format!("{path}{dot}{}", self.slice(key));
                }
                None => path = format!("{path}[{index}]"),
            }
            node = &entry.value;
        }
        path
    }

    pub fn slice(&self, span: &Range<usize>) -> &'a str {
        self.text.get(span.clone()).unwrap_or("")
    }

    fn entry<'n>(&self, node: &'n Node, segment: &str) -> Option<&'n Entry> {
        let group = node.group.as_ref()?;
        // First of all: a list may be long.
        let index = segment.parse::<usize>().ok();
        let item = index.and_then(|index| group.entries.get(index)).filter(|entry| entry.key.is_none());
        if item.is_some() {
            return item;
        }
        let by_key = |entry: &&Entry| entry.key.as_ref().is_some_and(|key| self.slice(key) == segment);
        if let Some(entry) = group.entries.iter().find(by_key) {
            return Some(entry);
        }
        if index.is_some() {
            return None;
        }
        group.entries.iter().find(|entry| self.id_of(entry).is_some_and(|id| id == segment))
    }

    /// The `id` of a list item.
    fn id_of(&self, entry: &Entry) -> Option<&'a str> {
        let group: &Group = unwrapped(self.text, &entry.value).group.as_ref()?;
        let id = group.entries.iter().find(|e| e.key.as_ref().is_some_and(|key| self.slice(key) == "id"))?;
        let quoted = self.slice(&id.value.span);
        Some(quoted.trim_start_matches(['r', '#']).trim_end_matches('#').trim_matches('"'))
    }
}

/// Looks through `Some(..)`.
fn unwrapped<'n>(text: &str, node: &'n Node) -> &'n Node {
    let mut node = node;
    while let Some(group) = &node.group
        && text.get(group.name.clone()) == Some("Some")
        && let [only] = group.entries.as_slice()
    {
        node = &only.value;
    }
    node
}

/// The name of a group, or its opening bracket; a scalar as it is.
fn head(node: &Node) -> Range<usize> {
    match &node.group {
        Some(group) if !group.name.is_empty() => group.name.clone(),
        Some(group) => group.open..group.open + 1,
        None => node.span.clone(),
    }
}
