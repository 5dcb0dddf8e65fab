//! Code that kills the program long after it was swapped in: the program starts again in the same process, with the
//! last good code and a state at most a second old, and takes the next good save.

use std::{fs, path::PathBuf};

use tests::{
    edit_copy::EditCopy,
    left_out,
    process::{Running, poll},
};
use weft_session::rescue::Autosave;

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const FLAG: &str = "scenes/flag.ron";
const ITERATIONS: &str = "let iterations = sim.count(&ITERATIONS);";
/// From the edit to the fault [s]: a build and the trial of new code fit in between.
const LATER: f64 = 5.0;

struct Watched {
    copy: EditCopy,
    program: Running,
}

impl Watched {
    /// A program whose first live library has passed its trial. `None`: left out.
    fn new(test: &str) -> Option<Self> {
        if left_out(test, "a copy of the tree to edit, and cargo") {
            return None;
        }
        let copy = EditCopy::fresh();
        let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
        program.wait_for(&["[first step] generation 1"]);
        let watched = Self { copy, program };
        watched.saved(|saved| saved.good.iter().any(|library| library.number == 1));
        Some(watched)
    }

    fn file(&self) -> PathBuf {
        self.copy.root.join(format!("target/hot/autosave/{}.weft", self.program.id()))
    }

    fn saved(&self, fits: impl Fn(&Autosave) -> bool) -> Autosave {
        poll("an autosave", || Autosave::read(&self.file()).ok().filter(&fits))
    }

    /// Saves code that does `fault` from a later time on; returns the text before.
    fn edit(&self, fault: &str, helper: &str) -> String {
        let at = self.saved(|_| true).run.time + LATER;
        let fault = format!("{ITERATIONS}\n    if sim.frame.time > {at:.3} {{\n        {fault}\n    }}");
        let before = self.copy.read(XPBD);
        assert!(before.contains(ITERATIONS));
        self.copy.write(XPBD, &(before.replacen(ITERATIONS, &fault, 1) + helper));
        before
    }

    /// Runs into `fault`; `what` is its name in the banner.
    fn survives(mut self, fault: &str, helper: &str, what: &str) {
        let process = self.program.id();
        let before = self.edit(fault, helper);
        self.program.wait_for(&["[reload] generation 2 runs"]);
        let restarted = format!("[rescue] restarted after {what} in solver xpbd of generation 2 at frame ");
        let line = self.program.wait_for(&[&restarted, "generation 1 runs; save a fix"]);
        let number = |after: &str| -> u64 {
            let tail = line.split(after).nth(1).unwrap_or_else(|| panic!("{line}"));
            tail.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).expect("a number")
        };
        let (crashed, goes_on) = (number(" at frame "), number(" of frame "));
        assert!(goes_on <= crashed && crashed - goes_on <= 60, "within a second: {line}");
        // The same sources are built again, and their library is not run again.
        self.program.wait_for(&["[reload] refused: this code crashed the program (", what, "save a fix"]);
        let saved = self.saved(|saved| saved.run.frame > crashed + 60);
        assert_eq!(saved.running.number, 1, "it runs on past the frame of the fault");
        assert!(self.program.alive() && self.program.id() == process);
        let commands = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        assert!(commands.is_empty() || commands.contains("--crashed"), "{commands:?}");
        // One stray file handle for each restart would be too many.
        let files = fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count);
        assert!(files < 40, "{files} open files");

        self.copy.write(XPBD, &before.replace("L::from_f32(self.per_h2)", "L::from_f32(self.per_h2 * 1.5)"));
        self.program.wait_for(&["[reload] generation 3 runs", "unchanged"]);
        self.program.wait_for(&["[first step] generation 3"]);
        assert!(self.program.alive());
        // SIGTERM may be a logout: what there is to go on from stays.
        self.program.terminate();
        assert!(!self.program.end(std::time::Duration::from_secs(10)).success());
        assert!(self.file().exists());
    }
}

#[test]
fn a_null_write_restarts_with_the_last_good_code() {
    let Some(watched) = Watched::new("a_null_write_restarts_with_the_last_good_code") else { return };
    watched.survives("unsafe { std::ptr::null_mut::<u32>().write_volatile(1) };", "", "SIGSEGV");
}

#[test]
fn an_abort_restarts_with_the_last_good_code() {
    let Some(watched) = Watched::new("an_abort_restarts_with_the_last_good_code") else { return };
    watched.survives("std::process::abort();", "", "SIGABRT");
}

#[test]
fn an_overflow_of_the_stack_restarts_with_the_last_good_code() {
    let Some(watched) = Watched::new("an_overflow_of_the_stack_restarts_with_the_last_good_code") else {
        return;
    };
    let deep = "\nfn deep(n: u64) -> u64 {\n    let a = std::hint::black_box([n; 64]);\n    \
                if n == 0 { 0 } else { deep(n + 1) + a[3] }\n}\n";
    watched.survives("std::hint::black_box(deep(1));", deep, "SIGSEGV (the stack overflowed)");
}

