//! Moments of a running session: back and forth, within a budget, and in a loop.

use glam::Vec3;
use tests::places;
use weft_core::state::StateHash;
use weft_core::state::col;
use weft_scene::Shape;
use weft_session::{Options, Session};

/// A small scene from its start, with room for all frames of a test.
fn open(file: &str, solver: Option<&str>) -> Session {
    let set = |path: &str, value: &str| (path.to_string(), value.to_string());
    let overrides = vec![set("cloths[0].shape.columns", "23"), set("cloths[0].shape.rows", "19")];
    let solver = solver.map(str::to_string);
    let options =
        Options { scene: places::scene(file), solver, threads: 1, set: overrides, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    session
}

fn hash(session: &Session) -> StateHash {
    StateHash::of(&session.run().state)
}

fn step(session: &mut Session) -> StateHash {
    session.step().unwrap_or_else(|e| panic!("{e}"));
    hash(session)
}

/// Sixty frames in which a hand pulls at the cloth, lets go, and moves the ball. The hash after each, and at the start.
fn with_hand(session: &mut Session) -> Vec<StateHash> {
    let mut hashes = vec![hash(session)];
    for frame in 0..60 {
        if frame == 25 {
            session.drag_collider(0, Vec3::new(0.15, 0.0, 0.0));
        }
        match frame {
            20 => {
                let at = session.positions()[200];
                session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.06);
            }
            21..34 => {
                session.move_grab(session.hand().grab().expect("held").target + Vec3::new(0.01, 0.02, 0.005))
            }
            34 => session.release(),
            40 => session.drag_collider(0, Vec3::new(0.0, 0.05, 0.1)),
            // A pause in which the ball jumps.
            50 => {
                session.set_paused(true);
                session.drag_collider(0, Vec3::new(0.02, 0.0, 0.0));
                session.set_paused(false);
            }
            _ => {}
        }
        hashes.push(step(session));
    }
    hashes
}

/// What a step leaves besides the state: the numbers that the cloth can be coloured with.
fn outcome(session: &Session) -> (Vec<u32>, Vec<[u32; 4]>) {
    let stress = session.run().state.get(col::particle::stress).iter().map(|s| s.to_bits());
    let acceleration = session.run().state.get(col::particle::acceleration).iter();
    (stress.collect(), acceleration.map(|a| a.map(f32::to_bits)).collect())
}

#[test]
fn stresses_of_the_past_are_shown_with_it() {
    let mut session = open("drape_on_sphere.ron", None);
    let outcomes: Vec<_> = (0..30)
        .map(|frame| {
            if frame == 12 {
                let at = session.positions()[200];
                session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.06);
                session.move_grab(session.hand().grab().unwrap().target + Vec3::Y * 0.1);
                session.drag_collider(0, Vec3::X * 0.1);
            }
            step(&mut session);
            outcome(&session)
        })
        .collect();
    for frame in [13, 29, 14, 1, 30, 12] {
        session.go_to(frame).unwrap();
        assert!(outcome(&session) == outcomes[frame as usize - 1], "frame {frame}");
        assert!(session.report().measured().motion.max_stress.is_some_and(|stress| stress > 0.0));
    }
    session.go_to(0).unwrap();
    assert_eq!(session.report().measured().motion.max_stress, None, "no step led to it");
}

#[test]
fn back_and_forth_shows_what_was() {
    let mut session = open("drape_on_sphere.ron", None);
    let hashes = with_hand(&mut session);
    assert_eq!(session.history().frames(60), Some(0..=60));
    for frame in [59, 3, 60, 0, 33, 34, 35, 21, 20, 47, 60] {
        session.go_to(frame).unwrap();
        assert_eq!(hash(&session), hashes[frame as usize], "frame {frame}");
        assert_eq!((session.run().frame, session.is_paused()), (frame, true));
        assert!((session.run().time - frame as f64 / 60.0).abs() < 1e-6);
    }
    session.step_back().unwrap();
    session.step_back().unwrap();
    assert_eq!((session.run().frame, hash(&session)), (58, hashes[58]));
    // Without a hand the last frames follow from what is there.
    assert_eq!((step(&mut session), step(&mut session)), (hashes[59], hashes[60]));
    // In the middle of the pull the cloth is let go, and what came after is dropped.
    session.go_to(30).unwrap();
    assert!(session.positions().iter().any(|x| x[3] == 0.0), "still in the hand");
    assert_ne!(step(&mut session), hashes[31]);
    assert!(session.positions().iter().all(|x| x[3] > 0.0), "let go");
    assert_eq!(session.history().frames(31), Some(0..=31));
    let error = session.go_to(45).unwrap_err();
    assert!(error.contains("frame 45 is not kept: frames 0 to 31 are"), "{error}");
    session.go_to(29).unwrap();
    assert_eq!(hash(&session), hashes[29], "before that, nothing changed");
}

