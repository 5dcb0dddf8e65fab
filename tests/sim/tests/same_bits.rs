//! A debug build, a release build and Miri give the same bits: all compare with the same numbers.

use sim_tests::{Host, cloth, solvers};

/// After `FRAMES` frames. A change of physics changes these on purpose: say so where you change them.
const PINNED: &[(&str, &str)] = &[
    ("xpbd", "e335f203496d5143"),
    ("pbd_gauss_seidel", "e73a95f572288897"),
    ("pbd_jacobi", "aaa346a49cfc7be4"),
    ("pbd_sor", "aa954b1c9b18d276"),
    ("explicit", "5f8714842cf04e07"),
    ("implicit_newton", "8267c43e164d614d"),
    ("baraff_witkin", "41b6bb66584d794a"),
    ("implicit_jacobi", "8bd617dcc19bb28f"),
    ("implicit_chebyshev", "56633e4836af58b8"),
    ("projective_dynamics", "8869cdb461642cb5"),
    // Cloth as `xpbd` moves it, and cloth that falls.
    ("strand_newton", "e335f203496d5143"),
    ("follow_the_leader", "9eabb092b563ce09"),
    ("verlet", "d7429d5837e7284d"),
    ("vbd", "37daabaa875e0f78"),
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
