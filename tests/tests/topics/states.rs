//! States by name: what was saved goes on bit for bit, in its own scene, and files that are none are told.

use std::fs;

use tests::{left_out, places, process};
use weft_core::state::StateHash;
use weft_session::{Options, Session, states};

fn session(scene: &str) -> Session {
    let scene = places::scene(scene);
    Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

fn steps(session: &mut Session, count: usize) -> StateHash {
    (0..count).for_each(|_| _ = session.step().expect("a step"));
    StateHash::of(&session.run().state)
}

/// A name of its own: states of other tests, and of the user, lie in the same folder.
fn name(what: &str) -> String {
    format!("test {what} {}", std::process::id())
}

#[test]
fn a_state_goes_on_bit_for_bit_from_another_scene() {
    let name = name("other scene");
    let mut session = session("ball_caught.ron");
    let saved = steps(&mut session, 20);
    let substeps = &session.solver().expect("a solver").params.as_slice()[0];
    session.set_param(substeps, 17.0);
    let file = states::save(&mut session, &name, None).expect("a file");
    let later = steps(&mut session, 12);
    session.open_scene(&places::scene("hanging.ron")).expect("another scene");
    steps(&mut session, 3);
    states::load(&mut session, &name).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((session.run().frame, StateHash::of(&session.run().state)), (20, saved));
    assert!(session.setup().path().ends_with("scenes/ball_caught.ron"));
    // Its values came as well: the file has another number of substeps.
    assert_eq!(steps(&mut session, 12), later);

    assert!(states::list(session.project()).iter().any(|state| state.name == name));
    states::delete(&session, &name).expect("it was there");
    assert!(!file.exists() && !file.with_extension("meshes").exists());
    assert!(states::list(session.project()).iter().all(|state| state.name != name));
}

/// The scene that a state was saved with is its own, whatever the file became; the next save of the file counts again.
#[test]
fn a_state_runs_in_its_own_scene_when_the_file_was_saved_since() {
    let name = name("saved since");
    let folder = places::temporary("states-saved-since");
    let file = folder.join("sheet.ron");
    let with = |columns: u32| {
        let sheet = format!("Grid(columns: {columns}, rows: 9, width: 0.5, height: 0.5)");
        fs::write(&file, format!("(version: 1, cloths: [(id: \"a\", shape: {sheet})])")).unwrap();
    };
    with(12);
    let mut session =
        Session::open(Options { scene: file.clone(), threads: 1, ..Options::default() }).unwrap();
    let saved = steps(&mut session, 7);
    states::save(&mut session, &name, None).expect("a file");
    let later = steps(&mut session, 5);
    with(10);
    states::load(&mut session, &name).unwrap_or_else(|why| panic!("{why}"));
    let said: Vec<String> = session.poll().notices.into_iter().map(|notice| notice.text).collect();
    assert!(said.iter().any(|text| text.contains("says something else by now")), "{said:?}");
    assert_eq!((session.run().frame, StateHash::of(&session.run().state)), (7, saved));
    assert_eq!(steps(&mut session, 5), later);
    states::delete(&session, &name).expect("it was there");
}

#[test]
fn files_that_are_none_change_nothing_and_are_told() {
    let name = name("broken");
    let mut session = session("hanging.ron");
    steps(&mut session, 5);
    let file = states::save(&mut session, &name, None).expect("a file");
    let whole = fs::read(&file).expect("a file");
    let now = steps(&mut session, 2);
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    for (bytes, says) in [
        (&whole[..whole.len() / 2], "it is not whole"),
        (&damaged[..], "it is damaged"),
        (&b"a poem"[..], "it is not an autosave"),
    ] {
        fs::write(&file, bytes).expect("a file");
        let why = states::load(&mut session, &name).expect_err("a broken file");
        assert!(why.contains(&name) && why.contains(says), "{why}");
        assert_eq!((session.run().frame, StateHash::of(&session.run().state)), (7, now));
    }
    states::delete(&session, &name).expect("it was there");
    let why = states::load(&mut session, &name).expect_err("it is gone");
    assert!(why.contains("there is no state"), "{why}");
    for bad in ["", "../a", ".a", "-a", "a/b"] {
        assert!(states::save(&mut session, bad, None).is_err(), "{bad:?}");
    }
}

#[test]
fn the_command_line_goes_on_from_a_state() {
    let test = "the_command_line_goes_on_from_a_state";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let name = name("command line");
    let mut session = session("hanging.ron");
    steps(&mut session, 10);
    states::save(&mut session, &name, None).expect("a file");
    let later = steps(&mut session, 4).to_string();
    let run = |arguments: &[&str]| {
        let output = process::weft(&places::root(), &[&["run", "--frames", "4"], arguments].concat());
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.success(), out.into_owned() + &err)
    };
    let (good, text) = run(&["--state", &name]);
    assert!(good && text.contains(&later) && text.contains("frames       14"), "{text}");
    let (good, text) = run(&["--state", &name, "--set", "cloths.sheet.material.density=0.3"]);
    assert!(good && !text.contains("starts again"), "{text}");
    let (good, text) = run(&["--state", &name, "--set", "cloths.sheet.shape.columns=9"]);
    assert!(good && text.contains("[state] sheet starts again: what --set asks for"), "{text}");
    let (good, text) = run(&["--state", &name, "scenes/flag.ron"]);
    assert!(!good && text.contains("not of scenes/flag.ron"), "{text}");
    let (good, text) = run(&["--state", "scenes/flag.ron"]);
    assert!(!good && text.contains("scenes/flag.ron is no state"), "{text}");
    let (good, text) = run(&["--state", &name, "--runs", "xpbd,vbd"]);
    assert!(!good && text.contains("cannot be used with '--runs <LIST>'"), "{text}");
    let (good, text) = run(&["--state", &name[..name.len() - 1]]);
    assert!(!good && text.contains(&format!("did you mean `{name}`?")), "{text}");
    states::delete(&session, &name).expect("it was there");
}
