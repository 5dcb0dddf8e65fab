//! Cloth against cloth over seconds: sheets that cross are taken apart, stacks come to rest.

use tests::{
    crossings,
    fixture::{Fixture, vector},
    places,
};
use weft_core::state::col;
use weft_proof::expect::{self, Status};
use weft_session::{Options, Session};

/// Two sheets that cross in the start: edges that pierce a triangle after each of three seconds.
fn taken_apart(upright: &str, heal: bool) -> Vec<usize> {
    let mut fixture = Fixture::new(&format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), wind: (coefficient: 0.0), air_damping: 0.5,
            solver: (name: "xpbd"), cloths: [
                (id: "flat", rotation: (-90.0, 0.0, 0.0), self_collision: (thickness: 0.01),
                    shape: Grid(columns: 21, rows: 21, width: 0.6, height: 0.6)),
                (id: "upright", {upright}, self_collision: (thickness: 0.01, heal: {heal}),
                    shape: Grid(columns: 15, rows: 15, width: 0.4, height: 0.4)),
            ])"#
    ));
    let mut counts = vec![crossings::of(&fixture)];
    for _ in 0..3 {
        fixture.frames(60);
        counts.push(crossings::of(&fixture));
    }
    assert!(fixture.x().iter().all(|x| x[..3].iter().all(|c| c.abs() < 2.0)), "nothing is flung away");
    counts
}

#[test]
fn crossed_sheets_are_taken_apart_within_three_seconds() {
    // Through the middle, a slanted one, and one that sticks in from the side.
    for upright in [
        "at: (0.013, 0.06, 0.017), rotation: (0.0, 20.0, 0.0)",
        "at: (0.013, 0.05, 0.017), rotation: (30.0, 50.0, 10.0)",
        "at: (0.3, 0.013, 0.017), rotation: (3.0, 4.0, 5.0)",
    ] {
        let counts = taken_apart(upright, true);
        assert!(counts[0] > 5 && counts[3] == 0, "{upright}: {counts:?}");
    }
}

#[test]
fn cloth_that_is_not_to_heal_stays_as_it_crosses() {
    let counts = taken_apart("at: (0.013, 0.06, 0.017), rotation: (0.0, 20.0, 0.0)", false);
    assert!(counts[0] > 5 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

/// Root of the mean square of all speeds [m/s].
fn mean_speed(session: &Session) -> f64 {
    let speeds = session.run().state.get(col::particle::velocity);
    let sum: f64 = speeds.iter().map(|v| vector(*v).length_squared()).sum();
    (sum / speeds.len() as f64).sqrt()
}

/// A scene that comes with the program.
fn start(file: &str) -> Session {
    let options = Options { scene: places::scene(file), threads: 2, ..Options::default() };
    Session::open(options).unwrap_or_else(|e| panic!("{e}"))
}

/// The same, at the time of what it expects of itself, which comes of it.
fn of_file(file: &str) -> Session {
    let mut session = start(file);
    let outcomes = expect::run(&mut session).unwrap_or_else(|e| panic!("{e}"));
    assert!(!outcomes.is_empty());
    outcomes.iter().for_each(|outcome| assert!(outcome.status == Status::Pass, "{file}: {outcome}"));
    session
}

/// Goes on to this frame.
fn on_to(session: &mut Session, frame: u64) {
    while session.run().frame < frame {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

fn crossed(session: &Session) -> usize {
    crossings::crossings(session.positions(), &crossings::of_scene(session.scene())).len()
}

#[test]
fn a_stack_of_ten_sheets_comes_to_rest() {
    let mut session = of_file("stack_of_ten_sheets.ron");
    on_to(&mut session, if tests::long() { 300 } else { 85 });
    let speed = mean_speed(&session);
    assert!(speed < 1e-3, "{speed} m/s");
    // Ten sheets high, not one in the other: a sheet gives way by a hundredth under each that lies on it.
    let heights: Vec<f32> = (0..10).map(|sheet| session.positions()[sheet * 625 + 312][1]).collect();
    for (below, above) in heights.iter().zip(&heights[1..]) {
        assert!((0.0034..0.0042).contains(&(above - below)), "{heights:?}");
    }
    assert_eq!(crossed(&session), 0);
    assert_eq!(session.run().readings["self_overflow"], 0.0);
}

#[test]
fn a_twisted_cloth_never_passes_through_itself() {
    // Ten seconds, to the rope that is held; the ordinary run stops where the strip has folded on itself, and begins to look when it has
    // seen what the scene expects of itself, that its layers have begun to touch.
    let file = "twisted_cloth.ron";
    let (mut session, seconds) = if tests::long() { (start(file), 1..=10) } else { (of_file(file), 3..=5) };
    for second in seconds {
        assert!(session.run().frame <= 60 * second);
        on_to(&mut session, 60 * second);
        let (passed, count) = (session.run().readings["self_passed_through"], crossed(&session));
        assert_eq!((passed, count), (0.0, 0), "after {second} s");
        assert_eq!(session.run().readings["self_overflow"], 0.0, "after {second} s");
    }
    assert!(session.run().readings["self_contacts"] > 1000.0, "it lies on itself");
}
