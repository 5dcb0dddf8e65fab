//! Films: the frames that were asked for, as long as they take, and a run that is the same as without one.

use std::{
    fs::File,
    io::BufReader,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use image::{AnimationDecoder, Frame, codecs::gif::GifDecoder};
use tests::{left_out, places, process};

fn frames(path: &Path) -> Vec<Frame> {
    let decoder = GifDecoder::new(BufReader::new(File::open(path).expect("a file"))).expect("a GIF");
    decoder.into_frames().collect_frames().expect("pictures")
}

#[test]
fn a_film_has_the_frames_that_were_asked_for() {
    let test = "a_film_has_the_frames_that_were_asked_for";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let (folder, scene) = (places::temporary("films"), places::scene("flag.ron"));
    let film = folder.join("a.gif");
    let scene = scene.to_str().expect("a plain path");
    let run = |more: &[&str]| {
        let output = process::weft(&places::root(), &[&["run", scene, "--threads", "1"], more].concat());
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), out.into_owned() + &err)
    };
    let path = film.to_str().expect("a plain path");
    let (good, with) = run(&["--frames", "11..30", "--film", path, "--size", "160x90"]);
    assert!(good, "{with}");
    // 20 frames of 1/60 s, every second one.
    let pictures = frames(&film);
    assert_eq!(pictures.len(), 10);
    let time: u32 = pictures.iter().map(|picture| picture.delay().numer_denom_ms().0).sum();
    assert!((320..=340).contains(&time), "{time} ms");
    for pair in pictures.windows(2) {
        assert_eq!(pair[0].buffer().dimensions(), (160, 90));
        assert!(pair[0].buffer() != pair[1].buffer(), "the flag moves");
    }
    let (good, without) = run(&["--frames", "30"]);
    let hash = |text: &str| text.lines().find(|line| line.starts_with("state hash")).map(str::to_string);
    assert!(good && hash(&with).is_some() && hash(&with) == hash(&without));

    let (good, text) = run(&["--frames", "30..10", "--film", path]);
    assert!(!good && text.contains("30 to 10 is no range"), "{text}");
    let (good, text) = run(&["--film", "a.png"]);
    assert!(!good && text.contains("must end in .gif"), "{text}");
}

/// What ends the program by a signal leaves no half of a film, and is told. (SIGINT is the same, but ignored by what a shell
/// starts behind it.)
#[test]
fn a_film_that_is_stopped_leaves_nothing() {
    let test = "a_film_that_is_stopped_leaves_nothing";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let folder = places::temporary("films_stopped");
    let (film, part) = (folder.join("a.gif"), folder.join("a.gif.part"));
    let path = film.to_str().expect("a plain path");
    let arguments = ["run", "scenes/flag.ron", "--frames", "1..9000", "--film", path, "--size", "64x48"];
    let mut running = process::Running::weft(&places::root(), &arguments);
    let until = Instant::now() + process::PATIENCE;
    while !part.exists() {
        assert!(Instant::now() < until, "it begins: {}", running.seen().join("\n"));
        thread::sleep(Duration::from_millis(10));
    }
    let id = running.id().to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &id]).status().is_ok_and(|done| done.success()));
    running.wait_for(&["weft: stopped; removed what was not whole: ", "a.gif.part"]);
    assert!(!part.exists() && !film.exists());
}
