//! The real window on a virtual display: what it shows, mouse and keys, and edits while it is open.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use tests::{
    desktop::Desktop,
    edit_copy::EditCopy,
    left_out,
    picture::Picture,
    process::{self, poll, poll_doing},
};
use weft_session::rescue::{Autosave, WindowState};

const SIZE: &str = "640x400";
const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const CLOTH: &str = "shaders/draw/cloth.wgsl";

/// A cloth that hangs still beside the panel, in a colour that nothing else has.
const STILL: &str = r#"(version: 1, air_damping: 2.0, wind: (coefficient: 0.0),
    cloths: [(id: "a", at: (0.0, 1.0, 0.0), shape: Grid(columns: 31, rows: 31, width: 0.9, height: 0.9),
        pins: [Edge(Top)], look: (front: (1.0, 0.0, 1.0), back: (1.0, 0.0, 1.0)))],
    camera: (target: (-0.6, 0.8, 0.0), distance: 4.0, yaw: 0.0, pitch: 5.0))"#;

/// Opens the still cloth from the edit copy. `None`: left out.
pub(super) fn open(test: &str, arguments: &[&str]) -> Option<(EditCopy, Desktop)> {
    if left_out(test, "a virtual display") {
        return None;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/still")).unwrap();
    copy.write("scenes/still/still.ron", STILL);
    let desktop =
        Desktop::open(&copy.root, &[&["scenes/still/still.ron", "--size", SIZE], arguments].concat());
    Some((copy, desktop))
}

pub(super) fn is_cloth([r, g, b]: [u8; 3]) -> bool {
    r.min(b) > g.saturating_add(40)
}

/// Mean place of the cloth's pixels, once there are enough of them.
pub(super) fn cloth(picture: &Picture) -> Option<(f64, f64)> {
    let places = picture.pixels.iter().enumerate().filter(|(_, pixel)| is_cloth(**pixel));
    let places: Vec<(usize, usize)> = places.map(|(i, _)| (i % picture.width, i / picture.width)).collect();
    let count = places.len() as f64;
    let sum = places.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0 as f64, sum.1 + at.1 as f64));
    (count > 0.02 * picture.pixels.len() as f64).then(|| (sum.0 / count, sum.1 / count))
}

pub(super) fn shown(desktop: &Desktop) -> (f64, f64) {
    poll("cloth in the window", || cloth(&desktop.picture()))
}

#[test]
fn it_opens_and_draws_the_cloth() {
    let Some((_copy, mut desktop)) = open("it_opens_and_draws_the_cloth", &["--frames", "200"]) else {
        return;
    };
    assert_eq!(desktop.size(), (640, 400));
    shown(&desktop);
    let picture = desktop.picture();
    assert!(picture.colors() > 100, "{} colours", picture.colors());
    assert!(desktop.program.end(process::PATIENCE).success(), "it closes after its frames");
}

/// While the compiler works, or waits for that of another window, the panel says so and the cloth goes on.
#[test]
fn a_build_shows_while_it_lasts() {
    let Some((copy, mut desktop)) = open("a_build_shows_while_it_lasts", &[]) else { return };
    desktop.program.wait_for(&["[first step] generation 1"]);
    // The panel's amber.
    let amber = |desktop: &Desktop| {
        let near = |[r, g, b]: &[u8; 3]| *r > 200 && (140..200).contains(g) && *b < 110;
        desktop.picture().pixels.iter().filter(|pixel| near(pixel)).count() > 20
    };
    poll("nothing that is built", || (!amber(&desktop)).then_some(()));
    let lock = fs::File::create(copy.root.join("target/hot/build.lock")).unwrap();
    lock.lock().unwrap();
    copy.edit(XPBD, "L::from_f32(self.per_h2)", "L::from_f32(self.per_h2 * 1.5)");
    poll("building…", || amber(&desktop).then_some(()));
    shown(&desktop);
    drop(lock);
    desktop.program.wait_for(&["[first step] generation 2"]);
    poll("the end of the build", || (!amber(&desktop)).then_some(()));
}

