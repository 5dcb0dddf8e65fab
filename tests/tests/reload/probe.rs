//! The probe: what would end, hang or spoil the program is refused before it is loaded here, with its cause; the last
//! good code runs on and the next good save is taken.

use std::{fs, path::PathBuf};

use sim_api::World;
use tests::{edit_copy::EditCopy, left_out, places, process::Running};
use weft_proof::validate::fixture::Fixture;
use weft_scene::assemble;
use weft_session::live::{
    Refusal, gate,
    probe::{Fault, Prober, Trial, TrialRun, Verdict},
};

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const VBD: &str = "sim-dylib/src/solvers/vbd.rs";
const FLAG: &str = "scenes/flag.ron";
const ITERATIONS: &str = "let iterations = sim.count(&ITERATIONS);";
const PER_H2: &str = "per_h2: 1.0 / (time.h";

/// A program on its first live library, and the good saves that it has taken.
struct Session {
    copy: EditCopy,
    program: Running,
    /// `xpbd.rs` as it is in the tree.
    good: String,
    generation: u32,
}

impl Session {
    /// `None`: left out.
    fn start(test: &str) -> Option<Self> {
        if left_out(test, "a copy of the tree to edit, and cargo") {
            return None;
        }
        let copy = EditCopy::fresh();
        let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
        program.wait_for(&["[first step] generation 1 "]);
        let good = copy.read(XPBD);
        Some(Self { copy, program, good, generation: 1 })
    }

    /// Saves `xpbd.rs` with lines after the first of its step and waits for the refusal.
    fn refuses(&mut self, lines: &str, parts: &[&str]) {
        let text = self.good.replacen(ITERATIONS, &format!("{ITERATIONS}\n    {lines}"), 1);
        self.refuses_text(&text, parts);
    }

    fn refuses_text(&mut self, text: &str, parts: &[&str]) {
        self.copy.write(XPBD, text);
        let all = [&["[reload] refused: "], parts, &["the last good code runs on: save a fix"]].concat();
        self.program.wait_for(&all);
        self.goes_on();
    }

    /// The next good save is the next generation: nothing was loaded in between, and nothing stood still.
    fn goes_on(&mut self) {
        self.generation += 1;
        let other = format!("per_h2: 1.00{} / (time.h", self.generation);
        self.copy.write(XPBD, &self.good.replacen(PER_H2, &other, 1));
        self.program.wait_for(&[&format!("[reload] generation {} runs: kept", self.generation), "unchanged"]);
        self.program.wait_for(&[&format!("[first step] generation {} stepped", self.generation)]);
        let stood = self.program.seen().iter().find(|line| line.starts_with("[step]")).cloned();
        assert_eq!(stood, None, "the last good code runs on");
        assert!(self.program.alive());
    }

    /// Line of `xpbd.rs` on which the added lines begin.
    fn line(&self) -> usize {
        2 + self.good.split(ITERATIONS).next().unwrap_or_default().matches('\n').count()
    }
}

#[test]
fn panics_are_refused_with_their_place() {
    let Some(mut session) = Session::start("panics_are_refused_with_their_place") else { return };
    let at = |column: u32| format!("solver xpbd panicked at {XPBD}:{}:{column}: ", session.line());
    let (panic, job) = (at(5), at(37));
    session.refuses("assert!(sim.h > 9.0, \"torn\");", &[&panic, "torn (step 1 of "]);
    session.refuses("sim.par.each(4, |i| if i == 3 { panic!(\"job {i}\") });", &[&job, "job 3"]);
    session.refuses(
        "sim.state.particle.velocity[std::hint::black_box(1 << 30)][0] = 0.0;",
        &["panicked at", "index out of bounds", "1073741824"],
    );
}

#[test]
fn what_ends_or_hangs_a_process_does_it_in_the_probe() {
    let Some(mut session) = Session::start("what_ends_or_hangs_a_process_does_it_in_the_probe") else {
        return;
    };
    session.refuses("if sim.h < 9.0 { std::process::abort() }", &["solver xpbd aborted (SIGABRT)"]);
    session.refuses(
        "unsafe { (std::hint::black_box(8_usize) as *mut u32).write_volatile(1) }",
        &["solver xpbd wrote or read outside of its columns (SIGSEGV)"],
    );
    session.refuses(
        "if sim.h < 9.0 { std::process::exit(3) }",
        &["solver xpbd ended the process with exit code 3"],
    );
    session.refuses(
        "fn deep(n: u64) -> u64 { let a = std::hint::black_box([n; 64]); a[0] + deep(a[1] + 1) + a[2] }
         assert!(deep(1) > 0);",
        &["solver xpbd overflowed its stack"],
    );
    session.refuses(
        "while std::hint::black_box(sim.h) < 9.0 {}",
        &["solver xpbd did not finish 1 step in 2 s: an endless loop?"],
    );
    session.refuses(
        "let mut all = Vec::new(); while sim.h < 9.0 { all.push(std::hint::black_box(vec![0_u8; 1 << 28])); }",
        &["solver xpbd asked for more than", "MB of memory"],
    );
    // Another process that holds the pipes open keeps nobody waiting.
    let started = std::time::Instant::now();
    session.refuses(
        "if sim.h < 9.0 { let _ = std::process::Command::new(\"sleep\").arg(\"300\").spawn(); std::process::abort() }",
        &["solver xpbd aborted (SIGABRT)"],
    );
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    let start = "\nextern \"C\" fn start() { std::process::abort() }\n#[used]\n#[unsafe(link_section = \".init_array\")]\n\
                 static START: extern \"C\" fn() = start;\n";
    let text = session.good.clone() + start;
    session.refuses_text(&text, &["the library aborted (SIGABRT)", "while it was loaded"]);
}

