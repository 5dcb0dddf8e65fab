//! Strands that feel each other through a grid: what it does to those of every solver, and what a scene may say of it.

use glam::DVec3;
use tests::fixture::{Fixture, all_solvers, vector};
use weft_core::state::col;
use weft_scene::{Scene, Vocabulary, parse_text};
use weft_session::{Options, Session};

/// Free strands side by side, every second one on its way along them.
fn passing(solver: &str, between: &str) -> Fixture {
    let mut fixture = Fixture::new(&format!(
        "(version: 1, gravity: (0, 0, 0), air_damping: 0, wind: (coefficient: 0), solver: (name: \"{solver}\"),
          strands: [(id: \"hair\", length: 0.1, particles: 8, root: Free,
                     roots: Row(from: (0, 1, 0), to: (0.02, 1, 0), count: 40),
                     material: (young: 1e7), {between})])"
    ));
    let spans = fixture.run.state.get(col::strand::span).to_vec();
    let velocity = fixture.run.state.get_mut(col::particle::velocity);
    for [first, stride, count] in spans.into_iter().step_by(2) {
        (0..count).for_each(|i| velocity[(first + stride * i) as usize] = [0.0, 0.4, 0.0, 0.0]);
    }
    fixture
}

/// Momentum, and energy of what moves.
fn moving(fixture: &Fixture) -> (DVec3, f64) {
    let each = fixture.v().iter().zip(fixture.mass());
    (fixture.momentum(), each.map(|(v, mass)| 0.5 * f64::from(*mass) * vector(*v).length_squared()).sum())
}

#[test]
fn strands_that_pass_each_other_come_to_one_velocity_and_keep_their_momentum() {
    for solver in all_solvers() {
        let mut fixture = passing(solver, "between: (friction: 0.2, pressure: 0)");
        let (momentum, energy) = moving(&fixture);
        fixture.frames(30);
        let (after, left) = moving(&fixture);
        // What strands do to each other loses nothing; what a strand does to itself is rounded, or not balanced by its method.
        let lost = if solver == "explicit" { 1e-6 } else { 0.07 };
        assert!(
            (after - momentum).length() < lost * momentum.length(),
            "{solver}: {momentum} becomes {after}"
        );
        // Of half of them that move and half that stand, half of the energy is that of their mean.
        assert!((0.42..0.6).contains(&(left / energy)), "{solver}: {} of the energy is left", left / energy);
        let mut alone = passing(solver, "");
        alone.frames(30);
        let (_, left) = moving(&alone);
        assert!(left > 0.9 * energy, "{solver}: without a grid {} of it is left", left / energy);
    }
}

/// Mean distance from the axis of a bundle [m], after some time.
fn wide(pressure: f32) -> f64 {
    let mut fixture = Fixture::new(&format!(
        "(version: 1, air_damping: 2, wind: (coefficient: 0), solver: (name: \"strand_newton\"),
          strands: [(id: \"hair\", length: 0.2, particles: 16,
                     roots: Row(from: (-0.01, 1, 0), to: (0.01, 1, 0), count: 64),
                     between: (pressure: {pressure}, friction: 0.2, density: 0.2))])"
    ));
    fixture.frames(120);
    let x = fixture.x();
    x.iter().map(|x| f64::from(x[0].hypot(x[2]))).sum::<f64>() / x.len() as f64
}

#[test]
fn pressure_makes_a_bundle_wide() {
    let [none, some] = [0.0, 0.3].map(wide);
    assert!((0.004..0.006).contains(&none) && some > 2.0 * none, "{none} m becomes {some} m");
}

fn text(between: &str) -> String {
    let roots = "roots: Points(at: [(0, 1, 0)], direction: (1, 0, 0))";
    format!("(version: 1, strands: [(id: \"hair\", length: 0.1, {roots}, {between})])")
}

fn scene(between: &str) -> Result<Scene, String> {
    let parsed = parse_text("grid.ron", &text(between), None, &Vocabulary::default());
    parsed.map(|read| read.scene).map_err(|errors| errors.to_string())
}

#[test]
fn numbers_of_a_grid_that_cannot_be_are_named() {
    for (between, named) in [
        ("between: (cell: 0)", "cell"),
        ("between: (cell: 1e9)", "cell"),
        ("between: (friction: 1.5)", "friction"),
        ("between: (pressure: -1)", "pressure"),
        ("between: (density: inf)", "density"),
        ("between: (frict: 0.1)", "frict"),
    ] {
        let error = scene(between).expect_err(between);
        assert!(error.contains(named) && error.contains("grid.ron:1:"), "{between}: {error}");
    }
    assert!(scene("between: ()").is_ok());
}

#[test]
fn a_grid_is_changed_and_removed_under_running_strands() {
    let file = std::env::temp_dir().join(format!("weft_strand_grid_{}.ron", std::process::id()));
    std::fs::write(&file, text("between: ()")).expect("a scene");
    let mut session = Session::open(Options { scene: file, threads: 1, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"));
    let step = |session: &mut Session| {
        for _ in 0..5 {
            session.step().expect("it steps");
        }
    };
    step(&mut session);
    for between in ["between: (friction: 0.9, cell: 0.05)", "", "between: (pressure: 1)"] {
        let before = session.positions().to_vec();
        assert_eq!(session.apply(scene(between).expect(between)), Ok(vec![]), "{between}");
        assert_eq!(before, session.positions(), "{between}");
        step(&mut session);
        let after = session.positions();
        assert!(after.iter().flatten().all(|x| x.is_finite()) && before != after, "{between}");
    }
}
