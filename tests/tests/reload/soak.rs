//! The soak comes to its report: when it is ended before its time, too.

use std::fs;

use tests::{
    edit_copy::EditCopy,
    left_out, places,
    process::{PATIENCE, Running},
};
use weft_proof::soak::{
    AGAIN, BAD_PASSES, BAD_SHADERS, GOOD, GOOD_SHADERS, HOSTILE, MISTAKES, PROCESS, SCENES,
};

#[test]
fn ended_before_its_time_it_reports_all_the_same() {
    if left_out("ended_before_its_time_it_reports_all_the_same", "a copy of the tree to edit, and cargo") {
        return;
    }
    let (copy, out) = (EditCopy::fresh(), places::temporary("soak"));
    let text = |path: &std::path::Path| path.to_str().expect("a plain name").to_string();
    let (tree, folder) = (text(&copy.root), text(&out));
    let arguments =
        ["soak", "--headless", "--minutes", "60", "--every", "1", "--tree", &tree, "--out", &folder];
    let mut soak = Running::weft(&places::root(), &arguments);
    let saves = 3;
    for _ in 0..saves {
        soak.wait_for(&[" s  ", " ms"]);
    }
    soak.terminate();
    assert!(soak.end(PATIENCE).success(), "{:?}", soak.seen());
    let page = fs::read_to_string(out.join("soak.md")).expect("a report");
    assert!(page.contains("no window, seed 1") && page.contains("Deaths: 0."), "{page}");
    assert!(page.contains("Memory ") && page.contains("; threads "), "{page}");
    let rows = fs::read_to_string(out.join("soak.csv")).expect("its rows");
    assert!(rows.lines().count() > saves, "{rows}");
}

#[test]
fn every_edit_fits_the_tree() {
    let mistakes = MISTAKES.iter().chain(BAD_SHADERS).chain(BAD_PASSES);
    let edits = mistakes.clone().map(|mistake| &mistake.edit);
    for edit in edits.chain(GOOD).chain(HOSTILE).chain(PROCESS).chain(AGAIN).chain(SCENES).chain(GOOD_SHADERS)
    {
        let text = fs::read_to_string(places::root().join(edit.file)).expect("a file of the tree");
        let saved = edit.apply(&text).unwrap_or_else(|| panic!("{}", edit.misfit()));
        assert_ne!(saved, text, "{}", edit.name);
    }
    for mistake in mistakes {
        let text = fs::read_to_string(places::root().join(mistake.edit.file)).expect("a file of the tree");
        assert!(mistake.place(&text).is_some(), "{}", mistake.edit.name);
    }
}
