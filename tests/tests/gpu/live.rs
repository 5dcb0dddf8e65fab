//! The GPU path under a session that runs: switches, history, edits, scenes, code, NaN and devices that are lost.

use weft_core::state::col;

use glam::Vec3;
use tests::on_device::{FORCES, NEEDS, apart, edit, hash, on_gpu, options, passes, session, steps};
use tests::{left_out, places};
use weft_core::state::StateHash;
use weft_engine::run::StepError;
use weft_proof::replay::{self, ReplayOptions};
use weft_session::{
    Options, Session,
    player::CodeChoice,
    recorder::Recorder,
    ring::{Ring, Stage},
};

#[test]
fn history_goes_back_and_the_same_bits_follow() {
    if left_out("history_goes_back_and_the_same_bits_follow", NEEDS) {
        return;
    }
    let mut session = on_gpu("drape_on_sphere.ron", &[]);
    let mut hashes = vec![hash(&mut session)];
    for frame in 0..12 {
        if frame == 3 {
            let at = session.positions()[150];
            session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.05);
            session.move_grab(session.hand().grab().unwrap().target + Vec3::new(0.05, 0.1, 0.0));
        }
        if frame == 7 {
            session.release();
            session.drag_collider(0, Vec3::new(0.05, 0.0, 0.0));
        }
        steps(&mut session, 1);
        hashes.push(hash(&mut session));
    }
    assert_eq!(passes(&session), "xpbd_coloured");
    session.go_to(9).unwrap();
    assert_eq!(hash(&mut session), hashes[9]);
    session.set_paused(false);
    for expected in &hashes[10..] {
        steps(&mut session, 1);
        assert_eq!(hash(&mut session), *expected, "frame {}", session.run().frame);
    }
    // A loop repeats the hand as well.
    session.start_loop(10).unwrap();
    steps(&mut session, 21);
    assert_eq!(session.timeline().replay().unwrap().same, Some(true));
    session.end_loop();
    session.reset().unwrap();
    assert_eq!(hash(&mut session), hashes[0]);
    steps(&mut session, 1);
    assert_eq!(hash(&mut session), hashes[1]);
    assert!(session.start_compare().unwrap_err().contains("on the CPU path"));
}

#[test]
fn changes_of_the_scene_go_there_too() {
    if left_out("changes_of_the_scene_go_there_too", NEEDS) {
        return;
    }
    let mut sessions = [session("hanging.ron", &[]), on_gpu("hanging.ron", &[])];
    for session in &mut sessions {
        steps(session, 10);
        // Values under the same rows, then other rows of one cloth, then the parameters.
        let mut scene = session.scene().clone();
        scene.gravity = [1.0, -5.0, 0.0];
        scene.cloths[0].material.density *= 3.0;
        scene.cloths[0].pins.pop();
        assert_eq!(session.apply(scene).unwrap(), Vec::<String>::new());
        steps(session, 2);
    }
    assert!(apart(&sessions[0], &sessions[1]) < 1e-2, "{}", apart(&sessions[0], &sessions[1]));
    let unpinned = sessions[1].run().state.get(col::particle::position).iter();
    assert_eq!(unpinned.filter(|x| x[3] == 0.0).count(), 1);
    for session in &mut sessions {
        let mut scene = session.scene().clone();
        if let weft_scene::Shape::Grid { columns, .. } = &mut scene.cloths[0].shape {
            *columns = 15;
        }
        assert_eq!(session.apply(scene).unwrap(), ["sheet"]);
        let order =
            session.solver().unwrap().params.as_slice().iter().find(|p| p.name.as_str() == "order").unwrap();
        session.set_param(order, 1.0);
        steps(session, 2);
    }
    assert_eq!((passes(&sessions[1]), sessions[1].positions().len()), ("xpbd_jacobi", 15 * 17));
    assert!(apart(&sessions[0], &sessions[1]) < 1e-2, "{}", apart(&sessions[0], &sessions[1]));
    let [_, session] = &mut sessions;
    session.open_scene(&places::scene("flag.ron")).unwrap();
    steps(session, 2);
    assert!(session.gpu().is_some() && session.run().frame == 2);
}

