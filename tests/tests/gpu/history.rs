//! History on the GPU path stays on the device: what comes back each frame, and that a moment has every bit.

use glam::Vec3;
use tests::{device, left_out, places};
use weft_core::state::col;
use weft_core::{energy::Energy, state::StateHash};
use weft_engine::run::StepError;
use weft_gpu::{GpuOptions, ReadbackScope, Sources};
use weft_session::{Options, Session};

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// A scene on the GPU path from its start, with room for all frames of a test.
fn open(file: &str, solver: &str, set: &[(&str, &str)]) -> Session {
    let own = [("cloths[0].shape.columns", "23"), ("cloths[0].shape.rows", "19"), ("solver.substeps", "16")];
    let set = own.iter().chain(set).map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let solver = Some(solver.to_string());
    let options = Options { scene: places::scene(file), solver, threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    let on = GpuOptions { adapter: Some(device::adapter()), ..GpuOptions::default() };
    session.use_gpu(&on).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn hash(session: &mut Session) -> StateHash {
    session.try_read().unwrap_or_else(|e| panic!("{e}"));
    StateHash::of(&session.run().state)
}

/// What a step leaves besides the state.
fn outcome(session: &Session) -> Vec<u32> {
    let stress = session.run().state.get(col::particle::stress).iter().map(|s| s.to_bits());
    let acceleration = session.run().state.get(col::particle::acceleration).iter();
    stress.chain(acceleration.flat_map(|a| a.map(f32::to_bits))).collect()
}

/// Forty frames in which a hand pulls at the cloth, lets go, and moves the ball; nothing comes back meanwhile unless
/// `looks`. Hashes of all frames then, of the last one else.
fn with_hand(session: &mut Session, looks: bool) -> Vec<(StateHash, Vec<u32>)> {
    let mut seen = Vec::new();
    for frame in 0..40 {
        match frame {
            10 => {
                session.grab(0, Vec3::new(0.0, 1.0, 0.0), 0.06);
            }
            11..20 => {
                session.move_grab(session.hand().grab().expect("held").target + Vec3::new(0.01, 0.02, 0.005))
            }
            20 => session.release(),
            25 => session.drag_collider(0, Vec3::new(0.0, 0.05, 0.1)),
            _ => {}
        }
        session.step().unwrap_or_else(|e| panic!("{e}"));
        if looks || frame == 39 {
            let hash = hash(session);
            seen.push((hash, outcome(session)));
        }
    }
    seen
}

#[test]
fn every_moment_has_the_bits_of_its_frame() {
    if left_out("every_moment_has_the_bits_of_its_frame", NEEDS) {
        return;
    }
    for solver in ["xpbd", "vbd", "explicit"].into_iter().take(if tests::long() { 3 } else { 2 }) {
        let seen = with_hand(&mut open("drape_on_sphere.ron", solver, &[]), true);
        let mut session = open("drape_on_sphere.ron", solver, &[]);
        let last = with_hand(&mut session, false);
        assert!(last[0] == seen[39], "{solver}: looking changes nothing");
        for frame in [39, 3, 40, 1, 19, 20, 21, 11, 10, 32, 40] {
            session.go_to(frame).unwrap();
            assert_eq!(hash(&mut session), seen[frame as usize - 1].0, "{solver}: frame {frame}");
            assert!(outcome(&session) == seen[frame as usize - 1].1, "{solver}: numbers of frame {frame}");
        }
        session.step_back().unwrap();
        session.step_back().unwrap();
        assert!(session.run().frame == 38 && session.gpu().is_some());
        for frame in [38, 39] {
            session.step().unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(hash(&mut session), seen[frame].0, "{solver}: again frame {}", frame + 1);
        }
        // A loop over the hand, with nothing to look at in between.
        session.start_loop(35).unwrap();
        for pass in 0..3 {
            (0..35).for_each(|_| _ = session.step().unwrap_or_else(|e| panic!("{e}")));
            assert_eq!(hash(&mut session), seen[39].0, "{solver}: pass {pass}");
        }
        assert_eq!(session.timeline().replay().unwrap().same, Some(true), "{solver}");
        session.end_loop();
        // The CPU goes on; moments of the device are there still.
        session.use_cpu().unwrap();
        session.step().unwrap_or_else(|e| panic!("{e}"));
        session.go_to(17).unwrap();
        assert_eq!(hash(&mut session), seen[16].0, "{solver}: from the CPU");
    }
}

#[test]
fn a_frame_brings_back_what_is_looked_at() {
    if left_out("a_frame_brings_back_what_is_looked_at", NEEDS) {
        return;
    }
    let mut session = open("hanging.ron", "xpbd", &[]);
    let (particles, _) = session.sizes();
    let a_frame = |session: &mut Session, bring: ReadbackScope| {
        session.set_readback(bring);
        session.step().unwrap_or_else(|e| panic!("{e}"));
        let before = session.gpu().unwrap().gpu.bytes_read();
        for _ in 0..5 {
            session.step().unwrap_or_else(|e| panic!("{e}"));
        }
        let bytes = session.gpu().unwrap().gpu.bytes_read() - before;
        assert_eq!(bytes % 5, 0, "every frame is as the others");
        (bytes / 5) as usize
    };
    session.set_history_budget(0);
    let plain = a_frame(&mut session, ReadbackScope::Nothing);
    session.set_history_budget(64);
    let kept = a_frame(&mut session, ReadbackScope::Nothing);
    let drawn = a_frame(&mut session, ReadbackScope::Positions);
    println!("{particles} particles: {plain} bytes a frame, with history {kept}, drawn {drawn}");
    // A flag, a count of what had no room, and two timestamps where there are some; a part of the energy for 16 particles.
    assert!(plain <= 4 + 4 + 16, "{plain}");
    // From the next 16 bytes on.
    assert_eq!(kept - plain, 8 + 16 * particles.div_ceil(16));
    assert_eq!(drawn - kept, 16 * particles);
    assert_eq!(session.history().moments().len(), 12);
    let (used, budget) = session.history().memory();
    // Position, velocity and predicted velocity of each particle, and the force of each row.
    let rows = session.run().state.table("distance").unwrap().rows;
    let least = 12 * (48 * particles + 4 * rows);
    assert!(used >= least && used < least + 12 * 1024 && used <= budget, "{used} of {budget}, {least}");
}

#[test]
fn the_budget_holds_on_the_device() {
    if left_out("the_budget_holds_on_the_device", NEEDS) {
        return;
    }
    let mut session = open("flag.ron", "xpbd", &[]);
    session.set_history_budget(1);
    for _ in 0..60 {
        session.step().unwrap_or_else(|e| panic!("{e}"));
        let (used, budget) = session.history().memory();
        assert!(used <= budget && budget == 1_000_000, "{used} of {budget}");
    }
    let count = session.history().moments().len();
    let bytes = session.history().moments().map(weft_session::history::Moment::bytes).sum::<usize>();
    assert_eq!(session.history().memory().0, bytes, "nothing else is held");
    assert!((10..60).contains(&count), "{count}");
    let first = 60 - count as u64;
    assert_eq!(session.history().frames(60), Some(first..=60));
    session.go_to(first + 1).unwrap();
    (0..50).for_each(|_| _ = session.step().unwrap_or_else(|e| panic!("{e}")));
    assert!(session.history().memory().0 <= 1_000_000);
    let numbers: Vec<u64> = session.history().moments().map(|moment| moment.frame).collect();
    assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?}");
    session.go_to(numbers[2]).unwrap();
    // No room for two frames: it says so.
    let mut session =
        open("hanging.ron", "xpbd", &[("cloths[0].shape.columns", "120"), ("cloths[0].shape.rows", "120")]);
    session.set_history_budget(1);
    session.step().unwrap_or_else(|e| panic!("{e}"));
    session.choose_solver("explicit");
    session.step().unwrap_or_else(|e| panic!("{e}"));
    let why = session.history().off().expect("off").to_string();
    assert!(why.contains("two frames take 3 MB here, --history 3 or more"), "{why}");
}

#[test]
fn a_device_without_memory_for_more_keeps_fewer() {
    if left_out("a_device_without_memory_for_more_keeps_fewer", NEEDS) {
        return;
    }
    const ROOM: usize = 12;
    let mut session = open("hanging.ron", "xpbd", &[]);
    let mut hashes = vec![hash(&mut session)];
    let (mut said, mut a_frame) = (Vec::new(), 0);
    for frame in 0..50 {
        if frame == 5 {
            // The device's memory ends a few frames from here.
            a_frame = session.history().moments().next_back().unwrap().bytes();
            let gpu = &mut session.on_device().unwrap().0.gpu;
            let Some(used) = gpu.used() else { return };
            gpu.memory = Some((used + (ROOM * a_frame) as u64) * 100 / 95);
        }
        let notices = session.step().unwrap_or_else(|e| panic!("{e}"));
        said.extend(notices.into_iter().filter(|notice| notice.kind == "history").map(|notice| notice.text));
        hashes.push(hash(&mut session));
    }
    println!("{said:?}");
    assert!(said.len() == 1 && said[0].contains("do not fit beside"), "{said:?}");
    let (count, (used, budget)) = (session.history().moments().len(), session.history().memory());
    assert!((5..=5 + ROOM).contains(&count), "{count}");
    assert!(used <= budget && budget < (6 + ROOM) * a_frame && session.gpu().is_some(), "{used} of {budget}");
    let numbers: Vec<u64> = session.history().moments().map(|moment| moment.frame).collect();
    assert!(
        numbers.windows(2).all(|pair| pair[1] == pair[0] + 1) && numbers.last() == Some(&49),
        "{numbers:?}"
    );
    for frame in [numbers[2], 48, 50] {
        session.go_to(frame).unwrap();
        assert_eq!(hash(&mut session), hashes[frame as usize], "frame {frame}");
    }
}

#[test]
fn the_energy_on_the_device_is_that_of_its_state() {
    if left_out("the_energy_on_the_device_is_that_of_its_state", NEEDS) {
        return;
    }
    for size in ["2", "23", "60"] {
        let mut session = open("flag.ron", "xpbd", &[("cloths[0].shape.columns", size)]);
        for _ in 0..5 {
            session.step().unwrap_or_else(|e| panic!("{e}"));
        }
        let found = session.gpu().unwrap().energy().expect("history is on");
        session.try_read().unwrap();
        let real = Energy::of(&session.run().state);
        let scale = real.kinetic.max(1e-3 * real.mass);
        assert!(
            real.kinetic > 0.0 && (found.kinetic - real.kinetic).abs() < 1e-5 * scale,
            "{found:?} {real:?}"
        );
        assert!((found.moment - real.moment).length() < 1e-5 * real.mass, "{found:?} {real:?}");
        assert_eq!(found.mass.to_bits(), real.mass.to_bits());
    }
}

const FORCES: &str = "shaders/sim/lib/forces.wgsl";
/// Of that: the factor of the air on a velocity in a substep.
const DAMPING: &str = "1.0 / (1.0 + h * air_damping)";

#[test]
fn a_pass_that_blows_up_is_taken_back_to_its_last_sane_frame() {
    if left_out("a_pass_that_blows_up_is_taken_back_to_its_last_sane_frame", NEEDS) {
        return;
    }
    let mut session = open("hanging.ron", "xpbd", &[]);
    let save = |session: &mut Session, to: &str| {
        let text = Sources::built_in().text(FORCES).unwrap().replacen(DAMPING, to, 1);
        let (gpu, run) = session.on_device().expect("on the device");
        assert_eq!(gpu.edit(run, FORCES, &text).unwrap(), 1);
    };
    let mut hashes = vec![hash(&mut session)];
    for _ in 0..60 {
        session.step().unwrap_or_else(|e| panic!("{e}"));
        hashes.push(hash(&mut session));
    }
    // Air that drives instead of damping, and NaN at last.
    save(&mut session, "1.06");
    let (mut alarms, mut frames) = (0, 60);
    let error = loop {
        match session.step() {
            Ok(notices) => alarms += notices.iter().filter(|notice| notice.kind == "energy").count(),
            Err(error) => break error,
        }
        frames += 1;
        assert!(frames < 600, "it does not blow up");
    };
    assert!(matches!(error, StepError::NotFinite { .. }) && session.has_blown_up(), "{error}");
    assert_eq!((alarms, session.run().frame), (1, frames));
    session.show_where_it_began().unwrap();
    let began = session.timeline().blow_up().cloned().expect("found");
    println!("NaN after frame {frames}: {}", began.text);
    assert!((58..=64).contains(&began.frame) && began.end == frames, "{}", began.text);
    assert!(session.gpu().is_some() && session.run().frame == began.frame && !session.marked().is_empty());
    session.go_to(57).unwrap();
    assert_eq!(hash(&mut session), hashes[57]);
    // The fix, and on it goes as if nothing had been.
    save(&mut session, DAMPING);
    for expected in &hashes[58..] {
        session.step().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(hash(&mut session), *expected);
    }
}

#[test]
fn a_lost_device_goes_on_from_the_last_whole_state() {
    if left_out("a_lost_device_goes_on_from_the_last_whole_state", NEEDS) {
        return;
    }
    let mut session = open("hanging.ron", "xpbd", &[]);
    session.set_recovers(true);
    session.set_readback(ReadbackScope::Positions);
    let run = |session: &mut Session, frames: usize| {
        (0..frames).for_each(|_| _ = session.step().unwrap_or_else(|e| panic!("{e}")));
    };
    run(&mut session, 5);
    let whole = hash(&mut session);
    run(&mut session, 4);
    let later = hash(&mut open_at(9));
    session.gpu().unwrap().gpu.device.destroy();
    run(&mut session, 1);
    assert_eq!((session.run().frame, hash(&mut session)), (5, whole), "positions of frame 9 would not fit");
    assert_eq!(session.history().moments().len(), 0, "history was lost with it");
    run(&mut session, 4);
    assert_eq!((session.run().frame, hash(&mut session)), (9, later));
    session.go_to(6).unwrap();
    assert_eq!(session.run().frame, 6);
}

/// The hanging cloth after some frames.
fn open_at(frames: usize) -> Session {
    let mut session = open("hanging.ron", "xpbd", &[]);
    (0..frames).for_each(|_| _ = session.step().unwrap_or_else(|e| panic!("{e}")));
    session
}
