//! Scenes of parts: `include` and `let`, with errors that are told where they were written.

use std::{fs, path::PathBuf, thread, time::Duration};

use tests::places;
use weft_scene::{Scene, SceneErrors, Shape, Vocabulary, load};
use weft_session::{Options, Session};

const LINEN: &str = r#"// A square of linen.
(
    let: (n: 12, side: 0.5),
    shape: Grid(columns: "$n", rows: "$n", width: "$side", height: "$side"),
    material: (
        density: 0.19, // kg/m2
        friction: 0.4,
    ),
    pins: [Edge(Top)],
)
"#;
const ROOT: &str = r#"(
    version: 1,
    include: "parts/calm.ron",
    cloths: [
        (include: "parts/linen.ron", id: "left", at: (-0.5, 1.0, 0.0)),
        (include: "parts/linen.ron", let: (n: 8), id: "right", material: (density: 0.3), pins: []),
    ],
)
"#;
const CALM: &str = "(wind: (coefficient: 0.0), air_damping: 0.7, gravity: (0.0, -5.0, 0.0))";

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = places::temporary(name);
    fs::create_dir_all(folder.join("parts")).expect("a folder");
    for (file, text) in
        [("a.ron", ROOT), ("parts/linen.ron", LINEN), ("parts/calm.ron", CALM)].iter().chain(files)
    {
        fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn scene(folder: &std::path::Path) -> Scene {
    let loaded = load(folder.join("a.ron"), &Vocabulary::default());
    loaded.unwrap_or_else(|errors| panic!("{errors}")).scene
}

fn errors(name: &str, files: &[(&str, &str)]) -> SceneErrors {
    let folder = folder(name, files);
    load(folder.join("a.ron"), &Vocabulary::default()).expect_err("it is wrong")
}

#[test]
fn parts_are_read_as_if_they_were_written_there() {
    let folder = folder("parts_read", &[]);
    let scene = scene(&folder);
    let [left, right] = scene.cloths.as_slice() else { panic!("two cloths") };
    assert_eq!((left.id.as_str(), right.id.as_str()), ("left", "right"));
    let grid = |shape: &Shape| match shape {
        Shape::Grid { columns, rows, width, .. } => (*columns, *rows, *width),
        other => panic!("{other:?}"),
    };
    assert_eq!((grid(&left.shape), grid(&right.shape)), ((12, 12, 0.5), (8, 8, 0.5)));
    // Fields of groups one by one, lists as a whole.
    assert_eq!((left.material.density, right.material.density), (0.19, 0.3));
    assert_eq!((left.material.friction, right.material.friction), (0.4, 0.4));
    assert_eq!((left.pins.len(), right.pins.len()), (1, 0));
    assert_eq!((scene.gravity, scene.air_damping), ([0.0, -5.0, 0.0], 0.7));
    // The same by hand.
    let by_hand = r#"(version: 1, wind: (coefficient: 0.0), air_damping: 0.7, gravity: (0.0, -5.0, 0.0), cloths: [
        (id: "left", at: (-0.5, 1.0, 0.0), shape: Grid(columns: 12, rows: 12, width: 0.5, height: 0.5),
            material: (density: 0.19, friction: 0.4), pins: [Edge(Top)]),
        (id: "right", shape: Grid(columns: 8, rows: 8, width: 0.5, height: 0.5),
            material: (density: 0.3, friction: 0.4)),
    ])"#;
    fs::write(folder.join("hand.ron"), by_hand).expect("a file");
    let hand =
        load(folder.join("hand.ron"), &Vocabulary::default()).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scene, hand.scene);
}

/// The scene's own text, with one change.
fn root(from: &str, to: &str) -> String {
    assert!(ROOT.contains(from), "{from}");
    ROOT.replacen(from, to, 1)
}

