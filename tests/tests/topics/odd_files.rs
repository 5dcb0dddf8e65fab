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
use weft_window::film::Film;

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
fn a_title_is_no_command_of_a_terminal() {
    let test = "a_title_is_no_command_of_a_terminal";
    if !places::weft().exists() && left_out(test, "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("odd_title");
    let scene = SCENE.replace("version: 1,", "version: 1, title: \"Fl\\u{1b}[2Jag\\u{202e}\\nand pole\",");
    fs::write(folder.join("a.ron"), scene).expect("target/ is writable");
    for arguments in [
        &["run", "a.ron", "--frames", "1"][..],
        &["run", "a.ron", "--frames", "1", "--runs", "xpbd,vbd"],
        &["stability", "a.ron"],
        &["convergence", "a.ron", "--iterations", "1", "--repeats", "1", "--solver", "xpbd"],
    ] {
        let (code, said) = ends(&folder, arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {said}");
        assert!(said.contains("Fl\u{fffd}[2Jag\u{fffd}\u{fffd}and pole"), "{arguments:?}: {said:?}");
    }
}

#[test]
fn what_cannot_be_written_or_read_is_told_before_the_work() {
    if !places::weft().exists()
        && left_out("what_cannot_be_written_or_read_is_told_before_the_work", "the program (cargo build)")
    {
        return;
    }
    let folder = places::temporary("odd_outputs");
    let textured = SCENE.replace("pins:", "look: (texture: \"a.png\"), pins:");
    fs::write(folder.join("a.ron"), textured).expect("target/ is writable");
    image::RgbImage::new(4, 4).save(folder.join("a.png")).expect("target/ is writable");
    fs::write(folder.join("taken"), "").expect("target/ is writable");
    for (arguments, wanted) in [
        (&["validate", "--case", "V1", "--out", "taken/there"][..], "cannot write taken/there"),
        (&["poster", "a.ron", "--out", "a.png", "--runs", "xpbd,vbd"], "the scene is made of this file"),
        (&["compare", "a.weft", "--", "b.weft", "--json"], "--json: what stands behind `--` are recordings"),
    ] {
        let start = Instant::now();
        let (code, said) = ends(&folder, arguments);
        assert!(matches!(code, Some(1 | 2)) && said.contains(wanted), "{arguments:?}: {code:?} {said}");
        assert!(!said.contains(" ms") && start.elapsed() < Duration::from_secs(20), "{arguments:?}: {said}");
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
    for argument in ["readings", "--help", "--version"] {
        let full = full.try_clone().expect("a device");
        let output = Command::new(places::weft())
            .arg(argument)
            .current_dir(&folder)
            .stdout(full)
            .output()
            .expect("weft");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains("standard output: "), "{argument}: {said}");
    }
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
        // Before the runs, which would take far longer than the test may.
        (
            &["poster", "s.ron", "--frames", "100000000", "--out", "a.png", "--size", "16x16"],
            2,
            "no room there",
        ),
        (
            &["ab", "s.ron", "--frames", "100000000", "--by", "setp"],
            2,
            "--by setp: there is no such stage; did you mean step?",
        ),
        (
            &["run", "s.ron", "--frames", "100000000", "--link", "readback"],
            2,
            "--link readback: nothing here runs on the GPU",
        ),
    ] {
        let (ended, said) = ends(&folder, arguments);
        assert!(ended == Some(code) && said.contains(part), "{arguments:?}: {ended:?} {said}");
    }
    assert!(!folder.join("v").exists(), "a table of nothing is not written");
}

#[test]
fn a_picture_that_was_cut_is_no_texture() {
    let folder = places::temporary("odd_pictures");
    let whole = fs::read(places::root().join("scenes/textures/checker.png")).expect("a picture");
    fs::write(folder.join("cut.png"), &whole[..whole.len() / 2]).expect("target/ is writable");
    let scene = SCENE.replace("id: \"a\",", "id: \"a\",\nlook: (texture: \"cut.png\"),");
    let path = folder.join("a.ron");
    fs::write(&path, scene).expect("target/ is writable");
    let load = || weft_scene::load(&path, &weft_scene::Vocabulary::default());
    let refused = load().expect_err("a half of a picture").to_string();
    assert!(refused.contains("a.ron:2:17: \"cut.png\": not a PNG or JPEG that can be read"), "{refused}");
    // It is looked at again when it was written again.
    fs::write(folder.join("cut.png"), &whole).expect("target/ is writable");
    load().unwrap_or_else(|errors| panic!("{errors}"));
    // What decodes a JPEG makes up what is not there.
    let whole = fs::read(places::root().join("scenes/pictures/flag.jpg")).expect("a picture");
    fs::write(&path, SCENE.replace("id: \"a\",", "id: \"a\",\nlook: (texture: \"cut.jpg\"),"))
        .expect("target/ is writable");
    for (part, cut) in [(1900, true), (whole.len() / 2, true), (whole.len(), false)] {
        fs::write(folder.join("cut.jpg"), &whole[..part]).expect("target/ is writable");
        let told = load().err().map(|errors| errors.to_string());
        assert_eq!(told.is_some_and(|told| told.contains("\"cut.jpg\": it is cut off")), cut, "{part} bytes");
    }
    // A name does not make it one of these.
    let film = image::RgbImage::new(4, 4).save_with_format(folder.join("cut.jpg"), image::ImageFormat::Gif);
    film.expect("target/ is writable");
    let refused = load().expect_err("a GIF").to_string();
    assert!(refused.contains("\"cut.jpg\": it is a GIF, not a PNG or JPEG"), "{refused}");
    fs::remove_file(folder.join("cut.jpg")).expect("it was there");
    fs::create_dir(folder.join("cut.jpg")).expect("target/ is writable");
    let refused = load().expect_err("a folder").to_string();
    assert!(refused.contains("\"cut.jpg\" is a folder"), "{refused}");
}

/// A colour profile of 3 MB that stands for 0.5 GB is left out.
#[test]
#[cfg(target_os = "linux")]
fn a_colour_profile_takes_no_memory() {
    if !places::weft().exists() && left_out("a_colour_profile_takes_no_memory", "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("odd_profiles");
    let path = folder.join("a.png");
    image::RgbImage::new(4, 4).save(&path).expect("target/ is writable");
    fs::write(folder.join("a.ron"), SCENE.replace("pins:", "look: (texture: \"a.png\"), pins:"))
        .expect("target/ is writable");
    let peak = || {
        let script = "ulimit -v 400000; exec \"$0\" check a.ron";
        let output =
            Command::new("sh").args(["-c", script]).arg(places::weft()).current_dir(&folder).output();
        let output = output.expect("sh");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    peak();
    // Deflate with its fixed codes: a 0, and 258 more of it in 13 bits.
    let bits = "11000110000".bytes().chain("1100010100000".bytes().cycle().take(13 * 2_000_000));
    let bits: Vec<u8> = bits.map(|bit| bit - b'0').collect();
    let packed = bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |sum, bit| 2 * sum + bit));
    let chunk: Vec<u8> = b"iCCPa\0\0\x78\x01".iter().copied().chain(packed).collect();
    let sum = !chunk.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
    });
    let mut bytes = fs::read(&path).expect("a picture");
    // Behind the head of 8 bytes and the first chunk.
    let length = chunk.len() as u32 - 4;
    let chunk = [&length.to_be_bytes()[..], &chunk, &sum.to_be_bytes()].concat();
    bytes.splice(33..33, chunk);
    fs::write(&path, bytes).expect("target/ is writable");
    peak();
}

