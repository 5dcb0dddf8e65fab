//! Autosaves: a program that is killed, or crashes, goes on bit for bit; damaged files are refused.

use std::{fs, time::Duration};

use tests::{
    alone::{Alone, count},
    places,
    process::{PATIENCE, Running, poll, signal},
};
use weft_core::state::StateHash;
use weft_session::{
    Options, Session,
    rescue::{self, Autosave, Rescue, Resume},
};

const FRAMES: &str = "260";
const RUN: [&str; 5] = ["run", "hanging.ron", "--watch", "--frames", FRAMES];

#[test]
fn a_killed_program_goes_on_bit_for_bit() {
    let alone = Alone::new("killed");
    let mut program = alone.start(&RUN);
    let process = program.id();
    alone.saved(process, 60);
    signal(process, "KILL");
    assert!(!program.end(PATIENCE).success());
    let saved = alone.saved(process, 60);
    let mut next = alone.start(&[&RUN[..], &["--resume"]].concat());
    let (frame, hash) = (saved.run.frame, hash_of(&saved));
    next.wait_for(&[
        "[rescue] resumed at frame ",
        &format!("frame {frame},"),
        &hash,
        "the built-in code runs",
    ]);
    next.wait_for(&[&alone.hash(FRAMES)]);
    assert!(next.end(PATIENCE).success());
    assert_eq!(count(&alone.autosaves()), 0, "both autosaves are done with");
}

fn hash_of(saved: &Autosave) -> String {
    let (state, _) = weft_core::state::image::read(&saved.run.state).unwrap();
    StateHash::of(&state).to_string()
}

#[cfg(unix)]
#[test]
fn a_crashed_program_restarts_itself_and_goes_on_bit_for_bit() {
    let alone = Alone::new("crashed");
    let mut program = alone.start(&RUN);
    let process = program.id();
    alone.saved(process, 30);
    for (i, name) in ["SEGV", "ABRT"].iter().enumerate() {
        signal(process, name);
        let line =
            program.wait_for(&[&format!("[rescue] restarted after SIG{name} "), "the built-in code runs"]);
        let frame: u64 =
            line.split("of frame ").nth(1).and_then(|t| t.split(',').next()).unwrap().parse().unwrap();
        let commands = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap();
        assert!(commands.contains("--crashed\0SIGSEGV at="), "the same process id: {commands:?}");
        assert_eq!(commands.matches("phase=").count(), i + 1, "{commands:?}");
        alone.saved(process, frame + 40);
    }
    program.wait_for(&[&alone.hash(FRAMES)]);
    assert!(program.end(PATIENCE).success());
    assert_eq!(count(&alone.autosaves()), 0);
}

#[cfg(unix)]
#[test]
fn the_third_quick_crash_pauses() {
    let alone = Alone::new("thrice");
    // Standing still, so that the frame says nothing.
    let list = |phase: &str| {
        let at = weft_session::rescue::now();
        let crash = format!("SIGSEGV at={at} phase={phase} generation=0 hash=0 frame=9 solver=xpbd");
        [crash.as_str(); 3].join(";")
    };
    let mut program = alone.start(&RUN);
    let process = program.id();
    alone.saved(process, 30);
    signal(process, "KILL");
    program.end(PATIENCE);
    let mut paused = alone.start(&[&RUN[..], &["--resume", "--crashed", &list("step")]].concat());
    paused.wait_for(&[
        "[rescue] restarted after SIGSEGV",
        "the built-in code runs; three crashes in a row: paused",
    ]);
    let saved = alone.saved(paused.id(), 30);
    assert!(saved.paused);
    signal(paused.id(), "KILL");
    paused.end(PATIENCE);
    for (phase, place) in [("draw", "while drawing"), ("host", "in the program itself")] {
        let resumed = ["run", "hanging.ron", "--watch", "--resume", "--crashed", &list(phase)];
        let mut stopped = alone.start(&resumed);
        let text = format!("stopped: this was the third time in a row (SIGSEGV {place} at frame 9)");
        stopped.wait_for(&[&text]);
        assert!(!stopped.end(PATIENCE).success());
        assert_eq!(alone.saves(), 1, "the autosave stays");
    }
}

#[cfg(unix)]
#[test]
fn a_panic_of_the_main_thread_restarts_and_goes_on_bit_for_bit() {
    let alone = Alone::new("panicked");
    let mut program = alone.start(&[&RUN[..], &["--panic-at", "120"]].concat());
    let process = program.id();
    program.wait_for(&["asked for by --panic-at"]);
    let banner = ["[rescue] restarted after a panic in the program itself at frame 119; state ", "runs"];
    program.wait_for(&banner);
    let commands = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap();
    assert!(commands.contains("--crashed\0PANIC at="), "the same process id: {commands:?}");
    program.wait_for(&[&alone.hash(FRAMES)]);
    assert!(program.end(PATIENCE).success());
    assert_eq!(count(&alone.autosaves()), 0);
}

