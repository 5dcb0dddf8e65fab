//! A session at work: code is saved and hands, keys and saves of the scene come in while it is recorded, in the real window; its
//! recording replays to the bit on any number of threads, with the code of each frame. `--long` does so for ten minutes.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tests::{desktop::Desktop, edit_copy::EditCopy, left_out, long, places};
use weft_session::tape::{CODE, Input, LINE, Line, What};

use super::desk::shown;

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const SCENE: &str = "scenes/still/session.ron";
/// A cloth on two corners, beside the panel.
const HANGS: &str = r#"(version: 1, air_damping: 0.4, wind: (velocity: (0.0, 0.0, 1.0)),
    cloths: [(id: "a", at: (0.0, 1.0, 0.0), shape: Grid(columns: 23, rows: 21, width: 0.9, height: 0.9),
        pins: [Corner(TopLeft), Corner(TopRight)], look: (front: (1.0, 0.0, 1.0), back: (1.0, 0.0, 1.0)))],
    camera: (target: (-0.6, 0.8, 0.0), distance: 4.0, yaw: 0.0, pitch: 5.0))"#;

/// How long, with how many saves of code and inputs from outside.
struct Plan {
    length: Duration,
    saves: usize,
    inputs: usize,
}

/// Runs `weft` with the settings, and so the key, of a folder.
fn weft(folder: &Path, settings: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(places::weft());
    command.args(arguments).current_dir(folder).env("WEFT_CONFIG", settings).stdin(Stdio::null());
    let output = command.output().expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// One input: a pull at the cloth, a key, a save of the scene.
fn input(desktop: &Desktop, copy: &EditCopy, number: usize) {
    match number % 5 {
        0 | 2 => {
            let (x, y) = shown(desktop);
            let at = (x as usize, y as usize);
            desktop.pointer(at.0, at.1);
            desktop.button("mousedown", "1");
            for step in 1..=6 {
                desktop.pointer(at.0 + 5 * step, at.1 - 2 * step);
            }
            desktop.button("mouseup", "1");
        }
        1 => {
            let wind = format!("velocity: (0.0, 0.{}, 1.{})", number % 7, number % 10);
            copy.write(SCENE, &HANGS.replace("velocity: (0.0, 0.0, 1.0)", &wind));
        }
        // Back to the start, or a frame back and on.
        3 if number % 10 == 3 => desktop.key("r"),
        3 => {
            desktop.key("comma");
            thread::sleep(Duration::from_millis(60));
            desktop.key("space");
        }
        _ => {
            desktop.key("space");
            desktop.key("period");
            desktop.key("space");
        }
    }
}

/// Records a session by the plan; the folder of its settings, too.
fn recorded(copy: &EditCopy, plan: &Plan) -> (PathBuf, PathBuf) {
    let folder = places::temporary("window_session");
    let (file, settings) = (folder.join("session.weft"), folder.join("settings"));
    fs::create_dir_all(copy.root.join("scenes/still")).expect("a folder");
    copy.write(SCENE, HANGS);
    let mut command = Command::new(places::weft());
    command.args([SCENE, "--size", "640x400", "--record"]).arg(&file);
    command.current_dir(&copy.root).env("WEFT_CONFIG", &settings);
    let mut desktop = Desktop::start(command);
    desktop.program.wait_for(&["[first step] generation 1 "]);
    shown(&desktop);
    let (start, before) = (Instant::now(), copy.read(XPBD));
    let (mut saved, mut done) = (0, 0);
    while done < plan.inputs || saved < plan.saves {
        let part = (done + 1).min(plan.inputs) * plan.saves / plan.inputs;
        if saved < part || done == plan.inputs {
            saved += 1;
            let factor = format!("L::from_f32(self.per_h2 * 1.{saved:02})");
            copy.write(XPBD, &before.replacen("L::from_f32(self.per_h2)", &factor, 1));
            desktop.program.wait_for(&[&format!("[first step] generation {} stepped", saved + 1)]);
        }
        if done < plan.inputs {
            input(&desktop, copy, done);
            done += 1;
        }
        let due = plan.length.mul_f64(done as f64 / plan.inputs as f64);
        thread::sleep(due.saturating_sub(start.elapsed()));
    }
    desktop.close();
    assert!(desktop.program.end(Duration::from_mins(1)).success());
    copy.write(XPBD, &before);
    (file, settings)
}

#[test]
fn a_session_with_saves_replays_to_the_bit_on_any_threads() {
    if left_out("a_session_with_saves_replays_to_the_bit_on_any_threads", "a virtual display and cargo") {
        return;
    }
    let plan = if long() {
        Plan { length: Duration::from_mins(10), saves: 30, inputs: 200 }
    } else {
        Plan { length: Duration::from_secs(15), saves: 3, inputs: 20 }
    };
    let copy = EditCopy::fresh();
    let (file, settings) = recorded(&copy, &plan);
    let (folder, name) = (file.parent().expect("a folder"), file.to_str().expect("a plain path"));
    let recording = weft_timings::read(&file).expect("a recording");
    let of_kind = |kind| recording.tape.iter().filter(move |(of, _)| *of == kind).map(|(_, record)| record);
    let lines = of_kind(LINE).map(|record| serde_json::from_slice::<Line>(record).expect("a line"));
    let inputs: Vec<Input> = lines
        .filter_map(|line| if let What::Input(input) = line.what { Some(input) } else { None })
        .collect();
    let code: usize = of_kind(CODE).map(Vec::len).sum();
    let count = |is: fn(&Input) -> bool| inputs.iter().filter(|input| is(input)).count();
    let swaps = count(|input| matches!(input, Input::Code { .. }));
    assert_eq!(
        (swaps, of_kind(CODE).count()),
        (plan.saves + 1, plan.saves + 1),
        "the first build and each save"
    );
    assert!(count(|input| matches!(input, Input::Grab { .. })) * 5 >= plan.inputs, "hands");
    assert!(count(|input| matches!(input, Input::Scene { .. })) * 10 >= plan.inputs, "saves of the scene");

    let frames = recording.frames.len();
    let mut rows = String::from(
        "length [s],frames,saves,inputs,tape inputs,file [MB],code [MB],threads,replay [s],equal hashes,equal states,code swaps\n",
    );
    for threads in ["1", "2", "8"] {
        let start = Instant::now();
        let (status, said) = weft(folder, &settings, &["replay", name, "--threads", threads]);
        assert_eq!(status, Some(0), "{threads} threads: {said}");
        let said = said.lines().find(|line| line.starts_with("replayed ")).expect("what came of it");
        let number = |before: &str| {
            let words = said.split(before).next().unwrap_or_default();
            words.rsplit(' ').next().unwrap_or_default().to_string()
        };
        assert_eq!(number(" swaps of code from the recording"), swaps.to_string(), "{said}");
        let hashes = number(" equal hashes");
        assert!(hashes.parse::<usize>().is_ok_and(|hashes| hashes > plan.saves * 5), "{said}");
        let _ = writeln!(
            rows,
            "{},{frames},{},{},{},{:.1},{:.1},{threads},{:.1},{hashes},{},{swaps}",
            plan.length.as_secs(),
            plan.saves,
            plan.inputs,
            inputs.len(),
            fs::metadata(&file).expect("a file").len() as f64 / 1e6,
            code as f64 / 1e6,
            start.elapsed().as_secs_f64(),
            number(" state"),
        );
    }
    places::keep("session.csv", &rows);
    what_else_can_be_asked(folder, name, &settings);
}

/// Of another user's code, of one generation, and of the first that does otherwise.
fn what_else_can_be_asked(folder: &Path, name: &str, settings: &Path) {
    let other = folder.join("other");
    let (status, said) = weft(folder, &other, &["replay", name]);
    assert!(status == Some(1) && said.contains("DIVERGED"), "the code of the program does otherwise: {said}");
    assert!(said.contains("it was not recorded by you on this machine"), "{said}");
    let (status, said) = weft(folder, &other, &["replay", name, "--trust"]);
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = weft(folder, settings, &["replay", name, "--generation", "99"]);
    assert!(status == Some(2) && said.contains("it holds no generation 99 (it holds 1, 2, 3"), "{said}");
    let one = |number: &str| {
        let (status, said) = weft(folder, settings, &["replay", name, "--generation", number]);
        assert_eq!(status, Some(0), "{said}");
        said.lines().find_map(|line| line.split("state hash ").nth(1).map(str::to_string)).expect("a hash")
    };
    assert_ne!(one("1"), one("2"));
    // Generation 1 is the code of the tree, which is generation 0 too.
    let (status, said) = weft(folder, settings, &["bisect", name, "--generations"]);
    assert!(status == Some(0) && said.contains("the first generation that differs: 2"), "{said}");
    let (status, said) =
        weft(folder, settings, &["bisect", name, "--generations", "2..3", "--when", "frame > 1"]);
    assert!(status == Some(2) && said.contains("generation 2 is bad already"), "{said}");
}
