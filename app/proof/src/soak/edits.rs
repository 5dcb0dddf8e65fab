//! Edits of the source tree, good and hostile, and what must come of each. The soak and the tests save them while a
//! program runs.

/// What the program does about a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The new code runs, with the state as it was.
    Runs,
    /// The compiler, or the reader of scenes, says why; the last good one runs on.
    DoesNotCompile,
    /// Not taken after a look or a trial beside the program; the last good code runs on.
    Refused,
    /// Ran for a while; the state before the failed step and the last good code are back.
    RolledBack,
    /// Ended the process; the same window goes on with the last good code from a state at most a second old.
    Restarted,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::DoesNotCompile => "does not compile",
            Self::Refused => "refused",
            Self::RolledBack => "rolled back",
            Self::Restarted => "restarted",
        }
    }
}

/// One save: the first `from` in `file` is replaced by `to`.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    pub name: &'static str,
    pub file: &'static str,
    /// Empty: the whole file.
    pub from: &'static str,
    /// [`CUT`]: the file ends before `from`.
    pub to: &'static str,
    pub outcome: Outcome,
    /// What the message must hold.
    pub says: &'static str,
}

/// As what an edit puts in: nothing, and nothing after it either.
pub const CUT: &str = "\u{4}";

impl Edit {
    /// The text that is saved; `None` if `before` has nothing to replace.
    pub fn apply(&self, before: &str) -> Option<String> {
        let (head, tail) = before.split_once(self.from)?;
        Some(match (self.from, self.to) {
            ("", to) => to.to_string(),
            (_, CUT) => head.to_string(),
            (_, to) => format!("{head}{to}{tail}"),
        })
    }

    /// Why it cannot be made.
    pub fn misfit(&self) -> String {
        format!("the edit `{}` does not fit: {} has no `{}`", self.name, self.file, self.from)
    }

    fn ends_in(&self, extension: &str) -> bool {
        std::path::Path::new(self.file).extension().is_some_and(|end| end == extension)
    }

    pub fn is_code(&self) -> bool {
        self.ends_in("rs")
    }

    /// Shaders are for the window: without one nothing reads them.
    pub fn is_shader(&self) -> bool {
        self.ends_in("wgsl")
    }

    /// What a line of the program says came of it; `None` for other lines.
    pub fn came_of(&self, line: &str) -> Option<Outcome> {
        let (kind, text) = line.strip_prefix('[')?.split_once("] ")?;
        let outcome = match kind {
            "reload" if text.contains(" runs: ") => Outcome::Runs,
            "build" if text.contains("compile error") => Outcome::DoesNotCompile,
            "reload" if text.contains("refused") => Outcome::Refused,
            "rollback" => Outcome::RolledBack,
            "rescue" if text.starts_with("restarted") => Outcome::Restarted,
            "shader" | "scene" | "pass" if text.contains("(the last good ") => Outcome::DoesNotCompile,
            "shader" | "scene" | "pass" => Outcome::Runs,
            _ => return None,
        };
        // Later ones run at first.
        let waits =
            matches!(self.outcome, Outcome::RolledBack | Outcome::Restarted) && outcome == Outcome::Runs;
        (!waits).then_some(outcome)
    }

    /// The line after which the good file runs or draws again.
    pub fn settled(&self, line: &str) -> Option<()> {
        let settled = if self.is_code() {
            line.starts_with("[first step]") || line.contains("the same code as before")
        } else {
            let kind = match self.is_shader() {
                true if self.file.starts_with("shaders/sim/") => "[pass] ",
                true => "[shader] ",
                false => "[scene] ",
            };
            line.starts_with(kind) && !line.contains("(the last good ")
        };
        settled.then_some(())
    }
}

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const LIB: &str = "sim-dylib/src/lib.rs";
const STATE: &str = "sim-dylib/kernels/state.rs";
const TABLES: &str = "sim-dylib/api/src/tables.rs";
const SOLVERS: &str = "sim-dylib/src/solvers.rs";
const API: &str = "sim-dylib/api/src/api.rs";
const ENTRY: &str = "    let iterations = sim.count(&ITERATIONS);\n    let damping";

/// Code at the start of xpbd's step.
macro_rules! step {
    ($($code:tt)*) => {
        concat!($($code)*, "\n    let iterations = sim.count(&ITERATIONS);\n    let damping")
    };
}
pub(super) use step;

/// Code that runs once, 100 steps after its swap: long after the probe and the trial.
macro_rules! later {
    ($code:literal) => {
        step!(
            "    static STEPS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);\n    \
             if STEPS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 100 { ",
            $code,
            " }"
        )
    };
}

pub(super) const fn edit(name: &'static str, to: &'static str, outcome: Outcome, says: &'static str) -> Edit {
    Edit { name, file: XPBD, from: ENTRY, to, outcome, says }
}

