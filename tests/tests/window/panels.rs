//! Panels as tiles: dragged to another place, closed and opened, kept between runs; a file that holds no layout is told.

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tests::{
    desktop::Desktop,
    left_out, places,
    process::{PATIENCE, poll},
};

use super::walk::is_bar;

/// Of the window, and of the panels at its left edge [pixels].
const SIZE: (usize, usize) = (780, 560);
const LEFT: usize = 220;
/// Two panels above each other, the lower one with bars that nothing else looks like.
const LAYOUT: &str = r#"{ "layout": { "tiles": { "row": [[220, { "column": [[280, "run"], [280, "step"]] }], [560, "picture"]] } } }"#;
/// A tab's text, from the corner of its panel [pixels].
const TAB: (usize, usize) = (14, 11);

fn open(folder: &Path) -> Desktop {
    let mut command = Command::new(places::weft());
    command.args(["scenes/flag.ron", "--size", &format!("{}x{}", SIZE.0, SIZE.1), "--threads", "2"]);
    command.current_dir(places::root()).env("WEFT_CONFIG", folder);
    Desktop::start(command)
}

fn end(mut desktop: Desktop) {
    desktop.close();
    assert!(desktop.program.end(PATIENCE).success());
}

/// Whether there are bars left and right of the middle.
fn bars(desktop: &Desktop) -> [bool; 2] {
    let (picture, middle) = (desktop.picture(), SIZE.0 / 2);
    [0..middle, middle..SIZE.0].map(|columns| picture.part(columns, 0..SIZE.1).share(is_bar) > 0.005)
}

fn kept(folder: &Path) -> Option<Value> {
    let text = fs::read_to_string(folder.join("window.json")).ok()?;
    Some(serde_json::from_str::<Value>(&text).expect("JSON")["layout"].clone())
}

fn width_of(row: &[Value], name: &str) -> usize {
    let part = row.iter().find(|part| part[1] == name);
    part.and_then(|part| part[0].as_u64()).unwrap_or_else(|| panic!("{name} in {row:?}")) as usize
}

fn drag(desktop: &Desktop, from: (usize, usize), to: (usize, usize)) {
    // A frame takes what it is pressed on from where the pointer is at its end.
    let a_few_frames = || std::thread::sleep(std::time::Duration::from_millis(500));
    desktop.pointer(from.0, from.1);
    desktop.button("mousedown", "1");
    a_few_frames();
    let at = |from: usize, to: usize, step: usize| from + to * step / 10 - from * step / 10;
    (1..=10).for_each(|step| desktop.pointer(at(from.0, to.0, step), at(from.1, to.1, step)));
    // The place where it would come to shows before it is let go.
    a_few_frames();
    desktop.button("mouseup", "1");
}

#[test]
fn a_panel_is_dragged_closed_and_opened_and_stays_so() {
    if left_out("a_panel_is_dragged_closed_and_opened_and_stays_so", "a virtual display") {
        return;
    }
    let folder = places::temporary("panels");
    fs::write(folder.join("window.json"), LAYOUT).expect("a file");
    let first = open(&folder);
    poll("bars on the left", || (bars(&first) == [true, false]).then_some(()));
    drag(&first, (TAB.0, SIZE.1 / 2 + TAB.1), (SIZE.0 - 20, SIZE.1 / 2));
    poll("bars on the right", || (bars(&first) == [false, true]).then_some(()));
    let row = poll("its place in the file", || {
        let row = kept(&folder)?["tiles"]["row"].as_array()?.clone();
        (row.last()?[1] == "step").then_some(row)
    });
    assert!(width_of(&row, "run").abs_diff(LEFT) < 3, "what was not dragged keeps its width: {row:?}");
    let width = width_of(&row, "step");
    assert!(width.abs_diff(LEFT) < 3, "and so does what was: {row:?}");
    end(first);

    // It is where it was. A middle click closes it; the other one keeps its width.
    let second = open(&folder);
    poll("bars on the right again", || (bars(&second) == [false, true]).then_some(()));
    second.pointer(SIZE.0 - width + TAB.0, TAB.1);
    second.button("click", "2");
    poll("no bars", || (bars(&second) == [false, false]).then_some(()));
    let closed = |name: &str| {
        kept(&folder).is_some_and(|layout| {
            layout["closed"].as_array().is_some_and(|closed| closed.iter().any(|tile| tile == name))
        })
    };
    poll("that it is closed in the file", || closed("step").then_some(()));
    let row = kept(&folder).expect("a layout")["tiles"]["row"].as_array().expect("a row").clone();
    assert!(width_of(&row, "run").abs_diff(LEFT) < 3, "{row:?}");
    end(second);

    // A key opens one and closes it; the menu in the corner brings the other back to its place.
    let third = open(&folder);
    third.key("m");
    poll("scenes in the file", || (!closed("scenes")).then_some(()));
    third.key("m");
    poll("scenes closed in the file", || closed("scenes").then_some(()));
    assert_eq!(bars(&third), [false, false]);
    third.pointer(SIZE.0 - 30, 18);
    third.button("click", "1");
    // Its list may come a frame later; a line of it is 23 pixels high.
    std::thread::sleep(std::time::Duration::from_secs(1));
    third.pointer(SIZE.0 - 100, 45 + 5 * 23);
    third.button("click", "1");
    poll("bars on the right once more", || (bars(&third) == [false, true]).then_some(()));
    poll("that it is open in the file", || (!closed("step")).then_some(()));
    end(third);
}

#[test]
fn a_file_that_holds_no_layout_is_told_and_panels_are_as_at_first() {
    if left_out("a_file_that_holds_no_layout_is_told_and_panels_are_as_at_first", "a virtual display") {
        return;
    }
    let folder = places::temporary("no layout");
    fs::write(folder.join("window.json"), LAYOUT.replace("\"step\"", "\"plts\"")).expect("a file");
    let mut desktop = open(&folder);
    desktop.program.wait_for(&[
        "[settings] window.json: layout.tiles.row[0].column[1]: there is no tile `plts`; did you mean `plots`?",
    ]);
    poll("the layout of a first run in the file", || {
        let layout = kept(&folder)?;
        (layout["tiles"]["row"][0][1]["column"].as_array()?.len() == 2 && layout.to_string().contains("step"))
            .then_some(())
    });
    end(desktop);
}
