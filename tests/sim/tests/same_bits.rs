//! A debug build, a release build and Miri give the same bits: all compare with the same numbers.

use sim_tests::{Host, cloth, solvers};

/// After `FRAMES` frames. A change of physics changes these on purpose: say so where you change them.
const PINNED: &[(&str, &str)] = &[
    ("xpbd", "02e2c60ddc4d93bc"),
    ("pbd_gauss_seidel", "e0cec9810e64caff"),
    ("pbd_jacobi", "1b3dcaae0137ad67"),
    ("pbd_sor", "180aa83c108c475c"),
    ("explicit", "4affe00d55a1dba7"),
    ("implicit_newton", "a476ee02a4951459"),
    ("baraff_witkin", "f2cc4f853b004d5a"),
    ("implicit_jacobi", "921b911790833a2e"),
    ("implicit_chebyshev", "588fb3cd7513dd95"),
    ("projective_dynamics", "c4fe2d75d4ea4628"),
    // Cloth as `xpbd` moves it, and cloth that falls.
    ("strand_newton", "02e2c60ddc4d93bc"),
    ("follow_the_leader", "c5148ae8be56bf6c"),
    ("verlet", "8ab821bdb05b2560"),
    ("vbd", "d6dd463a3e1df0d9"),
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
