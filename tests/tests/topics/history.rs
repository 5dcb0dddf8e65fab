//! Moments of a running session: back and forth, within a budget, and in a loop.

use glam::{Quat, Vec3};
use tests::places;
use weft_core::state::StateHash;
use weft_core::state::col;
use weft_scene::Shape;
use weft_session::{Options, Session};

/// A small scene from its start, with room for all frames of a test.
fn open(file: &str, solver: Option<&str>) -> Session {
    let set = |path: &str, value: &str| (path.to_string(), value.to_string());
    let mut overrides = vec![set("cloths[0].shape.columns", "23"), set("cloths[0].shape.rows", "19")];
    if solver.is_none() {
        overrides.push(set("solver.substeps", "16"));
    }
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
            44 => session.turn_collider(0, Quat::from_rotation_z(0.7)),
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
    // Each frame that is offered is there, the oldest too, although the present then takes a place beside it.
    session.go_to(first).unwrap();
    session.go_to(80).unwrap();
    assert!(session.history().memory().0 <= 1_000_000);
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

/// Cuts the cloth from side to side, so far above its middle [m]. Returns how many threads there were.
fn cut(session: &mut Session, above: f32) -> usize {
    let rows = session.positions();
    let height = above + rows.iter().map(|x| x[1]).sum::<f32>() / rows.len() as f32;
    let seen = |at: Vec3| Some(glam::Vec2::new(at.x, at.y));
    session.cut(glam::Vec2::new(-2.0, height), glam::Vec2::new(2.0, height), seen).expect("a cut")
}

fn broken(session: &Session) -> usize {
    session.run().state.get(col::thread::broken).iter().filter(|broken| **broken > 0).count()
}

#[test]
fn the_first_cut_leaves_the_frames_before_it_uncut() {
    let mut session = open("hanging.ron", None);
    let mut hashes = vec![hash(&session)];
    hashes.extend((0..20).map(|_| step(&mut session)));
    let uncut = session.setup().triangles(0).len();
    let threads = cut(&mut session, 0.0);
    assert!(threads > 10 && broken(&session) == threads);
    let torn = session.setup().triangles(0).len();
    assert!(torn < uncut);
    let at_cut = hash(&session);
    let after: Vec<StateHash> = (0..10).map(|_| step(&mut session)).collect();
    assert_eq!(session.timeline().frames(30), Some(0..=30));
    // Back to before it, frame by frame over the cut, and to any frame.
    session.go_to(20).unwrap();
    assert_eq!((hash(&session), session.setup().triangles(0).len()), (at_cut, torn));
    for frame in [19, 18, 3, 0, 19] {
        session.go_to(frame).unwrap();
        assert_eq!((hash(&session), broken(&session)), (hashes[frame as usize], 0), "frame {frame}");
        assert_eq!(session.setup().triangles(0).len(), uncut, "frame {frame}");
        assert_eq!(session.timeline().frames(frame), Some(0..=30));
    }
    for frame in [25, 30, 21] {
        session.go_to(frame).unwrap();
        assert_eq!(hash(&session), after[frame as usize - 21], "frame {frame}");
    }
    session.step_back().unwrap();
    session.step_back().unwrap();
    assert_eq!((session.run().frame, broken(&session)), (19, 0));
    // Who runs on from there leaves the cut.
    session.set_paused(false);
    assert_eq!(step(&mut session), hashes[20]);
    step(&mut session);
    assert_eq!(session.timeline().frames(21), Some(0..=21));
    assert!(session.go_to(25).unwrap_err().contains("frames 0 to 21"), "the frames with the cut are gone");
    // Another grid forgets both.
    cut(&mut session, 0.0);
    step(&mut session);
    session.reset().unwrap();
    assert_eq!(session.timeline().frames(0), None);
}

#[test]
fn a_cut_is_taken_back_and_done_again() {
    let mut session = open("hanging.ron", None);
    (0..15).for_each(|_| _ = step(&mut session));
    let before = hash(&session);
    let threads = cut(&mut session, 0.0);
    let cut_state = hash(&session);
    (0..6).for_each(|_| _ = step(&mut session));
    let after = hash(&session);
    assert_eq!(session.undo(), Ok(0));
    assert_eq!((hash(&session), session.run().frame, broken(&session)), (before, 15, 0));
    assert!(session.scene().cloths[0].material.tear.is_none());
    assert_eq!(session.timeline().frames(15), Some(0..=15));
    assert_eq!(session.redo(), Ok(0));
    assert_eq!((hash(&session), broken(&session)), (cut_state, threads));
    (0..6).for_each(|_| _ = step(&mut session));
    assert_eq!(hash(&session), after, "it goes on as it did");
    session.go_to(10).unwrap();
    assert_eq!(broken(&session), 0);
    session.go_to(21).unwrap();
    // A second one, a while later, is an edit of its own, and leaves the first.
    std::thread::sleep(std::time::Duration::from_millis(900));
    let more = cut(&mut session, -0.02);
    // Threads that hold on to nothing any more break as well.
    assert!(more > 0 && broken(&session) >= threads + more);
    // Pieces of one way are taken back together.
    let piece = cut(&mut session, -0.06);
    assert!(piece > 0);
    let all = broken(&session);
    (0..3).for_each(|_| _ = step(&mut session));
    assert_eq!(session.undo(), Ok(1));
    assert_eq!((hash(&session), session.run().frame, broken(&session)), (after, 21, threads));
    assert_eq!(session.redo(), Ok(0));
    assert_eq!(broken(&session), all);
    // Without a history it is the same.
    let mut session = open("hanging.ron", None);
    session.set_history_budget(0);
    (0..15).for_each(|_| _ = step(&mut session));
    cut(&mut session, 0.0);
    (0..6).for_each(|_| _ = step(&mut session));
    session.undo().unwrap();
    assert_eq!(hash(&session), before);
    // A cloth of other particles is another one.
    cut(&mut session, 0.0);
    let particles = session.positions().len();
    session.edit("cloths.sheet.shape.columns", &weft_scene::Edit::Numbers(vec![11.0])).unwrap();
    assert_ne!(session.positions().len(), particles);
    session.undo().unwrap();
    session.undo().unwrap();
    assert_eq!(hash(&session), before);
    cut(&mut session, 0.0);
    let mut scene = session.scene().clone();
    let Shape::Grid { columns, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    *columns += 2;
    session.apply(scene).unwrap();
    assert!(session.undo().unwrap_err().contains("another cloth"));
}

#[test]
fn the_frames_before_a_cut_count_in_the_budget() {
    let mut session = open("hanging.ron", None);
    session.set_history_budget(1);
    (0..40).for_each(|_| _ = step(&mut session));
    cut(&mut session, 0.0);
    let mut firsts = Vec::new();
    for _ in 0..200 {
        step(&mut session);
        firsts.push(*session.timeline().frames(session.run().frame).expect("frames").start());
        let (used, budget, ..) = session.timeline().kept();
        // The next moment's memory is made ready beside them.
        assert!(used <= budget + budget / 8, "{used} of {budget}");
    }
    assert!(firsts.is_sorted() && firsts[0] > 0, "the oldest went first: {firsts:?}");
    let gone = |from: u64| firsts.iter().filter(|first| **first > from).count();
    assert!(gone(0) > gone(40) && gone(40) > 0, "one by one, then those after the cut: {firsts:?}");
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
