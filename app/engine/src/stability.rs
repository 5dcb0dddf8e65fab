//! How large a step explicit integration may take, from the elastic system of a state.
//!
//! ```text
//!  K = d²E/dx² (exact, at the present state)      C = dampers along the springs + air damping
//!  omega_max² = largest eigenvalue of M^-1/2 K M^-1/2, by Lanczos                              (lanczos.rs)
//! ```
//! For a grid of particles of mass m, spacing and rest length alike, all springs of stiffness k and at rest, a plane
//! wave of phase (a, b) per cell has D(a, b) = sum over pairs of springs of 2k (1 - cos(phase)) r r^T, r the direction
//! (Bloch analysis). Its largest eigenvalue over all waves:
//!
//! | springs | largest eigenvalue | where | dt_max = 2/omega at k = 1e4 N/m, m = 1 kg |
//! |---|---|---|---|
//! | 8: structural and shear | 8 k/m | a = pi, b = 0 | 7.07 ms |
//! | 12: and skip-one | 10.125 k/m | cos a = cos b = -1/8 | 6.285 ms |
//!
//! (On the diagonal a = b and c = cos a the 12 springs have 2k (5 - c - 4c²).) Finite grids are a little below that.
//!
//! Per scheme, for x'' = -omega² x - c x' (each from the amplification matrix of a step):
//!
//! | scheme | stable while |
//! |---|---|
//! | `symplectic_euler` | (omega h)² + 2 c h < 4 |
//! | `velocity_verlet` | (omega h)² + 2 c h - (c h)² < 4 and c h < 2: a' is taken at x' and at v + h a |
//! | `rk4` | omega h < 2.828 without damping, \|lambda\| h < 2.785 where it is overdamped |
//! | `explicit_euler` | h < c / omega², and 2 c h - (omega h)² < 4 |
//! | `taylor2` | h < 2 c / omega² and c h < 2 |
//!
//! Of all motions u of a damped system, with omega² = u'Ku and c = u'Cu, the one that allows the least decides: by the
//! table each is an oscillator. It is looked for as Rayleigh's quotient is, the largest eigenvector of K + s C with the
//! s of the last one found (longest.rs).

mod lanczos;
mod longest;
mod operator;
mod relaxation;
mod scheme;
mod tridiagonal;
mod verdict;
mod watch;

pub use lanczos::{Extremes, Lanczos};
pub use longest::{Motion, Search};
pub use operator::{Damping, Dynamics, dampers};
pub use relaxation::{Relaxation, relaxation};
pub use scheme::{amplification, limit, longest_step, spectral_radius};
pub use verdict::{Explicit, Verdict, substeps, verdict};
pub use watch::Watch;
