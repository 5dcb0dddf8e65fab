//! What the README says about adding each kind of thing, done with its own text in a copy of the tree, and counted.

use std::process::Command;

use tests::{
    edit_copy::EditCopy,
    fixture::solvers,
    left_out, long, places,
    process::{Running, weft},
};

const FLAG: &str = "scenes/flag.ron";

/// The README, and the copy in which it is followed.
struct Readme {
    copy: EditCopy,
    text: String,
}

impl Readme {
    fn new() -> Self {
        let copy = EditCopy::fresh();
        let text = copy.read("README.md");
        Self { copy, text }
    }

    /// The point of the list that is about `kind`, in one line.
    fn point(&self, kind: &str) -> String {
        let (_, rest) = self.text.split_once(&format!("- **{kind}**: ")).unwrap_or_else(|| panic!("{kind}"));
        let point = rest.split("\n- **").next().and_then(|point| point.split("\n\n").next());
        point.unwrap_or(rest).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Adds the line that the README gives for `kind` before a line of the file that it names.
    fn add_line(&self, kind: &str, before: &str) {
        let point = self.point(kind);
        let (_, rest) = point.split_once("a line in ").unwrap_or_else(|| panic!("{point}"));
        let file = quoted(rest);
        let line = quoted(rest.split_once("such as ").unwrap_or_else(|| panic!("{point}")).1);
        self.copy.edit(file, before, &format!("{line}\n{before}"));
    }

    /// Writes the file that is given for `kind`, with the code behind its name unless it is another.
    fn add_file(&self, kind: &str, code: Option<&str>) {
        let point = self.point(kind);
        let (_, rest) = point.split_once("for example ").unwrap_or_else(|| panic!("{point}"));
        let code = code.unwrap_or_else(|| quoted(rest.split_once(" with ").expect("the code").1));
        self.copy.write(quoted(rest), code);
    }

    /// The constraint: a file with the code at the head of `constraints.rs`, and a line.
    fn add_constraint(&self) {
        let head = self.copy.read("sim-dylib/kernels/constraints.rs");
        let (_, code) = head.split_once("//! ```ignore\n").expect("code");
        let (code, _) = code.split_once("//! ```\n").expect("its end");
        let line = |line: &str| line.strip_prefix("//! ").unwrap_or_default().to_string() + "\n";
        self.add_file("Constraint", Some(&code.lines().map(line).collect::<String>()));
        self.add_line("Constraint", "            }\n            triangle: Triangle");
    }

    /// The block of code that begins so.
    fn block(&self, begin: &str) -> &str {
        let from = self.text.find(&format!("```{begin}")).unwrap_or_else(|| panic!("{begin}"));
        let code = self.text[from..].split_once('\n').expect("code").1;
        code.split("```").next().expect("its end")
    }

    /// The solver, which is written and listed as the README says.
    fn add_solver(&self) {
        assert!(self.text.contains("Write `sim-dylib/src/solvers/mine.rs`"));
        self.copy.write("sim-dylib/src/solvers/mine.rs", self.block("rust\n//! My solver"));
        assert!(self.text.contains("Add `mine,` to the list in `sim-dylib/src/solvers.rs`"));
        self.copy.edit("sim-dylib/src/solvers.rs", "    vbd,\n}", "    vbd,\n    mine,\n}");
    }
}

/// What stands between the first two backticks.
fn quoted(text: &str) -> &str {
    text.split('`').nth(1).unwrap_or_else(|| panic!("no `code` in {text}"))
}

/// Waits for the swap after a save, which keeps the state.
fn swapped(program: &mut Running, generation: &str, more: &[&str]) {
    let parts = [&["[reload] generation", generation, "runs: kept", "unchanged"], more].concat();
    program.wait_for(&parts);
    program.wait_for(&[&format!("[first step] generation {generation} stepped")]);
}

/// Rows of 0.08 m/N, which stretch by 15 % where nothing else holds them.
const SOFT: &str = r#"(version: 1, air_damping: 3.0, solver: (name: "xpbd"), cloths: [(id: "a",
    shape: Grid(columns: 11, rows: 13, width: 1, height: 1.2), at: (0.0, 1.5, 0.0), pins: [Edge(Top)],
    material: (density: 0.3, compliance: (structural: 0.08, shear: 0.3, bend: 0.3)))])"#;

