//! Edits that would end a program which trusted them, each saved while one runs: it lives, says why, and the next good
//! save goes on. The list is the program's own, the soak's.

use std::fmt::Write as _;

use tests::{desktop::Desktop, edit_copy::EditCopy, left_out, long, places, process::Running};
use weft_proof::soak::{Edit, GOOD, HOSTILE, Outcome, save::save};

const FLAG: &str = "scenes/flag.ron";

/// Edits for the window: one of each way to fail.
const IN_THE_WINDOW: [&str; 6] = [
    "a panic in a job",
    "an endless loop",
    "two fields of one size that change places",
    "a NaN some steps later",
    "a write to null much later",
    "an endless loop much later",
];

#[derive(Default)]
struct Rows {
    csv: String,
    /// What came out otherwise.
    wrong: Vec<String>,
}

impl Rows {
    /// Saves the edit, waits for what must come of it, puts the file back and waits for good code.
    fn save(&mut self, copy: &EditCopy, program: &mut Running, edit: &Edit) {
        let (pid, lines) = (program.id(), program.seen().len());
        let saved = save(&copy.tree, &mut program.0, edit).unwrap_or_else(|e| panic!("{e}"));
        let said = program.seen()[lines..].join("\n  ");
        let (wanted, came) = (edit.outcome.name(), saved.came.map_or("nothing", Outcome::name));
        let line = saved.line.replace('"', "'");
        let _ = writeln!(self.csv, "{},{wanted},{came},{:.0},\"{line}\"", edit.name, saved.ms);
        if !saved.keeps(edit) {
            self.wrong.push(format!("{}: wanted {wanted}, came {came}:\n  {said}", edit.name));
        }
        assert!(program.alive() && program.id() == pid, "{}: it ended", edit.name);
    }

    /// Writes the rows, and fails if one is not as it must be.
    fn keep(&self, name: &str) {
        places::keep(name, &format!("edit,wanted,came,ms,message\n{}", self.csv));
        assert!(self.wrong.is_empty(), "{} edit(s):\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

#[test]
fn every_edit_does_what_it_must() {
    let test = "every_edit_does_what_it_must";
    if left_out(test, "a copy of the tree to edit, and cargo") {
        return;
    }
    let copy = EditCopy::fresh();
    let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
    program.wait_for(&["[first step] generation 1"]);
    let mut rows = Rows::default();
    for edit in GOOD.iter().chain(HOSTILE) {
        rows.save(&copy, &mut program, edit);
    }
    assert!(HOSTILE.len() >= 25);
    for outcome in [Outcome::Refused, Outcome::RolledBack, Outcome::Restarted] {
        assert!(HOSTILE.iter().any(|edit| edit.outcome == outcome));
    }
    rows.keep("hostile_edits.csv");
}

#[test]
fn the_window_lives_through_each_way_to_fail() {
    if left_out("the_window_lives_through_each_way_to_fail", "Xvfb, a copy of the tree to edit, and cargo") {
        return;
    }
    let copy = EditCopy::fresh();
    let mut desktop = Desktop::open(&copy.root, &[FLAG, "--size", "640x480"]);
    desktop.program.wait_for(&["[first step] generation 1"]);
    let mut rows = Rows::default();
    for edit in HOSTILE.iter().filter(|edit| long() || IN_THE_WINDOW.contains(&edit.name)) {
        rows.save(&copy, &mut desktop.program, edit);
    }
    rows.keep("hostile_edits_window.csv");
}

#[test]
fn the_edits_for_the_window_are_in_the_list() {
    for name in IN_THE_WINDOW {
        assert!(HOSTILE.iter().any(|edit| edit.name == name), "{name}");
    }
}