/// Programs inherit it.
#[cfg(unix)]
fn ignores_interrupts() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 0b10 != 0
}

#[cfg(unix)]
#[test]
fn an_end_on_purpose_leaves_no_autosave() {
    let alone = Alone::new("ended");
    for name in ["TERM", "INT"] {
        if name == "INT" && ignores_interrupts() {
            println!(
                "LEFT OUT: the end by SIGINT: who started this ignores it, as a shell's background does"
            );
            continue;
        }
        let mut program = alone.start(&RUN);
        alone.saved(program.id(), 1);
        signal(program.id(), name);
        let status = program.end(Duration::from_secs(10));
        let number = std::os::unix::process::ExitStatusExt::signal(&status);
        assert_eq!(number, Some(if name == "TERM" { 15 } else { 2 }), "its normal meaning");
        // A logout and a system without memory end a program as well, and nobody asked for it.
        let kept = usize::from(name == "TERM");
        assert_eq!(alone.saves(), kept, "{name}");
        let _ = fs::remove_dir_all(alone.autosaves());
    }
}

/// Crashes `program` as soon as it says a line, and waits for the line about its new start.
#[cfg(unix)]
fn crash_after(program: &mut Running, line: &[&str]) -> String {
    program.wait_for(line);
    signal(program.id(), "SEGV");
    program.wait_for(&["[rescue] restarted after SIGSEGV "])
}

#[cfg(unix)]
#[test]
fn the_first_autosave_is_there_before_the_first_frame() {
    let alone = Alone::new("first");
    let mut program = alone.start(&RUN);
    let process = program.id();
    poll("an autosave", || alone.autosaves().join(format!("{process}.weft")).exists().then_some(()));
    // Armed right after it, as soon as it gets a processor.
    std::thread::sleep(Duration::from_millis(250));
    signal(process, "SEGV");
    program.wait_for(&["[rescue] restarted after SIGSEGV ", "; state "]);
    signal(process, "KILL");
    program.end(PATIENCE);
    // One that goes on from a file has its own from the start, and what lay there under its number is not taken for it.
    let mut next = alone.start(&[&RUN[..], &["--resume"]].concat());
    let line = crash_after(&mut next, &["[rescue] resumed at frame "]);
    assert!(line.contains("; state ") && !line.contains("from the start of the scene"), "{line}");
    next.wait_for(&[&alone.hash(FRAMES)]);
    assert!(next.end(PATIENCE).success());
    assert_eq!(count(&alone.autosaves()), 0);
}

/// As F5 does when the new program cannot be started: a target that was cleaned, a file system without programs.
#[cfg(unix)]
#[test]
fn a_program_that_cannot_be_become_leaves_the_rescue_at_work() {
    let options = Options { scene: places::scene("hanging.ron"), threads: 1, ..Options::default() };
    let mut opened = Resume::default().open(options, true).unwrap();
    let mut rescue = Rescue::start(&mut opened.session, &opened.from, None, 0).unwrap();
    let file = rescue::file(&rescue::folder(opened.session.project()), std::process::id());
    let why = rescue.become_program("/no/such/program".as_ref(), &mut opened.session, None, 0);
    assert!(why.contains("No such file"), "{why}");
    opened.session.step().unwrap();
    rescue.tick(&mut opened.session, None, 0);
    let saved = poll("an autosave", || Autosave::read(&file).ok().filter(|saved| saved.run.frame == 1));
    assert_eq!(saved.running.number, opened.session.run().generation.number);
    // What is turned while it stands still is worth one too.
    opened.session.set_paused(true);
    let mut wait_for = |session: &mut Session, part: &str| {
        poll("an autosave", || {
            rescue.tick(session, None, 0);
            Autosave::read(&file).ok().filter(|saved| saved.paused && saved.scene.contains(part))
        });
    };
    wait_for(&mut opened.session, "");
    opened.session.edit("air_damping", &weft_scene::Edit::Numbers(vec![1.25])).unwrap();
    wait_for(&mut opened.session, "air_damping: 1.25");
    drop(rescue);
    assert!(!file.exists());
}

