//! "Pause when": a condition over the readings stops the session in the frame in which it holds, and mistakes are explained.

use tests::{fixture::reading, left_out, places, process};
use weft_session::{Options, Session, readings};

fn open() -> Session {
    let set = [("cloths[0].shape.columns", "17"), ("cloths[0].shape.rows", "17")];
    let set = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let scene = places::scene("drape_on_sphere.ron");
    Session::open(Options { scene, threads: 1, set, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

/// Steps until it pauses; frame and what was said.
fn run(session: &mut Session) -> (u64, Vec<String>) {
    let mut said = Vec::new();
    for _ in 0..200 {
        let notices = session.step().unwrap_or_else(|e| panic!("{e}"));
        said.extend(notices.into_iter().filter(|notice| notice.kind == "paused").map(|notice| notice.text));
        if session.is_paused() {
            break;
        }
    }
    (session.run().frame, said)
}

#[test]
fn it_pauses_in_the_first_frame_in_which_the_condition_holds() {
    // What a run without a condition finds, frame by frame.
    let mut plain = open();
    let mut first = None;
    for frame in 1..200 {
        plain.step().unwrap_or_else(|e| panic!("{e}"));
        plain.measure();
        let both = reading(&plain, "max_speed") > 0.5 && reading(&plain, "stretch_p95") < 10.0;
        if both {
            first = Some(frame);
            break;
        }
    }
    let first = first.expect("it falls");
    let mut session = open();
    session.set_stop("max_speed > 0.5 && stretch_p95 < 10").unwrap();
    let (frame, said) = run(&mut session);
    assert_eq!(frame, first);
    assert!(said.len() == 1 && said[0].contains(&format!("held in frame {first}")), "{said:?}");
    assert!(said[0].contains("max_speed = ") && said[0].contains("stretch_p95 = "), "{said:?}");
    assert!(session.stop().is_none() && session.is_paused());
    // Frame and time are names as well.
    session.set_paused(false);
    session.set_stop(&format!("frame >= {} || time > 100", first + 5)).unwrap();
    assert_eq!(run(&mut session).0, first + 5);
    // An empty one ends it.
    session.set_stop("frame > 0").unwrap();
    session.set_stop("  ").unwrap();
    session.set_paused(false);
    session.step().unwrap();
    assert!(!session.is_paused());
}

#[test]
fn what_is_no_condition_is_explained() {
    let mut session = open();
    for (text, says) in [
        ("stretch_maxx > 0.2", "did you mean `stretch_max`?"),
        ("stretch_max > ", "`stretch_max >`"),
        ("stretch_max", "not true or false"),
        ("max_speed + 1", "not true or false"),
        ("1 / 0 >", "`1 / 0 >`"),
        ("max_speed > nan", "nan is no number"),
        ("max_speed > 0.5 m/s", "numbers have no units"),
        ("max_speed > 0,5", "numbers have a decimal point"),
        ("max_speed > 1 > 0", "cannot be compared again: write a > b && b > c"),
    ] {
        let why = session.set_stop(text).expect_err(text);
        assert!(why.contains(says), "{text}: {why}");
        assert!(session.stop().is_none(), "{text}");
    }
    // A reading without a meaning here (no pins, no gas) never holds, and stops nothing.
    session.set_stop("chord_angle > -1e9").unwrap();
    (0..3).for_each(|_| _ = session.step().unwrap());
    let has =
        readings::find(&session.run().generation, "chord_angle").expect("listed").of(&session.readings());
    assert_eq!(session.is_paused(), has.is_some());
}

#[test]
fn the_command_line_runs_until_then_and_its_exit_code_says_so() {
    if !places::weft().exists() && left_out("the_command_line_runs_until_then", "the program (cargo build)") {
        return;
    }
    let scene = places::scene("drape_on_sphere.ron");
    let scene = scene.to_str().expect("a plain path");
    let small = ["--set", "cloths[0].shape.columns=17", "--set", "cloths[0].shape.rows=17"];
    let weft = |more: &[&str]| {
        let output = process::weft(&places::root(), &[&["run", scene], &small[..], more].concat());
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text.into_owned())
    };
    let (code, said) = weft(&["--until", "max_speed > 0.5", "--json"]);
    let line = said.lines().find(|line| line.starts_with('{')).expect("JSON");
    let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let speed = json["readings"]["max_speed"].as_f64().expect("a number");
    assert!(code == Some(0) && (0.5..1.0).contains(&speed), "{code:?} {speed}");
    assert!(json["frames"].as_u64().is_some_and(|frames| (1..60).contains(&frames)), "{line}");
    let (code, said) = weft(&["--until", "max_speed > 1e6", "--frames", "4"]);
    assert!(code == Some(3) && said.contains("did not hold within 4 frames"), "{code:?} {said}");
    let (code, said) = weft(&["--until", "max_sped > 1"]);
    assert!(code == Some(2) && said.contains("did you mean `max_speed`?"), "{code:?} {said}");
    let (code, said) = weft(&["--until", " "]);
    assert!(code == Some(2) && said.contains("a condition such as 'max_speed > 10'"), "{code:?} {said}");
    assert_eq!(weft(&["--untill", "1"]).0, Some(2), "a wrong command line");
}
