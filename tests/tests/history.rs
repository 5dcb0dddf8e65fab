//! Moments of a running lab: back and forth, within a budget, and in a loop.

use glam::Vec3;
use tests::places;
use weft_core::state::StateHash;
use weft_core::state::col;
use weft_scene::Shape;
use weft_session::lab::{Lab, Options};

/// A small scene from its start, with room for all frames of a test.
fn open(file: &str, solver: Option<&str>) -> Lab {
    let set = |path: &str, value: &str| (path.to_string(), value.to_string());
    let overrides = vec![set("cloths[0].shape.columns", "23"), set("cloths[0].shape.rows", "19")];
    let solver = solver.map(str::to_string);
    let options =
        Options { scene: places::scene(file), solver, threads: 1, set: overrides, ..Options::default() };
    let mut lab = Lab::open(options).unwrap_or_else(|e| panic!("{e}"));
    lab.history.set_budget(64);
    lab
}

fn hash(lab: &Lab) -> StateHash {
    StateHash::of(&lab.run.state)
}

fn step(lab: &mut Lab) -> StateHash {
    lab.step().unwrap_or_else(|e| panic!("{e}"));
    hash(lab)
}

/// Sixty frames in which a hand pulls at the cloth, lets go, and moves the ball. The hash after each, and at the start.
fn with_hand(lab: &mut Lab) -> Vec<StateHash> {
    let mut hashes = vec![hash(lab)];
    for frame in 0..60 {
        if frame == 25 {
            lab.drag_collider(0, Vec3::new(0.15, 0.0, 0.0));
        }
        match frame {
            20 => {
                let at = lab.positions()[200];
                lab.grab(0, Vec3::new(at[0], at[1], at[2]), 0.06);
            }
            21..34 => lab.grab.as_mut().expect("held").target += Vec3::new(0.01, 0.02, 0.005),
            34 => lab.release(),
            40 => lab.drag_collider(0, Vec3::new(0.0, 0.05, 0.1)),
            // A pause in which the ball jumps.
            50 => {
                lab.paused = true;
                lab.drag_collider(0, Vec3::new(0.02, 0.0, 0.0));
                lab.paused = false;
            }
            _ => {}
        }
        hashes.push(step(lab));
    }
    hashes
}

/// What a step leaves besides the state: the numbers that the cloth can be coloured with.
fn outcome(lab: &Lab) -> (Vec<u32>, Vec<[u32; 4]>) {
    let stress = lab.run.state.get(col::particle::stress).iter().map(|s| s.to_bits());
    let acceleration = lab.run.state.get(col::particle::acceleration).iter();
    (stress.collect(), acceleration.map(|a| a.map(f32::to_bits)).collect())
}

#[test]
fn stresses_of_the_past_are_shown_with_it() {
    let mut lab = open("drape_on_sphere.ron", None);
    let outcomes: Vec<_> = (0..30)
        .map(|frame| {
            if frame == 12 {
                let at = lab.positions()[200];
                lab.grab(0, Vec3::new(at[0], at[1], at[2]), 0.06);
                lab.grab.as_mut().unwrap().target += Vec3::Y * 0.1;
                lab.drag_collider(0, Vec3::X * 0.1);
            }
            step(&mut lab);
            outcome(&lab)
        })
        .collect();
    for frame in [13, 29, 14, 1, 30, 12] {
        lab.go_to(frame).unwrap();
        assert!(outcome(&lab) == outcomes[frame as usize - 1], "frame {frame}");
        assert!(lab.measured.motion.max_stress.is_some_and(|stress| stress > 0.0));
    }
    lab.go_to(0).unwrap();
    assert_eq!(lab.measured.motion.max_stress, None, "no step led to it");
}

