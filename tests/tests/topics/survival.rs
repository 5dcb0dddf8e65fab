//! Crashes at the worst time, with little left to go on from: each phase of a frame, at once, later, three times in a row and
//! three times 25 s apart, without the texture, the folder of autosaves or room on the disk. `tests/run --long` writes all rows to
//! `tests/results/survival.csv`; those of hostile code are in `reload/survival.rs`, those of pictures in `window/survival.rs`.

use std::{
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tests::{
    alone::Alone,
    left_out, long,
    process::{PATIENCE, Running, children, runs, zombies},
    survival::{Left, Row, Rows},
};

/// When faults come again.
const AGAIN: &str = "40";
const APART: &str = "25s";

/// Frames of a run: at least as many as there are until its last fault.
fn frames(entry: &str) -> &'static str {
    match (entry == APART, long()) {
        (true, _) => "4800",
        (false, true) => "420",
        (false, false) => "220",
    }
}

/// The frame of a later fault, with `--long` after five seconds.
fn later() -> &'static str {
    if long() { "300" } else { AGAIN }
}

const TEXTURED: &str = r#"(version: 1, cloths: [(id: "a", pins: [Edge(Top)], look: (texture: "a.png"),
    shape: Grid(columns: 20, rows: 20, width: 1.0, height: 1.0))])"#;

/// One program: `times` crashes in `phase`, each in the frame `entry` of its process, or after that time.
fn crash(name: &str, path: &str, (phase, entry, times): (&str, &str, u32), left: Left) -> Row {
    let frames = frames(entry);
    let alone = Alone::new(name);
    fs::copy(tests::places::scene("textures/stripes.png"), alone.folder.join("a.png")).unwrap();
    fs::write(alone.folder.join("hanging.ron"), TEXTURED).unwrap();
    let run = ["run", "hanging.ron", "--watch", "--frames", frames, "--path", path];
    let undisturbed = alone.hash_on(frames, path);
    let mut command = left.command(alone.command(&run), &alone.autosaves());
    command.env("WEFT_FAULT", format!("{phase}:{entry}:{times}"));
    let mut program = Running::start(command);
    if left == Left::NoTexture {
        // The scene is read before the first autosave is written.
        tests::process::poll("an autosave", || {
            alone.autosaves().join(format!("{}.weft", program.id())).exists().then_some(())
        });
        fs::remove_file(alone.folder.join("a.png")).unwrap();
    }
    let mut row = Row::follow(&mut program, times);
    if row.paused() {
        assert!(program.alive());
        program.terminate();
        program.end(PATIENCE);
    } else if row.lives() {
        let hash = program.wait_for(&["state hash"]);
        let success = program.end(PATIENCE).success();
        row.ended(success, hash == undisturbed);
    } else {
        // It has said so, and somebody who asks goes on.
        let ended = program.end(PATIENCE);
        assert!(!ended.success(), "{name}: {ended}, {row:?}\n{}", program.seen().join("\n"));
        if !left.keeps_nothing() {
            let again =
                alone.start(&[&run[..], &["--resume"]].concat()).wait_for(&["[rescue] resumed at frame "]);
            row.said(&again);
        }
    }
    row
}

#[test]
fn a_crash_at_any_time_leaves_a_program_that_goes_on() {
    if left_out("a_crash_at_any_time_leaves_a_program_that_goes_on", "time") {
        return;
    }
    let mut rows = Rows::default();
    let whens = [
        ("first frame", "1", 1),
        ("later", later(), 1),
        ("three times in a row", AGAIN, 3),
        ("three times 25 s apart", APART, 3),
    ];
    for (phase, path) in [("step", "cpu"), ("host", "cpu"), ("device", "gpu")] {
        for (when, entry, times) in whens {
            for (left, condition) in Left::ALL {
                // The others have their own tests (`autosave.rs`).
                let short = times == 1 && entry != "1" && path == "cpu" && left != Left::Everything;
                // The autosave from before the device was opened knows that it was asked for.
                let opening = phase == "device" && entry == "1" && left == Left::Everything;
                if !long() && !short && !opening {
                    continue;
                }
                let row = crash("survival", path, (phase, entry, times), left);
                // Three crashes of the built-in code outside of its steps end the program: there is no other to try.
                let ends = times == 3 && phase == "host";
                rows.add(phase, when, condition, row, if ends { &["ended in words"] } else { &["yes"] });
            }
        }
    }
    rows.keep("survival.csv");
}

#[test]
fn zombies_are_counted() {
    // Parents of its own: the other tests of this process wait for their children whenever they like.
    let start = |script: &str| Command::new("sh").args(["-c", script]).spawn().unwrap();
    let (mut careless, mut careful) = (start("/bin/true & exec sleep 300"), start("exec sleep 300"));
    let started = Instant::now();
    while children(careless.id(), "true").first().is_none_or(|id| runs(*id)) {
        assert!(started.elapsed() < PATIENCE, "/bin/true does not end");
        thread::sleep(Duration::from_millis(10));
    }
    let counted = [&careless, &careful].map(|parent| zombies(parent.id()));
    for parent in [&mut careless, &mut careful] {
        parent.kill().unwrap();
        parent.wait().unwrap();
    }
    assert_eq!(counted, [1, 0]);
}
