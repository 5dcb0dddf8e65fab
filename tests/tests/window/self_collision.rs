//! Self collision as it is edited and watched: its values change under a running cloth, and a list without room is red in
//! the panel, an event of the recording and a failed check.

use std::path::{Path, PathBuf};

use tests::{desktop::Desktop, edit_copy::EditCopy, left_out, places, process, process::poll};
use weft_scene::Scene;
use weft_session::{Options, Session, readings};

/// Two sheets on a floor that is tilted against them, the upper one 2 cm above; `own` is their self collision.
fn text(own: &str, gravity: &str, more: &str) -> String {
    let cloth = |id: &str, at: &str, size: &str, pins: &str| {
        format!(
            r#"(id: "{id}", at: {at}, rotation: (-90.0, 0.0, 0.0), self_collision: ({own}), {pins}
                shape: Grid(columns: 15, rows: 13, {size}), look: (front: (0.2, 0.2, 0.2), back: (0.2, 0.2, 0.2)))"#
        )
    };
    format!(
        r#"(version: 1, air_damping: 0.5, wind: (coefficient: 0.0), gravity: {gravity},
            solver: (name: "xpbd", params: {{"substeps": 16}}),
            cloths: [{}, {}],
            colliders: [(id: "floor", shape: Plane, friction: (static: 5.0, dynamic: 5.0), color: (0.2, 0.2, 0.2))]{more})"#,
        cloth("lower", "(0.0, 0.005, 0.0)", "width: 0.6, height: 0.5", ""),
        cloth("upper", "(0.01, 0.03, 0.01)", "width: 0.4, height: 0.3", ""),
    )
}

fn write(name: &str, text: &str) -> PathBuf {
    let file = places::temporary(&format!("self-live-{name}")).join("scene.ron");
    std::fs::write(&file, text).unwrap();
    file
}

