//! Edits while the program runs: code, contract and scenes are saved in a copy of the tree, the program's lines tell
//! what came of it.

use std::time::Duration;

use tests::{
    edit_copy::EditCopy,
    left_out, places,
    process::{self, Running, poll, weft},
};

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const STATE: &str = "sim-dylib/kernels/state.rs";
const SOLVERS: &str = "sim-dylib/src/solvers.rs";
const FLAG: &str = "scenes/flag.ron";
/// A change that runs.
const SOFTER: [&str; 2] = ["L::from_f32(self.per_h2)", "L::from_f32(self.per_h2 * 1.5)"];
const ITERATIONS: &str = "let iterations = sim.count(&ITERATIONS);";

/// The copy and a program that watches it, on its first live library. `None`: left out.
fn watched(test: &str) -> Option<(EditCopy, Running)> {
    if left_out(test, "a copy of the tree to edit, and cargo") {
        return None;
    }
    let copy = EditCopy::fresh();
    let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
    let line = program.wait_for(&["[reload] generation 1 runs"]);
    unchanged(&line);
    program.wait_for(&["[first step] generation 1"]);
    Some((copy, program))
}

/// A swap that keeps the state says so, with its hash.
fn unchanged(line: &str) {
    let (_, tail) = line.split_once("; state ").unwrap_or_else(|| panic!("{line}"));
    let (hash, what) = tail.split_once(' ').unwrap_or_else(|| panic!("{line}"));
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{line}");
    assert_eq!(what, "unchanged", "{line}");
}

/// Waits for a new generation and its first step.
fn swapped(program: &mut Running, parts: &[&str]) -> String {
    let line = program.wait_for(&[&["[reload] generation", "runs: kept"], parts].concat());
    unchanged(&line);
    let number = line.split("generation ").nth(1).and_then(|tail| tail.split(' ').next()).expect("a number");
    program.wait_for(&[&format!("[first step] generation {number} stepped")]);
    line
}

fn line_of(text: &str, part: &str) -> usize {
    1 + text.split(part).next().unwrap_or_default().matches('\n').count()
}

#[test]
fn solver_code_is_swapped_and_the_state_stays() {
    let Some((copy, mut program)) = watched("solver_code_is_swapped_and_the_state_stays") else { return };
    let before = copy.edit(XPBD, SOFTER[0], SOFTER[1]);
    let line = swapped(&mut program, &["generation 2"]);
    assert!(!line.contains("added") && !line.contains("parked"), "{line}");
    copy.write(XPBD, &before);
    swapped(&mut program, &["generation 3"]);
}

#[test]
fn columns_come_go_and_come_back() {
    let Some((copy, mut program)) = watched("columns_come_go_and_come_back") else { return };
    let before_heat = "state predicted: [f32; 4],";
    let heat = "state predicted: [f32; 4],\n        /// Temperature [K].\n        state heat: f32,";
    let before = copy.edit(STATE, before_heat, heat);
    swapped(&mut program, &["added 1 (particle.heat)"]);
    copy.write(STATE, &before);
    swapped(&mut program, &["parked 1 (particle.heat)"]);
    copy.edit(STATE, before_heat, heat);
    swapped(&mut program, &["restored 1 (particle.heat)"]);
    // Another type under the same name.
    copy.edit(STATE, "state heat: f32,", "state heat: u32,");
    swapped(&mut program, &["retyped 1 (particle.heat)"]);
}

/// As from an archive: cargo, which goes by times, takes it for the file that it built.
#[test]
fn an_older_file_that_is_moved_in_place_of_another_is_built() {
    let Some((copy, mut program)) = watched("an_older_file_that_is_moved_in_place_of_another_is_built")
    else {
        return;
    };
    let (place, beside) = (copy.root.join(XPBD), copy.root.join("older.rs"));
    let before = copy.read(XPBD);
    let text = before.replacen(SOFTER[0], SOFTER[1], 1);
    assert_ne!(text, before);
    std::fs::write(&beside, text).unwrap();
    let file = std::fs::File::options().write(true).open(&beside).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)).unwrap();
    std::fs::rename(&beside, &place).unwrap();
    swapped(&mut program, &["generation 2"]);
}

