//! Edits that would end a program which trusted them, each saved while one runs: what must come of it, and what came.

use std::fmt::Write as _;

use weft_proof::soak::{Edit, Outcome, save::save};

use crate::{edit_copy::EditCopy, places, process::Running};

#[derive(Default)]
pub struct Rows {
    csv: String,
    /// What came out otherwise.
    wrong: Vec<String>,
}

impl Rows {
    /// Saves the edit, waits for what must come of it, puts the file back and waits for good code.
    pub fn save(&mut self, copy: &EditCopy, program: &mut Running, edit: &Edit) {
        let (pid, lines) = (program.id(), program.seen().len());
        let saved = save(&copy.tree, &mut program.0, edit).unwrap_or_else(|e| panic!("{e}"));
        let said = program.seen()[lines..].join("\n  ");
        let (wanted, came) = (edit.outcome.name(), saved.came.map_or("nothing", Outcome::name));
        let line = saved.line.replace('"', "'");
        let _ = writeln!(self.csv, "{},{wanted},{came},{:.0},\"{line}\"", edit.name, saved.ms);
        if !saved.keeps(edit) {
            self.wrong.push(format!("{}: wanted {wanted}, came {came}:\n  {said}", edit.name));
        }
        assert!(!said.contains("does not load again"), "{}:\n  {said}", edit.name);
        assert!(program.alive() && program.id() == pid, "{}: it ended", edit.name);
    }

    /// Writes the rows, and fails if one is not as it must be.
    pub fn keep(&self, name: &str) {
        places::keep(name, &format!("edit,wanted,came,ms,message\n{}", self.csv));
        assert!(self.wrong.is_empty(), "{} edit(s):\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}
