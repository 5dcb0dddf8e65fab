//! Mistakes in the open window: what the compiler or the reader of shaders says is shown with its place, the last good
//! one runs on, and the message goes when the mistake is mended.

use std::{fmt::Write as _, fs, time::Instant};

use tests::{desktop::Desktop, edit_copy::EditCopy, left_out, places, process::poll};
use weft::{
    rescue::Autosave,
    soak::{BAD_SHADERS, MISTAKES, Outcome, save::save},
};

const FLAG: &str = "scenes/flag.ron";
/// Bad shaders of the ordinary run.
const SHADERS: usize = 10;

/// The flag in a window. `None`: left out.
fn open(test: &str) -> Option<(EditCopy, Desktop)> {
    if left_out(test, "Xvfb, a copy of the tree to edit, and cargo") {
        return None;
    }
    let copy = EditCopy::fresh();
    let mut desktop = Desktop::open(&copy.root, &[FLAG, "--size", "800x600"]);
    desktop.program.wait_for(&["[first step] generation 1"]);
    Some((copy, desktop))
}

fn long() -> bool {
    std::env::var_os("WEFT_TESTS_LONG").is_some()
}

/// The full counts are committed, others are left beside the build.
fn keep(name: &str, text: &str) {
    let folder = if long() { places::root().join("tests/results") } else { places::temporary("results") };
    fs::write(folder.join(name), text).expect("a folder for results");
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
    let Some((copy, mut desktop)) = open("compile_errors_show_their_place_until_they_are_mended") else {
        return;
    };
    poll("nothing to mend", || (!to_mend(&desktop)).then_some(()));
    let mut csv = "mistake,message,save_to_message_ms,save_to_window_ms,fix_to_clear_ms\n".to_string();
    for mistake in MISTAKES {
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
    let Some((copy, mut desktop)) = open("bad_shaders_show_their_line_and_the_last_good_one_draws_on") else {
        return;
    };
    let pid = desktop.program.id();
    // The cloth moves: what stays is how much of each colour there is.
    let colours = |desktop: &Desktop| {
        let picture = desktop.picture();
        let bright = picture.share(|[r, g, b]| u32::from(r) + u32::from(g) + u32::from(b) > 300);
        (picture.colors(), bright)
    };
    let (some, bright) = colours(&desktop);
    assert!(some > 1000, "{some} colours");
    let step = if long() { 1 } else { BAD_SHADERS.len() / SHADERS };
    let (mut csv, mut wrong) = ("shader,message,ms\n".to_string(), Vec::new());
    for mistake in BAD_SHADERS.iter().step_by(step) {
        let edit = &mistake.edit;
        let (line, _) = mistake.place(&copy.read(edit.file)).unwrap_or_else(|| panic!("{}", edit.misfit()));
        let saved = save(&copy.tree, &mut desktop.program.0, edit).unwrap_or_else(|e| panic!("{e}"));
        let file = edit.file.rsplit('/').next().unwrap_or_default();
        let place = format!("[shader] {file}:{line}:");
        if !saved.keeps(edit) || !saved.line.starts_with(&place) {
            wrong.push(format!("{}: wanted {place} {}; came {}", edit.name, edit.says, saved.line));
        }
        let (now, lit) = colours(&desktop);
        if now < some / 3 || (lit - bright).abs() > 0.2 {
            wrong.push(format!("{}: {now} colours, {lit:.2} bright, before {some}, {bright:.2}", edit.name));
        }
        let line = saved.line.replace('"', "'");
        let _ = writeln!(csv, "{},\"{line}\",{:.0}", edit.name, saved.ms);
        assert!(desktop.program.alive() && desktop.program.id() == pid, "{}: it ended", edit.name);
        assert_ne!(saved.came, Some(Outcome::Restarted), "{}", edit.name);
    }
    // Emptied, it is left alone: the text follows.
    let cloth = "shaders/draw/cloth.wgsl";
    let text = copy.read(cloth);
    copy.write(cloth, "");
    copy.write(cloth, &text);
    desktop.program.wait_for(&["[shader] cloth.wgsl draws"]);
    assert!(desktop.program.seen().iter().all(|line| !line.contains("empty")));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), BAD_SHADERS.len(), wrong.join("\n"));
    keep("bad_shaders.csv", &csv);
}
