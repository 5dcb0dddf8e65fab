//! The window lives through one edit of each way to fail.

use tests::{desktop::Desktop, edit_copy::EditCopy, hostile, left_out, long, survival::Rows};
use weft_proof::soak::{HOSTILE, PROCESS};

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

#[test]
fn the_window_lives_through_each_way_to_fail() {
    if left_out("the_window_lives_through_each_way_to_fail", "Xvfb, a copy of the tree to edit, and cargo") {
        return;
    }
    let copy = EditCopy::fresh();
    let mut desktop = Desktop::open(&copy.root, &[FLAG, "--size", "640x480"]);
    desktop.program.wait_for(&["[first step] generation 1"]);
    let mut rows = Rows::default();
    let edits = HOSTILE.iter().chain(PROCESS);
    for edit in edits.filter(|edit| long() || IN_THE_WINDOW.contains(&edit.name)) {
        let row = hostile::outcome(&copy, &mut desktop.program, edit);
        rows.add(edit.name, hostile::when(edit), "everything there", row, &["yes"]);
    }
    rows.keep("hostile_edits_window.csv");
}

#[test]
fn the_edits_for_the_window_are_in_the_list() {
    for name in IN_THE_WINDOW {
        assert!(HOSTILE.iter().any(|edit| edit.name == name), "{name}");
    }
}
