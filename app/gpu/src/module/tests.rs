use super::*;
use weft_engine::{generation::Generation, run::Run};
use weft_scene::workload;

use crate::{
    columns::Columns,
    links::Adjacency,
    passes::{Node, Passes, Sources},
};

/// A small cloth.
fn run() -> Run {
    let scene = workload::workload(8).unwrap();
    Run::new(Generation::built_in(), workload::assembly(&scene).blueprint, "xpbd").unwrap()
}

fn columns(run: &Run, sources: &Sources) -> Result<Columns, ShaderError> {
    Columns::of(&run.state, &Adjacency::of(&run.state).unwrap().columns(), sources, u64::MAX)
}

/// Files and features of all passes.
fn passes(nodes: &[Node]) -> Vec<(String, Vec<String>)> {
    let inside = |nodes: &[Node]| passes(nodes);
    nodes
        .iter()
        .flat_map(|node| match node {
            Node::Pass { file, features, .. } => vec![(file.clone(), features.clone())],
            Node::Substeps(nodes)
            | Node::Iterations(nodes)
            | Node::FirstSubstep(nodes)
            | Node::Rounds { passes: nodes, .. }
            | Node::Count { passes: nodes, .. }
            | Node::Colours(_, nodes)
            | Node::When(_, nodes) => inside(nodes),
            Node::Swap(..) | Node::Part(_) | Node::Each { .. } => Vec::new(),
        })
        .collect()
}

#[test]
fn every_pass_of_every_list_is_valid() {
    let (sources, run) = (Sources::built_in(), run());
    let columns = columns(&run, &sources).unwrap();
    let lists = Passes::read(&sources).unwrap().lists;
    let mut used = std::collections::BTreeSet::new();
    for list in &lists {
        let solver = run.generation.solvers().iter().find(|solver| solver.name.as_str() == list.solver);
        let params = solver.expect("a solver of the hot code").params.as_slice();
        // With places for all columns, and with those that many drivers of OpenGL have.
        for places in [usize::MAX, 16] {
            let scope = Scope { sources: &sources, columns: &columns, params, features: &list.known, places };
            let own = ["step/energy", "step/finite"].map(|file| (file.to_string(), Vec::new()));
            for (file, features) in passes(&list.passes).into_iter().chain(own) {
                let parsed = parse(scope, &super::passes::path(&file), &features);
                let parsed = parsed.unwrap_or_else(|error| panic!("{}: {}", list.name, error.report));
                assert!(parsed.built_in);
                assert!(parsed.columns() <= places, "{}: {file} binds {}", list.name, parsed.columns());
                used.extend(parsed.files);
            }
        }
    }
    // None of them drives another out.
    assert!(made().len() < KEPT / 2, "{}", made().len());
    // Columns are declared in one that nothing imports; four are the host's own.
    used.extend(
        ["lib/columns", "step/copy", "step/surface", "strand/ribbon", "strand/ribbon_corners"]
            .map(super::passes::path),
    );
    let left: Vec<&str> =
        sources.names().filter(|name| *name != super::passes::PASSES && !used.contains(*name)).collect();
    assert!(left.is_empty(), "no pass uses {left:?}");
}

/// What is wrong with `texts`, of which the first is the pass.
fn mistake(texts: &[(&str, &str)]) -> String {
    let run = run();
    let mut sources = Sources::built_in();
    texts.iter().for_each(|(file, text)| sources.set(&super::passes::path(file), text));
    let columns = match columns(&run, &sources) {
        Ok(columns) => columns,
        Err(error) => return error.to_string(),
    };
    let features = ["meshes".to_string()].into();
    let scope =
        Scope { sources: &sources, columns: &columns, params: &[], features: &features, places: usize::MAX };
    let parsed = parse(scope, &super::passes::path(texts[0].0), &[]);
    parsed.err().expect("a mistake").to_string()
}

