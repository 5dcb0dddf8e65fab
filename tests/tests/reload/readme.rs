//! What the README says about adding each kind of thing, done with its own text in a copy of the tree, and counted.

use std::process::Command;

use tests::{
    edit_copy::EditCopy,
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

    /// Writes the file that is given for `kind`: with the code behind its name, or with the block that begins so.
    fn add_file(&self, kind: &str, block: Option<&str>) {
        let point = self.point(kind);
        let (_, rest) = point.split_once("for example ").unwrap_or_else(|| panic!("{point}"));
        let code = block.map_or_else(
            || quoted(rest.split_once(" with ").expect("the code").1),
            |begin| self.block(begin),
        );
        self.copy.write(quoted(rest), code);
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

    readme.add_line("Column", "        state predicted: [f32; 4],");
    swapped(&mut program, "3", &["added 1 (particle.heat)"]);

    readme.add_file("Constraint", Some("rust\n//! A leash"));
    readme.add_line("Constraint", "pub mod membrane;");
    let kernel =
        "let (da, db, _) = distance::project_stiff((a.x, a.w), (b.x, b.w), rows.load(self.rest), part);
        [da, db]";
    let called = "crate::constraints::leash::project((a.x, a.w), (b.x, b.w), rows.load(self.rest), part)";
    copy.edit("sim-dylib/src/solvers/mine.rs", kernel, called);
    copy.edit("sim-dylib/src/solvers/mine.rs", "    constraints::distance,\n", "");
    swapped(&mut program, "4", &[]);
    assert!(program.alive());
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
