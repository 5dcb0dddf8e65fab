//! Mistakes in the open window: what the compiler or the reader of shaders says is shown with its place, the last good
//! one runs on, and the message goes when the mistake is mended.

use std::{fmt::Write as _, fs, time::Instant};

use tests::{desktop::Desktop, edit_copy::EditCopy, left_out, long, places::keep, process::poll};
use weft_proof::soak::{BAD_PASSES, BAD_SHADERS, MISTAKES, save::save};
use weft_session::rescue::Autosave;

const FLAG: &str = "scenes/flag.ron";
/// A cloth that hangs still low in the picture, in a colour that nothing else has.
const STILL: &str = r#"(version: 1, air_damping: 2.0, wind: (coefficient: 0.0),
    cloths: [(id: "a", at: (0.0, 1.0, 0.0), shape: Grid(columns: 31, rows: 31, width: 1.6, height: 0.9),
        pins: [Edge(Top)], look: (front: (1.0, 0.0, 1.0), back: (1.0, 0.0, 1.0)))],
    camera: (target: (-0.6, 1.5, 0.0), distance: 3.0, yaw: 0.0, pitch: 5.0))"#;
/// Bad shaders of the ordinary run.
const SHADERS: usize = 10;

/// A window on the edit copy. `None`: left out.
fn open(test: &str, arguments: &[&str]) -> Option<(EditCopy, Desktop)> {
    if left_out(test, "Xvfb, a Vulkan adapter, a copy of the tree to edit, and cargo") {
        return None;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/still")).unwrap();
    copy.write("scenes/still/still.ron", STILL);
    let mut desktop = Desktop::open(&copy.root, &[&["--size", "800x600"], arguments].concat());
    desktop.program.wait_for(&["[first step] generation 1"]);
    Some((copy, desktop))
}

/// Whether the window that says what to mend is open: titles in its red, above the notices.
fn to_mend(desktop: &Desktop) -> bool {
    let picture = desktop.picture();
    let upper = picture.pixels.iter().take(picture.width * picture.height / 3);
    let red = |[r, g, b]: &[u8; 3]| *r > 225 && (90..150).contains(g) && (70..130).contains(b);
    upper.filter(|pixel| red(pixel)).count() > 30
}

/// Frames done, and the number of the generation that runs.
fn running(copy: &EditCopy, desktop: &Desktop) -> (u64, u32) {
    let file = copy.root.join(format!("target/hot/autosave/{}.weft", desktop.program.id()));
    let saved = poll("an autosave", || Autosave::read(&file).ok());
    (saved.run.frame, saved.running.number)
}

#[test]
fn compile_errors_show_their_place_until_they_are_mended() {
    let Some((copy, mut desktop)) = open("compile_errors_show_their_place_until_they_are_mended", &[FLAG])
    else {
        return;
    };
    poll("nothing to mend", || (!to_mend(&desktop)).then_some(()));
    poll("an autosave of the live library", || (running(&copy, &desktop).1 > 0).then_some(()));
    let mut csv = "mistake,message,save_to_message_ms,save_to_window_ms,fix_to_clear_ms\n".to_string();
    for mistake in MISTAKES.iter().step_by(if long() { 1 } else { 2 }) {
        let edit = &mistake.edit;
        let before = copy.read(edit.file);
        let (line, column) = mistake.place(&before).unwrap_or_else(|| panic!("{}", edit.misfit()));
        let text = edit.apply(&before).unwrap_or_else(|| panic!("{}", edit.misfit()));
        let ms = |since: Instant| since.elapsed().as_secs_f64() * 1e3;
        let saved = Instant::now();
        copy.write(edit.file, &text);
        let place = format!("compile error(s): {}:{line}:{column} ", edit.file);
        let message = desktop.program.wait_for(&["[build] ", &place, edit.says]);
        let told = ms(saved);
        poll("the window that says what to mend", || to_mend(&desktop).then_some(()));
        let shown = ms(saved);
        let (frame, generation) = running(&copy, &desktop);
        poll("frames of the last good code", || {
            let (now, code) = running(&copy, &desktop);
            assert_eq!(code, generation, "{}", edit.name);
            (now > frame).then_some(())
        });
        let mended = Instant::now();
        copy.write(edit.file, &before);
        desktop.program.wait_for(&["[reload] built: the same code as before"]);
        poll("nothing to mend", || (!to_mend(&desktop)).then_some(()));
        let clear = ms(mended);
        let message = message.replace('"', "'");
        let _ = writeln!(csv, "{},\"{message}\",{told:.0},{shown:.0},{clear:.0}", edit.name);
        assert!(desktop.program.alive());
    }
    assert!(MISTAKES.len() >= 10);
    keep("compile_errors.csv", &csv);
}

#[test]
fn bad_shaders_show_their_line_and_the_last_good_one_draws_on() {
    let Some((copy, mut desktop)) =
        open("bad_shaders_show_their_line_and_the_last_good_one_draws_on", &["scenes/still/still.ron"])
    else {
        return;
    };
    let pid = desktop.program.id();
    // The window that says what to mend lies over a part of the cloth.
    let cloth = |desktop: &Desktop| desktop.picture().share(|[r, g, b]| r.min(b) > g.saturating_add(40));
    let whole = poll("the cloth", || Some(cloth(&desktop)).filter(|share| *share > 0.05));
    let step = if long() { 1 } else { BAD_SHADERS.len() / SHADERS };
    let (mut csv, mut wrong) = ("shader,message,ms\n".to_string(), Vec::new());
    for mistake in BAD_SHADERS.iter().step_by(step) {
        let edit = &mistake.edit;
        let before = copy.read(edit.file);
        let (line, _) = mistake.place(&before).unwrap_or_else(|| panic!("{}", edit.misfit()));
        let saved = Instant::now();
        copy.write(edit.file, &edit.apply(&before).unwrap_or_else(|| panic!("{}", edit.misfit())));
        let said = desktop.program.find(edit.name, |line| edit.came_of(line).map(|_| line.to_string()));
        let ms = saved.elapsed().as_secs_f64() * 1e3;
        let file = edit.file.rsplit('/').next().unwrap_or_default();
        let place = format!("[shader] {file}:{line}:");
        let last_good = "(the last good one draws on)";
        if ![edit.says, last_good].iter().all(|part| said.contains(part)) || !said.starts_with(&place) {
            wrong.push(format!("{}: wanted {place} {}; came {said}", edit.name, edit.says));
        }
        // It is drawn, and drawn again.
        let (frame, _) = running(&copy, &desktop);
        poll("frames with the last good shader", || (running(&copy, &desktop).0 > frame).then_some(()));
        poll("the cloth beside the message", || (cloth(&desktop) > 0.2 * whole).then_some(()));
        copy.write(edit.file, &before);
        desktop.program.find("the good shader", |line| edit.settled(line));
        let _ = writeln!(csv, "{},\"{}\",{ms:.0}", edit.name, said.replace('"', "'"));
        assert!(desktop.program.alive() && desktop.program.id() == pid, "{}: it ended", edit.name);
    }
    // Emptied, it is left alone: the text follows.
    let cloth = "shaders/draw/cloth.wgsl";
    let text = copy.read(cloth);
    copy.write(cloth, "");
    copy.write(cloth, &format!("{text}// more\n"));
    desktop.program.wait_for(&["[shader] cloth.wgsl draws"]);
    assert!(desktop.program.seen().iter().all(|line| !line.contains("empty")));
    // Bytes that are no text, and a file that is taken away, are told with what to do.
    for done in ["0xff is not UTF-8 text: save it as UTF-8", "the file is gone: put it back"] {
        let path = copy.root.join(cloth);
        let changed =
            if done.contains("gone") { fs::remove_file(&path) } else { fs::write(&path, b"fn \xff") };
        changed.expect("changed");
        desktop.program.wait_for(&["[shader] cloth.wgsl", done, "(the last good one draws on)"]);
        copy.write(cloth, &text);
        desktop.program.wait_for(&["[shader] cloth.wgsl draws"]);
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), BAD_SHADERS.len(), wrong.join("\n"));
    keep("bad_shaders.csv", &csv);
}

