//! Edits that would end a program which trusted them, each saved while one runs: it lives, says why, and the next good
//! save goes on. The list is the program's own, the soak's.

use tests::{edit_copy::EditCopy, hostile, left_out, long, process::Running, survival::Rows};
use weft_proof::soak::{GOOD, HOSTILE, Outcome, PROCESS};

const FLAG: &str = "scenes/flag.ron";

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
    // A third of them in the ordinary run: each is a build, a probe and another.
    let every = if long() { 1 } else { 3 };
    let tried: Vec<_> = GOOD.iter().chain(HOSTILE).chain(PROCESS).step_by(every).collect();
    for edit in &tried {
        let row = hostile::outcome(&copy, &mut program, edit);
        rows.add(edit.name, hostile::when(edit), "everything there", row, &["yes"]);
    }
    assert!(HOSTILE.len() >= 25);
    for outcome in [Outcome::Refused, Outcome::RolledBack, Outcome::Restarted] {
        assert!(tried.iter().any(|edit| edit.outcome == outcome), "{} of {}", outcome.name(), tried.len());
    }
    rows.keep("hostile_edits.csv");
}