#[test]
fn what_is_wrong_is_told_where_it_was_written() {
    let bad = LINEN.replace("density: 0.19", "density: -0.19");
    let found = errors("parts_range", &[("parts/linen.ron", &bad)]);
    let said = found.to_string();
    assert!(
        said.contains("parts/linen.ron:6:18: ") && said.contains("(cloths[0].material.density)"),
        "{said}"
    );
    assert!(
        said.contains("density: -0.19, // kg/m2") && said.contains("^^|^^"),
        "the line with a caret: {said}"
    );
    // What is laid over it counts, and is blamed itself.
    let found = errors("parts_over", &[("a.ron", &root("density: 0.3", "density: -0.3"))]);
    assert!(found.one_line().contains("a.ron:6:84: "), "{found}");
    // A value that came by a variable: where the value stands.
    let found = errors("parts_value", &[("a.ron", &root("n: 8", "n: 8.5"))]);
    assert!(found.one_line().contains("a.ron:6:47: ") && found.one_line().contains("8.5"), "{found}");
    let misspelt = LINEN.replace("friction:", "fricton:");
    let found = errors("parts_field", &[("parts/linen.ron", &misspelt)]);
    assert!(found.one_line().contains("parts/linen.ron:7:9: unknown field `fricton`"), "{found}");
    let cut = LINEN.trim_end().trim_end_matches(')');
    let found = errors("parts_cut", &[("parts/linen.ron", cut)]);
    assert!(found.one_line().contains("parts/linen.ron:2:1: "), "{found}");
}

#[test]
fn wrong_includes_and_variables_have_words_for_it() {
    let said = |name: &str, files: &[(&str, &str)]| errors(name, files).to_string();
    let with = |include: &str| root("include: \"parts/calm.ron\"", &format!("include: \"{include}\""));
    let missing = said("parts_missing", &[("a.ron", &with("parts/none.ron"))]);
    assert!(
        missing.contains("a.ron:3:14: ") && missing.contains("none.ron: cannot read it: No such file"),
        "{missing}"
    );
    for outside in ["../x.ron", "/etc/passwd", "parts/../../x.ron"] {
        let outside = said("parts_outside", &[("a.ron", &with(outside))]);
        assert!(outside.contains("what a scene includes lies in its folder or below"), "{outside}");
    }
    let cycle = said(
        "parts_cycle",
        &[("parts/calm.ron", "(include: \"more.ron\")"), ("parts/more.ron", "(include: \"calm.ron\")")],
    );
    assert!(
        cycle.contains("more.ron:1:11: this file includes itself") && cycle.contains("calm.ron -> "),
        "{cycle}"
    );
    let chain: Vec<(String, String)> = (0..20)
        .map(|i| (format!("parts/c{i}.ron"), format!("(include: \"c{}.ron\")", i + 1)))
        .chain([("parts/calm.ron".to_string(), "(include: \"c0.ron\")".to_string())])
        .collect();
    let chain: Vec<(&str, &str)> = chain.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let deep = said("parts_deep", &chain);
    assert!(deep.contains("files include each other more than 16 deep"), "{deep}");
    assert!(!deep.contains("includes itself"), "{deep}");
    let own = said("parts_own", &[("a.ron", &with("a.ron"))]);
    assert!(own.contains("a.ron:3:14: this file includes itself"), "{own}");
    let variable =
        said("parts_variable", &[("parts/linen.ron", &LINEN.replace("rows: \"$n\"", "rows: \"$m\""))]);
    assert!(variable.contains("linen.ron:4:38: there is no variable `m`"), "{variable}");
    let near =
        said("parts_near", &[("parts/linen.ron", &LINEN.replace("width: \"$side\"", "width: \"$sde\""))]);
    assert!(near.contains("did you mean `$side`?"), "{near}");
    // Beside an include as at the root.
    for (variables, says) in [
        ("n: 8, n: 9", "the variable `n` is given twice"),
        ("8", "expected names with values, such as `let: (columns: 64)`"),
    ] {
        let found = said("parts_passed", &[("a.ron", &root("n: 8", variables))]);
        assert!(found.contains("a.ron:6:") && found.contains(says), "{found}");
    }
    let list = said("parts_list", &[("parts/calm.ron", "[1, 2]")]);
    assert!(list.contains("what is included here must be `(field: value, …)`"), "{list}");
    let large = "x".repeat(5 << 20);
    let large = said("parts_large", &[("parts/calm.ron", &large)]);
    assert!(large.contains("too large for a scene"), "{large}");
    // Each value ten of the one before: a thousand million at the end.
    let many = |of: &str| format!("[{}]", vec![format!("\"${of}\""); 10].join(", "));
    let mut lets = "a0: 1".to_string();
    (1..10).for_each(|i| lets += &format!(", a{i}: {}", many(&format!("a{}", i - 1))));
    let bomb = said("parts_bomb", &[("parts/calm.ron", &format!("(let: ({lets}), gravity: \"$a9\")"))]);
    assert!(bomb.contains("too large"), "{bomb}");
    let binary = places::temporary("parts_binary");
    fs::write(binary.join("a.ron"), "(version: 1, include: \"b.ron\")").expect("a file");
    fs::write(binary.join("b.ron"), [b'(', 0xff, b')']).expect("a file");
    let binary = load(binary.join("a.ron"), &Vocabulary::default()).expect_err("no text").to_string();
    assert!(binary.contains("b.ron:1:2: this byte is not UTF-8 text"), "{binary}");
}