#[test]
fn what_spoils_the_state_is_refused_by_column() {
    let Some(mut session) = Session::start("what_spoils_the_state_is_refused_by_column") else { return };
    session.refuses(
        "sim.state.particle.velocity[77][0] = f32::NAN;",
        &["solver xpbd made particle.", "NaN or infinite"],
    );
    session.refuses(
        "sim.state.particle.velocity.iter_mut().for_each(|v| v[0] = f32::NAN);",
        &["solver xpbd made particle.", "of particle 0 NaN or infinite (and ", " more) (step 1 of "],
    );
    session.refuses(
        "unsafe { sim.state.particle.velocity.as_mut_ptr().cast::<f32>().sub(1).write_volatile(0.0) }",
        &["solver xpbd wrote outside of particle.velocity"],
    );
    session.refuses(
        "unsafe { sim.state.distance.rest.as_ptr().cast_mut().write_volatile(0.5) }",
        &["solver xpbd wrote to distance.rest (`given`), which is the host's"],
    );
    session.refuses(
        "let here = 0_u8;
         let address = std::hint::black_box(&raw const here) as usize >> 4;
         sim.state.particle.position[100][0] += (address % 65536) as f32 * 1e-6;",
        &["solver xpbd does not repeat itself: particle.position of row", "with one thread and", "with two"],
    );
}

#[test]
fn folders_that_vanish_are_made_anew() {
    let Some(mut session) = Session::start("folders_that_vanish_are_made_anew") else { return };
    let hot = session.copy.root.join("target/hot");
    let autosave = hot.join(format!("autosave/{}.weft", session.program.id()));
    // The loader begins to watch on a thread of its own, which says nothing of when it does: a folder that vanishes before is
    // one that was never there.
    std::thread::sleep(std::time::Duration::from_secs(1));
    // The program may write into them at that moment.
    for folder in ["live", "autosave"] {
        tests::process::poll("a folder to go", || fs::remove_dir_all(hot.join(folder)).ok());
    }
    session.goes_on();
    tests::process::poll("an autosave", || autosave.exists().then_some(()));
}

#[test]
fn solvers_that_do_not_run_are_tried_too() {
    let Some(mut session) = Session::start("solvers_that_do_not_run_are_tried_too") else { return };
    let step = "let h = sim.frame.dt / substeps as f32;";
    let null =
        format!("{step}\n    unsafe {{ (std::hint::black_box(8_usize) as *mut u32).write_volatile(1) }}");
    let before = session.copy.edit(VBD, step, &null);
    session.program.wait_for(&[
        "[reload] refused: solver vbd wrote or read outside of its columns",
        "it does not run now",
    ]);
    // The same again: known by its content.
    session.copy.write(VBD, &session.copy.read(VBD));
    session.program.wait_for(&["[reload] refused: solver vbd wrote or read outside of its columns"]);
    // A panic is caught when that solver is chosen.
    session.copy.write(VBD, &before.replacen(step, &format!("{step}\n    assert!(h > 9.0, \"to do\");"), 1));
    session.program.wait_for(&["[reload] generation 2 runs"]);
    session.generation = 2;
    session.goes_on();
}

/// A prober whose children run the `weft` of this build, and that build's library. `None`: left out.
fn prober(test: &str) -> Option<(Prober, Vec<u8>)> {
    let library = places::build().join("libsim.so");
    if !(library.exists() && places::weft().exists()) && left_out(test, "a built weft and libsim.so") {
        return None;
    }
    let library = gate::read(&library).unwrap_or_else(|e| panic!("{e}"));
    Some((Prober::start(places::weft(), places::temporary(&format!("probe-{test}"))), library))
}