#[test]
fn mistakes_are_told_with_file_line_and_column() {
    let main = "@rows(64) fn main(i: u32) { let x = particle_mass[i]; }\n";
    let mut wrong = Vec::new();
    for (text, says) in [
        ("#import <a.wgsl>", "shaders/sim/a.wgsl:1:1: a.wgsl imports itself: shaders/sim/a.wgsl → a.wgsl"),
        (
            "#import <b.wgsl>",
            "shaders/sim/b.wgsl:1:1: a.wgsl imports itself: shaders/sim/a.wgsl → shaders/sim/b.wgsl → a.wgsl",
        ),
        (
            "\n  #import <lib/link.wgsl>",
            "shaders/sim/a.wgsl:2:3: there is no file `lib/link.wgsl`; did you mean",
        ),
        ("#import lib/links.wgsl", "write #import <folder/file.wgsl>"),
        ("#include <lib/links.wgsl>", "there are #import, #ifdef, #else and #endif"),
        ("#ifdef mesh\n#endif", "a.wgsl:1:1: no pass is listed with `mesh`; did you mean `meshes`?"),
        ("#ifdef meshes", "`#ifdef` without `#endif`"),
        ("#ifdef meshes\n#else\n#else\n#endif", "a.wgsl:3:1: `#else` without `#ifdef`"),
        ("#endif", "`#endif` without `#ifdef`"),
        ("struct Frame { h: f32 }", "`Frame` is made of the members"),
        (
            "#import <lib/sums.wgsl>\nfn sum_up() {}",
            "a.wgsl:2:4: `sum_up` is declared in shaders/sim/lib/sums.wgsl:",
        ),
        ("#import <c.wgsl>", "shaders/sim/c.wgsl:3:12: "),
        ("fn f() -> f32 {\n    return frame.hh;\n}", "a.wgsl:2:18: `frame.hh` is not supplied"),
        ("fn f() -> f32 {\n    return particle_mas[0];\n}", "a.wgsl:2:12: no definition in scope"),
        ("fn f(i: u32) {\n    particle_mass[i] = 1.0;\n}", "a.wgsl:2:5: `particle_mass` is given"),
        ("fn f() -> u32 {\n    return particle_mass[0];\n}", "a.wgsl:1:1: Function [0]"),
        (
            "var<storage> particle_mass: array<f32>;",
            "a.wgsl:1:1: column `particle_mass` is in the state already",
        ),
        ("var<storage> lnk_x: array<f32>;", "there is no table that `lnk_x` begins with"),
        (
            "\nvar<storage> link_x: array<f32, 4611686018427387904>;",
            "a.wgsl:2:1: `link_x` has 4611686018427387904 rows: a pass counts them up to 4294967295",
        ),
        ("var<storage> link_x: f32;", "write var<storage> table_column: array<f32>"),
        ("var<storage> link_lambda: array<f32>;", "`link_lambda` is declared in shaders/sim/"),
        ("@group(0) @binding(1) var<storage> x: array<f32>;", "leave the line out"),
    ] {
        let text = format!("{text}\n{main}");
        let found =
            mistake(&[("a", &text), ("b", "#import <a.wgsl>"), ("c", "fn f() {\n\n    return x;\n}")]);
        if !found.contains(says) {
            wrong.push(format!("{text}\n{found}\n{says}"));
        }
    }
    for (text, says) in [
        (
            "@rows(64)\nfn main(i: u32, j: u32) {\n}",
            "a.wgsl:2:1: here comes the entry point: fn main(row: u32) {",
        ),
        ("@groups(64)\n\nfn main() {\n}", "fn main(row: u32, lane: u32) {"),
        ("@rows(32, 2)\nfn main(row: u32) {\n}", "fn main(row: u32, lane: u32) {"),
        ("@compute @workgroup_size(32, 2)\nfn main() {\n}", "one number, @rows(128), or two, @rows(32, 2)"),
        ("fn f() {}", "a pass has one entry point"),
        ("\nfn main(row: u32) {\n}", "a.wgsl:2:1: a pass has one entry point"),
        ("\n@rows(0)\nfn main(row: u32) {\n}", "a.wgsl:2:1: a workgroup of (0) has no threads"),
        ("#ifdef\n#endif\n@rows(64)\nfn main(row: u32) {\n}", "a.wgsl:1:1: write #ifdef and the name"),
        ("", "empty"),
    ] {
        let found = mistake(&[("a", text)]);
        if !found.contains(says) {
            wrong.push(format!("{text}\n{found}\n{says}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn statements_that_no_compiler_bears_are_errors() {
    let main = "@rows(64)\nfn main(i: u32) {\n    let x = f();\n}\n";
    for value in [
        format!("{}1.0{}", "(".repeat(20_000), ")".repeat(20_000)),
        format!("1.0{}", " + 1.0".repeat(20_000)),
        format!("{}1.0", "- ".repeat(20_000)),
    ] {
        let text = format!("fn f() -> f32 {{\n    return {value};\n}}");
        let found = mistake(&[("a", &format!("#import <b.wgsl>\n{main}")), ("b", &text)]);
        assert!(
            found.starts_with("shaders/sim/b.wgsl:2:") && found.contains("cut it into several"),
            "{found}"
        );
    }
}

#[test]
fn tables_may_have_an_underscore() {
    let run = run();
    let columns = columns(&run, &Sources::built_in()).unwrap();
    let normal = columns.variable("solid_vertex_normal").expect("a column of `solid_vertex`");
    assert_eq!(
        (columns.list[normal].table.as_str(), columns.list[normal].name.as_str()),
        ("solid_vertex", "normal")
    );
}
