//! What is no plain file, has an odd name or is taken by another program is told, and waited for by nobody.

#![cfg(unix)]

use std::{
    fs,
    os::unix::ffi::OsStrExt as _,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tests::{
    left_out, places,
    process::{self, Running},
};
use weft_session::{Options, Session};

const SCENE: &str = "Scene(version: 1, cloths: [Cloth(id: \"a\", pins: [Edge(Top)], \
                     shape: Grid(columns: 6, rows: 6, width: 0.5, height: 0.5))])";

/// Exit code and all that was said.
fn ends(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = process::weft(folder, arguments);
    (output.status.code(), String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned())
}

#[test]
fn pipes_and_devices_are_no_files_to_read() {
    if !places::weft().exists()
        && left_out("pipes_and_devices_are_no_files_to_read", "the program (cargo build)")
    {
        return;
    }
    let folder = places::temporary("odd_pipes");
    let made = Command::new("mkfifo").args(["a.ron", "a.weft", "a.sweep.ron"]).current_dir(&folder).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    fs::write(folder.join("b.ron"), "Scene(version: 1, cloths: [(include: \"a.ron\")])")
        .expect("target/ is writable");
    for arguments in [
        &["check", "a.ron"][..],
        &["run", "a.ron"],
        &["fmt", "a.ron"],
        &["check", "b.ron"],
        &["sweep", "a.sweep.ron"],
        &["report", "a.weft"],
        &["replay", "a.weft"],
        &["fmt", "/dev/zero"],
    ] {
        let (code, said) = ends(&folder, arguments);
        assert!(
            matches!(code, Some(1 | 2)) && said.contains("a plain file is wanted"),
            "{arguments:?}: {code:?} {said}"
        );
    }
}

#[test]
fn names_that_are_no_text_are_refused() {
    let folder = places::temporary("odd_names");
    let folder = folder.join(std::ffi::OsStr::from_bytes(b"nu\xff"));
    fs::create_dir_all(&folder).expect("target/ is writable");
    let scene = folder.join("a.ron");
    fs::write(&scene, SCENE).expect("target/ is writable");
    let refused = Session::open(Options { scene, ..Options::default() }).map(|_| ()).expect_err("no text");
    assert!(refused.to_string().contains("is not UTF-8: rename it"), "{refused}");
}

#[test]
fn a_recording_that_another_program_writes_is_left_alone() {
    if !places::weft().exists()
        && left_out("a_recording_that_another_program_writes", "the program (cargo build)")
    {
        return;
    }
    let folder = places::temporary("odd_recordings");
    let scene = "a.ron";
    fs::write(folder.join(scene), SCENE).expect("target/ is writable");
    let first = Running::weft(&folder, &["run", scene, "--frames", "100000000", "--record", "a.weft"]);
    let end = Instant::now() + process::PATIENCE;
    while !folder.join("a.weft").exists() && Instant::now() < end {
        thread::sleep(Duration::from_millis(20));
    }
    // Its lock follows at once.
    thread::sleep(Duration::from_millis(200));
    let (code, said) = ends(&folder, &["run", scene, "--frames", "3", "--record", "a.weft"]);
    drop(first);
    assert!(code == Some(1) && said.contains("another program writes it"), "{code:?} {said}");
    let (code, said) = ends(&folder, &["run", scene, "--frames", "30", "--record", "a.weft"]);
    assert!(code == Some(0), "it is free again: {said}");
    let (code, said) = ends(&folder, &["compare", "a.weft", "--", "./a.weft"]);
    assert!(code == Some(2) && said.contains("it is named twice"), "{code:?} {said}");
}

#[test]
fn what_a_full_disk_loses_is_told() {
    if !places::weft().exists() && left_out("what_a_full_disk_loses_is_told", "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("odd_outputs");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let output = Command::new(places::weft())
        .arg("readings")
        .current_dir(&folder)
        .stdout(full)
        .output()
        .expect("weft");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("standard output: "), "{said}");
    fs::create_dir_all(folder.join("folder.png")).expect("target/ is writable");
    fs::write(folder.join("s.ron"), SCENE).expect("target/ is writable");
    for (arguments, code, part) in [
        (&["new", "fn", "--solver"][..], 1, "a word of Rust"),
        (
            &["validate", "--case", "V2", "--solver", "strand_newton", "--quick", "--out", "v"],
            1,
            "no number was worked out",
        ),
        (&["run", "s.ron", "--shot", "folder.png"], 1, "it is a folder"),
        (&["run", "s.ron", "--frames", "0", "--film", "a.gif"], 2, "no frame is simulated"),
        (&["run", "s.ron", "--size", "64x64"], 2, "required"),
        (
            &["run", "s.ron", "--until", "str::substring(\"é\", 1) == \"x\""],
            2,
            "there is no function `str::substring`",
        ),
        (&["sweep", "s.ron", "--pareto", "nowhere/a.png"], 2, "there is no such folder"),
    ] {
        let (ended, said) = ends(&folder, arguments);
        assert!(ended == Some(code) && said.contains(part), "{arguments:?}: {ended:?} {said}");
    }
    assert!(!folder.join("v").exists(), "a table of nothing is not written");
}
