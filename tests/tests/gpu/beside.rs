//! Runs beside on the device: each does there what it does alone, beside runs of the CPU and whatever path the first is on.

use glam::Vec3;
use tests::{
    left_out,
    on_device::{NEEDS, hash, on_gpu, options, session, steps},
    state_points,
};
use weft_core::state::{StateHash, col};
use weft_engine::run::StepError;
use weft_gpu::GpuOptions;
use weft_scene::{RunPath, SolverChoice};
use weft_session::{Session, beside::Twin, readings};

const SCENE: &str = "drape_on_sphere.ron";
/// A particle inside of the cloth.
const HELD: usize = 150;

fn twins(session: &Session) -> &[Twin] {
    session.timeline().beside().twins()
}

fn add(session: &mut Session, name: &str, path: RunPath) {
    let mut choice: SolverChoice = session.setup().file().solver.clone();
    choice.choose(name);
    session.add_beside(choice).unwrap_or_else(|e| panic!("{e}"));
    session.set_beside_path(twins(session).len() - 1, path);
}

/// Frames in which the ball is moved.
fn handled(session: &mut Session) {
    for frame in 0..14 {
        if frame == 7 {
            session.drag_collider(0, Vec3::new(0.05, 0.0, 0.0));
        }
        steps(session, 1);
    }
}

/// A session of this solver alone, after those frames.
fn alone(name: &str, path: RunPath) -> Session {
    let mut session = session(SCENE, &[]);
    session.choose_solver(name);
    if path == RunPath::Gpu {
        session.use_gpu(&options()).unwrap_or_else(|e| panic!("{e}"));
    }
    handled(&mut session);
    session.measure();
    session
}

#[test]
fn each_does_there_what_it_does_alone() {
    if left_out("each_does_there_what_it_does_alone", NEEDS) {
        return;
    }
    let listed = [("xpbd", RunPath::Gpu), ("vbd", RunPath::Cpu), ("vbd", RunPath::Gpu)];
    let alone: Vec<Session> = listed.iter().map(|(name, path)| alone(name, *path)).collect();
    for first in [RunPath::Cpu, RunPath::Gpu] {
        let mut session = if first == RunPath::Gpu { on_gpu(SCENE, &[]) } else { session(SCENE, &[]) };
        session.set_device(options());
        listed.iter().for_each(|(name, path)| add(&mut session, name, *path));
        let start = hash(&mut session);
        handled(&mut session);
        session.measure();
        assert_eq!(session.gpu().is_some(), first == RunPath::Gpu);
        for (twin, alone) in twins(&session).iter().zip(&alone) {
            let name = format!("{} {:?} beside {first:?}", twin.run.solver, twin.path());
            assert!(twin.problem.is_none(), "{name}: {:?}", twin.problem);
            assert_eq!(StateHash::of(&twin.run.state), StateHash::of(&alone.run().state), "{name}");
            assert_eq!(twin.gpu().is_some(), twin.path() == RunPath::Gpu);
            assert!(twin.ms() > 0.0 && twin.difference.steps == 14, "{name}");
            for reading in ["stretch_p95", "kinetic_energy", "center_height"] {
                let of = |input| readings::find(&session.run().generation, reading)?.of(&input);
                let both = [of(session.readings_beside(twin)), of(alone.readings())];
                assert!(both[0].is_some() && both[0] == both[1], "{name}: {reading} {both:?}");
            }
        }
        let [ours, other] = [&twins(&session)[1], &twins(&session)[2]].map(Twin::positions);
        let far = state_points::apart(ours, other) / f64::from(weft_session::spacing(&session.run().state));
        // Two CPUs that begin a rounding apart are 0.25 apart where the sheet meets the ball.
        assert!(far < 0.5, "vbd on both paths: {far} rest lengths apart");
        // What is shared is one device.
        let devices: Vec<_> =
            twins(&session).iter().filter_map(Twin::gpu).map(|gpu| &gpu.gpu.device).collect();
        assert!(devices.len() == 2 && devices[0] == devices[1]);
        session.gpu().into_iter().for_each(|own| assert!(own.gpu.device == *devices[0]));
        // Back in time, and from the start.
        session.go_to(5).unwrap();
        let now = hash(&mut session);
        session.measure();
        assert!(twins(&session).iter().all(|twin| StateHash::of(&twin.run.state) == now));
        session.set_paused(false);
        session.reset().unwrap();
        assert_eq!(hash(&mut session), start);
        handled(&mut session);
        session.measure();
        for (twin, alone) in twins(&session).iter().zip(&alone) {
            assert_eq!(StateHash::of(&twin.run.state), StateHash::of(&alone.run().state), "once more");
        }
        hand_takes_all(&mut session);
    }
}