#[test]
fn unused_variables_are_noted_and_dollars_stay() {
    let folder = folder("parts_notes", &[("a.ron", &root("let: (n: 8)", "let: (n: 8, m: 2)"))]);
    let loaded =
        load(folder.join("a.ron"), &Vocabulary::default()).unwrap_or_else(|errors| panic!("{errors}"));
    assert!(
        loaded.notes.iter().any(|note| note.contains("a.ron:6:51: the variable `m` is not used")
            || note.contains("a.ron:6: the variable `m` is not used")),
        "{:?}",
        loaded.notes
    );
    // Without parts a text may begin with a dollar, with them by two.
    let text = r#"(version: 1, title: "$x", cloths: [(id: "a", shape: Disc(radius: 1.0, rings: 2))])"#;
    let title = |text: &str| {
        let read = weft_scene::parse_text("a", text, None, &Vocabulary::default());
        read.unwrap_or_else(|errors| panic!("{errors}")).scene.title
    };
    assert_eq!(title(text), "$x");
    assert_eq!(title(&text.replace("title", "let: (y: 1), title").replace("$x", "$$x")), "$x");
}

/// Polls until a line says so.
fn wait_for(session: &mut Session, part: &str) -> String {
    for _ in 0..400 {
        if let Some(found) = session.poll().notices.into_iter().find(|notice| notice.text.contains(part)) {
            return found.text;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("no line with `{part}`")
}

#[test]
fn a_file_that_is_included_is_edited_under_the_running_scene() {
    let folder = folder("parts_live", &[]);
    let options = Options { scene: folder.join("a.ron"), threads: 1, live: true, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    let part = folder.join("parts/calm.ron");
    thread::sleep(Duration::from_millis(100));
    fs::write(&part, CALM.replace("0.7", "0.6")).expect("a save");
    wait_for(&mut session, "1 change(s): air_damping");
    assert_eq!(session.scene().air_damping, 0.6);
    // Renamed away: the last good one runs on, and it is taken up when it is there again.
    let away = folder.join("parts/away.ron");
    fs::rename(&part, &away).expect("renamed");
    let line = wait_for(&mut session, "calm.ron: cannot read it");
    assert!(line.contains("a.ron:3:14") && line.contains("the last good scene runs on"), "{line}");
    assert_eq!(session.scene().air_damping, 0.6);
    fs::write(&away, CALM.replace("0.7", "0.5")).expect("a save");
    fs::rename(&away, &part).expect("renamed");
    wait_for(&mut session, "1 change(s): air_damping");
    assert_eq!(session.scene().air_damping, 0.5);
    // From the panel to the file: beside the include, whose file stays as it is.
    session.edit("cloths.left.material.density", &weft_scene::Edit::Numbers(vec![0.25])).expect("a field");
    assert_eq!(session.write_scene().expect("it is written"), 1);
    let text = fs::read_to_string(folder.join("a.ron")).expect("a file");
    assert!(text.contains(r#"id: "left", at: (-0.5, 1.0, 0.0), material: (density: 0.25)),"#), "{text}");
    assert_eq!(fs::read_to_string(folder.join("parts/linen.ron")).expect("a file"), LINEN);
    assert_eq!(scene(&folder).cloths[0].material.density, 0.25);
}

#[test]
fn a_scene_that_vanishes_is_told_once_and_taken_up_again() {
    let folder = folder("parts_gone", &[]);
    let file = folder.join("a.ron");
    let options = Options { scene: file.clone(), threads: 1, live: true, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    let text = fs::read_to_string(&file).expect("a file");
    thread::sleep(Duration::from_millis(100));
    // What polls say of the scene within a while.
    let said = |session: &mut Session, ms: u64| {
        let lines = (0..ms / 10).flat_map(|_| {
            thread::sleep(Duration::from_millis(10));
            session.poll().notices
        });
        lines.filter(|notice| notice.kind == "scene").map(|notice| notice.text).collect::<Vec<_>>()
    };
    // An editor that empties it first, or takes it away for a moment, causes no word.
    fs::write(&file, "").expect("emptied");
    let mut lines = said(&mut session, 150);
    fs::write(&file, text.replace("left", "leer")).expect("a save");
    lines.push(wait_for(&mut session, "change(s)"));
    fs::rename(&file, folder.join("a.old")).expect("renamed");
    lines.append(&mut said(&mut session, 150));
    fs::write(&file, &text).expect("a save");
    lines.push(wait_for(&mut session, "change(s)"));
    assert!(lines.iter().all(|line| line.contains("change(s)")), "{lines:?}");
    for what in ["gone", "empty"] {
        let done = if what == "gone" { fs::remove_file(&file) } else { fs::write(&file, "") };
        done.expect("done");
        let line = wait_for(&mut session, what);
        assert!(line.contains("a.ron") && line.contains("put it back") && line.contains("runs on"), "{line}");
        assert!(session.problems().scene.is_some() && session.step().is_ok());
        assert_eq!(said(&mut session, 200), [""; 0], "once");
        fs::write(&file, &text).expect("a save");
        wait_for(&mut session, "mended, nothing changed");
        assert!(session.problems().scene.is_none());
    }
}

/// What the present code does not take waits, with its place: the value of before stays.
#[test]
fn a_parameter_that_no_code_takes_changes_nothing() {
    let folder = folder("parts_params", &[]);
    let scene = folder.join("params.ron");
    let save = |substeps: &str| {
        let sheet = r#"(id: "a", shape: Grid(columns: 5, rows: 5, width: 0.5, height: 0.5))"#;
        let solver = format!(r#"(name: "xpbd", params: {{"substeps": {substeps}}})"#);
        fs::write(&scene, format!("(version: 1,\n solver: {solver}, cloths: [{sheet}])")).expect("a save");
    };
    save("24");
    let options = Options { scene: scene.clone(), threads: 1, live: true, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    thread::sleep(Duration::from_millis(100));
    for wrong in ["24.5", "\"abc\"", "-3", "100000"] {
        save(wrong);
        let line = wait_for(&mut session, &format!("`substeps` is {wrong}"));
        assert!(line.contains("params.ron:2:") && line.contains("the last good value stays"), "{line}");
        assert_eq!(session.scene().solver.params["substeps"], weft_scene::Value::Number(24.0));
    }
    save("30");
    assert!(!wait_for(&mut session, "1 change(s): solver.params.substeps").contains("undo"));
    assert!(session.problems().pending.is_empty());
}

/// A save takes what the panel had not written, and undo brings that back, and that alone.
#[test]
fn undo_after_a_save_leaves_what_was_saved() {
    let folder = folder("parts_undo", &[]);
    let scene = folder.join("undo.ron");
    let save = |substeps: u32| {
        let sheet = r#"(id: "a", shape: Grid(columns: 5, rows: 5, width: 0.5, height: 0.5))"#;
        let solver = format!(r#"(name: "xpbd", params: {{"substeps": {substeps}}})"#);
        fs::write(&scene, format!("(version: 1, air_damping: 0.5, solver: {solver}, cloths: [{sheet}])"))
            .expect("a save");
    };
    save(10);
    let options = Options { scene: scene.clone(), threads: 1, live: true, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    thread::sleep(Duration::from_millis(100));
    for damping in [0.7, 1.0] {
        // Two turns of the control, not one.
        session.hold_edit(true);
        session.edit("air_damping", &weft_scene::Edit::Numbers(vec![damping])).expect("a field");
        session.hold_edit(false);
    }
    save(14);
    wait_for(&mut session, "of the panel, too: undo brings that back");
    let now = |session: &Session| {
        (session.scene().air_damping, session.scene().solver.params["substeps"].to_string())
    };
    assert_eq!(now(&session), (0.5, "14".to_string()));
    for damping in [1.0, 0.7, 0.5] {
        session.undo().unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(now(&session), (damping, "14".to_string()));
    }
    session.redo().unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(now(&session), (0.7, "14".to_string()));
}