#[test]
fn what_is_not_offered_runs_on_the_cpu_until_it_is() {
    if left_out("what_is_not_offered_runs_on_the_cpu_until_it_is", NEEDS) {
        return;
    }
    let mut session = on_gpu("hanging.ron", &[]);
    steps(&mut session, 3);
    let offers = session.device().capabilities();
    assert!(offers.solvers["projective_dynamics"].contains("not offered on the GPU path"), "{offers:?}");
    assert!(!offers.solvers.contains_key("explicit"), "{offers:?}");
    assert!(offers.params["damping"].contains("xpbd_coloured needs damping 0"), "{offers:?}");
    assert!(!offers.params.contains_key("substeps") && offers.choices.contains_key(&("order".into(), 2)));
    let before = hash(&mut session);
    session.choose_solver("projective_dynamics");
    let said = steps(&mut session, 1).join("\n");
    assert!(
        said.contains("projective_dynamics is not offered") && said.contains("the CPU goes on"),
        "{said}"
    );
    assert!(session.gpu().is_none() && session.device().refusal().is_some() && session.run().frame == 4);
    assert_ne!(hash(&mut session), before);
    session.choose_solver("explicit");
    let said = steps(&mut session, 1).join("\n");
    assert!(
        said.contains("goes on with the passes explicit_fused") && session.device().refusal().is_none(),
        "{said}"
    );
    // A list that takes no colliders gives way to one that does, while there are some; the hand may hold in both.
    let mut session = on_gpu("hanging.ron", &[("solver.order", "\"jacobi\"")]);
    let with = session.scene().clone();
    let mut without = session.scene().clone();
    without.colliders.clear();
    session.apply(without).unwrap();
    steps(&mut session, 2);
    assert_eq!(passes(&session), "xpbd_fused");
    let at = session.positions()[200];
    session.grab(0, Vec3::new(at[0], at[1], at[2]), 0.02);
    steps(&mut session, 2);
    assert_eq!(passes(&session), "xpbd_fused");
    session.apply(with).unwrap();
    steps(&mut session, 2);
    assert_eq!(passes(&session), "xpbd_jacobi");
    session.release();
    assert!(session.positions()[200][3] > 0.0);
}

#[test]
fn nan_pauses_at_the_state_before_it() {
    if left_out("nan_pauses_at_the_state_before_it", NEEDS) {
        return;
    }
    for history in [64, 0] {
        let mut session = on_gpu("hanging.ron", &[]);
        session.set_history_budget(history);
        steps(&mut session, 5);
        let before = hash(&mut session);
        edit(&mut session, FORCES, "gravity * h", "gravity * sqrt(-h)").unwrap();
        let error = session.step().unwrap_err();
        assert!(matches!(error, StepError::NotFinite { particle: 0, column: "position", .. }), "{error}");
        assert!(error.to_string().contains("passes xpbd_coloured"), "{error}");
        assert!(session.is_paused() && session.gpu().is_some() && session.run().frame == 5);
        assert_eq!(hash(&mut session), before);
        edit(&mut session, FORCES, "gravity * sqrt(-h)", "gravity * h").unwrap();
        session.set_paused(false);
        let mut other = on_gpu("hanging.ron", &[]);
        steps(&mut session, 1);
        steps(&mut other, 6);
        assert_eq!(hash(&mut session), hash(&mut other), "as if nothing had been");
    }
}

#[test]
fn a_lost_device_is_opened_again_twice() {
    if left_out("a_lost_device_is_opened_again_twice", NEEDS) {
        return;
    }
    let mut session = on_gpu("hanging.ron", &[]);
    session.set_recovers(true);
    for time in 1..=3 {
        steps(&mut session, 2);
        let (frame, before) = (session.run().frame, hash(&mut session));
        session.gpu().unwrap().gpu.device.destroy();
        let said = steps(&mut session, 1).join("\n");
        println!("{said}");
        assert_eq!(
            (session.run().frame, StateHash::of(&session.run().state)),
            (frame, before),
            "nothing is lost"
        );
        assert_eq!(session.gpu().is_some(), time < 3, "{said}");
        assert_eq!(said.contains("opened again"), time < 3, "{said}");
    }
    steps(&mut session, 2);
    let told = session.problems().list().iter().map(|(_, text)| text.clone()).collect::<String>();
    assert!(told.contains("3 failure(s) within 30 s: the CPU goes on"), "{told}");
    session.switch_path(Some(options()));
    steps(&mut session, 1);
    assert!(
        session.gpu().is_some() && session.problems().list().is_empty(),
        "asked for again, it is tried again"
    );
}