#[test]
fn back_and_forth_shows_what_was() {
    let mut lab = open("drape_on_sphere.ron", None);
    let hashes = with_hand(&mut lab);
    assert_eq!(lab.history.frames(60), Some(0..=60));
    for frame in [59, 3, 60, 0, 33, 34, 35, 21, 20, 47, 60] {
        lab.go_to(frame).unwrap();
        assert_eq!(hash(&lab), hashes[frame as usize], "frame {frame}");
        assert_eq!((lab.run.frame, lab.paused), (frame, true));
        assert!((lab.run.time - frame as f64 / 60.0).abs() < 1e-6);
    }
    lab.step_back().unwrap();
    lab.step_back().unwrap();
    assert_eq!((lab.run.frame, hash(&lab)), (58, hashes[58]));
    // Without a hand the last frames follow from what is there.
    assert_eq!((step(&mut lab), step(&mut lab)), (hashes[59], hashes[60]));
    // In the middle of the pull the cloth is let go, and what came after is dropped.
    lab.go_to(30).unwrap();
    assert!(lab.positions().iter().any(|x| x[3] == 0.0), "still in the hand");
    assert_ne!(step(&mut lab), hashes[31]);
    assert!(lab.positions().iter().all(|x| x[3] > 0.0), "let go");
    assert_eq!(lab.history.frames(31), Some(0..=31));
    let error = lab.go_to(45).unwrap_err();
    assert!(error.contains("frame 45 is not kept: frames 0 to 31 are"), "{error}");
    lab.go_to(29).unwrap();
    assert_eq!(hash(&lab), hashes[29], "before that, nothing changed");
}

