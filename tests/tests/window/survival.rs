//! Crashes of the window in each phase of a frame: with and without a scene that was asked for by name, with its texture gone,
//! and with no place for an autosave.
//! `tests/run --long` writes all rows to `tests/results/survival_window.csv`.

use std::{fs, process::Command};

use tests::{
    desktop::Desktop,
    edit_copy::EditCopy,
    left_out, long, places,
    process::PATIENCE,
    survival::{Left, Row, Rows},
};

const FLAG: &str = "scenes/flag.ron";
const TEXTURE: &str = "scenes/textures/tartan.png";
const SHADER: &str = "shaders/draw/cloth.wgsl";

/// `times` crashes in `phase`, each when it is entered for the `entry`-th time, or after that time.
fn crash(copy: &EditCopy, (phase, entry, times): (&str, &str, u32), named: bool, left: Left) -> Row {
    let mut weft = Command::new(places::weft());
    weft.args(named.then_some(FLAG)).args(["--size", "640x480"]).current_dir(&copy.root);
    let autosaves = copy.root.join("target/hot/autosave");
    let mut command = left.command(weft, &autosaves);
    command.env("WEFT_FAULT", format!("{phase}:{entry}:{times}"));
    let shader = copy.read(SHADER);
    let mut desktop = Desktop::start(command);
    if left == Left::NoTexture {
        fs::remove_file(copy.root.join(TEXTURE)).expect("the flag's texture");
    }
    if phase == "build" {
        desktop.program.wait_for(&["[first step] generation 1"]);
        copy.write(SHADER, &format!("{shader}\n// Longer.\n"));
    }
    let mut row = Row::follow(&mut desktop.program, times);
    if row.lives() && !desktop.program.alive() {
        row.dies(&mut desktop.program);
    }
    if desktop.program.alive() {
        desktop.program.terminate();
    }
    desktop.program.end(PATIENCE);
    copy.restore();
    left.put_back(&autosaves);
    row
}

#[test]
fn the_window_survives_a_crash_in_each_phase() {
    if left_out("the_window_survives_a_crash_in_each_phase", "Xvfb, a copy of the tree, and cargo") {
        return;
    }
    let (copy, mut rows) = (EditCopy::fresh(), Rows::default());
    let whens = [
        ("first frame", "1", 1),
        ("later", "20", 1),
        ("three times in a row", "20", 3),
        ("three times 25 s apart", "25s", 3),
    ];
    for phase in ["host", "step", "draw", "build"] {
        for (when, entry, times) in whens {
            // Shaders are built when one is saved.
            let entry = if phase == "build" { "1" } else { entry };
            if phase == "build" && when != "later" {
                continue;
            }
            for (named, (left, what)) in
                [true, false].into_iter().flat_map(|named| Left::ALL.map(|left| (named, left)))
            {
                if phase == "build" && left == Left::NoRoom {
                    // Without room there is no library for which to wait.
                    continue;
                }
                let short = phase == "draw" && when == "first frame" && !named && left == Left::NoTexture;
                if !long() && !short {
                    continue;
                }
                let row = crash(&copy, (phase, entry, times), named, left);
                let name = if named { "a scene by name" } else { "no scene named" };
                let condition =
                    if left == Left::Everything { name.into() } else { format!("{name} and {what}") };
                // Where each of the three is one of the built-in code, outside of its steps, there is nothing else to try.
                let wanted: &[&str] =
                    if times == 3 && phase != "step" { &["yes", "ended in words"] } else { &["yes"] };
                rows.add(phase, when, &condition, row, wanted);
            }
        }
    }
    rows.keep("survival_window.csv");
}
