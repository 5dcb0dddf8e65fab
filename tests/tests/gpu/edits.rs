//! Passes that are saved while a session runs on the device: parity, the same bits, new columns.

use sim::{solvers, state::TABLES, substep::Sim};
use sim_api::Key;
use sim_api::{Api, ColumnDesc, FINGERPRINT, Frame, List, Status, TableDesc, TableView, catch_step};
use std::{
    sync::{Arc, LazyLock},
    time::Instant,
};
use tests::on_device::{FORCES, NEEDS, edit, hash, on_gpu, steps};
use tests::{device, edit_copy::EditCopy, left_out, long, process::Running};
use weft_engine::generation::Generation;
use weft_gpu::Sources;
use weft_session::{Options, Session, live::Reload};

const KEEP: &str = "shaders/sim/step/keep_velocity.wgsl";
const VELOCITY: &str = "shaders/sim/step/velocity.wgsl";
const PASSES: &str = "shaders/sim/passes.ron";

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

/// Hair on a head sticks and slips by the last bit: what a rounding comes to on the CPU is not taken for a mistake, and a mistake is not
/// taken for that.
#[test]
fn where_roundings_grow_twins_are_told_from_mistakes() {
    if left_out("where_roundings_grow_twins_are_told_from_mistakes", NEEDS) {
        return;
    }
    let set = vec![("solver.name".to_string(), "follow_the_leader".to_string())];
    let options =
        Options { scene: tests::places::scene("head_turn.ron"), threads: 1, set, ..Options::default() };
    let mut session = Session::open(options).unwrap();
    session.use_gpu(&tests::on_device::options()).unwrap();
    let parity = |session: &mut Session| {
        session.check_parity();
        session.device().parity().cloned().unwrap().unwrap()
    };
    let good = parity(&mut session);
    assert!(good.is_good() && good.text().contains("; two CPUs that begin a rounding apart end"), "{good:?}");
    edit(&mut session, FORCES, "gravity * h", "gravity * (0.9 * h)").unwrap();
    let bad = parity(&mut session);
    assert!(!bad.is_good() && bad.text().ends_with(": the twins differ"), "{bad:?}");
}

#[test]
fn the_same_texts_saved_again_leave_every_bit() {
    if left_out("the_same_texts_saved_again_leave_every_bit", NEEDS) {
        return;
    }
    // As A5 of the CPU path: at some points of a run all that is read from the folder is made anew.
    let points = if long() { 20 } else { 2 };
    let folder = Sources::built_in();
    let mut commented = folder.clone();
    let list = folder.text(PASSES).unwrap();
    commented.set(PASSES, &format!("{list}// Saved again.\n"));
    for solver in ["xpbd", "explicit", "vbd"] {
        let [mut plain, mut saved] = [0, 1].map(|_| {
            let mut session = on_gpu("drape_on_sphere.ron", &[("solver.substeps", "16")]);
            session.choose_solver(solver);
            session
        });
        for point in 0..points {
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
        assert!(hash(&mut plain) == hash(&mut saved) && saved.run().frame == 3 * points + 3, "{solver}");
    }
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
    program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl:21:", "(the last good passes go on)"]);
    copy.write(forces, &before);
    program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl is as it was"]);
    copy.edit(forces, "gravity * h", "gravity * (0.5 * h)");
    program.wait_for(&["[pass] shaders/sim/lib/forces.wgsl computes: 1 pass(es)"]);
    program.wait_for(&["[parity]", "the twins differ"]);
    copy.edit(forces, "gravity * (0.5 * h)", "gravity * sqrt(-h)");
    program.wait_for(&["[step] solver xpbd (passes xpbd_coloured) made particle.position"]);
    copy.write(forces, &before);
    program.wait_for(&["[parity] GPU and CPU are", "e-"]);
    let lists = copy.edit(PASSES, "solver: \"explicit\"", "solver: \"explicitt\"");
    program.wait_for(&["[pass] shaders/sim/passes.ron:", "no solver `explicitt`; did you mean `explicit`?"]);
    copy.write(PASSES, &lists);
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