#[test]
fn a_drag_moves_the_cloth() {
    let Some((_copy, mut desktop)) = open("a_drag_moves_the_cloth", &[]) else { return };
    let (x, y) = shown(&desktop);
    let at = (x as usize, y as usize);
    desktop.pointer(at.0, at.1);
    desktop.button("mousedown", "1");
    for step in 1..=10 {
        // Within the cloth's reach: pulled beyond it, it may come to rest in a fold.
        desktop.pointer(at.0 + 4 * step, at.1 - step);
    }
    let moved = poll("the cloth to follow the hand", || {
        cloth(&desktop.picture()).filter(|now| (now.0 - x).hypot(now.1 - y) > 4.0)
    });
    assert!(moved.0 > x, "it goes where the hand goes: {moved:?} from {:?}", (x, y));
    desktop.button("mouseup", "1");
    // Let go, it may come to rest in a fold: the reset is what brings it back.
    desktop.key("r");
    poll("the cloth at its start", || {
        cloth(&desktop.picture()).filter(|now| (now.0 - x).hypot(now.1 - y) < 1.5)
    });
    assert!(desktop.program.alive());
}

#[test]
fn scissors_cut_the_cloth_in_two() {
    let Some((_copy, desktop)) = open("scissors_cut_the_cloth_in_two", &[]) else { return };
    let (x, y) = shown(&desktop);
    let whole = desktop.picture();
    let pixels = |picture: &Picture| picture.pixels.iter().filter(|pixel| is_cloth(**pixel)).count();
    let across = (0..whole.width).filter(|x| is_cloth(whole.pixels[y as usize * whole.width + x]));
    let (left, right) = (across.clone().min().unwrap(), across.max().unwrap());
    assert!((left..right).contains(&(x as usize)));
    let cut = || {
        // The window gets the keyboard with a key that does nothing here.
        desktop.key("c");
        desktop.button("keydown", "x");
        desktop.pointer(left - 4, y as usize);
        desktop.button("mousedown", "1");
        for step in 0..=8 {
            desktop.pointer(left - 4 + (right - left + 8) * step / 8, y as usize);
        }
        desktop.button("mouseup", "1");
        desktop.button("keyup", "x");
    };
    // The lower half falls out of the picture, the upper one hangs on.
    let left_over = poll_doing("the lower half to fall", cut, || {
        let now = pixels(&desktop.picture());
        (now * 10 < pixels(&whole) * 7).then_some(now)
    });
    assert!(left_over * 10 > pixels(&whole) * 3, "{left_over} of {} pixels", pixels(&whole));
    desktop.key("r");
    poll("the whole cloth again", || (pixels(&desktop.picture()) * 10 > pixels(&whole) * 9).then_some(()));
}

#[test]
fn a_save_runs_in_the_open_window() {
    let Some((copy, mut desktop)) = open("a_save_runs_in_the_open_window", &[]) else { return };
    desktop.program.wait_for(&["[first step] generation 1"]);
    let before = copy.edit(XPBD, "L::from_f32(self.per_h2)", "L::from_f32(self.per_h2 * 1.5)");
    desktop.program.wait_for(&["[reload] generation 2 runs", "unchanged"]);
    desktop.program.wait_for(&["[first step] generation 2 stepped"]);
    let (x, _) = shown(&desktop);
    desktop.key("b");
    desktop.program.wait_for(&["[history] generation 1 on the left, generation 2 on the right"]);
    // The cloth hangs beside the camera's target: it moves with the middle of its half, or out of it.
    poll("two halves", || cloth(&desktop.picture()).is_none_or(|now| (now.0 - x).abs() > 30.0).then_some(()));
    desktop.key("b");
    desktop.program.wait_for(&["[history] the code that runs, alone"]);
    shown(&desktop);
    copy.edit(
        XPBD,
        "sim.count(&ITERATIONS);",
        "sim.count(&ITERATIONS);\n    assert!(sim.h > 9.0, \"torn\");",
    );
    desktop
        .program
        .wait_for(&["[reload] refused: solver xpbd panicked at sim-dylib/src/solvers/xpbd.rs", "torn"]);
    shown(&desktop);
    copy.write(XPBD, &before);
    desktop.program.wait_for(&["[first step] generation 3"]);
    shown(&desktop);
    assert!(desktop.program.alive());
}

