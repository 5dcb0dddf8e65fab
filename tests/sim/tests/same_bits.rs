//! A debug build, a release build and Miri give the same bits: all compare with the same numbers.

use sim_tests::{Host, cloth, solvers};

/// After `FRAMES` frames. A change of physics changes these on purpose: say so where you change them.
const PINNED: &[(&str, &str)] = &[
    ("xpbd", "bca63de68e6f8d75"),
    ("pbd_gauss_seidel", "25f809adaedbffaa"),
    ("pbd_jacobi", "9ec4950bc14fe5fc"),
    ("pbd_sor", "f0ca73430c18f806"),
    ("explicit", "1ea9204c3ac1b7c0"),
    ("implicit_newton", "53e2f4b3dc80d959"),
    ("baraff_witkin", "69d804ba53ce3a1b"),
    ("implicit_jacobi", "37695986aa0496e4"),
    ("implicit_chebyshev", "eafb8d93b5219df1"),
    ("projective_dynamics", "68787f37578db394"),
    ("vbd", "ec9fd93e36e8c44c"),
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
