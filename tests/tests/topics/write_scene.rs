//! From the panel to the file: what is written reads back as what runs, and nothing else of the text changes.

use std::fs;

use tests::places;
use weft_core::state::StateHash;
use weft_scene::{Address, Scene, Slot, Vocabulary, changed, parse_text, rewrite, visit};
use weft_session::{Options, Session};

fn scenes() -> Vec<(String, String)> {
    let folder = places::root().join("scenes");
    let files = fs::read_dir(folder).expect("scenes").filter_map(|entry| Some(entry.ok()?.path()));
    let mut scenes: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|end| end == "ron"))
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a scene")))
        .collect();
    scenes.sort();
    assert!(scenes.len() > 20);
    scenes
}

fn read(name: &str, text: &str) -> Scene {
    let folder = places::root().join("scenes");
    let read = parse_text(name, text, Some(&folder), &Vocabulary::default());
    read.unwrap_or_else(|errors| panic!("{errors}")).scene
}

/// Every number that the panel shows, turned by a little, one after the other and all at once.
#[test]
fn every_slider_of_every_scene_is_written_and_reads_back() {
    for (name, text) in scenes() {
        let file = read(&name, &text);
        assert_eq!(rewrite(name.as_ref(), &text, &file, &file).as_deref(), Ok(text.as_str()), "{name}");
        let mut paths = Vec::new();
        visit(&mut file.clone(), Address::Id, &mut |field| {
            if field.row.slider {
                paths.push(field.path);
            }
        });
        let turn = |scene: &mut Scene, wanted: &dyn Fn(&str) -> bool| {
            visit(scene, Address::Id, &mut |field| {
                let (min, max) = (field.row.min, field.row.max);
                let other = |value: f32| {
                    let step = if value == 0.0 { 0.1 } else { 0.01 * value };
                    if (min..=max).contains(&(value + step)) { value + step } else { value - step }
                };
                match field.slot {
                    _ if !field.row.slider || !wanted(&field.path) => {}
                    Slot::Float(value) => *value = other(*value),
                    Slot::Vec3(value) => value[0] = other(value[0]),
                    _ => {}
                }
            });
        };
        let check = |now: &Scene, what: &str| {
            let written = rewrite(name.as_ref(), &text, &file, now)
                .unwrap_or_else(|why| panic!("{name}, {what}: {why}"));
            let back = read(&name, &written);
            assert_eq!(changed(&back, now), [], "{name}, {what}: {written}");
            let comments = |text: &str| text.matches("//").count();
            assert_eq!(comments(&written), comments(&text), "{name}, {what}");
            // With the ends of lines of other systems it is the same text.
            let crlf = |text: &str| text.replace('\n', "\r\n");
            assert_eq!(
                rewrite(name.as_ref(), &crlf(&text), &file, now),
                Ok(crlf(&written)),
                "{name}, {what}"
            );
        };
        // Each field by itself in a few scenes: the whole product would take minutes. In the ordinary run every third of them.
        if name.contains("flag") || name.contains("poncho") || name.contains("ponytail") {
            for path in paths.iter().step_by(if tests::long() { 1 } else { 3 }) {
                let mut now = file.clone();
                turn(&mut now, &|other| other == path);
                check(&now, path);
            }
        }
        let mut all = file.clone();
        turn(&mut all, &|_| true);
        assert!(changed(&file, &all).len() > 3, "{name}");
        check(&all, "all");
    }
}

