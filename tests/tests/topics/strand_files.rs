//! Strands of `.hair` and OBJ files: where they come to lie, what is cut, and what is said of files that are wrong.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tests::{
    fixture::{Fixture, vector},
    places,
};
use weft_core::state::col;
use weft_core::statistics::least;
use weft_scene::{SceneErrors, Vocabulary, load, parse_text};
use weft_session::{Options, Session};

/// A folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("weft_strand_files_{name}_{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Strands in the format of Cem Yuksel's hair models.
fn hair(strands: &[&[[f32; 3]]]) -> Vec<u8> {
    let mut bytes = b"HAIR".to_vec();
    let points: usize = strands.iter().map(|strand| strand.len()).sum();
    [strands.len() as u32, points as u32, 3, 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.resize(128, 0);
    strands.iter().for_each(|strand| bytes.extend((strand.len() as u16 - 1).to_le_bytes()));
    strands.iter().flat_map(|strand| strand.iter().flatten()).for_each(|x| bytes.extend(x.to_le_bytes()));
    bytes
}

fn scene(roots: &str) -> String {
    format!(
        "(version: 1,\n  strands: [(id: \"hair\", length: 0.5, particles: 9,\n    roots: File({roots}))])"
    )
}

fn errors(folder: &Path, roots: &str) -> SceneErrors {
    parse_text("bad.ron", &scene(roots), Some(folder), &Vocabulary::default()).expect_err(roots)
}

/// They would be 48 GB, while they are looked at.
#[test]
fn no_strand_is_made_of_more_particles_than_there_may_be() {
    let folder = folder("many");
    fs::write(folder.join("a.hair"), hair(&[&[[0.0; 3], [0.0, 80.0, 0.0]]])).expect("a file");
    for many in ["2147483648", "4294967295"] {
        let text = scene("file: \"a.hair\"").replace("particles: 9", &format!("particles: {many}"));
        for closed in ["", ", closed: true"] {
            let text = text.replace("length: 0.5", &format!("length: 0.5{closed}"));
            let told = parse_text("bad.ron", &text, Some(&folder), &Vocabulary::default());
            let told = told.expect_err("too many").to_string();
            assert!(told.contains("it must be between 3 and 1024 particles"), "{told}");
        }
    }
    let _ = fs::remove_dir_all(folder);
}

/// A corner, and a straight strand that is longer than `length`; as `.hair` and as OBJ.
#[test]
fn strands_lie_as_the_file_has_them() {
    let folder = folder("good");
    let corner: &[[f32; 3]] = &[[10.0, 0.0, 0.0], [20.0, 0.0, 0.0], [20.0, 0.0, -10.0]];
    let long: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [0.0, 80.0, 0.0]];
    fs::write(folder.join("a.hair"), hair(&[corner, long, corner])).expect("a file");
    let obj = "v 10 0 0\nv 20 0 0\nv 20 0 -10\nl 1 2 3\nv 0 0 0\nv 0 80 0\nl 4 5\nl 1 2 3\n";
    fs::write(folder.join("a.obj"), obj).expect("a file");
    for file in ["a.hair", "a.obj"] {
        let roots = format!("file: \"{file}\", scale: 0.01, rotation: (-90, 0, 0), at: (0, 1, 0), every: 1");
        let text = scene(&roots);
        let loaded = parse_text("a.ron", &text, Some(&folder), &Vocabulary::default());
        let fixture = Fixture::of(loaded.unwrap_or_else(|e| panic!("{e}")).scene);
        let spans = fixture.run.state.get(col::strand::span);
        assert_eq!(spans.len(), 3);
        let place = |strand: usize, particle: u32| {
            let [first, stride, _] = spans[strand];
            vector(fixture.x()[(first + stride * particle) as usize])
        };
        let near = |strand, particle, wanted: [f64; 3]| {
            let off = place(strand, particle) - glam::DVec3::from(wanted);
            assert!(off.length() < 1e-5, "{file}: {strand} {particle} is {off} off {wanted:?}");
        };
        // z up becomes y up; particle 0 is under the skin.
        near(0, 1, [0.1, 1.0, 0.0]);
        near(0, 8, [0.2, 0.9, 0.0]);
        near(1, 1, [0.0, 1.0, 0.0]);
        near(1, 8, [0.0, 1.0, -0.5]);
        let rest = fixture.run.state.get(col::distance::rest);
        for ([a, b], rest) in fixture.run.state.get(col::distance::idx).iter().zip(rest) {
            let length = (vector(fixture.x()[*b as usize]) - vector(fixture.x()[*a as usize])).length();
            assert!((length / f64::from(*rest) - 1.0).abs() < 1e-4, "{file}: {length} for {rest}");
        }
        let half =
            parse_text("a.ron", &text.replace("every: 1", "every: 2"), Some(&folder), &Vocabulary::default());
        assert_eq!(half.expect("a good scene").scene.strands[0].roots.count(), 2);
    }
}