/// Good edits that change what runs.
pub const GOOD: &[Edit] = &[
    Edit {
        name: "a number of a solver",
        file: XPBD,
        from: "            per_h2: 1.0 / (time.h * time.h),",
        to: "            per_h2: 1.01 / (time.h * time.h),",
        outcome: Outcome::Runs,
        says: "",
    },
    edit("more code in a step", step!("    sim.frame.reading(\"answer\", 42.0);"), Outcome::Runs, ""),
    Edit {
        name: "a new column",
        file: STATE,
        from: "state predicted: [f32; 4],",
        to: "state predicted: [f32; 4],\n        /// Temperature [K].\n        state heat: f32,",
        outcome: Outcome::Runs,
        says: "(particle.heat)",
    },
    Edit {
        name: "a new parameter",
        file: XPBD,
        from: "&[SUBSTEPS, ITERATIONS, DAMPING,",
        to: "&[SUBSTEPS, ITERATIONS, DAMPING, ParamDesc::number(\"heat\", \"K\", [0.0, 1.0, 2.0], \"\"),",
        outcome: Outcome::Runs,
        says: "",
    },
];

/// Edits that would end a program which trusted them.
pub const HOSTILE: &[Edit] = &[
    edit("a panic", step!("    assert!(sim.h > 9.0, \"torn\");"), Outcome::Refused, ":5: torn"),
    edit(
        "a panic in a job",
        step!("    sim.par.each(4, |i| assert!(i != 2, \"torn in a job\"));"),
        Outcome::Refused,
        "torn in a job",
    ),
    edit(
        "a panic that must not unwind",
        step!("    extern \"C\" fn f() { panic!(\"through a C frame\") }\n    f();"),
        Outcome::Refused,
        "SIGABRT",
    ),
    edit(
        "an overflow",
        step!("    let zero = sim.span[0] as i32;\n    assert!(i32::MIN / (zero - 1) != 5);"),
        Outcome::Refused,
        "attempt to divide with overflow",
    ),
    edit(
        "an index out of bounds",
        step!(
            "    let n = sim.state.particle.position.len();\n    sim.state.particle.velocity[n] = [0.0; 4];"
        ),
        Outcome::Refused,
        "index out of bounds",
    ),
    edit("an abort", step!("    std::process::abort();"), Outcome::Refused, "SIGABRT"),
    edit("an exit", step!("    if sim.h < 9.0 { std::process::exit(0); }"), Outcome::Refused, "ended"),
    edit(
        "a write to null",
        step!(
            "    unsafe { std::ptr::without_provenance_mut::<u32>(std::hint::black_box(8)).write_volatile(1) };"
        ),
        Outcome::Refused,
        "SIGSEGV",
    ),
    edit(
        "an endless loop",
        step!("    while sim.h < 9.0 { std::hint::spin_loop(); }"),
        Outcome::Refused,
        "endless loop",
    ),
    edit(
        "a stack overflow",
        step!(
            "    fn deep(n: u64) -> u64 { let a = std::hint::black_box([n; 64]); if n == 0 { 0 } else { deep(n + 1) + a[7] } }\n    \
             assert!(deep(1) != 5);"
        ),
        Outcome::Refused,
        "stack",
    ),
    edit(
        "a NaN",
        step!("    sim.state.particle.velocity[77][0] = f32::NAN;"),
        Outcome::Refused,
        "of particle",
    ),
    edit(
        "NaN everywhere",
        step!("    for v in sim.state.particle.velocity.iter_mut() { *v = [f32::NAN; 4]; }"),
        Outcome::Refused,
        "NaN or infinite",
    ),
    edit(
        "a write beside a column",
        step!(
            "    unsafe { sim.state.particle.position.as_mut_ptr().add(sim.state.particle.position.len()).write([1.0; 4]) };"
        ),
        Outcome::Refused,
        "particle.position",
    ),
    edit(
        "a write to what is given",
        step!("    unsafe { *sim.state.distance.rest.as_ptr().cast_mut() = 1.0 };"),
        Outcome::Refused,
        "distance.rest",
    ),
    edit(
        "another result each time",
        step!(
            "    let noise = (&raw const *sim.frame).addr() % 4096 + std::process::id() as usize;\n    \
             sim.state.particle.velocity[5][0] += noise as f32 * 1e-6;"
        ),
        Outcome::Refused,
        "particle",
    ),
    edit(
        "a double free",
        step!(
            "    unsafe {\n        let p = Box::into_raw(Box::new([1_u8; 64]));\n        std::hint::black_box(p);\n        \
             drop(Box::from_raw(p));\n        drop(Box::from_raw(p));\n    }"
        ),
        Outcome::Refused,
        "SIGABRT",
    ),
    edit(
        "all of the memory",
        step!("    let mut hoard = Vec::new();\n    while sim.h < 9.0 { hoard.push(vec![0_u8; 1 << 28]); }"),
        Outcome::Refused,
        "memory",
    ),
    Edit {
        name: "a crash while it is loaded",
        file: LIB,
        from: "static API: Api",
        to: "#[used]\n#[unsafe(link_section = \".init_array\")]\nstatic INIT: extern \"C\" fn() = init;\nextern \"C\" fn init() { \
             panic!(\"in a static\") }\n\nstatic API: Api",
        outcome: Outcome::Refused,
        says: "SIGABRT",
    },
    Edit {
        name: "no export",
        file: LIB,
        from: "#[unsafe(no_mangle)]",
        to: "",
        outcome: Outcome::Refused,
        says: "exports no `sim_api`",
    },
    Edit {
        name: "an export of null",
        file: LIB,
        from: "    &raw const API\n",
        to: "    std::ptr::null()\n",
        outcome: Outcome::Refused,
        says: "returned null",
    },
    Edit {
        name: "an export of nonsense",
        file: LIB,
        from: "    &raw const API\n",
        to: "    std::ptr::without_provenance(4096)\n",
        outcome: Outcome::Refused,
        says: "SIGSEGV",
    },
    Edit {
        name: "another signature of a service",
        file: API,
        from: "unsafe fn write(&mut self, text: &str) {",
        to: "unsafe fn write(&mut self, text: &str, ) {\n        let _ = 1;",
        outcome: Outcome::Refused,
        says: "fn write: `unsafe fn write(&mut self, text: &str) {` is now",
    },
    Edit {
        name: "a field more in the contract",
        file: API,
        from: "    pub air_damping: f32,\n",
        to: "    pub air_damping: f32,\n    pub humidity: f32,\n",
        outcome: Outcome::Refused,
        says: "struct World: `pub humidity: f32,` is new, after `pub air_damping: f32,`",
    },
    Edit {
        name: "a nested field of another size",
        file: API,
        from: "    pub gust: f32,\n    /// Wave length of gusts [m].\n    pub gust_length: f32,",
        to: "    pub gust: f32,\n    /// Wave length of gusts [m].\n    pub gust_length: f32,\n    pub more: [u64; 4],",
        outcome: Outcome::Refused,
        says: "struct Wind: `pub more: [u64; 4],` is new, after `pub gust_length: f32,`",
    },
    Edit {
        name: "two fields of one size that change places",
        file: API,
        from: "    pub dt: f32,\n    /// Simulated time at the start of the frame [s].\n    pub time: f32,\n",
        to: "    pub time: f32,\n    /// Length of the frame [s].\n    pub dt: f32,\n",
        outcome: Outcome::Refused,
        says: "struct Frame: `pub time: f32,` is new, after `param_count: usize,`",
    },
    Edit {
        name: "a column that the host needs is gone",
        file: TABLES,
        from: "state velocity: [f32; 4]",
        to: "state speed: [f32; 4]",
        outcome: Outcome::DoesNotCompile,
        says: "",
    },
    Edit {
        name: "a solver twice",
        file: SOLVERS,
        from: "    vbd,\n}",
        to: "    vbd,\n    vbd as again,\n}",
        outcome: Outcome::DoesNotCompile,
        says: "",
    },
    edit("no Rust at all", "}}} what?", Outcome::DoesNotCompile, "xpbd.rs:"),
    edit(
        "a NaN some steps later",
        step!(
            "    static STEPS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);\n    \
             if STEPS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 20 { sim.state.particle.velocity[3][1] = f32::NAN; }"
        ),
        Outcome::RolledBack,
        "NaN or infinite",
    ),
    edit("a panic much later", later!("panic!(\"late\");"), Outcome::RolledBack, "late"),
    edit(
        "a write to null much later",
        later!(
            "unsafe { std::ptr::without_provenance_mut::<u32>(std::hint::black_box(8)).write_volatile(1) };"
        ),
        Outcome::Restarted,
        "SIGSEGV",
    ),
    edit("an abort much later", later!("std::process::abort();"), Outcome::Restarted, "SIGABRT"),
    edit(
        "a stack overflow much later",
        later!(
            "fn deep(n: u64) -> u64 { let a = std::hint::black_box([n; 64]); if n == 0 { 0 } else { deep(n + 1) + a[7] } } assert!(deep(1) != 5);"
        ),
        Outcome::Restarted,
        "SIGSEGV",
    ),
    edit(
        "an endless loop much later",
        later!("while sim.h < 9.0 { std::hint::spin_loop(); }"),
        Outcome::Restarted,
        "loop",
    ),
];
