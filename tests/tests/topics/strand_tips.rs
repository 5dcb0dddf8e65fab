//! Strands that are held at both ends: tips go and turn with what holds them, under every solver.

use glam::{DQuat, DVec3, Quat};
use tests::{
    fixture::{all_solvers, reading, vector},
    picture::Picture,
    places,
    process::weft,
};
use weft_core::state::col;
use weft_core::statistics::largest;
use weft_session::{Options, Session};

/// Wires between two hands, one of which goes up and turns.
fn session(solver: &str, tip: &str, motion: &str) -> Session {
    let folder = places::temporary(&format!("strand-tips-{solver}"));
    let file = folder.join("wires.ron");
    // As many substeps as springs of rubber ask for.
    let params = if solver == "explicit" { "\"substeps\": 800" } else { "" };
    let text = format!(
        "(version: 1, air_damping: 2, wind: (coefficient: 0), solver: (name: \"{solver}\", params: {{{params}}}),
          strands: [(id: \"wires\", seat: Collider(\"left\"), roots: Row(from: (0, 0, 0), to: (0, 0, 0.1), count: 35, direction: (1, 0, 0)),
                     length: 0.3, particles: 14, tip: {tip}, tip_seat: Collider(\"right\"), shape: Arc(angle: 40),
                     material: (young: 2e6, shear: 7e5, radius: (1e-3, 1e-3), density: 1100))],
          colliders: [(id: \"left\", shape: Sphere(radius: 0.001), at: (0, 1, 0), thickness: 0.0005),
                      (id: \"right\", shape: Sphere(radius: 0.001), at: (0.3, 1.5, 0), rotation: (10, 20, 30), thickness: 0.0005,
                       motion: {motion})])"
    );
    std::fs::write(&file, text).expect("a scene");
    Session::open(Options { scene: file, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}

const MOVES: &str = "Keyframes(keys: [(0, (0, 0, 0), (0, 0, 0)), (0.4, (-0.05, 0.06, 0), (0, 0, 40)), (9, (-0.05, 0.06, 0), (0, 0, 40))])";

#[test]
fn tips_go_and_turn_with_what_holds_them() {
    for solver in all_solvers() {
        for (tip, held) in [("Clamped", 2), ("Pinned", 1)] {
            let mut session = session(solver, tip, MOVES);
            let pose = |session: &Session| {
                let state = &session.run().state;
                let turn = Quat::from_array(state.get(col::collider::rotation)[1]).as_dquat();
                (vector(state.get(col::collider::position)[1]), turn.normalize())
            };
            let (from, before) = (pose(&session), session.positions().to_vec());
            let frame = |session: &Session, row: usize| {
                Quat::from_array(session.run().state.get(col::segment::rotation)[row]).as_dquat().normalize()
            };
            let spans = session.run().state.get(col::strand::span).to_vec();
            let stubs: Vec<usize> =
                spans.iter().map(|[first, stride, count]| (first + stride * (count - 2)) as usize).collect();
            let turned: Vec<DQuat> = stubs.iter().map(|row| frame(&session, *row)).collect();
            for _ in 0..40 {
                session.step().unwrap_or_else(|e| panic!("{solver}: {e}"));
            }
            let to = pose(&session);
            let turn = to.1 * from.1.inverse();
            let carried = |x: DVec3| to.0 + turn * (x - from.0);
            for (strand, [first, stride, count]) in spans.into_iter().enumerate() {
                for i in count - held..count {
                    let row = (first + stride * i) as usize;
                    let off = carried(vector(before[row])).distance(vector(session.positions()[row]));
                    assert!(off < 1e-6, "{solver} {tip}: particle {i} of strand {strand} is {off} m off");
                }
                let off = frame(&session, stubs[strand]).angle_between(turn * turned[strand]);
                assert!(tip == "Pinned" || off < 1e-3, "{solver}: the tip's frame is {off} rad off");
                let middle = (first + stride * (count / 2)) as usize;
                let [x, y] = [vector(before[middle]), vector(session.positions()[middle])];
                assert!(x.distance(y) > 0.01 && y.is_finite(), "{solver} {tip}: the middle stays at {y}");
            }
        }
    }
}

/// Where two things hold a strand, a jump of one cannot carry it; where one holds both ends, it does.
#[test]
fn a_jump_carries_strands_that_one_thing_holds() {
    let jump = "Keyframes(keys: [(0.1, (0, 0, 0), (0, 0, 0)), (0.101, (1, 0, 0), (0, 0, 0)), (9, (1, 0, 0), (0, 0, 0))])";
    let stays = |holder: &str| {
        let mut session = session("strand_newton", "Clamped", jump);
        let mut scene = session.scene().clone();
        scene.strands[0].tip_seat = weft_scene::Seat::Collider(holder.to_owned());
        scene.strands[0].seat = weft_scene::Seat::Collider("right".to_owned());
        session.apply(scene).unwrap_or_else(|e| panic!("{e}"));
        let middle = |session: &Session| vector(session.positions()[35 * 7]);
        for _ in 0..6 {
            session.step().unwrap_or_else(|e| panic!("{e}"));
        }
        let before = middle(&session);
        session.step().unwrap_or_else(|e| panic!("{e}"));
        (middle(&session) - before).distance(DVec3::X)
    };
    let (one, two) = (stays("right"), stays("left"));
    assert!(one < 0.02, "it is {one} m from where the jump takes it");
    assert!(two > 0.1, "it is carried, and its other end is held");
}

/// What holds a tip has all of it: other hairs end in a point before it.
#[test]
fn a_tip_that_is_held_is_drawn_as_wide_as_its_root() {
    let folder = places::temporary("strand-tips-drawn");
    let scene = places::scene("validate/twisted_rod.ron").display().to_string();
    let file = folder.join("rod.png");
    let output = weft(&folder, &["run", &scene, "--frames", "80", "--shot", &file.display().to_string()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let picture = Picture::png(&file);
    // The rod lies from column 471 to 808 of 1280, 6 rows high; it is brown, and all else grey.
    let brown =
        |columns| picture.part(columns, 408..424).share(|[red, _, blue]| red > blue.saturating_add(12));
    let (root, tip) = (brown(480..500), brown(780..800));
    assert!(root > 0.2 && tip > 0.8 * root, "{root} of the root's part is the rod, {tip} of the tip's");
}

/// Hands that go apart to one and a half times the length of what they hold, and back: no number is lost on the way, nothing is
/// thrown, and all is as long as it was in the end.
#[test]
fn ends_that_are_pulled_too_far_apart_come_back() {
    const APART: &str = "Keyframes(keys: [(0, (0, 0, 0), (0, 0, 0)), (0.3, (0.16, 0, 0), (0, 0, 0)), \
                         (0.5, (0.16, 0, 0), (0, 0, 0)), (0.8, (-0.05, 0, 0), (0, 0, 0))])";
    for solver in ["strand_newton", "xpbd", "vbd", "follow_the_leader", "verlet"] {
        for tip in ["Clamped", "Pinned"] {
            let mut session = session(solver, tip, APART);
            let (mut longest, mut farthest) = (0.0_f64, 0.0_f64);
            for frame in 0..120 {
                session.step().unwrap_or_else(|e| panic!("{solver} {tip}, frame {frame}: {e}"));
                session.measure();
                let stretch = reading(&session, "strand_stretch");
                longest = if frame < 90 { largest([longest, stretch]) } else { stretch };
                let away = session.positions().iter().map(|x| vector(*x).distance(DVec3::Y));
                farthest = largest(away.chain([farthest]));
            }
            println!("{solver} {tip}: {longest} in the end, at most {farthest} m away");
            assert!(farthest < 0.8, "{solver} {tip}: thrown {farthest} m far");
            // The last segment takes what is left of the way to the tip.
            let leads = solver == "follow_the_leader";
            assert!(longest < 0.05 || leads, "{solver} {tip}: stretched by {longest} in the end");
        }
    }
}