#[test]
fn bad_passes_show_their_line_and_the_last_good_ones_go_on() {
    let test = "bad_passes_show_their_line_and_the_last_good_ones_go_on";
    let Some((copy, mut desktop)) = open(test, &[FLAG, "--path", "gpu"]) else { return };
    let pid = desktop.program.id();
    let (mut csv, mut wrong) = ("pass,message,ms\n".to_string(), Vec::new());
    for mistake in BAD_PASSES {
        let edit = &mistake.edit;
        let (line, _) = mistake.place(&copy.read(edit.file)).unwrap_or_else(|| panic!("{}", edit.misfit()));
        let (frame, _) = running(&copy, &desktop);
        let saved = save(&copy.tree, &mut desktop.program.0, edit).unwrap_or_else(|e| panic!("{e}"));
        let place = format!("[pass] {}:{line}:", edit.file);
        if !saved.keeps(edit) || !saved.line.starts_with(&place) {
            wrong.push(format!("{}: wanted {place} {}; came {}", edit.name, edit.says, saved.line));
        }
        poll("frames of the last good passes", || (running(&copy, &desktop).0 > frame).then_some(()));
        let line = saved.line.replace('"', "'");
        let _ = writeln!(csv, "{},\"{line}\",{:.0}", edit.name, saved.ms);
        assert!(desktop.program.alive() && desktop.program.id() == pid, "{}: it ended", edit.name);
    }
    let list = "shaders/sim/passes.ron";
    let text = copy.read(list);
    for done in ["0xff is not UTF-8 text: save it as UTF-8", "the file is gone: put it back"] {
        let path = copy.root.join(list);
        let changed =
            if done.contains("gone") { fs::remove_file(&path) } else { fs::write(&path, b"(\xff)") };
        changed.expect("changed");
        desktop.program.wait_for(&[&format!("[pass] {list}"), done, "(the last good passes go on)"]);
        copy.write(list, &text);
        desktop.program.wait_for(&[&format!("[pass] {list} is as it was")]);
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), BAD_PASSES.len(), wrong.join("\n"));
    keep("bad_passes.csv", &csv);
}
