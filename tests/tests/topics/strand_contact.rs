//! Strands that meet cloth and each other: nothing passes through, what one gets the other gives, and the bits.

use std::fs;

use glam::DVec3;
use tests::{
    fixture::{Fixture, all_solvers, reading, vector},
    places,
};
use weft_core::state::col;
use weft_core::statistics::{largest, least};
use weft_session::{Options, Session};

/// What the iterations of a solver hold of a light rope is not asked here.
const MATERIAL: &str = "material: (young: 1e7, radius: (0.003, 0.003), density: 800)";

/// A rope that both ends hold up as a bridge, and one that falls across it.
fn crossing(solver: &str, own: &str) -> Fixture {
    let rope = |id: &str, root: &str, roots: &str| {
        format!("(id: \"{id}\", length: 0.4, particles: 24, root: {root}, roots: {roots}, {MATERIAL}, {own})")
    };
    let held = rope("held", "Clamped", "Points(at: [(-0.1, 1, 0)], direction: (1, 0, 0))");
    let falls = rope("falls", "Free", "Points(at: [(0, 1.05, -0.2)], direction: (0, 0, 1))");
    Fixture::new(&format!(
        "(version: 1, air_damping: 1, wind: (coefficient: 0), solver: (name: \"{solver}\"), strands: [{held}, {falls}])"
    ))
}

/// From the first rope to the middle of the second where they are nearest, by points along them [m].
fn nearest(fixture: &Fixture) -> DVec3 {
    let x = fixture.x();
    let points = |segments: std::ops::Range<usize>| {
        (8 * segments.start..8 * segments.end).map(move |k| {
            let (i, share) = (k / 8, (k % 8) as f64 / 8.0);
            vector(x[i]).lerp(vector(x[i + 1]), share)
        })
    };
    let ways = points(0..23).flat_map(|a| points(34..37).map(move |b| b - a));
    ways.min_by(|a, b| a.length().total_cmp(&b.length())).expect("two ropes")
}

/// The nearest that the ropes come until it has been stopped, before it slides off [m], and whether the second one stays above.
fn fall(fixture: &mut Fixture) -> (f64, bool) {
    let (mut nearest_yet, mut above) = (f64::MAX, true);
    for _ in 0..12 {
        fixture.frames(1);
        let way = nearest(fixture);
        nearest_yet = least([nearest_yet, way.length()]);
        above &= way.y > 0.0;
    }
    (nearest_yet, above)
}

#[test]
fn a_rope_that_falls_across_another_does_not_pass_through() {
    // Without bending the lower one falls as fast as the upper.
    for solver in all_solvers().into_iter().filter(|solver| !["follow_the_leader", "verlet"].contains(solver))
    {
        let mut fixture = crossing(solver, "self_collision: (thickness: 0.012)");
        let (least, above) = fall(&mut fixture);
        // Contact gives way as it stops what comes at 1 m/s, most with few substeps.
        assert!(above && least < 0.02, "{solver}: {least} m apart, above: {above}");
        let passed = fixture.run.readings.get("self_passed_through").copied();
        assert_eq!(passed, Some(0.0), "{solver}");
        let (_, above) = fall(&mut crossing(solver, ""));
        assert!(!above, "{solver}: it stays above with nothing to hold it");
    }
}

/// A sheet that flies into free ropes, without weight.
fn blow(solver: &str, own: &str) -> Fixture {
    Fixture::new(&format!(
        "(version: 1, gravity: (0, 0, 0), air_damping: 0, wind: (coefficient: 0), solver: (name: \"{solver}\"),
          cloths: [(id: \"sheet\", shape: Grid(columns: 12, rows: 12, width: 0.3, height: 0.3), velocity: (0, 0, 1),
                    material: (density: 0.15, tear: (strain: 0.0)), self_collision: (thickness: 0.006))],
          strands: [(id: \"ropes\", root: Free, length: 0.25, particles: 16, {MATERIAL},
                     roots: Row(from: (-0.1, 0.125, 0.04), to: (0.1, 0.125, 0.04), count: 6), {own})])"
    ))
}

fn momentum(fixture: &Fixture, particles: std::ops::Range<usize>) -> DVec3 {
    particles.map(|i| vector(fixture.v()[i]) * f64::from(fixture.mass()[i])).sum()
}

#[test]
fn cloth_gives_to_ropes_what_it_loses() {
    for solver in ["strand_newton", "xpbd", "explicit", "vbd"] {
        for among in [true, false] {
            let mut fixture = blow(solver, &format!("self_collision: (thickness: 0.006, among: {among})"));
            let sheet = 0..144;
            let before = momentum(&fixture, sheet.clone());
            fixture.frames(12);
            let (lost, after) = (before - momentum(&fixture, sheet), fixture.momentum());
            assert!(lost.z > 0.1 * before.z, "{solver}: it lost {lost} of {before}");
            assert!((after - before).length() < 0.05 * before.length(), "{solver}: {before} becomes {after}");
        }
    }
}

