//! How fast Jacobi iterations solve an implicit step, alone and with Chebyshev's acceleration.
//!
//! A = M/h² + K, K projected, at the present state; D its diagonal. An error shrinks by rho(I - D^-1 A) an iteration.
//! Wang: A Chebyshev Semi-Iterative Approach for Accelerating Projective and Position-based Dynamics, 2015: with that
//! rho, and if no eigenvalue of I - D^-1 A is below -rho, it shrinks by rho / (1 + sqrt(1 - rho²)) in the long run.

use glam::DVec3;

use super::Lanczos;
use crate::elastic::{Hessian, System};

/// Dimensionless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// Spectral radius of I - D^-1 A, the bound of its residual added. From 1 on Jacobi diverges.
    pub jacobi: f64,
    /// Share of the error that Chebyshev leaves in an iteration; `None` where Jacobi diverges.
    pub chebyshev: Option<f64>,
    /// Iterations of Jacobi for one of Chebyshev, in the long run.
    pub gain: Option<f64>,
}

impl Relaxation {
    fn of(rho: f64) -> Self {
        let chebyshev = (rho < 1.0).then(|| rho / (1.0 + (1.0 - rho * rho).sqrt()));
        let gain = chebyshev.filter(|_| rho > 0.0).map(|chebyshev| chebyshev.ln() / rho.ln());
        Self { jacobi: rho, chebyshev, gain }
    }
}

/// At the system's positions, for a step of `h` seconds. The system's rigid constraints must have been given a stiffness.
pub fn relaxation(system: &System, h: f64) -> Relaxation {
    let mut matrix = system.matrix();
    system.add_inertia(1.0 / (h * h), &mut matrix);
    system.add_stiffness(&system.x, Hessian::Projected, &mut matrix);
    let per_root = |d: f64| 1.0 / d.sqrt();
    let diagonal = matrix.diagonal.iter().map(|d| DVec3::new(d.x_axis.x, d.y_axis.y, d.z_axis.z));
    let masses = system.free_particles.iter().map(|&i| system.mass[i as usize]);
    let shares =
        masses.zip(&matrix.diagonal).map(|(m, d)| m / (h * h) / d.x_axis.x.max(d.y_axis.y).max(d.z_axis.z));
    let inertia = shares.fold(1.0, f64::min);
    let scale: Vec<DVec3> =
        diagonal.map(|d| DVec3::new(per_root(d.x), per_root(d.y), per_root(d.z))).collect();
    matrix.scale(&scale);
    // D^-1/2 A D^-1/2 has the eigenvalues of D^-1 A, and is symmetric. 1 is the mean of its eigenvalues.
    let mut lanczos = Lanczos::default();
    let ends = lanczos.run(scale.len(), true, 1e-5, 300, &mut |x, y| matrix.times(x, y));
    // K adds to M/h²: no eigenvalue is below what the inertia has of the diagonal.
    let smallest = (ends.smallest - ends.smallest_bound).max(inertia);
    Relaxation::of((1.0 - smallest).abs().max((ends.largest + ends.largest_bound - 1.0).abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chebyshev_is_faster_where_jacobi_converges() {
        let slow = Relaxation::of(0.992);
        assert!((slow.gain.expect("it converges") - 15.8).abs() < 0.1, "{slow:?}");
        assert_eq!(Relaxation::of(1.0).chebyshev, None);
        assert_eq!(Relaxation::of(1.3).gain, None);
        assert_eq!(Relaxation::of(0.0).chebyshev, Some(0.0));
    }
}
