//! The scenes as pictures, and a film, from the keys.

use std::{fs, io::BufReader, process::Command};

use image::{AnimationDecoder, codecs::gif::GifDecoder};
use tests::{desktop::Desktop, edit_copy::EditCopy, left_out, places, process::poll};

use super::desk::{open, shown};

const SCENE: &str = "(version: 1, title: \"TITLE\", cloths: [(id: \"a\", at: (0.0, 1.0, 0.0), shape: Grid(columns: 11, rows: 11, \
                     width: 1.0, height: 1.0), pins: [Edge(Top)])])";

#[test]
fn a_click_on_a_picture_opens_the_scene() {
    if left_out("a_click_on_a_picture_opens_the_scene", "a virtual display") {
        return;
    }
    let copy = EditCopy::fresh();
    fs::create_dir_all(copy.root.join("scenes/three")).unwrap();
    for name in ["first", "second", "third"] {
        copy.write(&format!("scenes/three/{name}.ron"), &SCENE.replace("TITLE", name));
    }
    let cache = places::temporary("thumbnails");
    let mut command = Command::new(places::weft());
    command.args(["scenes/three/second.ron", "--size", "780x560"]).current_dir(&copy.root);
    command.env("XDG_CACHE_HOME", &cache);
    let mut desktop = Desktop::start(command);
    poll("a picture", || (desktop.picture().colors() > 100).then_some(()));
    desktop.key("m");
    let made = |end: &str| {
        let files = fs::read_dir(cache.join("weft/thumbnails")).into_iter().flatten().flatten();
        let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(end) && !name.contains("part")).count()
    };
    poll("three thumbnails", || (made(".png") == 3 && made(".json") == 3).then_some(()));
    // The first card lies below the picture and the filter.
    desktop.pointer(394, 410);
    desktop.button("click", "1");
    desktop.program.wait_for(&["[scene] first.ron runs"]);
    // What was made is found again: nothing is written a second time.
    let stamps = || {
        let files = fs::read_dir(cache.join("weft/thumbnails")).unwrap().flatten();
        let mut all: Vec<_> =
            files.map(|file| (file.file_name(), file.metadata().unwrap().modified().unwrap())).collect();
        all.sort();
        all
    };
    let before = stamps();
    desktop.key("m");
    desktop.key("m");
    std::thread::sleep(std::time::Duration::from_secs(3));
    assert_eq!(stamps(), before);
    assert!(desktop.program.alive());
}

#[test]
fn a_film_is_made_and_can_be_ended() {
    let Some((copy, mut desktop)) = open("a_film_is_made_and_can_be_ended", &[]) else { return };
    shown(&desktop);
    desktop.key("f");
    desktop.program.wait_for(&["[film] frames ", "recordings/still-1.gif"]);
    // While it is made nothing of that name is there.
    let film = copy.root.join("recordings/still-1.gif");
    let part = film.with_extension("gif.part");
    let size = || fs::metadata(&part).map_or(0, |file| file.len());
    let first = poll("a picture", || Some(size()).filter(|size| *size > 10_000));
    poll("another", || (size() > first + 10_000).then_some(()));
    let second = size();
    poll("and more", || (size() > second + 30_000).then_some(()));
    assert!(!film.exists());
    desktop.key("f");
    let line = desktop.program.wait_for(&["[film] ", " pictures in "]);
    let count: usize = line.split("[film] ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    let decoder = GifDecoder::new(BufReader::new(fs::File::open(&film).unwrap())).unwrap();
    assert_eq!(decoder.into_frames().collect_frames().unwrap().len(), count);
    assert!(count > 1 && !part.exists());
    assert!(desktop.program.alive());
    shown(&desktop);
}