#[test]
fn a_broken_shader_keeps_the_last_good_one_and_so_does_a_broken_texture() {
    let Some((copy, mut desktop)) = open("a_broken_shader_keeps_the_last_good_one", &[]) else { return };
    shown(&desktop);
    let before = copy.edit(CLOTH, "fn fs_main", "fn fs_main fs");
    let line = before.split("fn fs_main").next().unwrap().matches('\n').count() + 1;
    desktop.program.wait_for(&["[shader] cloth.wgsl:", &format!(":{line}:"), "(the last good one draws on)"]);
    shown(&desktop);
    // Emptied for a moment, then mended.
    copy.write(CLOTH, "");
    copy.write(CLOTH, &before);
    desktop.program.wait_for(&["[shader] cloth.wgsl draws"]);
    shown(&desktop);
    let common = copy.edit("shaders/draw/common.wgsl", "fn ", "fn fn ");
    desktop.program.wait_for(&["[shader] common.wgsl:", "(the last good one draws on)"]);
    copy.write("shaders/draw/common.wgsl", &common);
    desktop.program.wait_for(&["[shader] common.wgsl draws"]);
    // One that is right and looks different is seen.
    let colour = copy.edit("scenes/still/still.ron", "front: (1.0, 0.0, 1.0)", "front: (0.0, 1.0, 0.0)");
    desktop.program.wait_for(&["[scene] 1 change(s): cloths.a.look.front"]);
    poll("a green cloth", || {
        (desktop.picture().share(|[r, g, b]| g > r.max(b).saturating_add(30)) > 0.02).then_some(())
    });
    copy.write("scenes/still/still.ron", &colour);
    shown(&desktop);
    // A texture that is saved is drawn; half of one leaves the last.
    let textured = "texture: \"../textures/checker.png\", front: (1.0, 0.0, 1.0)";
    copy.edit("scenes/still/still.ron", "front: (1.0, 0.0, 1.0)", textured);
    desktop.program.wait_for(&["[scene] 1 change(s): cloths.a.look.texture"]);
    let checker = copy.root.join("scenes/textures/checker.png");
    let whole = fs::read(&checker).expect("a texture");
    fs::write(&checker, &whole[..whole.len() / 2]).expect("written");
    desktop.program.wait_for(&["[texture]", "checker.png"]);
    fs::write(&checker, &whole).expect("written");
    desktop.program.wait_for(&["[texture] ../textures/checker.png is drawn"]);
    shown(&desktop);
}

/// The numbers of simulated frames in a recording, row by row.
fn frames(file: &Path) -> Vec<u64> {
    weft_timings::read(file).expect("a recording").frames.iter().map(|frame| frame.number).collect()
}

