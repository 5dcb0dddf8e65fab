//! Seats that jump: strands on them go along as they are, and are torn by none of it.

use glam::{DQuat, DVec3, Vec3};
use tests::fixture::{Fixture, vector};
use weft_core::state::col;
use weft_core::statistics::largest;
use weft_scene::Edit;
use weft_session::{Options, Session};

const HEAD: DVec3 = DVec3::new(0.0, 1.5, 0.0);

/// Hair of a head that meets nothing.
fn session(name: &str, motion: &str, solver: &str) -> Session {
    let folder = std::env::temp_dir().join(format!("weft_seats_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}_{solver}.ron"));
    // Sweeps over a rod that are far from their answer turn roundings into another motion: so does a start elsewhere.
    let substeps = if solver == "xpbd" { 40 } else { 4 };
    let text = format!(
        "(version: 1, wind: (coefficient: 0), solver: (name: \"{solver}\", params: {{\"substeps\": {substeps}}}),
          strands: [(id: \"hair\", seat: Collider(\"head\"), length: 0.3, particles: 34,
                     roots: Cap(axis: (0, 1, 0), angle: 60, count: 9))],
          colliders: [(id: \"head\", shape: Sphere(radius: 0.002), at: (0, 1.5, 0), motion: {motion})])"
    );
    std::fs::write(&file, text).expect("a scene");
    Session::open(Options { scene: file, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

fn steps(session: &mut Session, count: usize) -> f64 {
    let step = |_| {
        session.step().unwrap_or_else(|e| panic!("{e}"));
        stretch(session)
    };
    largest((0..count).map(step))
}

/// The most that a segment is longer or shorter than at rest, by its rest length.
fn stretch(session: &Session) -> f64 {
    let state = &session.run().state;
    let rows = state.get(col::distance::idx).iter().zip(state.get(col::distance::rest));
    let strains = rows.map(|([a, b], rest)| {
        let [a, b] = [a, b].map(|row| vector(session.positions()[*row as usize]));
        ((b - a).length() / f64::from(*rest) - 1.0).abs()
    });
    largest(strains)
}

/// Positions in world space.
fn places(session: &Session) -> Vec<DVec3> {
    let origin = session.origin().as_dvec3();
    session.positions().iter().map(|x| vector(*x) + origin).collect()
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    largest(a.iter().zip(b).map(|(a, b)| a.distance(*b)))
}

/// A metre and a quarter turn about the vertical between two frames: what comes after is what would have come, elsewhere.
#[test]
fn a_jump_in_a_frame_carries_hair_as_it_is() {
    let jump = "Keyframes(keys: [(0.5, (0, 0, 0), (0, 0, 0)), (0.501, (1, 0, 0), (0, 90, 0)), (9, (1, 0, 0), (0, 90, 0))])";
    for solver in ["strand_newton", "follow_the_leader", "xpbd"] {
        let [mut still, mut jumps] =
            [("still", "Still"), ("jump", jump)].map(|(name, motion)| session(name, motion, solver));
        let frames = if solver == "xpbd" { 40 } else { 70 };
        let before = steps(&mut still, frames);
        let after = steps(&mut jumps, frames);
        assert!(after < 1.05 * before + 1e-3, "{solver}: {after} after a jump, {before} without");
        let turn = DQuat::from_rotation_y(90_f64.to_radians());
        let carried = |x: &DVec3| HEAD + DVec3::X + turn * (x - HEAD);
        let expected: Vec<DVec3> = places(&still).iter().map(carried).collect();
        let apart = farthest(&places(&jumps), &expected);
        assert!(farthest(&places(&still), &expected) > 0.9, "{solver}: it jumps");
        // Of single precision in 10 and 40 frames after the jump; a strand is 0.3 m long.
        assert!(apart < 2e-3, "{solver}: {apart} m from where the jump takes it");
    }
}

/// Farther than usual in a frame, but less than `teleport`: hair is drawn after the head.
#[test]
fn a_head_that_is_fast_is_followed() {
    let fast = "Keyframes(keys: [(0.5, (0, 0, 0), (0, 0, 0)), (0.52, (0.4, 0, 0), (0, 0, 0)), (9, (0.4, 0, 0), (0, 0, 0))])";
    let mut session = session("fast", fast, "strand_newton");
    steps(&mut session, 29);
    let before = places(&session);
    steps(&mut session, 3);
    let carried: Vec<DVec3> = before.iter().map(|x| x + DVec3::X * 0.4).collect();
    assert!(farthest(&places(&session), &carried) > 0.05, "it is carried");
}

#[test]
fn a_head_that_is_put_elsewhere_takes_its_hair_along() {
    let mut session = session("put", "Still", "strand_newton");
    let worst = steps(&mut session, 40);
    let before = places(&session);
    session.edit("colliders.head.at", &Edit::Numbers(vec![0.3, 1.7, 0.0])).unwrap_or_else(|e| panic!("{e}"));
    let moved: Vec<DVec3> = before.iter().map(|x| x + DVec3::new(0.3, 0.2, 0.0)).collect();
    assert!(farthest(&places(&session), &moved) < 1e-5, "by a save");
    session.set_paused(true);
    session.drag_collider(0, glam::Vec3::new(0.0, 0.0, 0.6));
    let moved: Vec<DVec3> = moved.iter().map(|x| x + DVec3::new(0.0, 0.0, 0.6)).collect();
    assert!(farthest(&places(&session), &moved) < 1e-5, "by the hand, while nothing moves");
    session.turn_collider(0, glam::Quat::from_rotation_z(1.2));
    let (turn, center) = (DQuat::from_rotation_z(1.2), DVec3::new(0.3, 1.7, 0.6));
    let turned: Vec<DVec3> = moved.iter().map(|x| center + turn * (x - center)).collect();
    assert!(farthest(&places(&session), &turned) < 1e-5, "turned by the hand, while nothing moves");
    session.set_paused(false);
    let after = steps(&mut session, 20);
    assert!(after < worst + 1e-3, "{after} after it, {worst} before");
}

/// The hand turns a head as fast as a head is turned, by the shorter way, and its hair is drawn after it without stretching.
#[test]
fn a_head_that_the_hand_turns_is_followed() {
    let mut session = session("turned", "Still", "strand_newton");
    let still = steps(&mut session, 20);
    let turned = |session: &Session| {
        let [x, y, z, w] = session.run().state.get(col::collider::rotation)[0].map(f64::from);
        DQuat::from_xyzw(x, y, z, w).normalize()
    };
    let target = DQuat::from_rotation_y(2.5);
    (0..10).for_each(|_| session.turn_collider(0, glam::Quat::from_rotation_y(0.25)));
    let (mut before, mut worst) = (turned(&session), 0.0_f64);
    for _ in 0..30 {
        worst = largest([worst, steps(&mut session, 1)]);
        let now = turned(&session);
        assert!(before.angle_between(now) < 0.21, "{} rad in a step", before.angle_between(now));
        before = now;
    }
    assert!(before.angle_between(target) < 1e-3, "{before} for {target}");
    assert!(worst < still + 0.01, "{worst} while it turns, {still} before");
    // A save that turns the head itself takes it back from the hand, one that does not leaves it there.
    session.edit("gravity", &Edit::Numbers(vec![0.0, -9.0, 0.0])).unwrap_or_else(|e| panic!("{e}"));
    assert!(turned(&session).angle_between(target) < 1e-3);
    session
        .edit("colliders.head.rotation", &Edit::Numbers(vec![0.0, 30.0, 0.0]))
        .unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 1);
    assert!(turned(&session).angle_between(DQuat::from_rotation_y(30_f64.to_radians())) < 1e-3);
}

/// A crown: roots on a ball of 10 cm that start 50 degrees from straight out, each away from the axis, and one right on it starts too.
#[test]
fn strands_of_a_cap_lean_away_from_its_axis() {
    let of = |lean: f64| {
        let fixture = Fixture::new(&format!(
            "(version: 1, gravity: (0, 0, 0), strands: [(id: \"hair\", seat: Collider(\"head\"), length: 0.2, particles: 12,
                roots: Cap(axis: (0, 1, 0), angle: 80, count: 30, lean: {lean}))],
              colliders: [(id: \"head\", shape: Sphere(radius: 0.1), at: (0, 1, 0), thickness: 0.001)])"
        ));
        let center = DVec3::Y - Vec3::from(fixture.scene.origin).as_dvec3();
        let place =
            |particle: u32, strand: u32| vector(fixture.x()[(particle * 30 + strand) as usize]) - center;
        (0..30).map(|strand| [place(1, strand), place(11, strand)]).collect::<Vec<_>>()
    };
    for lean in [0.0, 50.0, 80.0] {
        for [root, tip] in of(lean) {
            let (out, way) = (root.normalize(), (tip - root).normalize());
            assert!(
                (root.length() - 0.1).abs() < 1e-5 && ((tip - root).length() - 0.2).abs() < 1e-5,
                "{root} {tip}"
            );
            assert!((out.angle_between(way).to_degrees() - lean).abs() < 0.05, "{lean}: {root} {way}");
            let axis = out.angle_between(DVec3::Y);
            assert!(
                (way.angle_between(DVec3::Y) - axis - lean.to_radians()).abs() < 1e-3,
                "{lean}: not away from the axis"
            );
        }
    }
}