/// What the hand holds goes the same way in all of them, and is let go in all of them.
fn hand_takes_all(session: &mut Session) {
    let place = |x: &[f32; 4]| Vec3::new(x[0], x[1], x[2]);
    let all = |session: &Session| -> Vec<Vec3> {
        let rows = std::iter::once(session.positions()).chain(twins(session).iter().map(Twin::positions));
        rows.map(|rows| place(&rows[HELD])).collect()
    };
    let at = place(&session.positions()[HELD]);
    session.grab(0, at, 0.05);
    session.move_grab(at + Vec3::new(0.05, 0.1, 0.0));
    let before = all(session);
    steps(session, 4);
    let ways: Vec<Vec3> = all(session).iter().zip(&before).map(|(now, before)| *now - *before).collect();
    assert!(ways[0].length() > 0.05 && ways.iter().all(|way| (*way - ways[0]).length() < 1e-3), "{ways:?}");
    session.release();
    steps(session, 4);
    session.measure();
    let moves = |twin: &Twin| twin.run.state.get(col::particle::velocity)[HELD][..3] != [0.0; 3];
    assert!(twins(session).iter().all(|twin| twin.problem.is_none() && moves(twin)));
    assert!(twins(session).iter().all(|twin| twin.positions()[HELD][3] > 0.0), "let go");
}

#[test]
fn one_that_cannot_go_on_there_stands_still_and_the_others_go_on() {
    if left_out("one_that_cannot_go_on_there_stands_still_and_the_others_go_on", NEEDS) {
        return;
    }
    let mut session = session(SCENE, &[]);
    session.set_device(GpuOptions { adapter: Some("of nobody".into()), ..GpuOptions::default() });
    add(&mut session, "xpbd", RunPath::Gpu);
    add(&mut session, "vbd", RunPath::Cpu);
    let said = steps(&mut session, 3).join("\n");
    assert!(said.contains("xpbd beside stands still") && said.contains("of nobody"), "{said}");
    assert!(matches!(&twins(&session)[0].problem, Some(StepError::Gpu(why)) if why.contains("of nobody")));
    assert_eq!([twins(&session)[0].difference.steps, twins(&session)[1].difference.steps], [0, 3]);
    assert!(steps(&mut session, 1).is_empty(), "said once");
    // An adapter that is there, for all of them again.
    session.set_device(options());
    session.begin_together();
    steps(&mut session, 2);
    assert!(twins(&session).iter().all(|twin| twin.problem.is_none() && twin.difference.steps == 2));
    // A solver without passes; on the other path it goes on, from where the first is.
    session.choose_beside(0, "baraff_witkin");
    steps(&mut session, 2);
    let problem = &twins(&session)[0].problem;
    assert!(
        matches!(problem, Some(StepError::NotOffered(why)) if why.contains("baraff_witkin")),
        "{problem:?}"
    );
    assert_eq!(twins(&session)[1].difference.steps, 4);
    session.set_beside_path(0, RunPath::Cpu);
    let first = hash(&mut session);
    assert_eq!(StateHash::of(&twins(&session)[0].run.state), first);
    steps(&mut session, 1);
    assert_eq!((twins(&session)[0].difference.steps, &twins(&session)[0].problem), (1, &None));
}

#[test]
fn a_lost_device_ends_no_other_run() {
    if left_out("a_lost_device_ends_no_other_run", NEEDS) {
        return;
    }
    let mut session = session(SCENE, &[]);
    session.set_device(options());
    add(&mut session, "xpbd", RunPath::Gpu);
    add(&mut session, "vbd", RunPath::Cpu);
    steps(&mut session, 2);
    twins(&session)[0].gpu().expect("on the device").gpu.device.destroy();
    steps(&mut session, 2);
    assert!(
        matches!(&twins(&session)[0].problem, Some(StepError::Gpu(_))),
        "{:?}",
        twins(&session)[0].problem
    );
    assert_eq!((session.run().frame, twins(&session)[1].difference.steps), (4, 4));
    session.begin_together();
    steps(&mut session, 2);
    assert!(twins(&session)[0].gpu().is_some() && twins(&session)[0].difference.steps == 2);
    // From one path to the other the columns move bit for bit, there and back.
    session.measure();
    let before = StateHash::of(&twins(&session)[0].run.state);
    session.set_beside_path(0, RunPath::Cpu);
    assert_eq!(StateHash::of(&twins(&session)[0].run.state), before);
    steps(&mut session, 1);
    session.set_beside_path(0, RunPath::Gpu);
    steps(&mut session, 1);
    assert!(twins(&session)[0].gpu().is_some() && twins(&session)[0].difference.steps == 4);
}

#[test]
fn the_same_time_for_all_turns_substeps_there_too() {
    if left_out("the_same_time_for_all_turns_substeps_there_too", NEEDS) {
        return;
    }
    let mut session = session(SCENE, &[("solver.substeps", "4")]);
    session.set_device(options());
    add(&mut session, "xpbd", RunPath::Gpu);
    session.set_same_ms(true);
    let substeps = |session: &Session| twins(session)[0].run.param("substeps");
    let before = substeps(&session);
    steps(&mut session, 21);
    assert!(twins(&session)[0].problem.is_none(), "{:?}", twins(&session)[0].problem);
    // A software adapter is many times slower than the hot code.
    assert!(substeps(&session) < before, "{before:?}, {:?}", substeps(&session));
}