#[test]
fn keys_do_what_the_list_says() {
    let Some((copy, mut desktop)) = open("keys_do_what_the_list_says", &[]) else { return };
    shown(&desktop);
    for solver in tests::fixture::all_solvers().into_iter().skip(1) {
        desktop.key("Tab");
        desktop.program.wait_for(&[&format!("[solver] {solver}")]);
    }
    // Frames are written to the file as they come, a buffer at a time: that it grows says that time went by.
    desktop.key("t");
    let line = desktop.program.wait_for(&["[record] recording to "]);
    let file = copy.root.join(line.rsplit(' ').next().unwrap());
    let grown = |what: &str| {
        let size = || fs::metadata(&file).map_or(0, |file| file.len());
        let start = size();
        poll(what, || (size() > start + 9000).then_some(()));
    };
    grown("recorded frames");
    desktop.key("r");
    grown("recorded frames after the reset");
    desktop.key("space");
    grown("recorded frames of the pause");
    grown("recorded frames of the pause");
    for _ in 0..3 {
        desktop.key("period");
    }
    grown("recorded frames after single steps");
    desktop.key("comma");
    grown("recorded frames after a step back");
    desktop.key("l");
    desktop.program.wait_for(&["[history] frames ", " repeat"]);
    desktop.key("l");
    desktop.program.wait_for(&["[history] the loop ends"]);
    desktop.key("space");
    grown("recorded frames of a pause");
    desktop.key("space");
    grown("recorded frames after the pause");
    grown("recorded frames after the pause");
    desktop.key("t");
    desktop.program.wait_for(&["[record] ", " frames in "]);
    let frames = frames(&file);
    let mut runs: BTreeMap<u64, usize> = BTreeMap::new();
    frames.iter().for_each(|frame| *runs.entry(*frame).or_default() += 1);
    // Where it stood is told from the step back, not from the frame that was drawn most often: on a busy machine the
    // other pauses may be drawn as often.
    let back: Vec<u64> =
        frames.windows(2).filter(|pair| pair[1] + 1 == pair[0]).map(|pair| pair[0]).collect();
    assert_eq!(back.len(), 1, "one step back ({back:?})");
    let stood = back[0] - 3;
    let paused = runs.get(&stood).copied().unwrap_or(0);
    assert!(paused > 30, "paused: one frame is drawn again and again ({paused})");
    assert!(frames.windows(2).any(|pair| pair[1] + 1 < pair[0]), "the reset starts from frame 0");
    assert!(*frames.last().unwrap() > stood + 3, "space goes on");

    desktop.key("1");
    desktop.program.wait_for(&["[scene] still.ron runs"]);
    assert!(desktop.program.alive());
}

/// The program's autosave, once it fits.
fn saved(copy: &EditCopy, desktop: &Desktop, fits: impl Fn(&Autosave) -> bool) -> Autosave {
    let file = copy.root.join(format!("target/hot/autosave/{}.weft", desktop.program.id()));
    poll("an autosave", || Autosave::read(&file).ok().filter(&fits))
}

#[cfg(unix)]
#[test]
fn a_crash_opens_the_same_window_again() {
    let Some((copy, mut desktop)) = open("a_crash_opens_the_same_window_again", &[]) else { return };
    desktop.program.wait_for(&["[first step] generation 1"]);
    desktop.place(57, 43);
    let far = shown(&desktop);
    // Another view: the camera comes nearer. A busy machine draws it later than it saves it.
    let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
    desktop.pointer(560, 200);
    desktop.button("click", "4");
    poll("a nearer camera", || saved(&copy, &desktop, |_| true).window.filter(|w| w.camera[3] < 3.9));
    let nearer = poll("a nearer cloth", || cloth(&desktop.picture()).filter(|now| apart(*now, far) > 5.0));
    desktop.key("h");
    poll("the list of keys", || saved(&copy, &desktop, |_| true).window.filter(|window| window.help));
    let good = |saved: &Autosave| saved.good.iter().any(|library| library.number == 1);
    let state = saved(&copy, &desktop, |saved| {
        let here = |w: &WindowState| w.place == Some((57, 43)) && w.help;
        good(saved) && saved.window.as_ref().is_some_and(here)
    });
    let window = state.window.clone().unwrap();
    assert_eq!(window.size, (640, 400));
    let process = desktop.program.id();
    let at = state.run.time + 5.0;
    let fault = "unsafe { std::ptr::null_mut::<u32>().write_volatile(1) };";
    let source = copy.edit(
        XPBD,
        "sim.count(&ITERATIONS);",
        &format!("sim.count(&ITERATIONS);\n    if sim.frame.time > {at:.3} {{ {fault} }}"),
    );
    desktop.program.wait_for(&["[reload] generation 2 runs"]);
    let line =
        ["[rescue] restarted after SIGSEGV in solver xpbd of generation 2", "generation 1 runs; save a fix"];
    desktop.program.wait_for(&line);
    poll("the window where it was", || {
        desktop.find_again();
        (desktop.frame() == [57, 43, 640, 400]).then_some(())
    });
    assert_eq!(desktop.program.id(), process);
    let again = saved(&copy, &desktop, |again| again.at > state.at && again.run.time > at + 1.0);
    assert_eq!(again.window, state.window, "its place, camera and list of keys are as before");
    desktop.program.wait_for(&["[reload] refused: this code crashed the program"]);
    copy.write(XPBD, &source.replace("L::from_f32(self.per_h2)", "L::from_f32(self.per_h2 * 1.5)"));
    desktop.program.wait_for(&["[first step] generation 3"]);
    // The key opens a list that is not there: the cloth shows only if this one is still open. Notices and the window
    // that says what to mend are gone after a while.
    desktop.key("h");
    poll("the cloth where it was", || cloth(&desktop.picture()).filter(|now| apart(*now, nearer) < 3.0));
    desktop.close();
    assert!(desktop.program.end(Duration::from_secs(5)).success());
    assert!(!copy.root.join(format!("target/hot/autosave/{process}.weft")).exists());
}