/// Each with the line where the file is named, and what to do.
#[test]
fn files_that_are_wrong_are_said_where_they_are_named() {
    let folder = folder("bad");
    let strand: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [0.0, -0.3, 0.0]];
    let good = hair(&[strand, strand]);
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    write("good.hair", &good);
    for end in 0..good.len() {
        write("short.hair", &good[..end]);
        let all = errors(&folder, "file: \"short.hair\"");
        let [error] = &all.list[..] else { panic!("{end} bytes: {all}") };
        assert!(error.message.starts_with("short.hair: it ") && error.line == 3, "{end} bytes: {all}");
    }
    write("other.hair", b"not hair at all");
    write("none.hair", &hair(&[]));
    write("one.hair", &hair(&[strand, &[[0.0; 3]]]));
    let mut many = good.clone();
    many[8..12].copy_from_slice(&10_000_000_u32.to_le_bytes());
    write("many.hair", &many);
    write("faces.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (file, wanted, help) in [
        ("short.hair", "short.hair: it ends after", "export it again"),
        ("other.hair", "not with \"HAIR\"", "Cem Yuksel"),
        ("none.hair", "it has 0 strands of 0 points", "export some strands"),
        ("one.hair", "strand 2 has 1 point(s)", "at least two"),
        ("many.hair", "of 120000132 bytes, which 2 strands of 10000000 points take", "export it again"),
        ("faces.obj", "faces.obj: it has no lines", "`l 1 2 3`"),
        ("god.hair", "there is no file \"god.hair\"", "did you mean \"good.hair\"?"),
        ("good.abc", "is not a file of strands", ".hair or .obj"),
    ] {
        let all = errors(&folder, &format!("file: \"{file}\""));
        let found = all.list.iter().find(|error| error.message.contains(wanted));
        let found = found.unwrap_or_else(|| panic!("{file}: {all}"));
        assert!(found.help.as_deref().unwrap_or("").contains(help) && found.line == 3, "{file}: {all}");
    }
    let shaped = scene("file: \"good.hair\"")
        .replace("particles: 9,", "particles: 9, shape: Arc(angle: 9), length_spread: 0.1,");
    let all = parse_text("bad.ron", &shaped, Some(&folder), &Vocabulary::default())
        .expect_err("two shapes")
        .to_string();
    assert!(
        all.contains("rest in the shapes that they have there") && all.contains("as long as they are there"),
        "{all}"
    );
    let thick = scene("file: \"good.hair\", scale: 0.0001");
    let all = parse_text("bad.ron", &thick, Some(&folder), &Vocabulary::default())
        .expect_err("no rods")
        .to_string();
    assert!(all.contains("they are no rods"), "{all}");
}

