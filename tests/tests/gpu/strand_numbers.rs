//! What strands must reproduce, on the GPU path: Michell's ring, jerks and jumps of roots, momentum, curls and chains (`weft validate --path gpu`).

use tests::{fixture::all_solvers, left_out, long};
use weft_gpu::GpuOptions;
use weft_proof::{
    expect::Status,
    validate::{self, ValidateOptions},
};

pub(super) const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// Runs a case, with these solvers or, with `--long`, all that the path offers. Returns the solvers that gave a number.
pub(super) fn holds(case: &str, solvers: &[&str]) -> Vec<String> {
    let all = all_solvers();
    let rows = validate::validate(&ValidateOptions {
        cases: vec![case.to_string()],
        solvers: if long() { all } else { solvers.to_vec() }.into_iter().map(str::to_string).collect(),
        quick: true,
        gpu: Some(GpuOptions::default()),
        ..ValidateOptions::default()
    })
    .unwrap_or_else(|why| panic!("{why}"));
    let wrong = rows.iter().filter(|row| row.status == Status::Fail);
    let wrong: Vec<String> = wrong
        .map(|row| {
            format!("{} {}: {:?} for {} {}", row.solver, row.reading, row.measured, row.bounds, row.note)
        })
        .collect();
    assert!(wrong.is_empty(), "{case}: {}", wrong.join("\n"));
    let mut there: Vec<String> = rows.into_iter().map(|row| row.solver).collect();
    there.dedup();
    there
}

#[test]
fn rings_buckle_above_michells_twist() {
    if left_out("rings_buckle_above_michells_twist", NEEDS) {
        return;
    }
    let there = holds("V18", &["strand_newton", "follow_the_leader"]);
    assert!(there.iter().any(|solver| solver == "strand_newton"), "{there:?}");
}

#[test]
fn jerks_and_jumps_of_roots() {
    if left_out("jerks_and_jumps_of_roots", NEEDS) {
        return;
    }
    let there = holds("V19", &["strand_newton"]);
    assert!(!there.is_empty());
}

#[test]
fn strands_keep_their_momentum() {
    if left_out("strands_keep_their_momentum", NEEDS) {
        return;
    }
    let there = holds("V20", &["strand_newton", "follow_the_leader", "verlet", "pbd_jacobi"]);
    assert!(there.len() >= 4, "{there:?}");
}

#[test]
fn curls_are_springs_and_chains_keep_pace() {
    if left_out("curls_are_springs_and_chains_keep_pace", NEEDS) {
        return;
    }
    for case in ["V26", "V27"] {
        let there = holds(case, &["strand_newton"]);
        assert!(there.iter().any(|solver| solver == "strand_newton"), "{case}: {there:?}");
    }
}
