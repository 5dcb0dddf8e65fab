//! A debug build, a release build and Miri give the same bits: all compare with the same numbers.

use sim_tests::{Host, cloth, solvers};

/// After `FRAMES` frames. A change of physics changes these on purpose: say so where you change them.
const PINNED: &[(&str, &str)] = &[
    ("xpbd", "216c6ae9bdc45502"),
    ("pbd_gauss_seidel", "ffb5db7cbd43a582"),
    ("pbd_jacobi", "d1522c91964c73fc"),
    ("pbd_sor", "016d58967f7b574d"),
    ("explicit", "e0ead744ffaa4876"),
    ("implicit_newton", "ae8f079b2b4e1de5"),
    ("baraff_witkin", "b664e29571b8f5df"),
    ("implicit_jacobi", "08d4631575255469"),
    ("implicit_chebyshev", "1a0d4d0ef85a98d2"),
    ("projective_dynamics", "95c48aaa72c72ab6"),
    // Cloth as `xpbd` moves it, and cloth that falls.
    ("strand_newton", "216c6ae9bdc45502"),
    ("follow_the_leader", "b0fab7c80dff7907"),
    ("verlet", "f29267cbb8b66a33"),
    ("vbd", "2e6b181eee1f01fa"),
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