/// Lines that close are rings where the list says so: as long as the line, at rest in its shape.
#[test]
fn closed_lines_become_rings() {
    let folder = folder("rings");
    // A triangle that is not plane, and a square.
    let obj = "v 0 0 0\nv 0.3 0 0\nv 0.3 0.2 0.1\nv 0 0.3 0\nl 1 2 3 1\nl 1 2 3 4 1\n";
    fs::write(folder.join("a.obj"), obj).expect("a file");
    fs::write(folder.join("b.obj"), obj.replace("l 1 2 3 1", "l 1 2 3")).expect("a file");
    let parse = |file: &str, more: &str| {
        let text = scene(&format!("file: \"{file}\"")).replace("length: 0.5, particles: 9,", more);
        let text =
            text.replace("version: 1,", "version: 1, gravity: (0, 0, 0), solver: (name: \"strand_newton\"),");
        parse_text("a.ron", &text, Some(&folder), &Vocabulary::default())
    };
    let ring = "length: 1.5, particles: 60, closed: true, root: Free,";
    let loaded = parse("a.obj", ring).unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.notes.is_empty(), "{:?}", loaded.notes);
    let mut fixture = Fixture::of(loaded.scene);
    let spans = fixture.run.state.get(col::strand::span).to_vec();
    let rest = fixture.run.state.get(col::segment::rest).to_vec();
    let start = fixture.x().to_vec();
    for ([first, stride, count], way) in spans
        .into_iter()
        .zip([0.3 + 0.05_f64.sqrt() + 0.14_f64.sqrt(), 0.6 + 0.05_f64.sqrt() + 0.11_f64.sqrt()])
    {
        let row = |i: u32| (first + stride * (i % count)) as usize;
        let mut around = 0.0;
        for i in 0..count {
            let length = (vector(start[row(i + 1)]) - vector(start[row(i)])).length();
            around += length;
            assert!(
                (length / f64::from(rest[row(i)]) - 1.0).abs() < 1e-4,
                "{i}: {length} for {}",
                rest[row(i)]
            );
        }
        assert!(around < way && around > 0.98 * way, "{around} m of {way}");
    }
    fixture.frames(20);
    for (now, then) in fixture.x().iter().zip(&start) {
        let off = (vector(*now) - vector(*then)).length();
        assert!(off < 1e-5, "a ring at rest moves by {off} m");
    }
    // What is no ring, or too long, and what is one and is not taken so.
    for (file, more, says, help) in [
        ("b.obj", ring, "strand 1 of b.obj is no ring", "`l 1 2 3 4 1`"),
        ("a.obj", "length: 1.0, particles: 60, closed: true, root: Free,", "a ring cannot be cut", "or more"),
    ] {
        let all = parse(file, more).expect_err(says);
        let found = all.list.iter().find(|error| error.message.contains(says));
        assert!(found.is_some_and(|error| error.help.as_deref().unwrap_or("").contains(help)), "{all}");
    }
    let notes = parse("b.obj", "length: 1.5, particles: 60,").expect("it runs").notes.join("\n");
    assert!(notes.contains("1 of 2 strands of b.obj end where they began, the first is strand 2"), "{notes}");
    // None is taken: a scene with a mistake is told of, and does not end the program.
    let none = scene("file: \"a.obj\", every: 0");
    let all =
        parse_text("a.ron", &none, Some(&folder), &Vocabulary::default()).expect_err("none").to_string();
    assert!(all.contains("`every` is 0"), "{all}");
}

/// Whatever byte of a file is another, it is read or refused in words.
#[test]
fn no_byte_of_a_file_ends_the_program() {
    let folder = folder("bytes");
    let wave: Vec<[f32; 3]> = (0..9).map(|i| [0.01 * i as f32, -0.03 * i as f32, 0.0]).collect();
    let whole = hair(&[&wave, &wave[..4]]);
    let path = folder.join("a.hair");
    for at in (0..24).chain(128..whole.len()) {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            fs::write(&path, bytes).expect("a file");
            match parse_text("a.ron", &scene("file: \"a.hair\""), Some(&folder), &Vocabulary::default()) {
                Ok(loaded) => {
                    let fixture = Fixture::of(loaded.scene);
                    assert!(fixture.x().iter().flatten().all(|x| x.is_finite()), "byte {at} = {value}");
                }
                Err(errors) => assert!(!errors.list.is_empty()),
            }
        }
    }
}

/// A file that is saved anew under its name: the strands start again; one that is broken leaves the last good scene.
#[test]
fn a_saved_file_is_read_again() {
    let folder = folder("saved");
    let strand = |x: f32| [[x, 1.0, 0.0], [x, 0.7, 0.0]];
    fs::write(folder.join("a.hair"), hair(&[&strand(0.0)])).expect("a file");
    let file = folder.join("a.ron");
    fs::write(&file, scene("file: \"a.hair\"")).expect("a scene");
    let open = Options { scene: file.clone(), threads: 1, ..Options::default() };
    let mut session = Session::open(open).unwrap_or_else(|e| panic!("{e}"));
    session.step().expect("it steps");
    let known = Vocabulary::default();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(folder.join("a.hair"), hair(&[&strand(0.0), &strand(0.1)])).expect("a file");
    let next = load(&file, &known).expect("a good scene").scene;
    assert_eq!(session.apply(next), Ok(vec!["hair".to_string()]));
    session.step().expect("it steps");
    assert_eq!(session.positions().len(), 18);
    fs::write(folder.join("a.hair"), b"HAIR").expect("a file");
    assert!(load(&file, &known).is_err());
    session.step().expect("the last good one runs on");
}