/// Nothing reads positions back then: the way of each frame begins where the last one ended, not where the host last saw it.
#[test]
fn moving_pins_and_roots_go_their_way_without_history() {
    if left_out("moving_pins_and_roots_go_their_way_without_history", NEEDS) {
        return;
    }
    let strip = places::temporary("moving_pins").join("strip.ron");
    let text =
        "(version: 1, cloths: [(id: \"strip\", shape: Grid(columns: 20, rows: 12, width: 1, height: 0.6),
        pins: [Edge(Left)], handles: [(pins: [Edge(Right)], turns: 0.5, shift: (-0.2, 0, 0), seconds: 1)])])";
    std::fs::write(&strip, text).unwrap();
    // Pressure makes 9 cm of one bit in these 20 frames, on the CPU alone.
    let calm = ("strands.hair.between.pressure", "0");
    let hair: &[(&str, &str)] = &[
        calm,
        ("strands.hair.roots.count", "40"),
        ("strands.hair.particles", "10"),
        ("colliders.head.motion.keys[1][0]", "0.02"),
        ("colliders.head.motion.keys[2][0]", "0.5"),
    ];
    // A jump, which hair is carried over.
    let far: &[(&str, &str)] = &[
        calm,
        ("strands.hair.roots.count", "40"),
        ("strands.hair.particles", "10"),
        ("colliders.head.motion.keys[1][0]", "0.1"),
        ("colliders.head.motion.keys[2][0]", "0.101"),
        ("colliders.head.motion.keys[2][1]", "(0.8, 0, 0)"),
        ("colliders.head.motion.keys[3][1]", "(0.8, 0, 0)"),
    ];
    let head = || places::scene("head_turn.ron");
    for (file, set) in [(strip, &[][..]), (head(), hair), (head(), far)] {
        let set = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
        let opened = Options { scene: file.clone(), threads: 1, set, ..Options::default() };
        let file = file.display();
        let mut sessions: [Session; 2] =
            std::array::from_fn(|_| Session::open(opened.clone()).unwrap_or_else(|e| panic!("{file}: {e}")));
        for session in sessions.iter_mut().filter(|session| !session.scene().strands.is_empty()) {
            // Sweeps go on from a rounding in contact as they would without it; with `strand_newton` hair ends 0.098 rest lengths apart.
            session.choose_solver("xpbd");
        }
        sessions[1].use_gpu(&options()).unwrap_or_else(|e| panic!("{file}: {e}"));
        let start = sessions[0].positions().to_vec();
        sessions.iter_mut().for_each(|session| drop(steps(session, 1)));
        for session in &mut sessions {
            (0..14).for_each(|_| drop(session.step().unwrap_or_else(|e| panic!("{file}: {e}"))));
        }
        sessions[1].try_read().unwrap();
        let [cpu, gpu] = [&sessions[0], &sessions[1]];
        println!("HELD {file}: {:.2e} rest lengths", apart(cpu, gpu));
        assert!(apart(cpu, gpu) < 0.05, "{file}: {} rest lengths", apart(cpu, gpu));
        let moved = |i: usize| (0..3).any(|axis| (cpu.positions()[i][axis] - start[i][axis]).abs() > 1e-3);
        let held = (0..start.len()).filter(|&i| start[i][3] == 0.0 && moved(i)).count();
        assert!(held > 10, "{file}: {held} held particles moved");
    }
}

#[test]
fn a_recording_made_while_the_gpu_path_was_refused_replays() {
    if left_out("a_recording_made_while_the_gpu_path_was_refused_replays", NEEDS) {
        return;
    }
    let file = places::temporary("refused_replay").join("a.weft");
    let mut session = session("hanging.ron", &[]);
    session.choose_solver("projective_dynamics");
    session.switch_path(Some(options()));
    let refused = |session: &Session| {
        let why = session.device().refusal().is_some_and(|why| why.contains("not offered"));
        why && session.gpu().is_none() && session.device().wanted().is_some()
    };
    assert!(refused(&session), "{:?}", session.device().refusal());
    let mut recorder = Recorder::create(&file, &mut session).unwrap_or_else(|e| panic!("{e}"));
    let mut ring = Ring::default();
    for _ in 0..8 {
        ring.time(Stage::Step, || session.step()).unwrap_or_else(|e| panic!("{e}"));
        session.measure();
        recorder.collect(&mut session);
        recorder.frame(&session, &ring.close()).unwrap_or_else(|e| panic!("{e}"));
    }
    recorder.finish(&mut session).unwrap_or_else(|e| panic!("{e}"));
    // What no passes offer was computed by the CPU, and is again.
    let options = ReplayOptions { file, threads: 2, until: None, code: CodeChoice::default() };
    let (played, mut again) = replay::run(&options).unwrap_or_else(|e| panic!("{e}"));
    assert!(played.diverged.is_none() && again.run().frame == 8);
    assert_eq!(hash(&mut again), hash(&mut session));
    assert!(refused(&again));
}