#[test]
fn strands_that_are_alone_pass_each_other_and_no_cloth() {
    let own = "self_collision: (thickness: 0.012, among: false)";
    // Of two lists.
    let (least, above) = fall(&mut crossing("strand_newton", own));
    assert!(above && least > 0.007, "{least} m apart, above: {above}");
    let same = format!(
        "(version: 1, solver: (name: \"strand_newton\"), strands: [(id: \"hair\", length: 0.2, particles: 16, {MATERIAL}, {own},
           roots: Row(from: (0, 1, 0), to: (0.004, 1, 0), count: 6))])"
    );
    let mut same = Fixture::new(&same);
    same.frames(3);
    assert_eq!(same.run.readings.get("self_pairs"), Some(&0.0));
}

#[test]
fn ropes_and_cloth_have_the_same_bits_for_any_number_of_threads() {
    let hashes: Vec<_> = [1, 2, 7]
        .map(|threads| {
            let mut fixture = blow("strand_newton", "self_collision: ()").threads(threads);
            fixture.frames(20);
            (fixture.hash(), fixture.run.readings.get("self_contacts").copied())
        })
        .into();
    assert!(hashes.iter().all(|own| *own == hashes[0]), "{hashes:?}");
}

#[test]
fn cloth_that_tears_leaves_ropes_their_contact() {
    let mut fixture = blow("xpbd", "self_collision: ()");
    let ends = |fixture: &Fixture| {
        let (ends, faces) = (fixture.run.state.get(col::edge::ends), fixture.run.state.get(col::edge::faces));
        ends.iter().zip(faces).filter(|(_, faces)| **faces == [u32::MAX; 2]).count()
    };
    let whole = fixture.run.state.get(col::edge::ends).len();
    assert_eq!(ends(&fixture), 6 * 15);
    fixture.run.state.get_mut(col::thread::broken)[40] = 1;
    fixture.frames(12);
    assert_eq!(ends(&fixture), 6 * 15);
    assert!(fixture.run.state.get(col::edge::ends).len() < whole, "nothing is torn");
    assert!(momentum(&fixture, 144..fixture.x().len()).z > 0.0, "ropes stand");
}

/// A free strand slides down a slope of 35 degrees with mu = 0.4 for two seconds: at g (sin - mu cos), and not at 20 with 0.5.
#[test]
fn strands_slide_down_a_slope_as_coulomb_has_it() {
    let speed = |solver: &str, degrees: f64, height: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let [x, y] = [0.0045 * sin, height + 0.0045 * cos];
        let mut fixture = Fixture::new(&format!(
            "(version: 1, wind: (coefficient: 0), air_damping: 0, solver: (name: \"{solver}\"),
              strands: [(id: \"a\", root: Free, roots: Points(at: [({x}, {y}, -0.1)], direction: (0, 0, 1)), length: 0.2, particles: 24,
                         material: (young: 1e7, shear: 4e6, radius: (0.001, 0.001), friction: 1))],
              colliders: [(id: \"p\", shape: Plane, at: (0, {height}, 0), rotation: (0, 0, -{degrees}), thickness: 0.004,
                           friction: (static: 0.5, dynamic: 0.4))])"
        ));
        fixture.frames(120);
        let mass =
            fixture.run.state.get(col::particle::mass).iter().map(|mass| f64::from(*mass)).sum::<f64>();
        fixture.momentum().length() / mass
    };
    let (sin, cos) = 35.0_f64.to_radians().sin_cos();
    let right = 2.0 * 9.81 * (sin - 0.4 * cos);
    for solver in all_solvers() {
        let have = [0.0, 5.0].map(|height| speed(solver, 35.0, height) / right);
        let resting = speed(solver, 20.0, 0.0);
        println!("{solver}: {have:.4?} of {right} m/s, {resting} at rest");
        assert!(have.iter().all(|have| (have - 1.0).abs() < 0.015), "{solver}: {have:?}");
        assert!(resting < 1e-4, "{solver}: {resting} m/s");
    }
}