/// Where a new process cannot be started the old one ends, at once: the exit that follows the panic does not wait for a
/// restart that failed.
#[cfg(unix)]
#[test]
fn a_crash_that_cannot_start_again_ends() {
    use std::os::unix::fs::PermissionsExt;
    let alone = Alone::new("stuck");
    let mut program = alone.start(&[&RUN[..], &["--panic-at", "120"]].concat());
    alone.saved(program.id(), 0);
    // Nobody may execute it any more, root neither.
    fs::set_permissions(alone.folder.join("weft"), fs::Permissions::from_mode(0o600)).unwrap();
    program.wait_for(&["asked for by --panic-at"]);
    program.wait_for(&["weft: it could not be started again"]);
    assert!(!program.end(Duration::from_mins(1)).success());
    assert_eq!(alone.saves(), 1, "for `--resume`");
}

#[cfg(unix)]
#[test]
fn what_is_broken_on_disk_does_not_stop_a_resume() {
    let alone = Alone::new("broken");
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 3 2 4\n";
    fs::write(alone.folder.join("sheet.obj"), mesh).unwrap();
    fs::copy(places::scene("textures/stripes.png"), alone.folder.join("stripes.png")).unwrap();
    let scene = r#"(version: 1, cloths: [(id: "a", shape: Mesh(file: "sheet.obj"), pins: [Vertex(0)],
        look: (texture: "stripes.png"))], colliders: [(id: "b", shape: Mesh(file: "sheet.obj"), at: (0, -2, 0))])"#;
    fs::write(alone.folder.join("mesh.ron"), scene).unwrap();
    let mut program = alone.start(&["run", "mesh.ron", "--watch"]);
    let process = program.id();
    alone.saved(process, 30);
    fs::remove_file(alone.folder.join("stripes.png")).unwrap();
    fs::write(alone.folder.join("sheet.obj"), "v 0 0\n").unwrap();
    signal(process, "SEGV");
    let line = program.wait_for(&["[rescue] restarted after SIGSEGV ", "; state "]);
    let frame: u64 =
        line.split("of frame ").nth(1).and_then(|t| t.split(',').next()).unwrap().parse().unwrap();
    assert!(frame >= 30, "{line}");
    // What is wrong is said, and the scene that ran runs on.
    program.wait_for(&["sheet.obj", "(the last good scene runs on)"]);
    alone.saved(process, frame + 30);
    fs::remove_file(alone.folder.join("mesh.ron")).unwrap();
    signal(process, "SEGV");
    program.wait_for(&["[rescue] restarted after SIGSEGV ", "; state "]);
}

#[test]
fn damaged_autosaves_are_refused_in_words() {
    let scene = places::scene("hanging.ron");
    let mut session = Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap();
    session.step().unwrap();
    let good = session.autosave(None, 7, Vec::new()).to_bytes();
    assert_eq!(Autosave::from_bytes(&good).unwrap().run.frame, 1);
    for cut in (0..good.len()).step_by(997).chain(0..40) {
        assert!(Autosave::from_bytes(&good[..cut]).is_err(), "{cut} bytes");
    }
    for at in (0..28).chain((28..good.len()).step_by(1009)) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(Autosave::from_bytes(&bad).is_err(), "byte {at}");
    }
    let says = |bytes: &[u8], part: &str| {
        let why = Autosave::from_bytes(bytes).unwrap_err();
        assert!(why.contains(part), "{why}");
    };
    says(b"(version: 1)", "it is not an autosave or a state of weft");
    says(&good[..good.len() - 1], "it is not whole");
    let mut other = good.clone();
    other[8] = 77;
    says(&other, "version 77");
    *other.last_mut().unwrap() ^= 1;
    other[8] = good[8];
    says(&other, "damaged");
}

#[test]
fn what_cannot_be_resumed_is_said_and_a_named_scene_starts_afresh() {
    let alone = Alone::new("damaged");
    fs::write(alone.folder.join("bad.weft"), "WEFTSAVE").unwrap();
    let run = |arguments: &[&str]| {
        let output = alone.command(arguments).output().unwrap();
        let both = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&both).into_owned())
    };
    let watch = ["run", "hanging.ron", "--watch", "--frames", "3"];
    for (file, part) in [("bad.weft", "bad.weft: it has version 0"), ("none.weft", "none.weft: No such file")]
    {
        let (success, said) = run(&[&watch[..], &["--resume", file]].concat());
        assert!(success && said.contains("state hash"), "{said}");
        assert!(said.contains("[rescue] cannot resume: ") && said.contains(part), "{said}");
    }
    let (success, said) = run(&[&watch[..], &["--resume"]].concat());
    assert!(success && said.contains("there is no autosave of an ended program in"), "{said}");
    let (success, said) = run(&["run", "hanging.ron", "--resume", "bad.weft"]);
    assert!(!success && said.contains("weft run --watch --resume"), "{said}");
}
