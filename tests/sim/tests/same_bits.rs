//! A debug build, a release build and Miri give the same bits: all compare with the same numbers.

use sim_tests::{Host, cloth, solvers};

/// After `FRAMES` frames. A change of physics changes these on purpose: say so where you change them.
const PINNED: &[(&str, &str)] = &[
    ("xpbd", "39db7a78e5fb71b8"),
    ("pbd_gauss_seidel", "c0f8f8b1017c9778"),
    ("pbd_jacobi", "251d4909ea6b72f3"),
    ("pbd_sor", "161b26bbc39fe052"),
    ("explicit", "127dd52f8268de9d"),
    ("implicit_newton", "3715fad4e76544dc"),
    ("baraff_witkin", "92e0eab42d90f887"),
    ("implicit_jacobi", "5ad1058bbe7d4fc9"),
    ("implicit_chebyshev", "b267192380001551"),
    ("projective_dynamics", "9e082a687dab815e"),
    ("vbd", "ce3e4a342face7ae"),
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