/// A head that goes at 5 m/s from one frame to the next and stops as suddenly before a wall, which its hair meets and is laid against:
/// no segment is more than a hundredth off its length in any frame.
#[test]
fn hair_of_a_head_that_stops_at_a_wall_keeps_its_length() {
    let folder = places::temporary("strand-wall");
    let scene = folder.join("wall.ron");
    let gaps: &[f32] = if tests::long() { &[0.02, 0.08, 0.2] } else { &[0.02, 0.2] };
    let newton = r#"(name: "strand_newton", params: {"substeps": 4, "strand_iterations": 2})"#;
    let cases = [newton, r#"(name: "follow_the_leader")"#]
        .into_iter()
        .flat_map(|solver| gaps.iter().flat_map(move |gap| [(solver, *gap, 16), (solver, *gap, 32)]));
    for (solver, gap, particles) in cases {
        let text = format!(
            r#"(version: 1, air_damping: 1,
                solver: {solver},
                strands: [(id: "hair", seat: Collider("head"), length: 0.26, particles: {particles},
                    roots: Cap(axis: (0, 1, -0.45), angle: 82, count: 100),
                    material: (young: 3.9e9, radius: (4e-5, 4e-5)))],
                colliders: [
                    (id: "head", shape: Sphere(radius: 0.105), at: (0, 1.55, 0), friction: (static: 0.3, dynamic: 0.2),
                        motion: Keyframes(keys: [(0, (-1, 0, 0), (0, 0, 0)), (0.5, (-1, 0, 0), (0, 0, 0)),
                                                 (0.7, (0, 0, 0), (0, 0, 0)), (9, (0, 0, 0), (0, 0, 0))])),
                    (id: "wall", shape: Box(half: (0.1, 1, 1)), at: ({}, 1.55, 0), friction: (static: 0.3, dynamic: 0.2)),
                ])"#,
            0.205 + gap
        );
        fs::write(&scene, text).expect("target/ is writable");
        let mut session = Session::open(Options { scene: scene.clone(), threads: 1, ..Options::default() })
            .unwrap_or_else(|e| panic!("{e}"));
        let (mut worst, mut touched, mut deepest) = ((0.0, 0), 0, 0.0_f64);
        for frame in 1..=75 {
            session.step().unwrap_or_else(|e| panic!("{gap} m, frame {frame}: {e}"));
            session.measure();
            let stretch = reading(&session, "strand_stretch");
            assert!(stretch.is_finite(), "{gap} m, frame {frame}: {stretch}");
            worst = if stretch > worst.0 { (stretch, frame) } else { worst };
            let near =
                session.positions().iter().filter(|x| f64::from(x[0]) > 0.105 + f64::from(gap) - 0.006);
            touched = touched.max(near.count());
            let behind = session.positions().iter().map(|x| f64::from(x[0]) - 0.105 - f64::from(gap));
            deepest = largest([deepest, largest(behind)]);
        }
        println!(
            "{solver}, {gap} m, {particles} particles: {worst:?}, {touched} at the wall, {deepest} m behind it"
        );
        assert!(touched > 20, "{gap} m: {touched} particles meet the wall");
        assert!(worst.0 < 0.01, "{gap} m, {particles} particles: {} off in frame {}", worst.0, worst.1);
        assert!(deepest < 1e-3, "{solver}, {gap} m: {deepest} m behind the wall");
    }
}

/// Curls that fall on a head and shoulders fold there. What each particle is led then, as far as its neighbour is, throws none about.
#[test]
fn hair_that_lies_folded_comes_to_rest_under_follow_the_leader() {
    let text = fs::read_to_string(places::scene("curls.ron")).expect("it comes with the program");
    let text = text.replace("count: 240", "count: 60");
    assert!(text.contains("count: 60"));
    let scene = places::temporary("strand-folded").join("curls.ron");
    fs::write(&scene, text).expect("target/ is writable");
    for substeps in ["8", "12"] {
        let options = Options {
            scene: scene.clone(),
            solver: Some(String::from("follow_the_leader")),
            threads: 1,
            set: vec![(String::from("solver.params.substeps"), String::from(substeps))],
            ..Options::default()
        };
        let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
        for frame in 1..=115 {
            session.step().unwrap_or_else(|e| panic!("frame {frame}: {e}"));
        }
        session.measure();
        let speed = reading(&session, "max_speed");
        assert!((0.05..1.0).contains(&speed), "{substeps} substeps: {speed} m/s");
    }
}

/// Contact of hairs with each other comes behind the solve: what it stretches is solved again.
#[test]
fn hair_that_keeps_off_itself_keeps_its_lengths() {
    let folder = places::temporary("strand-among");
    let scene = folder.join("among.ron");
    let text = r#"(version: 1, air_damping: 1,
        solver: (name: "strand_newton", params: {"substeps": 4, "strand_iterations": 2}),
        strands: [(id: "hair", seat: Collider("head"), length: 0.3, particles: 20, self_collision: (),
            roots: Cap(axis: (0, 1, -0.45), angle: 80, count: 60))],
        colliders: [(id: "head", shape: Sphere(radius: 0.105), at: (0, 1.55, 0), friction: (static: 0.3, dynamic: 0.2),
            motion: Oscillate(offset: (0.16, 0, 0), period: 0.25))])"#;
    fs::write(&scene, text).expect("target/ is writable");
    let mut session =
        Session::open(Options { scene, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"));
    let (mut worst, mut contacts) = (0.0_f64, 0.0_f64);
    for frame in 1..=60 {
        session.step().unwrap_or_else(|e| panic!("frame {frame}: {e}"));
        session.measure();
        worst = largest([worst, reading(&session, "strand_stretch")]);
        contacts = contacts.max(reading(&session, "self_contacts"));
        assert_eq!(reading(&session, "self_passed_through"), 0.0, "frame {frame}");
    }
    println!("{worst} at most, {contacts} contacts");
    assert!(contacts > 20.0, "they meet: {contacts}");
    // 1.6 where contact is left to stretch them.
    assert!(worst < 0.01, "{worst}");
}