#[test]
fn what_was_turned_is_written_taken_back_and_said_as_a_command() {
    let folder = places::temporary("write_scene");
    let path = folder.join("sheet.ron");
    let text = fs::read_to_string(places::scene("hanging.ron")).expect("a scene");
    let text = text.replace("textures/", &format!("{}/textures/", places::root().join("scenes").display()));
    fs::write(&path, &text).expect("target/ is writable");
    let open = |set: Vec<(String, String)>, solver: Option<String>| {
        let options = Options { scene: path.clone(), threads: 1, set, solver, ..Options::default() };
        Session::open(options).unwrap_or_else(|e| panic!("{e}"))
    };
    let mut session = open(Vec::new(), None);
    assert!(session.changed().is_empty());
    let id = session.scene().cloths[0].id.clone();
    let density = format!("cloths.{id}.material.density");
    session.edit(&density, &weft_scene::Edit::Numbers(vec![0.37])).unwrap();
    session.edit("wind.gust", &weft_scene::Edit::Numbers(vec![0.5])).unwrap();
    let substeps = *session.solver().and_then(|solver| solver.param("substeps")).expect("a parameter");
    session.set_param(&substeps, 17.0);
    let paths: Vec<String> = session.changed().into_iter().map(|changed| changed.path).collect();
    assert_eq!(paths, [density.clone(), "solver.params.substeps".into(), "wind.gust".into()]);
    // Said as a command, it is the same run.
    let command = session.command_line();
    for part in ["--set solver.substeps=17", "--set wind.gust=0.5", "density=0.37"] {
        assert!(command.contains(part), "{command}");
    }
    let set = session.changed().into_iter().filter_map(|one| Some((one.path, one.to?))).collect();
    let mut again = open(set, None);
    for session in [&mut session, &mut again] {
        session.reset().unwrap();
        (0..8).for_each(|_| _ = session.step().unwrap());
    }
    let hash = |session: &Session| StateHash::of(&session.run().state);
    assert_eq!(hash(&session), hash(&again));
    // Back: the file's value.
    session.revert("wind.gust").unwrap();
    assert_eq!(session.changed().len(), 2);
    assert!(session.revert("wind.gust").is_err(), "there is nothing to take back");
    // Into the file: another program reads what runs here.
    assert_eq!(session.write_scene(), Ok(2));
    let written = fs::read_to_string(&path).expect("it is there");
    assert!(written.contains("density: 0.37") && written.contains("\"substeps\": 17"), "{written}");
    assert_eq!(written.lines().count(), text.lines().count(), "the layout stays: {written}");
    let other = open(Vec::new(), None);
    assert!(other.changed().is_empty());
    assert_eq!(weft_scene::changed(other.scene(), session.scene()), []);
    // The mark that some editors put before a text stays, and so do their ends of lines.
    let marked = format!("\u{feff}{}", written.replace('\n', "\r\n"));
    fs::write(&path, &marked).expect("target/ is writable");
    let mut session = open(Vec::new(), None);
    session.set_param(&substeps, 16.0);
    assert_eq!(session.write_scene(), Ok(1));
    let other = fs::read_to_string(&path).expect("it is there");
    assert_eq!(other, marked.replace("\"substeps\": 17", "\"substeps\": 16"));
    session.set_param(&substeps, 17.0);
    // A file that somebody else saved meanwhile is not written over.
    fs::write(&path, &written).expect("target/ is writable");
    let mut session = open(Vec::new(), None);
    fs::write(&path, format!("{written}\n// mine\n")).expect("target/ is writable");
    session.set_param(&substeps, 18.0);
    let why = session.write_scene().unwrap_err();
    assert!(why.contains("another one than runs"), "{why}");
    assert!(fs::read_to_string(&path).expect("it is there").ends_with("// mine\n"));
}

#[test]
fn edits_are_undone_and_done_again() {
    let scene = places::scene("hanging.ron");
    let mut session =
        Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    assert!(session.undo().is_err() && session.redo().is_err());
    let start = session.scene().clone();
    session.edit("wind.gust", &weft_scene::Edit::Numbers(vec![0.25])).unwrap();
    let gust = session.scene().clone();
    session.choose_solver("vbd");
    let solver = session.scene().clone();
    // A slider that is drawn along is one edit.
    let iterations = *session.solver().and_then(|solver| solver.param("iterations")).expect("a parameter");
    for value in [3.0, 4.0, 5.0, 6.0] {
        session.set_param(&iterations, value);
    }
    let param = session.scene().clone();
    session.step().unwrap();
    let positions = session.positions().to_vec();
    assert_eq!(session.undo(), Ok(2));
    assert_eq!(*session.scene(), solver);
    assert_eq!(session.run().param("iterations"), Some(iterations.default));
    assert_eq!(session.undo(), Ok(1));
    assert_eq!((session.scene(), session.run().solver.as_str()), (&gust, "xpbd"));
    assert_eq!(session.undo(), Ok(0));
    assert_eq!(*session.scene(), start);
    assert_eq!(session.positions(), positions, "the state stays");
    for (left, scene) in [(2, &gust), (1, &solver), (0, &param)] {
        assert_eq!(session.redo(), Ok(left));
        assert_eq!(session.scene(), scene);
    }
    assert_eq!(session.run().param("iterations"), Some(6.0));
    // A new edit ends what could be done again.
    session.undo().unwrap();
    session.edit("wind.gust", &weft_scene::Edit::Numbers(vec![0.5])).unwrap();
    assert!(session.redo().is_err());
}

#[test]
fn a_drag_is_one_edit_however_slow() {
    let options = Options { scene: places::scene("hanging.ron"), threads: 1, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    let at_first = session.scene().air_damping;
    let turn = |session: &mut Session, value: f32| {
        session.edit("air_damping", &weft_scene::Edit::Numbers(vec![value])).expect("a field");
    };
    session.hold_edit(true);
    turn(&mut session, 0.4);
    std::thread::sleep(std::time::Duration::from_millis(900));
    turn(&mut session, 0.5);
    session.hold_edit(false);
    // What the release still turns is part of it; the next drag is another edit, however soon.
    turn(&mut session, 0.55);
    session.hold_edit(true);
    turn(&mut session, 0.6);
    session.hold_edit(false);
    assert_eq!(session.undo(), Ok(1));
    assert_eq!(session.scene().air_damping, 0.55);
    assert_eq!(session.undo(), Ok(0));
    assert_eq!(session.scene().air_damping, at_first);
}
