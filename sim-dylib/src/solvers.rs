//! All solvers. A new one is a file in `solvers/` that declares `pub const SOLVER`, and its name in the list below.

use sim_api::SolverDesc;

pub use crate::substep::Solver;

macro_rules! solvers {
    ($($name:ident),* $(,)?) => {
        $(pub mod $name;)*

        /// In the order of the panel's list.
        pub static SOLVERS: [Solver; [$(stringify!($name)),*].len()] = [$($name::SOLVER),*];

        /// What the host sees of [`SOLVERS`].
        pub static DESCRIPTIONS: [SolverDesc; SOLVERS.len()] = [$($name::SOLVER.description),*];
    };
}

solvers! {
    xpbd,
    pbd_gauss_seidel,
    pbd_jacobi,
    pbd_sor,
    explicit,
    implicit_newton,
    baraff_witkin,
    implicit_jacobi,
    implicit_chebyshev,
    projective_dynamics,
    strand_newton,
    follow_the_leader,
    verlet,
    vbd,
}