/// The flag after a few frames.
fn flag(solver: &str) -> TrialRun {
    let mut scene = weft_scene::load(places::scene("flag.ron"), &weft_scene::Vocabulary::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene;
    scene.solver.choose(solver);
    let world: World = assemble::world(&scene);
    let (dt, mut fixture) = (scene.step, Fixture::of(scene));
    fixture.frames(2);
    TrialRun {
        solver: solver.into(),
        params: fixture.run.params.clone(),
        image: Some(fixture.run.image()),
        dt,
        world,
        holds: Vec::new(),
        step_secs: 0.0,
        stopped: false,
    }
}

/// The same with velocities at which no solver can go on.
fn doomed() -> TrialRun {
    let scene = weft_scene::load(places::scene("flag.ron"), &weft_scene::Vocabulary::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene;
    let mut fixture = Fixture::of(scene);
    fixture.v_mut().iter_mut().skip(100).step_by(3).for_each(|v| v[0] = 1e37);
    TrialRun { image: Some(fixture.run.image()), ..flag("xpbd") }
}

fn verdict(prober: &Prober, library: &[u8], run: TrialRun) -> Verdict {
    let number = prober.probe(library.to_vec(), None, Trial { runs: vec![run] });
    let verdict = prober.verdicts.recv_timeout(tests::process::PATIENCE).expect("a verdict");
    assert_eq!(verdict.number, number);
    verdict
}

#[test]
fn a_good_library_passes_with_every_solver() {
    let Some((prober, library)) = prober("good") else { return };
    for solver in tests::fixture::solvers() {
        let verdict = verdict(&prober, &library, flag(solver));
        assert!(!verdict.small);
        assert_eq!(verdict.library.as_ref().map(Vec::len), Ok(library.len()), "{solver}");
    }
}

#[test]
fn a_state_that_is_too_large_is_stood_for_by_a_small_cloth() {
    let Some((prober, library)) = prober("small") else { return };
    let verdict = verdict(&prober, &library, TrialRun { image: None, ..flag("vbd") });
    assert!(verdict.small && verdict.library.is_ok(), "{:?}", verdict.library.err());
}

#[test]
fn nan_that_the_running_code_makes_too_is_no_reason() {
    let Some((prober, library)) = prober("physics") else { return };
    // The code that runs, the one linked in, fails there as well.
    let both = verdict(&prober, &library, doomed());
    assert!(both.library.is_ok(), "{:?}", both.library.err());
    // It just did.
    let stopped = verdict(&prober, &library, TrialRun { stopped: true, ..doomed() });
    assert!(stopped.library.is_ok(), "{:?}", stopped.library.err());
    // Code that comes through, in its place: then the library is at fault.
    let number = prober.probe(library.clone(), Some(not_a_library().into()), Trial { runs: vec![doomed()] });
    let alone = prober.verdicts.recv_timeout(tests::process::PATIENCE).expect("a verdict");
    assert_eq!(alone.number, number);
    let Err(Refusal::Failed(failure)) = alone.library else { panic!("{:?}", alone.library.err()) };
    assert!(matches!(failure.fault, Fault::NotFinite { .. } | Fault::NotFactored(_)), "{failure}");
}

/// A whole file with the head of a library and nothing behind it.
fn not_a_library() -> Vec<u8> {
    let mut bytes = vec![0xa5; 8192];
    bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
    bytes[0x28..0x30].copy_from_slice(&4096_u64.to_le_bytes());
    bytes[0x3a..0x3c].copy_from_slice(&64_u16.to_le_bytes());
    bytes[0x3c..0x3e].copy_from_slice(&2_u16.to_le_bytes());
    bytes
}

#[test]
fn garbage_is_refused_in_words() {
    let Some((prober, library)) = prober("garbage") else { return };
    let garbage = not_a_library();
    assert_eq!(gate::check_complete(&garbage), Ok(()), "the length alone does not tell");
    let refused = |library: &[u8]| match verdict(&prober, library, flag("xpbd")).library {
        Ok(_) => panic!("it was taken"),
        Err(refusal) => refusal.to_string(),
    };
    let said = refused(&garbage);
    assert!(said.contains("the built library does not load"), "{said}");
    // A library of somebody else.
    let other = ["/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"];
    if let Some(other) = other.iter().find_map(|path| fs::read(path).ok()) {
        let said = refused(&other);
        assert!(said.contains("exports no `sim_api`"), "{said}");
    }
    assert!(verdict(&prober, &library, flag("xpbd")).library.is_ok(), "the next good one is taken");
}

#[test]
fn a_newer_library_ends_the_probe_of_an_older_one() {
    let Some((prober, library)) = prober("newer") else { return };
    let trial = Trial { runs: vec![flag("xpbd")] };
    let older = prober.probe(library.clone(), None, trial.clone());
    let newer = prober.probe(library, None, trial);
    assert!(older < newer);
    let verdict = prober.verdicts.recv_timeout(tests::process::PATIENCE).expect("a verdict");
    assert_eq!(verdict.number, newer);
}

#[test]
fn without_a_program_to_run_it_nothing_is_taken() {
    let Some((_, library)) = prober("none") else { return };
    let missing = PathBuf::from("no such program");
    let prober = Prober::start(missing, places::temporary("probe-none"));
    let said = verdict(&prober, &library, flag("xpbd")).library.expect_err("refused").to_string();
    assert!(said.contains("cannot start a probe") && said.contains("nothing is loaded untried"), "{said}");
}
