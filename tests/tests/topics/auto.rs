//! `auto` of a scene: substeps that follow the error of lengths.

use tests::{left_out, long, places, process::weft};
use weft_core::state::StateHash;
use weft_core::statistics::{largest, least};
use weft_session::{
    Options, Session, readings,
    session::{AutoState, Limit},
};

/// A cotton sheet of 1 m that hangs by two corners.
fn sheet(n: u32, solver: &str, auto: &str) -> String {
    format!(
        r#"(version: 1, air_damping: 1.0, solver: (name: "{solver}"), auto: {auto},
            cloths: [(id: "sheet", shape: Grid(columns: {n}, rows: {n}, width: 1.0, height: 1.0), at: (0.0, 2.0, 0.0),
                pins: [Corner(TopLeft), Corner(TopRight)], material: (preset: "cotton"))])"#
    )
}

/// After some frames: what `auto` says, and the sag of the upper edge by its span.
fn hung(scene: &str, threads: usize, frames: u32) -> (Session, AutoState, f64) {
    let folder = places::temporary("auto");
    let file = folder.join("sheet.ron");
    std::fs::write(&file, scene).unwrap();
    let mut session = Session::open(Options { scene: file, threads, ..Options::default() }).unwrap();
    for _ in 0..frames {
        session.step().unwrap();
    }
    session.measure();
    let sag = readings::find(&session.run().generation, "catenary_sag").unwrap().of(&session.readings());
    let state = session.auto().cloned().expect("it follows");
    (session, state, sag.unwrap())
}

#[test]
fn a_sheet_sags_the_same_at_any_resolution() {
    const WANTED: &str = "(stretch: 0.005, ms: 0.0)";
    let resolutions: &[u32] = if long() { &[8, 16, 32, 64, 128] } else { &[8, 16, 32] };
    let solvers: &[&str] =
        if long() { &["xpbd", "implicit_newton", "pbd_gauss_seidel"] } else { &["xpbd", "implicit_newton"] };
    for &solver in solvers {
        let sags = resolutions.iter().map(|&n| {
            let (_, state, sag) = hung(&sheet(n, solver, WANTED), 1, 240);
            println!("AUTO {solver} {n}: {state}, sag {sag:.4}");
            // It follows, so the last look may be a little above.
            assert!(state.error <= 0.0075 && state.limit.is_none(), "{solver} {n}: {state}");
            sag
        });
        let sags: Vec<f64> = sags.collect();
        let (most, least) = (largest(sags.iter().copied()), least(sags.iter().copied()));
        assert!(most / least < 1.05, "{solver}: {sags:?}");
    }
    // What it has by itself does not.
    let (_, _, coarse) = hung(&sheet(8, "xpbd", WANTED), 1, 240);
    let (_, state, fine) = hung(&sheet(32, "xpbd", "(stretch: 1.0, ms: 0.0)"), 1, 240);
    assert!(fine / coarse > 1.05, "{coarse}, {fine}: {state}");
}

#[test]
fn without_a_limit_of_time_the_bits_are_the_same() {
    let scene = sheet(20, "xpbd", "(stretch: 0.004, ms: 0.0)");
    let hash = |threads| {
        let (session, state, _) = hung(&scene, threads, 60);
        (StateHash::of(&session.run().state), state)
    };
    let one = hash(1);
    assert_eq!(hash(3), one);
    assert!(one.1.value > 12.0, "{}", one.1);
}

#[test]
fn what_the_time_does_not_bear_is_said() {
    let (session, state, _) = hung(&sheet(24, "xpbd", "(stretch: 1e-5, ms: 1e-3)"), 1, 60);
    assert_eq!((state.limit, state.value), (Some(Limit::Time), 1.0), "{state}");
    assert!(state.to_string().ends_with("with 1 substeps, more take too long"), "{state}");
    assert_eq!(session.run().param("substeps"), Some(1.0));
}

#[test]
fn a_recording_replays_what_the_clock_decided() {
    if !places::weft().is_file() && left_out("a_recording_replays_what_the_clock_decided", "the program") {
        return;
    }
    let folder = places::temporary("auto_recorded");
    // As much as some 12 substeps take: how many it has is another number in each run.
    std::fs::write(folder.join("sheet.ron"), sheet(32, "xpbd", "(stretch: 1e-4, ms: 2.0)")).unwrap();
    let run = weft(&folder, &["run", "sheet.ron", "--frames", "90", "--record", "a.weft"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("auto         error ") && said.contains("; 0.01 % wanted"), "{said}");
    let again = weft(&folder, &["replay", "a.weft", "--threads", "2"]);
    let said =
        format!("{}{}", String::from_utf8_lossy(&again.stdout), String::from_utf8_lossy(&again.stderr));
    assert!(again.status.success(), "{said}");
}