/// The constraint of the README holds rows with all solvers of cloth, in the short run with one of each way to take a
/// constraint: a projection, energies, one corner. It is built: other programs have the library within a few frames.
fn leash_holds(copy: &EditCopy) {
    copy.write("scenes/soft.ron", SOFT);
    let none = ["solver.stiffness=0", "solver.shear=0", "solver.bend=0"];
    let others: &[&str] = &["follow_the_leader", "strand_newton", "verlet"];
    let short = ["xpbd", "pbd_gauss_seidel", "projective_dynamics", "vbd"];
    for solver in solvers().into_iter().filter(|solver| !others.contains(solver)) {
        if !long() && !short.contains(&solver) {
            continue;
        }
        // Under PBD these rows are as rigid as any: without stiffness nothing but the constraint holds them.
        let set = if solver.starts_with("pbd_") { &none[..] } else { &[] };
        let set = set.iter().flat_map(|set| ["--set", set]).collect::<Vec<_>>();
        let run = [&["run", "scenes/soft.ron", "--solver", solver, "--frames", "300"], &set[..]].concat();
        let stretch = |said: &str| {
            let line = said.lines().find(|line| line.starts_with("stretch_max"));
            let value =
                line.and_then(|line| line.split_whitespace().nth(1)).and_then(|value| value.parse().ok());
            value.unwrap_or_else(|| panic!("{solver}: {said}"))
        };
        let without: f64 = stretch(&String::from_utf8_lossy(&weft(&copy.root, &run).stdout));
        assert!(without > 0.14, "{solver}: {without} without it");
        let watched = [&run[..], &["--watch"]].concat();
        let output = weft(&copy.root, &watched);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!((said.clone() + &errors).contains("distance.leash"), "{solver}: {said}{errors}");
        let with = stretch(&said);
        assert!((0.04..0.12).contains(&with), "{solver}: {with} with it, {without} without");
    }
}

#[test]
fn a_solver_a_column_and_a_constraint_run_in_the_running_program() {
    if left_out(
        "a_solver_a_column_and_a_constraint_run_in_the_running_program",
        "a copy of the tree, and cargo",
    ) {
        return;
    }
    let readme = Readme::new();
    let copy = &readme.copy;
    let mut program = Running::weft(&copy.root, &["run", FLAG, "--watch"]);
    program.wait_for(&["[first step] generation 1"]);

    readme.add_solver();
    swapped(&mut program, "2", &[]);
    copy.edit(FLAG, "name: \"xpbd\"", "name: \"mine\"");
    program.wait_for(&["[scene] 1 change(s): solver.name"]);

    // In one build, which takes as long as of one of them.
    readme.add_line("Column", "        state predicted: [f32; 4],");
    readme.add_constraint();
    swapped(&mut program, "3", &["added 2 (", "particle.heat", "distance.leash"]);
    assert!(program.alive());
    drop(program);
    leash_holds(copy);
}

#[test]
fn a_pass_runs() {
    if left_out("a_pass_runs", "a copy of the tree, and a Vulkan driver") {
        return;
    }
    let readme = Readme::new();
    let energy = || {
        let arguments = ["run", FLAG, "--path", "gpu", "--frames", "5"];
        let output = weft(&readme.copy.root, &arguments);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = said.lines().find(|line| line.starts_with("kinetic_energy")).map(str::to_string);
        line.unwrap_or_else(|| panic!("{said}{errors}"))
    };
    let before = energy();
    readme.add_file("Pass", None);
    let at = "Pass(file: \"step/predict\", over: \"particle\"),";
    readme.add_line("Pass", at);
    assert_ne!(energy(), before);
}

/// Builds the host in the copy: minutes, so only in the long run.
#[test]
fn a_reading_a_scene_field_and_a_view_are_in_the_program() {
    if !long() {
        eprintln!("LEFT OUT: the host that the README adds to is built by `bash tests/run --long reload`.");
        return;
    }
    let readme = Readme::new();
    let copy = &readme.copy;
    readme.add_line("Reading", "    Reading {\n        name: \"kinetic_energy\",");
    readme.add_line("Scene field", "        gust: f32 =");
    readme.add_line("View", "    Quantity::new(\"stress\"");
    let build = Command::new("cargo")
        .args(["build", "--quiet", "--profile", "checked", "-p", "weft"])
        .env("CARGO_TARGET_DIR", places::build().parent().expect("the target folder").join("readme"))
        .current_dir(&copy.root)
        .status();
    assert!(build.expect("cargo").success());
    let program = places::build().parent().expect("the target folder").join("readme/checked/weft");
    let say = |arguments: &[&str]| {
        let output =
            Command::new(&program).args(arguments).current_dir(&copy.root).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{arguments:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
        said + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(say(&["readings"]).contains("top"));
    assert!(say(&["schema"]).contains("swirl"));
    copy.edit(FLAG, "wind: (", "wind: (swirl: 1.5, ");
    say(&["check", FLAG]);
    let shot = places::temporary("readme").join("speed.png");
    let shot = shot.to_str().expect("UTF-8");
    let said = say(&["run", FLAG, "--frames", "30", "--shot", shot, "--view", "speed"]);
    assert!(said.contains("speed 0 to"), "{said}");
    assert!(said.lines().any(|line| line.starts_with("top ")), "{said}");
}
