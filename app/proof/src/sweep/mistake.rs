//! What a sweep cannot be, and where that is said: in an option, or in its file.

use std::path::Path;

use weft_core::command::CommandError;
use weft_scene::{
    Diagnostic,
    tree::{self, Node},
};

/// A part of a sweep: its field in a file, and its option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Scene(usize),
    Solver(usize),
    /// An axis, and one of its values.
    Axis(usize, Option<usize>),
    Frames,
    Out,
    Pareto,
}

/// A part that cannot be, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    pub part: Part,
    /// What was given, or what is said of it, before the reason.
    pub given: String,
    pub why: String,
}

impl Mistake {
    /// As a mistake of the command line.
    pub fn of_option(&self) -> CommandError {
        let option = match self.part {
            Part::Scene(_) => return CommandError::Usage(format!("{}: {}", self.given, self.why)),
            Part::Solver(_) => "--solvers",
            Part::Axis(..) => "--set",
            Part::Frames => "--frames",
            Part::Out => "--out",
            Part::Pareto => "--pareto",
        };
        CommandError::Usage(format!("{option} {}: {}", self.given, self.why))
    }

    /// As a mistake of a file, with line and column.
    pub fn in_file(&self, path: &Path, text: &str) -> CommandError {
        let (root, _) = tree::read(text);
        let field = |name: &str| {
            let entries = root.group.iter().flat_map(|group| &group.entries);
            entries
                .filter(|entry| entry.key.clone().is_some_and(|key| &text[key] == name))
                .map(|entry| &entry.value)
                .next()
        };
        let node = match self.part {
            Part::Scene(i) => field("scenes").and_then(|list| item(list, i)),
            Part::Solver(i) => field("solvers").and_then(|list| item(list, i)),
            Part::Axis(i, value) => {
                let axis = field("set").and_then(|list| item(list, i));
                let of = |value| item(item(axis?, 1)?, value);
                value.and_then(of).or(axis)
            }
            Part::Frames => field("frames"),
            Part::Out => field("out"),
            Part::Pareto => field("pareto"),
        };
        let span = node.map_or(0..0, |node| node.span.clone());
        let found = Diagnostic::new(text, "", span, format!("{}: {}", self.given, self.why));
        CommandError::Other(found.report(&path.display().to_string(), text).trim_end().to_string())
    }
}

fn item(list: &Node, i: usize) -> Option<&Node> {
    Some(&list.group.as_ref()?.entries.get(i)?.value)
}