#[test]
fn the_budget_holds_and_the_oldest_go() {
    let mut session = open("flag.ron", None);
    session.set_history_budget(1);
    for _ in 0..80 {
        step(&mut session);
        let (used, budget) = session.history().memory();
        assert!(used <= budget && budget == 1_000_000, "{used} of {budget}");
    }
    let count = session.history().moments().len();
    let bytes = session.history().moments().map(weft_session::history::Moment::bytes).sum::<usize>();
    assert_eq!(session.history().memory().0, bytes, "nothing else is held");
    let one = bytes / count;
    assert!(count + 2 > 1_000_000 / one && count < 80, "{count} moments of {one} bytes");
    let first = 80 - count as u64;
    assert_eq!(session.history().frames(80), Some(first..=80));
    assert!(session.go_to(first - 1).is_err() && session.history().memory().0 <= 1_000_000);
    // What is dropped by running on gives its memory to what comes.
    session.go_to(70).unwrap();
    (0..30).for_each(|_| _ = step(&mut session));
    assert!(session.history().memory().0 <= 1_000_000);
    let numbers: Vec<u64> = session.history().moments().map(|moment| moment.frame).collect();
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
    assert_eq!(numbers.last(), Some(&99));
    // Too little for one moment: nothing is kept, and nothing fails.
    let mut session = open("flag.ron", None);
    let mut scene = session.scene().clone();
    let Shape::Grid { columns, rows, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    (*columns, *rows) = (150, 150);
    session.apply(scene).unwrap();
    session.set_history_budget(1);
    (0..3).for_each(|_| _ = step(&mut session));
    assert_eq!(session.history().moments().len(), 0);
    assert!(session.go_to(1).is_err() && session.start_loop(2).is_err());
}

#[test]
fn without_a_budget_nothing_is_kept() {
    let mut session = open("flag.ron", None);
    session.set_history_budget(0);
    (0..5).for_each(|_| _ = step(&mut session));
    assert_eq!((session.history().moments().len(), session.history().memory()), (0, (0, 0)));
    assert!(session.go_to(2).unwrap_err().contains("history is off"));
    assert!(session.start_loop(5).unwrap_err().contains("history is off"));
}

#[test]
fn another_past_forgets_the_one_before() {
    let mut session = open("drape_on_sphere.ron", None);
    let grown = |session: &mut Session| {
        (0..5).for_each(|_| _ = step(session));
        session.history().moments().len()
    };
    assert_eq!(grown(&mut session), 5);
    let mut scene = session.scene().clone();
    scene.gravity[1] *= 0.5;
    scene.cloths[0].material.density *= 2.0;
    session.apply(scene.clone()).unwrap();
    assert_eq!(grown(&mut session), 10, "values keep it");
    session.go_to(2).unwrap();
    let mass = session.run().state.get(col::particle::mass)[100];
    assert!((session.positions()[100][3] * mass - 1.0).abs() < 1e-5, "with the masses of now");
    session.reset().unwrap();
    assert_eq!(session.history().moments().len(), 0, "a reset");
    assert_eq!(grown(&mut session), 5);
    let Shape::Grid { columns, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    *columns += 2;
    session.apply(scene).unwrap();
    assert_eq!(session.history().moments().len(), 0, "another grid");
    assert_eq!(grown(&mut session), 5);
    session.open_scene(&places::scene("hanging.ron")).unwrap();
    assert_eq!(session.history().moments().len(), 0, "another scene");
}

#[test]
fn every_pass_of_a_loop_has_the_bits_of_the_recording() {
    for solver in ["xpbd", "projective_dynamics", "vbd"] {
        let mut session = open("drape_on_sphere.ron", Some(solver));
        let hashes = with_hand(&mut session);
        session.start_loop(45).unwrap();
        assert_eq!((session.run().frame, hash(&session)), (15, hashes[15]), "{solver}: from its start");
        for pass in 0..3 {
            for (frame, recorded) in hashes.iter().enumerate().skip(16) {
                assert!(step(&mut session) == *recorded, "{solver}: pass {pass}, frame {frame}");
            }
        }
        let replay = session.timeline().replay().expect("it runs on");
        assert_eq!((replay.passes, replay.same), (2, Some(true)), "{solver}");
        assert_eq!(session.history().frames(60), Some(0..=60));
    }
}

#[test]
fn a_loop_takes_values_at_once_and_leaves_what_the_last_pass_had() {
    let mut session = open("drape_on_sphere.ron", None);
    let hashes = with_hand(&mut session);
    // From a past frame on, for a number of frames.
    session.go_to(10).unwrap();
    session.start_loop(30).unwrap();
    let (start, end) = session.timeline().replay().map(|replay| (replay.start, replay.end)).expect("it runs");
    assert_eq!((start, end, session.is_paused()), (10, 40, false));
    let mut scene = session.scene().clone();
    scene.gravity[1] *= 0.9;
    session.apply(scene).unwrap();
    let first: Vec<StateHash> = (0..30).map(|_| step(&mut session)).collect();
    assert!(first.iter().zip(&hashes[11..]).all(|(a, b)| a != b), "other gravity, other bits");
    let second: Vec<StateHash> = (0..30).map(|_| step(&mut session)).collect();
    assert!(first == second);
    (0..12).for_each(|_| _ = step(&mut session));
    session.end_loop();
    assert_eq!((session.run().frame, hash(&session)), (22, first[11]), "the cloth stays where the pass was");
    let after = step(&mut session);
    assert_ne!(after, first[12], "and the recorded hand lets go");
    assert!(session.positions().iter().all(|x| x[3] > 0.0));
    assert_eq!(session.history().frames(23), Some(0..=23), "what was recorded later is dropped");
    session.go_to(17).unwrap();
    assert_eq!(hash(&session), first[6], "the kept frames are the last pass's");
    session.go_to(8).unwrap();
    assert_eq!(hash(&session), hashes[8]);
}

#[test]
fn a_hand_ends_the_loop() {
    let mut session = open("drape_on_sphere.ron", None);
    with_hand(&mut session);
    session.start_loop(20).unwrap();
    (0..4).for_each(|_| _ = step(&mut session));
    session.drag_collider(0, Vec3::ZERO);
    assert!(session.timeline().replay().is_some(), "a hand that lies still does not");
    session.drag_collider(0, Vec3::X * 0.01);
    assert!(session.timeline().replay().is_none());
    step(&mut session);
    session.start_loop(10).unwrap();
    let at = session.positions()[30];
    session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.05);
    assert!(session.timeline().replay().is_none());
    step(&mut session);
    assert!(session.positions()[30][3] == 0.0);
}
