use super::*;
use weft_engine::{generation::Generation, run::Run};
use weft_scene::workload;

use crate::{
    columns::Columns,
    links::Neighbours,
    passes::{Node, Passes, Sources},
};

/// A small cloth.
fn run() -> Run {
    let scene = workload::workload(8).unwrap();
    Run::new(Generation::built_in(), workload::assembly(&scene).blueprint, "xpbd").unwrap()
}

fn columns(run: &Run, sources: &Sources) -> Result<Columns, ShaderError> {
    Columns::of(&run.state, &Neighbours::of(&run.state).unwrap().columns(), sources)
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
        let scope = Scope { sources: &sources, columns: &columns, params, features: &list.known };
        let own = ["step/energy", "step/finite"].map(|file| (file.to_string(), Vec::new()));
        for (_number, (file, features)) in passes(&list.passes).into_iter().chain(own).enumerate() {
            let parsed = parse(scope, &super::passes::path(&file), &features);
            let parsed = parsed.unwrap_or_else(|error| panic!("{}: {}", list.name, error.report));
            assert!(parsed.built_in);
            used.extend(parsed.files);
        }
    }
    // Columns are declared in one that nothing imports; two are the host's own.
    used.extend(["lib/columns", "step/copy", "step/surface"].map(|file| super::passes::path(file)));
    let left: Vec<&str> =
        sources.names().filter(|name| name.ends_with(".wgsl") && !used.contains(*name)).collect();
    assert!(left.is_empty(), "no pass uses {left:?}");
}