#[cfg(unix)]
#[test]
fn a_panic_of_the_program_opens_the_same_window_again() {
    let arguments = ["--panic-at", "150"];
    let Some((copy, mut desktop)) = open("a_panic_of_the_program_opens_the_same_window_again", &arguments)
    else {
        return;
    };
    desktop.place(57, 43);
    let before =
        saved(&copy, &desktop, |saved| saved.window.as_ref().is_some_and(|w| w.place == Some((57, 43))));
    let process = desktop.program.id();
    desktop.program.wait_for(&["asked for by --panic-at"]);
    desktop.program.wait_for(&["[rescue] restarted after a panic while drawing at frame "]);
    poll("the window where it was", || {
        desktop.find_again();
        (desktop.frame() == [57, 43, 640, 400]).then_some(())
    });
    assert_eq!(desktop.program.id(), process);
    let after = saved(&copy, &desktop, |after| after.at > before.at && after.run.frame > 200);
    assert_eq!(after.window, before.window);
    shown(&desktop);
    desktop.close();
    assert!(desktop.program.end(Duration::from_secs(5)).success());
}

#[cfg(unix)]
#[test]
fn a_shader_that_hangs_gives_way_to_the_built_in_one() {
    let test = "a_shader_that_hangs_gives_way_to_the_built_in_one";
    let Some((copy, mut desktop)) = open(test, &[]) else { return };
    shown(&desktop);
    saved(&copy, &desktop, |_| true);
    let process = desktop.program.id();
    let text = copy.read(CLOTH);
    // A software driver ends a loop after 65,535 turns: each of them has to take its time.
    let slow = "stuck = fract(sin(stuck * 9.7) * pow(stuck + 1.1, 1.3) + in.uv.x);".repeat(60);
    let loops = format!("for (var i = 0; i < 60000; i++) {{ {slow} }}");
    let hang = format!("var stuck = 0.5; {loops} let texel = stuck * 1e-9 + ");
    copy.edit(CLOTH, "let texel = ", &hang);
    desktop.program.wait_for(&["[shader] cloth.wgsl draws"]);
    let banner = "the shader cloth.wgsl hung or crashed the driver: the built-in one draws";
    desktop.program.wait_for(&["[rescue] restarted after no frame drawn in time", banner]);
    desktop.find_again();
    shown(&desktop);
    assert!(desktop.program.alive() && desktop.program.id() == process);
    copy.write(CLOTH, &text);
    desktop.program.wait_for(&["[shader] cloth.wgsl draws"]);
    shown(&desktop);
}

#[test]
fn closed_in_the_middle_of_a_build_it_ends_at_once() {
    let test = "closed_in_the_middle_of_a_build_it_ends_at_once";
    let Some((copy, mut desktop)) = open(test, &[]) else { return };
    shown(&desktop);
    desktop.program.wait_for(&["[first step] generation 1"]);
    copy.edit("sim-dylib/src/lib.rs", "pub mod solvers;", "pub mod solvers;\n// Again.");
    // Where its command is known already the compiler is started without cargo.
    let build = poll("a build", || {
        ["cargo", "rustc"].into_iter().find_map(|name| process::children(desktop.program.id(), name).pop())
    });
    desktop.close();
    assert!(desktop.program.end(Duration::from_secs(5)).success());
    poll("its end", || (!process::runs(build)).then_some(()));
    let libraries = copy.root.join("target/hot/live").join(desktop.program.id().to_string());
    assert!(!libraries.exists());
}