#[test]
fn a_compile_error_is_placed_and_a_fix_goes_on() {
    let Some((copy, mut program)) = watched("a_compile_error_is_placed_and_a_fix_goes_on") else { return };
    let before = copy.edit(XPBD, ITERATIONS, "let iterations: f32 = sim.count(&ITERATIONS);");
    let line = line_of(&before, ITERATIONS);
    program.wait_for(&["[build] ", "compile error(s): ", &format!("{XPBD}:{line}:27 mismatched types")]);
    assert!(program.alive());
    copy.write(
        XPBD,
        &before.replace(ITERATIONS, &format!("{ITERATIONS}\n    let iterations = iterations + 1;")),
    );
    swapped(&mut program, &[]);
}

#[test]
fn a_panic_pauses_and_the_next_good_save_goes_on() {
    let Some((copy, mut program)) = watched("a_panic_pauses_and_the_next_good_save_goes_on") else { return };
    // The probe does not see it: the scene brings it about later.
    let text = format!("{ITERATIONS}\n    assert!(sim.frame.world.air_damping < 0.7, \"torn\");");
    let before = copy.edit(XPBD, ITERATIONS, &text);
    let line = line_of(&before, ITERATIONS) + 1;
    swapped(&mut program, &["generation 2"]);
    copy.edit(FLAG, "air_damping: 0.3", "air_damping: 0.8");
    let place = format!("panicked at {XPBD}:{line}:5: torn; paused until the next save");
    program.wait_for(&["[step] solver xpbd", &place]);
    copy.write(XPBD, &before.replace("per_h2: 1.0 / (time.h", "per_h2: 1.25 / (time.h"));
    swapped(&mut program, &[]);
    assert!(program.alive());
}

#[test]
fn nan_pauses_with_the_particle_and_the_state_before() {
    let Some((copy, mut program)) = watched("nan_pauses_with_the_particle_and_the_state_before") else {
        return;
    };
    let nan = format!(
        "{ITERATIONS}\n    if sim.frame.world.air_damping > 0.7 {{ sim.state.particle.velocity[77][0] = f32::NAN; }}"
    );
    let before = copy.edit(XPBD, ITERATIONS, &nan);
    // As an editor sets the mode of what it wrote: that is no save, and nothing is built and said once more.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let file = copy.root.join(XPBD);
    let mode = std::fs::metadata(&file).expect("it was written").permissions();
    std::fs::set_permissions(&file, mode).expect("its own mode");
    swapped(&mut program, &["generation 2"]);
    copy.edit(FLAG, "air_damping: 0.3", "air_damping: 0.8");
    program.wait_for(&["[step] solver xpbd made particle.", "of particle", "NaN or infinite"]);
    copy.write(XPBD, &before.replace("per_h2: 1.0 / (time.h", "per_h2: 1.25 / (time.h"));
    swapped(&mut program, &[]);
    copy.write(XPBD, &before);
    swapped(&mut program, &[]);
    let said = program.seen().join("\n");
    assert!(!said.contains("the same code as before"), "{said}");
}

#[test]
fn a_changed_contract_is_refused_and_taken_back() {
    let Some((copy, mut program)) = watched("a_changed_contract_is_refused_and_taken_back") else { return };
    let file = "sim-dylib/api/src/param.rs";
    let before = copy.read(file);
    copy.write(file, &format!("{before}\npub const MORE: u32 = 1;\n"));
    program.wait_for(&[
        "[reload] refused: sim_api changed (sim-dylib/api/src/param.rs:",
        ", const MORE: `pub const MORE: u32 = 1;` is new, after ",
    ]);
    assert!(program.alive());
    copy.write(file, &before);
    copy.edit(XPBD, "L::from_f32(self.per_h2)", "L::from_f32(self.per_h2 * 1.5)");
    swapped(&mut program, &["generation 2"]);
}

#[test]
fn a_new_solver_is_a_file_and_a_line() {
    let Some((copy, mut program)) = watched("a_new_solver_is_a_file_and_a_line") else { return };
    let text = copy.read(XPBD).replace("\"xpbd\"", "\"my_solver\"");
    copy.write("sim-dylib/src/solvers/my_solver.rs", &text);
    copy.edit(SOLVERS, "    vbd,\n}", "    vbd,\n    my_solver,\n}");
    swapped(&mut program, &[]);
    copy.edit(FLAG, "name: \"xpbd\"", "name: \"my_solver\"");
    program.wait_for(&["[scene] 1 change(s): solver.name"]);
    // It runs: its own mistakes are its own.
    copy.edit(
        "sim-dylib/src/solvers/my_solver.rs",
        ITERATIONS,
        &format!("{ITERATIONS}\n    assert!(sim.h > 9.0);"),
    );
    program.wait_for(&["[reload] refused: solver my_solver panicked at sim-dylib/src/solvers/my_solver.rs"]);
    // Gone again while a scene uses it.
    copy.edit(SOLVERS, "    my_solver,\n", "");
    program.wait_for(&["[step] this code has no solver `my_solver`; it has xpbd"]);
    copy.edit(FLAG, "name: \"my_solver\"", "name: \"xpbd\"");
    program.wait_for(&["[scene] 1 change(s): solver.name"]);
    assert!(program.alive());
}