/// A file of many gigabytes is told from a recording by its first bytes.
#[test]
fn what_is_no_recording_is_not_read() {
    let folder = places::temporary("odd_large");
    for name in ["a.weft", "a.csv"] {
        let path = folder.join(name);
        fs::File::create(&path).and_then(|file| file.set_len(200 << 30)).expect("a file with a hole");
        let refused = weft_timings::read(&path).expect_err("zeros");
        assert!(refused.contains("this is no recording of Weft"), "{refused}");
        fs::remove_file(path).expect("it was there");
    }
}

#[test]
fn what_is_written_over_is_there_whole_with_its_rights() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = places::temporary("odd_writes");
    let (real, link) = (folder.join("real.html"), folder.join("link.html"));
    fs::write(&real, "old").expect("target/ is writable");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("its rights");
    symlink("real.html", &link).expect("a link");
    weft_core::files::write(&link, "new").expect("written");
    let about = fs::symlink_metadata(&real).expect("a file");
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(
        (fs::read_to_string(&real).expect("a text").as_str(), about.permissions().mode() & 0o777),
        ("new", 0o640)
    );
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2, "nothing is left aside");
    // Where a link leads nowhere yet the file is made there, also a film.
    let lost = folder.join("lost");
    fs::create_dir(&lost).expect("target/ is writable");
    for (name, link, to) in
        [("new.html", "a.html", "lost/b.html"), ("new.gif", "a.gif", "../odd_writes/lost/b.gif")]
    {
        let (link, named) = (folder.join(link), lost.join(name));
        symlink(to, &link).expect("a link");
        symlink(name, folder.join(to)).expect("a link");
        for _ in 0..2 {
            if name == "new.html" {
                weft_core::files::write(&link, "new").expect("written");
            } else {
                let mut film = Film::start(&link, (8, 4), 0.02).expect("a film");
                film.add(vec![0; 8 * 4 * 4]).expect("room");
                assert_eq!(film.finish(), Ok(link.clone()));
            }
            let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
            assert!(is_link(&link) && is_link(&folder.join(to)) && named.is_file() && !is_link(&named));
        }
    }
    assert_eq!(fs::read_dir(&lost).expect("a folder").count(), 4, "nothing is left aside");
    let protected = fs::Permissions::from_mode(0o440);
    fs::set_permissions(lost.join("new.gif"), protected).expect("its rights");
    if fs::File::options().write(true).open(lost.join("new.gif")).is_err() {
        assert!(Film::start(&folder.join("a.gif"), (8, 4), 0.02).is_err(), "it is protected");
    }
    symlink("/dev/null", folder.join("null.gif")).expect("a link");
    let refused = Film::start(&folder.join("null.gif"), (8, 4), 0.02).err().unwrap_or_default();
    assert!(refused.contains("a plain file is wanted"), "{refused}");
    weft_core::files::write(Path::new("/dev/null"), "nothing").expect("a device");
    assert!(weft_core::files::write(Path::new("/dev/full"), "a").is_err());
}

/// Before anything of it is compiled.
#[test]
fn a_page_is_not_written_over_what_others_keep() {
    let test = "a_page_is_not_written_over_what_others_keep";
    if !places::weft().exists() && left_out(test, "the program (cargo build)") {
        return;
    }
    let folder = places::temporary("odd_pages");
    for (file, says) in [("index.html", "the index.html of something else"), ("Cargo.toml", "sources")] {
        let beside = folder.join(file).with_extension("");
        fs::create_dir_all(&beside).expect("target/ is writable");
        fs::write(beside.join(file), "mine").expect("target/ is writable");
        let (code, said) = ends(&places::root(), &["web", "--out", beside.to_str().expect("UTF-8")]);
        assert!(code == Some(1) && said.contains(says) && said.contains("choose another folder"), "{said}");
        assert_eq!(fs::read_to_string(beside.join(file)).expect("it is there"), "mine");
    }
}
