//! Edits that would end a program which trusted them, each saved while one runs: what came of the program.

use std::time::Instant;

use weft_proof::soak::{Edit, Outcome, save::save};

use crate::{
    edit_copy::EditCopy,
    process::{Running, zombies},
    stillness::{self, Gap, Stillness},
    survival::Row,
};

/// What rows say of when such an edit shows what it is.
pub fn when(edit: &Edit) -> &'static str {
    match edit.outcome {
        Outcome::RolledBack | Outcome::Restarted => "steps after its swap",
        Outcome::Runs | Outcome::DoesNotCompile | Outcome::Refused => "at its save",
    }
}

/// Saves the edit, waits for what must come of it, puts the file back and waits for good code.
///
/// # Panics
/// If the program ends, or a good save is not taken.
pub fn outcome(copy: &EditCopy, program: &mut Running, edit: &Edit) -> Row {
    let (pid, before) = (program.id(), program.seen().len());
    let stillness = Stillness::watch(pid);
    let saved = save(&copy.tree, &mut program.0, edit).unwrap_or_else(|e| panic!("{e}"));
    let gaps = stillness.gaps();
    let lines = program.seen()[before..].to_vec();
    let times = &program.0.times()[before..];
    let mut row = Row::alive();
    row.went_on(stillness::longest(&gaps, &crashes(&lines, times)), &lines);
    row.said(&saved.line);
    row.count_zombies(zombies(pid));
    if !saved.keeps(edit) {
        let came = saved.came.map_or("nothing", Outcome::name);
        row.wrong(&format!("wanted {} `{}`, came {came}", edit.outcome.name(), edit.says));
    }
    let said = lines.join("\n  ");
    assert!(!said.contains("does not load again"), "{}:\n  {said}", edit.name);
    assert!(program.alive() && program.id() == pid, "{}: it ended\n  {said}", edit.name);
    row
}

/// From the word of each crash to that of the process after it.
fn crashes(lines: &[String], times: &[Instant]) -> Vec<Gap> {
    let (mut crashed, mut found) = (None, Vec::new());
    for (line, at) in lines.iter().zip(times) {
        if line.starts_with("weft: ") && line.contains("; starting again") {
            crashed = Some(*at);
        } else if line.starts_with("[rescue] restarted after ") {
            found.extend(crashed.take().map(|crashed| (crashed, *at)));
        }
    }
    found
}