#[test]
fn scenes_are_taken_in_however_they_are_saved() {
    let Some((copy, mut program)) = watched("scenes_are_taken_in_however_they_are_saved") else { return };
    let (from, number) = ("air_damping: 0.3", "air_damping: ");
    let good = copy.edit(FLAG, from, "air_damping: 0.4");
    program.wait_for(&["[scene] 1 change(s): air_damping", "after the save"]);

    copy.write(FLAG, &good.replace(from, "air_damping: fast"));
    let place = format!("{FLAG}:{}:18", line_of(&good, number));
    program.wait_for(&["[scene] ", &place, "(the last good scene runs on)"]);

    // Emptied for a moment, as many editors do.
    copy.write(FLAG, "");
    copy.write(FLAG, &good.replace(from, "air_damping: 0.5"));
    program.wait_for(&["[scene] 1 change(s): air_damping"]);

    // Written beside it and renamed over it, as the others do.
    copy.write("scenes/flag.ron.new", &good.replace(from, "air_damping: 0.6"));
    std::fs::rename(copy.root.join("scenes/flag.ron.new"), copy.root.join(FLAG)).unwrap();
    program.wait_for(&["[scene] 1 change(s): air_damping"]);

    // In parts, each of which is a mistake by itself.
    for damping in ["0.7", "0.8"] {
        let text = good.replace(from, &format!("air_damping: {damping}"));
        for part in [0, text.len() / 3, text.len() / 2] {
            copy.write(FLAG, &text[..part]);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        copy.write(FLAG, &text);
        let line = program.wait_for(&["[scene] "]);
        assert!(line.contains("1 change(s): air_damping"), "{line}");
    }

    copy.write(FLAG, &good.replace("columns: 36", "columns: 40"));
    program.wait_for(&["[scene] 2 change(s): air_damping, cloths.flag.shape.columns; flag starts again"]);
    let lines = program.seen().join("\n");
    assert!(!lines.contains("empty"), "{lines}");
    assert!(program.alive());
}

#[test]
fn built_in_and_live_library_give_the_same_bits() {
    let Some((copy, program)) = watched("built_in_and_live_library_give_the_same_bits") else { return };
    drop(program);
    let frames = "400";
    let still = weft(&copy.root, &["run", FLAG, "--frames", frames]);
    let still = String::from_utf8_lossy(&still.stdout).into_owned();
    let hash = still.lines().find(|line| line.starts_with("state hash")).expect("a hash");
    let mut live = Running::weft(&copy.root, &["run", FLAG, "--watch", "--frames", frames]);
    live.wait_for(&["[first step] generation 1"]);
    live.wait_for(&[hash]);
    assert!(live.end(Duration::from_secs(20)).success());
}

#[test]
fn the_end_in_the_middle_of_a_build_leaves_nothing_behind() {
    let Some((copy, mut program)) = watched("the_end_in_the_middle_of_a_build_leaves_nothing_behind") else {
        return;
    };
    // A file that both crates of the hot code depend on, so that the build takes a while.
    let before = copy.read("sim-dylib/kernels/lanes.rs");
    copy.write("sim-dylib/kernels/lanes.rs", &format!("{before}\n// Again.\n"));
    let cargo = poll("cargo", || process::children(program.id(), "cargo").pop());
    program.terminate();
    assert!(!program.end(Duration::from_secs(5)).success());
    poll("the end of cargo", || (!process::runs(cargo)).then_some(()));
    // Its library is there for whoever goes on from the autosave, which nobody wants here.
    std::fs::remove_dir_all(copy.root.join("target/hot/autosave")).unwrap();
    // The next one finds neither a lock nor a half-written library.
    let mut next = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
    next.wait_for(&["[first step] generation 1"]);
    let folder = copy.root.join("target/hot/live");
    let left: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, [next.id().to_string().as_str()], "folders of ended programs are removed");
}

