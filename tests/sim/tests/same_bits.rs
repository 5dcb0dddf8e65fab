//! A debug build, a release build and Miri give the same bits: all compare with the same numbers.

use sim_tests::{Host, cloth, solvers};

/// After `FRAMES` frames. A change of physics changes these on purpose: say so where you change them.
const PINNED: &[(&str, &str)] = &[
    ("xpbd", "ba959baac0241f9c"),
    ("pbd_gauss_seidel", "f7691b1ff410d549"),
    ("pbd_jacobi", "530f1d001e31beb2"),
    ("pbd_sor", "073a285590cdae5f"),
    ("explicit", "127dd52f8268de9d"),
    ("projective_dynamics", "dc14283474d504db"),
    ("vbd", "464e7ee8a07772fc"),
];
const FRAMES: usize = if cfg!(miri) { 1 } else { 30 };

fn after(solver: &str, frames: usize) -> String {
    let mut host = Host::new(&cloth(13, 11), solver);
    (0..frames).for_each(|_| host.step().unwrap_or_else(|e| panic!("{solver}: {e}")));
    host.hash()
}

#[test]
fn hashes_are_as_pinned_in_every_profile() {
    let now: Vec<(&str, String)> =
        solvers().into_iter().map(|solver| (solver, after(solver, FRAMES))).collect();
    if cfg!(miri) {
        return;
    }
    let pinned: Vec<(&str, String)> =
        PINNED.iter().map(|(solver, hash)| (*solver, (*hash).to_string())).collect();
    assert_eq!(now, pinned, "the solvers' results changed, or depend on the build (left: now)");
}

#[test]
fn two_runs_are_equal() {
    for solver in solvers() {
        assert_eq!(after(solver, 2), after(solver, 2));
    }
}