#[test]
fn the_budget_holds_and_the_oldest_go() {
    let mut lab = open("flag.ron", None);
    lab.history.set_budget(1);
    for _ in 0..80 {
        step(&mut lab);
        let (used, budget) = lab.history.memory();
        assert!(used <= budget && budget == 1_000_000, "{used} of {budget}");
    }
    let count = lab.history.moments().len();
    let bytes = lab.history.moments().map(weft_session::history::Moment::bytes).sum::<usize>();
    assert_eq!(lab.history.memory().0, bytes, "nothing else is held");
    let one = bytes / count;
    assert!(count + 2 > 1_000_000 / one && count < 80, "{count} moments of {one} bytes");
    let first = 80 - count as u64;
    assert_eq!(lab.history.frames(80), Some(first..=80));
    assert!(lab.go_to(first - 1).is_err() && lab.history.memory().0 <= 1_000_000);
    // What is dropped by running on gives its memory to what comes.
    lab.go_to(70).unwrap();
    (0..30).for_each(|_| _ = step(&mut lab));
    assert!(lab.history.memory().0 <= 1_000_000);
    let numbers: Vec<u64> = lab.history.moments().map(|moment| moment.frame).collect();
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
    assert_eq!(numbers.last(), Some(&99));
    // Too little for one moment: nothing is kept, and nothing fails.
    let mut lab = open("flag.ron", None);
    let mut scene = lab.scene.clone();
    let Shape::Grid { columns, rows, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    (*columns, *rows) = (150, 150);
    lab.apply(scene).unwrap();
    lab.history.set_budget(1);
    (0..3).for_each(|_| _ = step(&mut lab));
    assert_eq!(lab.history.moments().len(), 0);
    assert!(lab.go_to(1).is_err() && lab.start_loop(2).is_err());
}

#[test]
fn without_a_budget_nothing_is_kept() {
    let mut lab = open("flag.ron", None);
    lab.history.set_budget(0);
    (0..5).for_each(|_| _ = step(&mut lab));
    assert_eq!((lab.history.moments().len(), lab.history.memory()), (0, (0, 0)));
    assert!(lab.go_to(2).unwrap_err().contains("history is off"));
    assert!(lab.start_loop(5).unwrap_err().contains("history is off"));
}

#[test]
fn another_past_forgets_the_one_before() {
    let mut lab = open("drape_on_sphere.ron", None);
    let grown = |lab: &mut Lab| {
        (0..5).for_each(|_| _ = step(lab));
        lab.history.moments().len()
    };
    assert_eq!(grown(&mut lab), 5);
    let mut scene = lab.scene.clone();
    scene.gravity[1] *= 0.5;
    scene.cloths[0].material.density *= 2.0;
    lab.apply(scene.clone()).unwrap();
    assert_eq!(grown(&mut lab), 10, "values keep it");
    lab.go_to(2).unwrap();
    let mass = lab.run.state.get(col::particle::mass)[100];
    assert!((lab.positions()[100][3] * mass - 1.0).abs() < 1e-5, "with the masses of now");
    lab.reset().unwrap();
    assert_eq!(lab.history.moments().len(), 0, "a reset");
    assert_eq!(grown(&mut lab), 5);
    let Shape::Grid { columns, .. } = &mut scene.cloths[0].shape else { panic!("a grid") };
    *columns += 2;
    lab.apply(scene).unwrap();
    assert_eq!(lab.history.moments().len(), 0, "another grid");
    assert_eq!(grown(&mut lab), 5);
    lab.open_scene(&places::scene("hanging.ron")).unwrap();
    assert_eq!(lab.history.moments().len(), 0, "another scene");
}

#[test]
fn every_pass_of_a_loop_has_the_bits_of_the_recording() {
    for solver in ["xpbd", "projective_dynamics", "vbd"] {
        let mut lab = open("drape_on_sphere.ron", Some(solver));
        let hashes = with_hand(&mut lab);
        lab.start_loop(45).unwrap();
        assert_eq!((lab.run.frame, hash(&lab)), (15, hashes[15]), "{solver}: from its start");
        for pass in 0..3 {
            for (frame, recorded) in hashes.iter().enumerate().skip(16) {
                assert!(step(&mut lab) == *recorded, "{solver}: pass {pass}, frame {frame}");
            }
        }
        let replay = lab.replay.as_ref().expect("it runs on");
        assert_eq!((replay.passes, replay.same), (2, Some(true)), "{solver}");
        assert_eq!(lab.history.frames(60), Some(0..=60));
    }
}

#[test]
fn a_loop_takes_values_at_once_and_leaves_what_the_last_pass_had() {
    let mut lab = open("drape_on_sphere.ron", None);
    let hashes = with_hand(&mut lab);
    // From a past frame on, for a number of frames.
    lab.go_to(10).unwrap();
    lab.start_loop(30).unwrap();
    let (start, end) = lab.replay.as_ref().map(|replay| (replay.start, replay.end)).expect("it runs");
    assert_eq!((start, end, lab.paused), (10, 40, false));
    let mut scene = lab.scene.clone();
    scene.gravity[1] *= 0.9;
    lab.apply(scene).unwrap();
    let first: Vec<StateHash> = (0..30).map(|_| step(&mut lab)).collect();
    assert!(first.iter().zip(&hashes[11..]).all(|(a, b)| a != b), "other gravity, other bits");
    let second: Vec<StateHash> = (0..30).map(|_| step(&mut lab)).collect();
    assert!(first == second);
    (0..12).for_each(|_| _ = step(&mut lab));
    lab.end_loop();
    assert_eq!((lab.run.frame, hash(&lab)), (22, first[11]), "the cloth stays where the pass was");
    let after = step(&mut lab);
    assert_ne!(after, first[12], "and the recorded hand lets go");
    assert!(lab.positions().iter().all(|x| x[3] > 0.0));
    assert_eq!(lab.history.frames(23), Some(0..=23), "what was recorded later is dropped");
    lab.go_to(17).unwrap();
    assert_eq!(hash(&lab), first[6], "the kept frames are the last pass's");
    lab.go_to(8).unwrap();
    assert_eq!(hash(&lab), hashes[8]);
}

#[test]
fn a_hand_ends_the_loop() {
    let mut lab = open("drape_on_sphere.ron", None);
    with_hand(&mut lab);
    lab.start_loop(20).unwrap();
    (0..4).for_each(|_| _ = step(&mut lab));
    lab.drag_collider(0, Vec3::ZERO);
    assert!(lab.replay.is_some(), "a hand that lies still does not");
    lab.drag_collider(0, Vec3::X * 0.01);
    assert!(lab.replay.is_none());
    step(&mut lab);
    lab.start_loop(10).unwrap();
    let at = lab.positions()[30];
    lab.grab(0, Vec3::new(at[0], at[1], at[2]), 0.05);
    assert!(lab.replay.is_none());
    step(&mut lab);
    assert!(lab.positions()[30][3] == 0.0);
}