#[test]
fn the_scene_of_a_file_runs() {
    let scene =
        load(places::scene("bob.ron"), &Vocabulary::default()).unwrap_or_else(|e| panic!("{e}")).scene;
    let mut fixture = Fixture::of(scene);
    assert_eq!(fixture.run.state.get(col::strand::span).len(), 220);
    fixture.frames(20);
    let low = least(fixture.x().iter().map(|x| x[1]));
    assert!((1.2..1.6).contains(&low), "it hangs from the head down to {low} m");
}

#[test]
fn a_file_that_is_probably_in_another_unit_is_noted() {
    let folder = folder("unit");
    fs::write(folder.join("a.hair"), hair(&[&[[0.0; 3], [0.0, 0.3, 0.0]]])).expect("a file");
    for (scale, noted) in [("1e4", true), ("1.0", false), ("100", false)] {
        let text = scene(&format!("file: \"a.hair\", scale: {scale}"));
        let loaded = parse_text("a.ron", &text, Some(&folder), &Vocabulary::default());
        let notes = loaded.unwrap_or_else(|e| panic!("{e}")).notes;
        assert_eq!(
            notes.iter().any(|note| note.contains("metres for one unit")),
            noted,
            "{scale}: {notes:?}"
        );
    }
}

/// A saved file of strands is taken up as a mesh is: they start again, and of one that is gone the scene says so.
#[test]
fn a_saved_file_of_strands_is_taken_up() {
    let folder = folder("taken");
    let save = |strand: &[[f32; 3]]| fs::write(folder.join("a.hair"), hair(&[strand])).expect("a save");
    save(&[[0.0; 3], [0.0, -0.3, 0.0]]);
    fs::write(folder.join("a.ron"), scene("file: \"a.hair\"")).expect("a file");
    let options = Options { scene: folder.join("a.ron"), threads: 1, live: true, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    let mut said = |part: &str| {
        tests::process::poll(part, || {
            let told = session.poll().notices.into_iter().find(|notice| notice.kind == "scene");
            told.inspect(|notice| assert!(notice.text.contains(part), "{}", notice.text))
        })
    };
    std::thread::sleep(std::time::Duration::from_millis(100));
    save(&[[0.0; 3], [0.2, -0.2, 0.0]]);
    said("strands.hair.roots");
    fs::remove_file(folder.join("a.hair")).expect("removed");
    said("a.hair");
    save(&[[0.0; 3], [0.2, -0.2, 0.0]]);
    said("mended");
}

/// Points of 120 MB, which are not on the disk: who read them would say that they are all one place.
#[test]
fn more_than_there_may_be_is_refused_by_the_head_of_a_file() {
    let folder = folder("head");
    let mut head = b"HAIR".to_vec();
    [100_000_u32, 10_000_000, 2, 99].iter().for_each(|number| head.extend(number.to_le_bytes()));
    head.resize(128, 0);
    fs::write(folder.join("a.hair"), &head).expect("a file");
    let file = fs::File::options().write(true).open(folder.join("a.hair")).expect("a file");
    file.set_len(128 + 12 * 10_000_000).expect("its size");
    let told = |roots: &str| {
        let text = scene(&format!("file: \"a.hair\"{roots}")).replace("particles: 9", "particles: 100");
        let all = parse_text("bad.ron", &text, Some(&folder), &Vocabulary::default()).expect_err(roots);
        let [error] = &all.list[..] else { panic!("{all}") };
        (error.line, error.message.clone(), error.help.clone().unwrap_or_default())
    };
    let (line, message, help) = told("");
    let wanted = "a.hair: its 100000 strands with 100 particles each are 10000000 particles, which take up to 32.00 GB of memory; at \
                  most 4194304 particles may be in a scene";
    assert_eq!((line, message.as_str()), (3, wanted));
    assert!(help.contains("`every: 3` and more"), "{help}");
    let (_, message, help) = told(", every: 2");
    assert!(message.contains("50000 of its 100000 strands with 100 particles each are 5000000"), "{message}");
    assert!(help.contains("`every: 3` and more"), "{help}");
    file.set_len(1000).expect("its size");
    let (_, message, _) = told("");
    assert!(message.contains("it ends after 1000 of 120000128 bytes"), "{message}");
    let _ = fs::remove_dir_all(folder);
}
