//! `weft new`: what it writes can be used as it is, and nothing is written over.

use std::fs;

use tests::{left_out, places, process};
use weft_proof::soak::tree::Tree;

fn no_program(test: &str) -> bool {
    !places::weft().exists() && left_out(test, "the program beside it (cargo build)")
}

#[test]
fn a_new_scene_checks_and_runs_and_a_new_solver_is_listed() {
    if no_program("a_new_scene_checks_and_runs_and_a_new_solver_is_listed") {
        return;
    }
    // Not the copy that others edit: they may run beside.
    let root = places::build().join("test-files/new-copy");
    let copy = Tree::copy(&places::root(), root.clone()).unwrap_or_else(|e| panic!("{e}"));
    let read = |file: &str| copy.read(file).unwrap_or_else(|e| panic!("{e}"));
    let weft = |arguments: &[&str]| {
        let output = process::weft(&root, arguments);
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), text.into_owned())
    };
    let (good, said) = weft(&["new", "my_first"]);
    assert!(good && said.contains("my_first.ron"), "{said}");
    let scene = root.join("scenes/my_first.ron");
    let text = fs::read_to_string(&scene).expect("it is written");
    assert!(text.contains("title: \"my_first\"") && !text.contains("NAME"), "{text}");
    let (good, said) = weft(&["check", "scenes/my_first.ron"]);
    assert!(good, "{said}");
    let (good, said) = weft(&["run", "scenes/my_first.ron", "--frames", "40"]);
    assert!(good && said.contains("stretch_p95"), "{said}");
    let (good, said) = weft(&["new", "my_first"]);
    assert!(!good && said.contains("is there already"), "{said}");
    assert_eq!(fs::read_to_string(&scene).expect("it stays"), text);

    let (good, said) = weft(&["new", "mine", "--solver"]);
    assert!(good && said.contains("listed"), "{said}");
    let list = read("sim-dylib/src/solvers.rs");
    assert!(list.contains("    vbd,\n    mine,\n}"), "{list}");
    let solver = read("sim-dylib/src/solvers/mine.rs");
    assert!(solver.contains("SolverDesc::new(\"mine\"") && !solver.contains("NAME"), "{solver}");
    // The README's solver is built by the reload tests: this is the same code.
    let readme = read("README.md");
    let code = |text: &str| {
        text[text.find("use sim_api").expect("code")..]
            .replace("What it does, in one sentence.", "My first solver.")
    };
    let shown = readme.split("```rust\n").nth(1).and_then(|text| text.split("```").next()).expect("code");
    assert_eq!(code(&solver), code(shown));
    for (name, says) in [
        ("xpbd", "a solver `xpbd` already"),
        ("My Solver", "no name for a file"),
        ("../x", "no name for a file"),
    ] {
        let (good, said) = weft(&["new", name, "--solver"]);
        assert!(!good && said.contains(says), "{name}: {said}");
    }
}
