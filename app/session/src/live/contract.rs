//! What differs between two versions of the contract (`sim_api`), line by line, for the person who edited it.
//!
//! Rejected: parsing both (`syn`), which says "field" instead of showing the line, in three times the code.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
};

use sim_api::{CONTRACT, SOURCES, fingerprint};
use similar::{DiffOp, TextDiff};

use weft_core::project::Project;

/// Where its sources are.
const FOLDER: &str = "sim-dylib/api/src";

/// What differs between this program's contract and the one on disk; empty if that is the same, or if another compiler
/// is the difference.
pub fn changes(project: &Project) -> Vec<String> {
    let Some(theirs) = on_disk(project) else { return Vec::new() };
    if fingerprint(&theirs) == SOURCES { Vec::new() } else { difference(CONTRACT, &theirs) }
}

/// The contract as it is on disk now, in the form of [`CONTRACT`], as if this program's compiler had built it.
pub fn on_disk(project: &Project) -> Option<String> {
    let head = CONTRACT.find("file: ").unwrap_or_default();
    let mut text = CONTRACT[..head].to_string();
    let folder = project.root.join(FOLDER);
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    for path in files {
        let source = std::fs::read_to_string(&path).ok()?;
        let _ = write!(text, "file: {}\n{source}\n", path.strip_prefix(&folder).ok()?.display());
    }
    Some(text)
}

/// All sources in a folder and below it.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> Option<()> {
    for path in std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            sources.push(path);
        }
    }
    Some(())
}

/// One line for each change from `ours` to `theirs`: the file and line, the item and what stands there. Empty if nothing but
/// comments and blanks differs.
pub fn difference(ours: &str, theirs: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for what in ["compiler: ", "target: "] {
        let line = |text: &str| {
            text.lines().find_map(|line| line.strip_prefix(what)).unwrap_or("unknown").to_string()
        };
        if line(ours) != line(theirs) {
            lines.push(format!(
                "another {}: this program has {}, the library {}",
                what.trim_end_matches(": "),
                line(ours),
                line(theirs)
            ));
        }
    }
    let (ours, theirs) = (files(ours), files(theirs));
    lines
        .extend(ours.keys().filter(|file| !theirs.contains_key(*file)).map(|file| format!("{file} is gone")));
    for (file, after) in &theirs {
        let Some(before) = ours.get(file) else {
            lines.push(format!("{file} is new"));
            continue;
        };
        let (before, (after, numbers)) = (&before.0, after);
        for op in TextDiff::from_slices(before, after).ops() {
            let (from, to) = (op.old_range(), op.new_range());
            let line = numbers.get(to.start).or(numbers.last()).copied().unwrap_or(1);
            let told = |lines: &[&str], at: usize, what: String| {
                Some(format!("{FOLDER}/{file}:{line}, {}: {what}", item(lines, at)))
            };
            let (old, new) = (before[from.clone()].join(" "), after[to.clone()].join(" "));
            let place = to.start.checked_sub(1).map_or("first".into(), |at| format!("after `{}`", after[at]));
            lines.extend(match op {
                DiffOp::Equal { .. } => None,
                DiffOp::Delete { .. } => told(before, from.start, format!("`{old}` is gone")),
                DiffOp::Insert { .. } => told(after, to.start, format!("`{new}` is new, {place}")),
                DiffOp::Replace { .. } => told(before, from.start, format!("`{old}` is now `{new}`")),
            });
        }
    }
    lines
}

/// Lines of each file of a contract and their numbers, without what the fingerprint leaves out: comments, blanks and indentation.
fn files(contract: &str) -> BTreeMap<&str, (Vec<&str>, Vec<usize>)> {
    let counts = |(line, _): &(&str, usize)| !line.is_empty() && !line.starts_with("//");
    let files = contract.split("\nfile: ").skip(1).filter_map(|file| file.split_once('\n'));
    files.map(|(name, text)| (name, text.lines().map(str::trim).zip(1..).filter(counts).unzip())).collect()
}

/// The item that a line is of, such as `struct Frame`: the nearest one above, or below where it is an attribute.
fn item(lines: &[&str], at: usize) -> String {
    let below = lines[at..].iter().take_while(|line| line.starts_with("#[")).count();
    let found = lines[..(at + below + 1).min(lines.len())].iter().rev().find_map(|line| {
        let line = ["pub ", "unsafe ", "extern \"C\" "]
            .iter()
            .fold(*line, |line, word| line.trim_start_matches(word));
        let (kind, name) = line.split_once(' ')?;
        let kinds = [
            "struct",
            "enum",
            "union",
            "impl",
            "fn",
            "const",
            "type",
            "trait",
            "use",
            "table",
            "macro_rules!",
        ];
        let end = name.find(['{', '(', '=', ':', ';', '<']).unwrap_or(name.len());
        kinds.contains(&kind.split('<').next()?).then(|| format!("{kind} {}", name[..end].trim()))
    });
    found.unwrap_or_else(|| "its head".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_in_folders_are_part_of_the_contract() {
        let root = std::env::temp_dir().join(format!("weft-contract-{}", std::process::id()));
        let folder = root.join(FOLDER).join("api");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("frame.rs"), "pub struct Frame;\n").expect("written");
        let project = Project { root: root.clone() };
        let before = on_disk(&project).expect("a contract");
        assert!(before.contains("\nfile: api/frame.rs\npub struct Frame;"), "{before}");
        std::fs::write(folder.join("frame.rs"), "pub struct Frame(u32);\n").expect("written");
        assert_ne!(fingerprint(&before), fingerprint(&on_disk(&project).expect("a contract")));
        let _ = std::fs::remove_dir_all(root);
    }
}