#[test]
fn an_endless_loop_restarts_with_the_last_good_code() {
    let Some(watched) = Watched::new("an_endless_loop_restarts_with_the_last_good_code") else { return };
    watched.survives("loop { std::hint::spin_loop(); }", "", "no step finished in time (an endless loop?)");
}

#[test]
fn an_exit_restarts_with_the_last_good_code() {
    let Some(watched) = Watched::new("an_exit_restarts_with_the_last_good_code") else { return };
    watched.survives("std::process::exit(0);", "", "an exit");
}

/// Faults that are noticed outside of a step, and again at once in the process that goes on with the same code.
#[test]
fn code_that_crashes_the_program_outside_of_a_step_is_not_run_for_ever() {
    let test = "code_that_crashes_the_program_outside_of_a_step_is_not_run_for_ever";
    let thread = "std::thread::spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(9));
            unsafe { std::ptr::null_mut::<u32>().write_volatile(1) }
        });";
    let heap = "let p = sim.state.particle.position.as_mut_ptr().cast::<u8>();
        let size = size_of_val(&*sim.state.particle.position);
        unsafe { std::ptr::write_bytes(p.add(size + 64), 0x41, 4096) };";
    for fault in [thread, heap] {
        let Some(mut watched) = Watched::new(test) else { return };
        let process = watched.program.id();
        watched.edit(fault, "");
        watched.program.wait_for(&["[reload] generation 2 runs"]);
        let line = watched.program.wait_for(&["[rescue] restarted after ", "runs"]);
        if !line.contains("generation 1 runs") {
            assert!(line.contains("generation 2 runs"), "{line}");
            watched.program.wait_for(&["[rescue] restarted after ", "; generation 1 runs"]);
        }
        watched.program.wait_for(&["[reload] refused: ", "crashed", "save a fix"]);
        let frame = watched.saved(|saved| saved.running.number == 1).run.frame;
        watched.saved(|saved| saved.run.frame > frame + 120);
        assert!(watched.program.alive() && watched.program.id() == process);
    }
}

#[test]
fn after_three_quick_crashes_nothing_is_built_before_the_next_save() {
    if left_out(
        "after_three_quick_crashes_nothing_is_built_before_the_next_save",
        "a copy of the tree, cargo",
    ) {
        return;
    }
    let copy = EditCopy::fresh();
    let at = weft_session::rescue::now();
    let crash = format!("SIGSEGV at={at} phase=step generation=0 hash=0 frame=9 solver=xpbd");
    let crashes = [crash.as_str(); 3].join(";");
    let file = copy.root.join("target/hot/none.weft");
    let file = file.to_str().unwrap();
    let run = ["run", FLAG, "--watch", "--resume", file, "--crashed", &crashes];
    let mut program = Running::weft(&copy.root, &run);
    program.wait_for(&["[rescue] restarted after SIGSEGV", "from the start of the scene"]);
    // A build of sources that were built before takes a second.
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert!(!program.seen().iter().any(|line| line.contains("[reload]")), "{:?}", program.seen());
    copy.edit(XPBD, "L::from_f32(self.per_h2)", "L::from_f32(self.per_h2 * 1.5)");
    program.wait_for(&["[reload] generation 1 runs"]);
}

#[test]
fn what_fails_on_trial_is_rolled_back() {
    let Some(mut watched) = Watched::new("what_fails_on_trial_is_rolled_back") else { return };
    let before = watched.copy.read(XPBD);
    // After the probe's steps, before the end of the trial.
    let later = "static STEPS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);\n    \
                 if STEPS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 20";
    let with =
        |text: &str| before.replacen(ITERATIONS, &format!("{ITERATIONS}\n    {later} {{ {text} }}"), 1);
    let faults = [
        ("assert!(sim.h > 9.0, \"torn\");", "panicked at"),
        ("sim.state.particle.velocity[77][0] = f32::NAN;", "NaN or infinite"),
        ("std::thread::sleep(std::time::Duration::from_millis(1200));", "are allowed after a swap"),
    ];
    for (fault, part) in faults {
        watched.copy.write(XPBD, &with(fault));
        watched.program.wait_for(&["[step] ", part, "; paused until the next save"]);
        watched.program.wait_for(&["[rollback] generation ", part, " runs again; save a fix"]);
        watched.copy.write(XPBD, &before);
        watched.program.wait_for(&["[reload] generation ", "runs: kept"]);
        watched.program.wait_for(&["[first step] generation "]);
    }
    assert!(watched.program.alive());
}