fn open(scene: PathBuf) -> Session {
    Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

fn frames(session: &mut Session, count: usize) {
    for _ in 0..count {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

fn mean(session: &Session, cloth: usize, axis: usize) -> f32 {
    let rows = &session.positions()[session.objects()[cloth].particles.clone()];
    rows.iter().map(|x| x[axis]).sum::<f32>() / rows.len() as f32
}

/// Puts other values under the running cloth, as a save or the panel does.
fn change(session: &mut Session, edit: impl Fn(&mut weft_scene::SelfCollision)) {
    let before = session.positions().to_vec();
    let mut scene: Scene = session.scene().clone();
    scene.cloths.iter_mut().filter_map(|cloth| cloth.self_collision.as_mut()).for_each(edit);
    assert_eq!(session.apply(scene), Ok(vec![]));
    assert_eq!(session.positions(), before, "the cloth goes on from where it is");
}

#[test]
fn thickness_and_friction_change_under_a_running_cloth() {
    let own = "thickness: 0.006, friction: (static: 5.0, dynamic: 5.0)";
    let mut session = open(write("values", &text(own, "(-3.0, -9.0, 0.0)", "")));
    frames(&mut session, 60);
    let gap = |session: &Session| mean(session, 1, 1) - mean(session, 0, 1);
    assert!((gap(&session) - 0.006).abs() < 1e-3, "it lies a thickness above: {}", gap(&session));
    change(&mut session, |own| own.thickness = 0.015);
    frames(&mut session, 60);
    assert!((gap(&session) - 0.015).abs() < 1.5e-3, "and then as far as is asked for: {}", gap(&session));
    change(&mut session, |own| own.thickness = 0.004);
    frames(&mut session, 60);
    assert!((gap(&session) - 0.004).abs() < 1e-3, "and back: {}", gap(&session));
    let held = mean(&session, 1, 0);
    frames(&mut session, 30);
    assert!((mean(&session, 1, 0) - held).abs() < 2e-3, "friction holds it: {} {held}", mean(&session, 1, 0));
    change(&mut session, |own| (own.friction.at_rest, own.friction.dynamic) = (0.0, 0.0));
    frames(&mut session, 20);
    // A third of a second of 3 m/s2.
    let way = mean(&session, 1, 0) - held;
    assert!(way < -0.08, "without it it slides: {way}");
    change(&mut session, |own| own.pairs = 40);
    frames(&mut session, 2);
    let rows = |session: &Session| session.run().state.table("pair").map_or(0, |table| table.rows);
    assert_eq!(rows(&session), 40 * 2 * 15 * 13, "as many as are asked for");
}

/// Both sheets fold up where they can hold one pair a particle.
const CROWDED: &str = "thickness: 0.03, pairs: 1";

#[test]
fn a_list_without_room_is_told_recorded_and_fails_a_check() {
    let expect = r#", expect: [(reading: "center_height", at_most: 9, after_s: 0.2)]"#;
    let scene = write("crowded", &text(CROWDED, "(0.0, -9.8, 0.0)", expect));
    let mut session = open(scene.clone());
    let mut told = Vec::new();
    for _ in 0..12 {
        told.extend(session.step().unwrap_or_else(|e| panic!("{e}")));
    }
    let line = told.iter().find(|notice| notice.text.contains("had no room for"));
    let line = line.unwrap_or_else(|| panic!("{told:?}"));
    assert!(!line.good && line.text.contains("raise `self_collision.pairs`"), "{line:?}");
    let alarms: Vec<&str> =
        readings::alarms(&session.readings()).into_iter().map(|(reading, _)| reading.name).collect();
    assert!(alarms.contains(&"self_overflow"), "{alarms:?}");
    // With room nothing is red.
    change(&mut session, |own| own.pairs = 60);
    frames(&mut session, 5);
    assert_eq!(
        readings::alarms(&session.readings())
            .iter()
            .filter(|(reading, _)| reading.name == "self_overflow")
            .count(),
        0
    );

    let folder = scene.parent().unwrap();
    let run = |more: &[&str]| {
        let output = process::weft(folder, &[&["run", "scene.ron"], more].concat());
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), text.into_owned())
    };
    let (ok, said) = run(&["--frames", "12", "--record", "rows.weft"]);
    assert!(ok && said.contains("[self collision] frame "), "{said}");
    let events = weft_timings::read(&folder.join("rows.weft")).unwrap().events;
    let event = |event: &weft_timings::Event| {
        event.kind == "self collision"
            && event.text.starts_with("frame ")
            && event.text.contains("had no room for")
    };
    assert!(events.iter().any(event), "{events:?}");
    let (ok, said) = run(&["--check"]);
    assert!(!ok && said.contains("self_overflow") && said.contains("a list had no room"), "{said}");
    let roomy = text(&CROWDED.replace("pairs: 1", "pairs: 60"), "(0.0, -9.8, 0.0)", expect);
    std::fs::write(&scene, roomy).unwrap();
    let (ok, said) = run(&["--check"]);
    assert!(ok && said.contains("center_height"), "{said}");
}

#[test]
fn a_list_without_room_is_red_in_the_window() {
    if left_out("a_list_without_room_is_red_in_the_window", "a virtual display") {
        return;
    }
    let copy = EditCopy::fresh();
    let file = Path::new("scenes/crowded/crowded.ron");
    std::fs::create_dir_all(copy.root.join(file).parent().unwrap()).unwrap();
    let shown = |own: &str| {
        copy.write(&file.display().to_string(), &text(own, "(0.0, -9.8, 0.0)", ""));
        let desktop = Desktop::open(&copy.root, &[&file.display().to_string(), "--size", "640x400"]);
        // Notices go after some seconds: what is red then is the panel's own, in its left part.
        std::thread::sleep(std::time::Duration::from_secs(9));
        move || {
            let picture = desktop.picture();
            // The panel `run`, above the plot of frame times.
            let panel = picture.part(0..296, 0..240);
            // Amber says that the machine is slow, and is no red.
            panel.share(|[r, g, b]| r > 200 && r.saturating_sub(g) > 80 && g > 80 && (60..150).contains(&b))
        }
    };
    let red = shown(CROWDED);
    poll("red text in the panel", || (red() > 2e-4).then_some(()));
    drop(red);
    let roomy = shown(&CROWDED.replace("pairs: 1", "pairs: 60"));
    assert!(roomy() < 5e-5, "with room nothing is red: {}", roomy());
}