/// cargo's command is used again where only the solvers' own crate changed, and not where more did.
#[test]
fn a_save_of_a_solver_starts_the_compiler_itself() {
    let Some((copy, mut program)) = watched("a_save_of_a_solver_starts_the_compiler_itself") else { return };
    let step = |text: &str, by: &str| {
        text.replacen(ITERATIONS, &format!("{ITERATIONS}\n    let iterations = {by};"), 1)
    };
    let first = copy.read(XPBD);
    // Where the library was there already, cargo did not say how it is made.
    copy.write(XPBD, &step(&first, "iterations.max(1)"));
    swapped(&mut program, &["generation 2"]);
    copy.write(XPBD, &step(&first, "iterations.max(2)"));
    poll("the compiler", || process::children(program.id(), "rustc").pop());
    swapped(&mut program, &["generation 3"]);
    // Both crates: the kernels' edit is in the next library.
    copy.edit(
        "sim-dylib/kernels/substep.rs",
        "pub fn move_holds(sim: &mut Sim) {",
        "pub fn move_holds(sim: &mut Sim) {\n    let _ = std::hint::black_box(sim.h);",
    );
    poll("cargo", || process::children(program.id(), "cargo").pop());
    swapped(&mut program, &["generation 4"]);
    // An error has the words of cargo, and the next good save goes on.
    copy.write(XPBD, &step(&first, "no_such_name"));
    program.wait_for(&["no_such_name", "xpbd.rs:"]);
    copy.write(XPBD, &first);
    swapped(&mut program, &["generation 5"]);
}

/// Two windows on one tree write the same files: one builds, the other waits for it.
#[test]
fn windows_on_one_tree_build_after_each_other() {
    let Some((copy, mut program)) = watched("windows_on_one_tree_build_after_each_other") else { return };
    let mut other = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
    other.wait_for(&["[first step] generation 1"]);
    // As a third that builds right now.
    let lock = std::fs::File::create(copy.root.join("target/hot/build.lock")).unwrap();
    lock.lock().unwrap();
    copy.edit(XPBD, ITERATIONS, &format!("{ITERATIONS}\n    let iterations = iterations.max(1);"));
    let compilers = |program: &Running| {
        let of = |name| process::children(program.id(), name);
        [of("rustc"), of("cargo")].concat()
    };
    for _ in 0..50 {
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!([compilers(&program), compilers(&other)], [[0; 0]; 2], "they wait");
    }
    drop(lock);
    let end = std::time::Instant::now() + process::PATIENCE;
    let runs =
        |program: &mut Running| program.seen().iter().any(|line| line.contains("[first step] generation 2"));
    while !runs(&mut program) || !runs(&mut other) {
        // The first may have ended while the second was looked for.
        let [first, second, again] = [compilers(&program), compilers(&other), compilers(&program)];
        let both = !second.is_empty() && first.iter().any(|process| again.contains(process));
        assert!(!both, "both compile: {first:?} and {second:?}");
        assert!(std::time::Instant::now() < end, "no second generation");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A tree that nothing can be written to: a file stands where the folder of builds is to be.
#[test]
fn in_a_tree_that_cannot_be_written_it_says_that_code_is_not_reloaded() {
    if left_out("in_a_tree_that_cannot_be_written_it_says_that_code_is_not_reloaded", "the program beside it")
    {
        return;
    }
    let folder = places::temporary("read-only");
    std::fs::create_dir_all(folder.join("sim-dylib")).unwrap();
    std::fs::write(folder.join("sim-dylib/Cargo.toml"), "").unwrap();
    std::fs::write(folder.join("target"), "").unwrap();
    let scene = places::scene("hanging.ron");
    let output = weft(&folder, &["run", scene.to_str().unwrap(), "--watch", "--frames", "20"]);
    let said = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<_> = said.lines().filter(|line| line.starts_with("[reload]")).collect();
    let [line] = lines[..] else { panic!("{said}") };
    assert!(line.contains("off: cannot create ") && line.contains("target/hot/live/"), "{line}");
    assert!(output.status.success() && said.contains("state hash"), "{said}");
}

#[test]
fn without_sources_it_runs_and_says_so() {
    if left_out("without_sources_it_runs_and_says_so", "the program beside it") {
        return;
    }
    // A program outside of any tree, in a folder outside of any tree.
    let folder = std::env::temp_dir().join(format!("weft-alone-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("weft");
    std::fs::copy(places::weft(), &program).unwrap();
    let scene = places::scene("hanging.ron");
    let mut command = std::process::Command::new(&program);
    command.args(["run", scene.to_str().unwrap(), "--watch", "--frames", "20"]).current_dir(&folder);
    let output = command.output();
    std::fs::remove_dir_all(&folder).unwrap();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("state hash"), "{said}");
    assert!(!said.contains("[reload]"), "{said}");
}
