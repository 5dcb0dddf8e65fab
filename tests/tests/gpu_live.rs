//! The GPU path under a session that runs: switches, history, edits, scenes, code, NaN and devices that are lost.

use sim_api::Key;
use std::{
    sync::{Arc, LazyLock},
    time::Instant,
};
use weft_core::state::col;

use glam::Vec3;
use sim::{solvers, state::TABLES, substep::Sim};
use sim_api::{Api, ColumnDesc, FINGERPRINT, Frame, List, Status, TableDesc, TableView, catch_step};
use tests::{device, edit_copy::EditCopy, left_out, places, process::Running, state_points};
use weft_core::state::StateHash;
use weft_engine::{generation::Generation, run::StepError};
use weft_gpu::{GpuOptions, Sources};
use weft_session::{Options, Session, live::Reload};

const FORCES: &str = "shaders/sim/lib/forces.wgsl";
const KEEP: &str = "shaders/sim/step/keep_velocity.wgsl";
const VELOCITY: &str = "shaders/sim/step/velocity.wgsl";
const PASSES: &str = "shaders/sim/passes.ron";

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

fn session(file: &str, set: &[(&str, &str)]) -> Session {
    let own = [("cloths[0].shape.columns", "20"), ("cloths[0].shape.rows", "17")];
    let set =
        own.iter().chain(set).map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
    let options = Options { scene: places::scene(file), threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(64);
    session
}

fn options() -> GpuOptions {
    GpuOptions { adapter: Some(device::adapter()), ..GpuOptions::default() }
}

fn on_gpu(file: &str, set: &[(&str, &str)]) -> Session {
    let mut session = session(file, set);
    session.use_gpu(&options()).unwrap_or_else(|e| panic!("{e}"));
    session
}

fn passes(session: &Session) -> &str {
    session.gpu().map_or("the CPU", |gpu| gpu.list.name.as_str())
}

/// What the steps said. The state follows.
fn steps(session: &mut Session, count: usize) -> Vec<String> {
    let notices: Vec<_> = (0..count).flat_map(|_| session.step().unwrap_or_else(|e| panic!("{e}"))).collect();
    session.try_read().unwrap_or_else(|e| panic!("{e}"));
    notices.into_iter().map(|notice| notice.text).collect()
}

fn hash(session: &mut Session) -> StateHash {
    session.try_read().unwrap();
    StateHash::of(&session.run().state)
}

/// Distance of two sessions in rest lengths.
fn apart(a: &Session, b: &Session) -> f64 {
    let rest = a.run().state.get(col::distance::rest).iter().copied().fold(f32::INFINITY, f32::min);
    state_points::apart(a.positions(), b.positions()) / f64::from(rest)
}

/// Saves a changed file, as the window does.
fn edit(session: &mut Session, file: &str, from: &str, to: &str) -> Result<usize, String> {
    let (gpu, run) = session.on_device().expect("on the device");
    let text = gpu.sources().text(file).unwrap().to_string();
    assert!(text.contains(from), "{file} has no `{from}`");
    gpu.edit(run, file, &text.replacen(from, to, 1)).map_err(|error| error.to_string())
}

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
fn an_edit_that_leaves_its_twin_is_told() {
    if left_out("an_edit_that_leaves_its_twin_is_told", NEEDS) {
        return;
    }
    let mut session = on_gpu("hanging.ron", &[]);
    let parity = |session: &mut Session| {
        session.check_parity();
        session.device().parity().cloned().unwrap().unwrap()
    };
    let good = parity(&mut session);
    assert!(
        good.is_good() && good.apart > 0.0 && good.substeps == 20 && good.particles == 20 * 17,
        "{good:?}"
    );
    edit(&mut session, FORCES, "gravity * h", "gravity * (0.9 * h)").unwrap();
    let bad = parity(&mut session);
    assert!(!bad.is_good() && bad.text().contains("rest lengths apart after 20 substeps"), "{bad:?}");
    assert!(steps(&mut session, 1).join("\n").contains("the twins differ"));
    // The whole folder, one file of it broken: the other goes on alone.
    let mut folder = Sources::built_in();
    folder.set(VELOCITY, "broken");
    let scene = session.scene().clone();
    let (gpu, run) = session.on_device().unwrap();
    let input = weft_engine::run::input(&scene, &[]);
    let mut save = |file: &str| gpu.reload(run, &input, None, file, &folder);
    assert!(save(VELOCITY).unwrap_err().to_string().contains("shaders/sim/step/velocity.wgsl:1:1"));
    assert_eq!(save(FORCES).unwrap(), 1);
    assert!(parity(&mut session).is_good());
}

#[test]
fn the_same_texts_saved_again_leave_every_bit() {
    if left_out("the_same_texts_saved_again_leave_every_bit", NEEDS) {
        return;
    }
    // As A5 of the CPU path: at 20 points of a run all that is read from the folder is made anew.
    const POINTS: usize = 20;
    let folder = Sources::built_in();
    let mut commented = folder.clone();
    let list = folder.text(PASSES).unwrap();
    commented.set(PASSES, &format!("{list}// Saved again.\n"));
    for solver in ["xpbd", "explicit", "vbd"] {
        let [mut plain, mut saved] = [0, 1].map(|_| {
            let mut session = on_gpu("drape_on_sphere.ron", &[]);
            session.choose_solver(solver);
            session
        });
        for point in 0..POINTS {
            steps(&mut plain, 3);
            steps(&mut saved, 3);
            assert!(hash(&mut plain) == hash(&mut saved), "{solver}: frame {}", saved.run().frame);
            let input = weft_engine::run::input(saved.scene(), &[]);
            let (gpu, run) = saved.on_device().unwrap();
            // Every second time each file alone, else the list and with it all of them.
            let count = if point % 2 == 0 {
                let files: Vec<String> =
                    gpu.pass_names().iter().map(|name| format!("shaders/sim/{name}.wgsl")).collect();
                let texts = files.iter().map(|file| (file, folder.text(file).unwrap()));
                texts.map(|(file, text)| gpu.edit(run, file, text).unwrap()).sum()
            } else {
                let now = gpu.sources().text(PASSES) == Some(list);
                gpu.reload(run, &input, None, PASSES, if now { &commented } else { &folder }).unwrap()
            };
            assert!(count >= 5, "{solver}: {count} passes were compiled");
        }
        steps(&mut plain, 3);
        steps(&mut saved, 3);
        assert!(hash(&mut plain) == hash(&mut saved) && saved.run().frame == 63, "{solver}");
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

#[test]
fn a_watched_run_takes_saved_passes() {
    if left_out("a_watched_run_takes_saved_passes", NEEDS) {
        return;
    }
    let (copy, forces) = (EditCopy::fresh(), FORCES);
    let set = ["--set", "cloths[0].shape.columns=20", "--set", "cloths[0].shape.rows=17"];
    let adapter = device::adapter();
    let on = ["run", "scenes/hanging.ron", "--watch", "--path", "gpu", "--adapter", &adapter];
    let mut program = Running::weft(&copy.root, &[&on[..], &set].concat());
    program.wait_for(&["[gpu] llvmpipe", "goes on with the passes xpbd_coloured"]);
    let before = copy.edit(forces, "gravity * h", "gravity * hh");
    program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl:19:", "(the last good passes go on)"]);
    copy.write(forces, &before);
    program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl is as it was"]);
    copy.edit(forces, "gravity * h", "gravity * (0.5 * h)");
    program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl computes: 1 pass(es)"]);
    program.wait_for(&["[parity]", "the twins differ"]);
    copy.edit(forces, "gravity * (0.5 * h)", "gravity * sqrt(-h)");
    program.wait_for(&["[step] solver xpbd (passes xpbd_coloured) made particle.position"]);
    copy.write(forces, &before);
    program.wait_for(&["[parity] GPU and CPU are", "e-"]);
    let scene =
        copy.edit("scenes/hanging.ron", "solver: (name: \"xpbd\"", "solver: (name: \"baraff_witkin\"");
    program.wait_for(&["[gpu] the solver baraff_witkin is not offered on the GPU path", "the CPU goes on"]);
    copy.write("scenes/hanging.ron", &scene);
    program.wait_for(&["[gpu] llvmpipe", "goes on with the passes xpbd_coloured"]);
    assert!(program.alive());
}

/// The built-in code with one more column of the state.
static WARM: LazyLock<&'static Api> = LazyLock::new(|| {
    let template = TABLES[0].columns.as_slice().iter().find(|column| column.name.as_str() == "predicted");
    let heat = ColumnDesc { name: sim_api::Str::new("heat"), ..*template.expect("a state column") };
    let columns: &'static [ColumnDesc] = [TABLES[0].columns.as_slice(), &[heat]].concat().leak();
    let mut tables: Vec<TableDesc> = TABLES.to_vec();
    tables[0].columns = List::new(columns);
    Box::leak(Box::new(Api {
        fingerprint: FINGERPRINT,
        size: size_of::<Api>(),
        tables: List::new(tables.leak()),
        solvers: List::new(&solvers::DESCRIPTIONS),
        readings: List::new(sim::self_collision::READINGS),
        step: warm,
    }))
});

unsafe extern "C" fn warm(frame: *mut Frame) -> Status {
    let run = |frame: &Frame| {
        let bound = frame.tables();
        let own = |i: usize| TableView {
            column_count: bound[i].column_count - usize::from(i == 0),
            // SAFETY: a view is plain data, valid for this call.
            ..unsafe { std::ptr::read(&raw const bound[i]) }
        };
        let views: Vec<TableView> = (0..bound.len()).map(own).collect();
        let solver = &solvers::SOLVERS[frame.solver as usize];
        // SAFETY: the host bound the tables to the schema above; `heat` is the last column of the first table.
        let state = unsafe { sim::state::State::bind(&views) }.expect("the built-in tables");
        let mut sim = Sim::new(frame, solver, state);
        sim::outcome::begin(&mut sim);
        (solver.step)(&mut sim);
        sim::outcome::finish(&mut sim);
        Status::Ok
    };
    // SAFETY: the frame is the host's.
    unsafe { catch_step(frame, run) }
}

#[test]
fn code_with_another_column_goes_there_and_passes_can_bind_it() {
    if left_out("code_with_another_column_goes_there_and_passes_can_bind_it", NEEDS) {
        return;
    }
    let mut session = on_gpu("hanging.ron", &[]);
    steps(&mut session, 5);
    let text = Sources::built_in().text(KEEP).unwrap().to_string();
    let text = text
        .replace(
            "    particle_acceleration[i] =",
            "    particle_heat[i] = vec4f(1.0, 2.0, 3.0, particle_heat[i].w + 1.0);\n    particle_acceleration[i] =",
        );
    let missing = session.on_device().map(|(gpu, run)| gpu.edit(run, KEEP, &text)).unwrap().unwrap_err();
    assert!(missing.message.contains("no definition in scope for identifier: `particle_heat`"), "{missing}");
    let before = hash(&mut session);
    // SAFETY: the library is this program.
    let code = Arc::new(unsafe { Generation::from_api(*WARM, 5, 0) }.expect("it fits"));
    let now = Instant::now();
    let reload = Reload { saved: now, built: now, probed: now, published: now, small: false };
    let notice = session.swap_code(code, reload);
    assert!(
        notice.good && notice.text.contains("unchanged") && notice.text.contains("particle.heat"),
        "{notice:?}"
    );
    let said = steps(&mut session, 1).join("\n");
    assert!(
        said.contains("rest lengths apart") && !said.contains("differ"),
        "parity with the new code: {said}"
    );
    assert!(session.gpu().is_some() && session.run().frame == 6);
    assert_ne!(hash(&mut session), before);
    let mut plain = on_gpu("hanging.ron", &[]);
    steps(&mut plain, 6);
    assert_eq!(hash(&mut session), hash(&mut plain));
    // A column that no pass has bound before: it goes there, and comes back.
    session.edit_run(|run| {
        run.state.get_mut(Key::<[f32; 4]>::new("particle", "heat")).fill([0.0, 0.0, 0.0, 7.0]);
    });
    let gpu = session.gpu().unwrap();
    assert!(gpu.read("particle", "heat").unwrap().is_none());
    let (gpu, run) = session.on_device().unwrap();
    assert_eq!(gpu.edit(run, KEEP, &text).unwrap(), 1);
    steps(&mut session, 2);
    assert!(
        session
            .run()
            .state
            .get(Key::<[f32; 4]>::new("particle", "heat"))
            .iter()
            .all(|h| *h == [1.0, 2.0, 3.0, 9.0])
    );
}
