//! One save while a program runs: the edit, what the program says about it, and the file as it was again.

use std::time::{Duration, Instant};

use super::{
    edits::{Edit, Outcome},
    program::{Load, Program},
    tree::Tree,
};

/// Longest wait for what must come of a save. A contract that changed builds the whole library, on a busy machine in more than 90 s.
pub const PATIENCE: Duration = Duration::from_mins(3);

/// What came of a save.
#[derive(Debug)]
pub struct Saved {
    pub came: Option<Outcome>,
    /// The line that says it.
    pub line: String,
    /// From the save to that line [ms].
    pub ms: f64,
    /// Right after it.
    pub load: Load,
    /// The good file runs or draws again.
    pub settled: bool,
}

impl Saved {
    /// Whether this is what the edit promises, in the words that it promises.
    pub fn keeps(&self, edit: &Edit) -> bool {
        self.came == Some(edit.outcome) && self.line.contains(edit.says) && self.settled
    }

    /// Refused because this very code had crashed the program, of which the line says how.
    pub fn is_known_to_crash(&self) -> bool {
        let says = "this code crashed the program";
        self.came == Some(Outcome::Refused) && self.line.contains(says) && self.settled
    }
}

/// Saves the edit, waits for what comes of it, puts the file back and waits for the good one.
pub fn save(tree: &Tree, program: &mut Program, edit: &Edit) -> Result<Saved, String> {
    let before = tree.read(edit.file)?;
    let text = edit.apply(&before).ok_or_else(|| edit.misfit())?;
    // What is still said about the save before this one.
    program.seen();
    let start = Instant::now();
    tree.write(edit.file, &text)?;
    let came = program.wait(PATIENCE, |line| edit.came_of(line).map(|came| (Some(came), line.to_string())));
    let ms = start.elapsed().as_secs_f64() * 1e3;
    let (came, line) = came.unwrap_or_default();
    let load = program.load().unwrap_or_default();
    if came == Some(Outcome::Runs) && edit.is_code() {
        // A swap is complete with its first step.
        program.wait(PATIENCE, |line| edit.settled(line));
    }
    tree.write(edit.file, &before)?;
    let settled = program.wait(PATIENCE, |line| edit.settled(line)).is_some();
    Ok(Saved { came, line, ms, load, settled })
}
