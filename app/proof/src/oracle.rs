//! The reference solution of one implicit-Euler step, in double precision.
//!
//! ```text
//!  x~ = x_n + h v~            v~: gravity, wind and air damping, as `sim_kernels::forces::Push` has them     (predict.rs)
//!  x* = argmin 1/(2h²) |x - x~|²_M + E(x)                                                            (newton.rs)
//! ```
//! That is the equation which XPBD, Newton, projective dynamics and vertex block descent each approach in their own
//! way (Martin et al.: Example-Based Elastic Materials, 2011, eq. 6). The mass term makes it well posed without pins.
//!
//! [`Step::residual`] is the common measure of all solvers: what is left of the step's own equation, relative to what
//! there was at x~. E is not convex where something is pushed together: two solvers may end in two minima, each with
//! residual 0. No contact, no friction, no damping of springs.

mod newton;
mod predict;

use glam::DVec3;
use sim_api::World;
use weft_core::state::col;
use weft_engine::elastic;

pub use newton::{Iteration, Solution, Stop};

use weft_core::state::State;
use weft_engine::elastic::{Hessian, Limit, System};

/// One step from a state: what is to be solved.
pub struct Step {
    pub system: System,
    /// Length of the step [s].
    pub h: f64,
    /// x~ [m], one row per particle; pinned ones stay.
    pub target: Vec<DVec3>,
    /// |h² dE/dx| at x~, over the free particles [kg m].
    scale: f64,
}

impl Step {
    /// `time` [s] is that at the start of the step, for the wind's gusts. Rows are no stiffer than `limit`.
    ///
    /// # Errors
    /// Without particles, without a free one, without an elastic row at a free one, or for a step that is not positive.
    pub fn new(state: &State, world: &World, h: f32, time: f32, limit: Limit) -> Result<Self, String> {
        if !(h > 0.0 && h.is_finite()) {
            return Err(format!("a step of {h} s: give one above 0"));
        }
        let system = System::of(state, limit)?;
        elastic::check(&system)?;
        let target = predict::positions(state, &system, world, h.into(), time);
        let mut step = Self { system, h: h.into(), target, scale: 0.0 };
        step.scale = step.norm(&step.target);
        Ok(step)
    }

    /// |M (x - x~) + h² dE/dx| over the free particles, relative to the same at x~. Dimensionless; 1 at x~, 0 when solved.
    /// Without any force at x~ there is nothing to solve: 0 there, infinite elsewhere.
    pub fn residual(&self, x: &[DVec3]) -> f64 {
        let norm = self.norm(x);
        if norm == 0.0 { 0.0 } else { norm / self.scale }
    }

    /// Largest and RMS distance of the free particles between two sets of positions [m].
    pub fn distance(&self, a: &[DVec3], b: &[DVec3]) -> (f64, f64) {
        let squares =
            self.system.free_particles.iter().map(|&i| (a[i as usize] - b[i as usize]).length_squared());
        let (most, sum) = squares.fold((0.0, 0.0), |(most, sum), d| (f64::max(most, d), sum + d));
        (f64::sqrt(most), (sum / self.system.free_particles.len().max(1) as f64).sqrt())
    }

    /// The minimum, to a relative residual of `tolerance`.
    pub fn solve(&self, tolerance: f64, most: usize) -> Result<Solution, String> {
        newton::solve(self, tolerance, most)
    }

    fn norm(&self, x: &[DVec3]) -> f64 {
        self.h * self.h * norm(&self.gradient(x))
    }

    /// 1/(2h²) |x - x~|²_M + E(x) [J].
    fn objective(&self, x: &[DVec3]) -> f64 {
        let inertia = self.system.free_particles.iter().map(|&i| {
            let i = i as usize;
            self.system.mass[i] * (x[i] - self.target[i]).length_squared()
        });
        inertia.sum::<f64>() * 0.5 / (self.h * self.h) + self.system.energy(x)
    }

    /// Its gradient [N], one row per free particle.
    fn gradient(&self, x: &[DVec3]) -> Vec<DVec3> {
        let elastic = self.system.gradient(x);
        let rows = self.system.free_particles.iter().map(|&i| {
            let i = i as usize;
            (x[i] - self.target[i]) * (self.system.mass[i] / (self.h * self.h)) + elastic[i]
        });
        rows.collect()
    }

    /// Its second derivative [N/m] into `matrix`.
    fn second(&self, x: &[DVec3], kind: Hessian, matrix: &mut weft_engine::elastic::Blocks) {
        matrix.clear();
        self.system.add_inertia(1.0 / (self.h * self.h), matrix);
        self.system.add_stiffness(x, kind, matrix);
    }
}

/// Positions of a state [m].
pub fn positions(state: &State) -> Vec<DVec3> {
    let rows = state.get(col::particle::position).iter();
    rows.map(|row| DVec3::new(row[0].into(), row[1].into(), row[2].into())).collect()
}

fn norm(rows: &[DVec3]) -> f64 {
    rows.iter().map(|row| row.length_squared()).sum::<f64>().sqrt()
}
