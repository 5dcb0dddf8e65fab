//! What the window keeps between runs: written when it changes, read at the next start, and no harm if it is broken.

use std::{fs, path::Path, process::Command};

use tests::{desktop::Desktop, left_out, picture::Picture, places, process::poll};

/// A window with its settings in `folder`.
fn open(folder: &Path, arguments: &[&str]) -> Desktop {
    let mut command = Command::new(places::weft());
    command.args(["scenes/flag.ron"]).args(arguments).current_dir(places::root());
    command.env("WEFT_CONFIG", folder);
    Desktop::start(command)
}

/// Whether the panel's ground is light: nothing else at the left edge is so even.
fn is_light(picture: &Picture) -> bool {
    picture.part(14..200, 20..300).share(|pixel| pixel.iter().all(|part| *part > 240)) > 0.5
}

fn is_dark(picture: &Picture) -> bool {
    picture.part(14..200, 20..300).share(|pixel| pixel.iter().all(|part| *part < 40)) > 0.5
}

#[test]
fn the_window_opens_as_it_was_left() {
    if left_out("the_window_opens_as_it_was_left", "a virtual display") {
        return;
    }
    let folder = places::temporary("kept between runs");
    let file = folder.join("window.json");
    let says = |part: &str| fs::read_to_string(&file).is_ok_and(|text| text.contains(part)).then_some(());
    let mut first = open(&folder, &["--size", "700x420"]);
    poll("a dark panel", || is_dark(&first.picture()).then_some(()));
    first.key("v");
    first.key("o");
    poll("the view in the file", || says("\"view\": \"acceleration\""));
    poll("the overlay in the file", || says("\"overlays\": \"wireframe\""));
    first.close();
    assert!(first.program.end(tests::process::PATIENCE).success());
    let text = fs::read_to_string(&file).expect("it is there");
    fs::write(&file, text.replace("\"light\": false", "\"light\": true")).expect("a file");

    let mut second = open(&folder, &[]);
    assert_eq!(second.size(), (700, 420));
    poll("a light panel", || is_light(&second.picture()).then_some(()));
    // The key takes the overlay away, so it was there.
    second.key("o");
    poll("no overlay in the file", || says("\"overlays\": \"\""));
    says("\"view\": \"acceleration\"").expect("the view stays");
    second.close();
    assert!(second.program.end(tests::process::PATIENCE).success());

    let mut fresh = open(&folder, &["--fresh", "--size", "640x400"]);
    poll("a dark panel again", || is_dark(&fresh.picture()).then_some(()));
    fresh.close();
    assert!(fresh.program.end(tests::process::PATIENCE).success());
    says("\"light\": true").expect("nothing was written over");
}

#[test]
fn a_broken_file_is_told_once_and_the_window_opens() {
    if left_out("a_broken_file_is_told_once_and_the_window_opens", "a virtual display") {
        return;
    }
    let folder = places::temporary("broken settings");
    let file = folder.join("window.json");
    fs::write(&file, "{ \"light\": true, \"size\": ").expect("a file");
    let mut desktop = open(&folder, &["--size", "640x400"]);
    desktop.program.wait_for(&["[settings] ", "window.json", "line 1"]);
    poll("a dark panel", || is_dark(&desktop.picture()).then_some(()));
    // It is written anew, whole.
    poll("a file that can be read", || {
        let text = fs::read_to_string(&file).ok()?;
        serde_json::from_str::<serde_json::Value>(&text).ok().map(drop)
    });
    let told = desktop.program.seen().iter().filter(|line| line.contains("[settings]")).count();
    assert_eq!(told, 1);
    assert!(desktop.program.alive());
}
