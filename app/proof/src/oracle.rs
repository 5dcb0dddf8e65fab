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
//!
//! Of strands there are two equations: that of solvers which know their lengths and bends as rows over particles, and that of rods
//! ([`Step::of_rods`], rods.rs), whose unknowns are the frames of segments as well. Frames are taken without inertia.

mod newton;
mod place;
mod predict;
mod rods;

use glam::DVec3;
use sim_api::World;

pub use newton::{Iteration, Solution, Stop};
pub use place::{Place, positions};
pub use rods::{Bend, Rods, Segment, Unknown};

use weft_core::{state::State, statistics::largest};
use weft_engine::elastic::{self, Blocks, Hessian, Limit, System};

/// One step from a state: what is to be solved.
pub struct Step {
    pub system: System,
    /// Strands, where they are taken as rods.
    pub rods: Option<Rods>,
    /// Length of the step [s].
    pub h: f64,
    /// x~ and, of rods, frames that are carried along its segments by the least turn: where all begin. What is held stays.
    pub target: Place,
    /// |h² dE/dx| at x~, over what is free [kg m].
    scale: f64,
}

impl Step {
    /// `time` [s] is that at the start of the step, for the wind's gusts. Rows are no stiffer than `limit`.
    ///
    /// # Errors
    /// Without particles, without a free one, without an elastic row at a free one, or for a step that is not positive.
    pub fn new(state: &State, world: &World, h: f32, time: f32, limit: Limit) -> Result<Self, String> {
        let system = checked(state, h, limit)?;
        Ok(Self::of(state, world, h, time, system, None))
    }

    /// The same with strands as rods, whose rows over particles `state` loses.
    ///
    /// # Errors
    /// Without strands, as [`Step::new`] else.
    pub fn of_rods(
        state: &mut State,
        world: &World,
        h: f32,
        time: f32,
        limit: Limit,
    ) -> Result<Self, String> {
        checked(state, h, limit)?;
        let rods = Rods::of(state).ok_or("there are no strands")?;
        rods::instead_of_rods(state);
        Ok(Self::of(state, world, h, time, System::of(state, limit)?, Some(rods)))
    }

    fn of(state: &State, world: &World, h: f32, time: f32, system: System, rods: Option<Rods>) -> Self {
        let mut target =
            Place { x: predict::positions(state, &system, world, h.into(), time), ..Place::of(state) };
        if let Some(rods) = &rods {
            rods.segments.iter().for_each(|segment| segment.carry(&mut target));
        }
        let mut step = Self { system, rods, h: h.into(), target, scale: 0.0 };
        step.scale = step.norm(&step.gradient(&step.target));
        step
    }

    /// |M (x - x~) + h² dE/dx| over what is free, relative to the same at x~; torques count by the length of their segment.
    /// Dimensionless; 1 at x~, 0 when solved. Without any force at x~ there is nothing to solve: 0 there, infinite elsewhere.
    pub fn residual(&self, at: &Place) -> f64 {
        self.relative(&self.gradient(at))
    }

    /// The same of a gradient.
    fn relative(&self, gradient: &[DVec3]) -> f64 {
        let norm = self.norm(gradient);
        if norm == 0.0 { 0.0 } else { norm / self.scale }
    }

    /// |h² dE/dx| at x~, over what is free [kg m]; 0 where there is nothing to solve.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Largest and RMS distance of the free particles between two sets of positions [m].
    pub fn distance(&self, a: &[DVec3], b: &[DVec3]) -> (f64, f64) {
        let squares =
            self.system.free_particles.iter().map(|&i| (a[i as usize] - b[i as usize]).length_squared());
        let (most, sum) = squares.fold((0.0, 0.0), |(most, sum), d| (largest([most, d]), sum + d));
        (f64::sqrt(most), (sum / self.system.free_particles.len().max(1) as f64).sqrt())
    }

    /// The minimum, to a relative residual of `tolerance`.
    pub fn solve(&self, tolerance: f64, most: usize) -> Result<Solution, String> {
        newton::solve(self, tolerance, most)
    }

    /// Rows that store energy.
    pub fn rows(&self) -> usize {
        self.system.rows() + self.rods.as_ref().map_or(0, |rods| rods.segments.len() + rods.joints.len())
    }

    fn norm(&self, gradient: &[DVec3]) -> f64 {
        self.h * self.h * self.size(gradient)
    }

    /// Length of a gradient [N], torques by the length of their segment.
    fn size(&self, gradient: &[DVec3]) -> f64 {
        let places = self.system.free_particles.len();
        let of_places: f64 = gradient[..places].iter().map(|force| force.length_squared()).sum();
        let lengths = self.free_frames().iter().map(|(_, length)| length);
        let torques = gradient[places..].iter().zip(lengths);
        (of_places + torques.map(|(torque, length)| (*torque / *length).length_squared()).sum::<f64>()).sqrt()
    }

    fn free_frames(&self) -> &[(u32, f64)] {
        self.rods.as_ref().map_or(&[], |rods| &rods.free_frames)
    }

    /// 1/(2h²) |x - x~|²_M + E(x, q) [J].
    fn objective(&self, at: &Place) -> f64 {
        let inertia = self.system.free_particles.iter().map(|&i| {
            let i = i as usize;
            self.system.mass[i] * (at.x[i] - self.target.x[i]).length_squared()
        });
        let rods = self.rods.as_ref().map_or(0.0, |rods| rods.energy(at));
        inertia.sum::<f64>() * 0.5 / (self.h * self.h) + self.system.energy(&at.x) + rods
    }

    /// Its gradient, one row per free particle [N], then one per free frame [N m].
    fn gradient(&self, at: &Place) -> Vec<DVec3> {
        let mut elastic = self.system.gradient(&at.x);
        let mut torques = vec![DVec3::ZERO; at.frames.len()];
        if let Some(rods) = &self.rods {
            rods.add_gradient(at, &mut elastic, &mut torques);
        }
        let forces = self.system.free_particles.iter().map(|&i| {
            let i = i as usize;
            (at.x[i] - self.target.x[i]) * (self.system.mass[i] / (self.h * self.h)) + elastic[i]
        });
        forces.chain(self.free_frames().iter().map(|(frame, _)| torques[*frame as usize])).collect()
    }

    /// Row of an unknown in gradient and matrix; `None`: it is held.
    fn row(&self, unknown: Unknown) -> Option<u32> {
        match unknown {
            Unknown::Particle(i) => self.system.free[i as usize],
            Unknown::Frame(i) => {
                let own = self.rods.as_ref()?.free[i as usize]?;
                Some(self.system.free_particles.len() as u32 + own)
            }
        }
    }

    /// An empty matrix for the second derivative.
    fn matrix(&self) -> Blocks {
        let mut links = self.system.links();
        if let Some(rods) = &self.rods {
            rods.each_link(&mut |a, b| links.extend(self.row(a).zip(self.row(b))));
        }
        Blocks::new(self.system.free_particles.len() + self.free_frames().len(), links)
    }

    /// The second derivative [N/m, N, N m] into `matrix`.
    fn second(&self, at: &Place, kind: Hessian, matrix: &mut Blocks) {
        matrix.clear();
        self.system.add_inertia(1.0 / (self.h * self.h), matrix);
        self.system.add_stiffness(&at.x, kind, matrix);
        if let Some(rods) = &self.rods {
            rods.each_block(at, kind, &mut |a, b, block| {
                if let (Some(a), Some(b)) = (self.row(a), self.row(b)) {
                    matrix.add(a, b, block);
                }
            });
        }
    }

    /// Goes a part of a direction, which has the rows of the gradient.
    fn moved(&self, from: &Place, direction: &[DVec3], part: f64) -> Place {
        let mut to = from.clone();
        let places = self.system.free_particles.len();
        for (&i, d) in self.system.free_particles.iter().zip(direction) {
            to.shift(i as usize, *d * part);
        }
        for ((frame, _), d) in self.free_frames().iter().zip(&direction[places..]) {
            to.turn(*frame as usize, *d * part);
        }
        to
    }
}

/// The system of a state that a step of `h` seconds can be taken from.
fn checked(state: &State, h: f32, limit: Limit) -> Result<System, String> {
    if !(h > 0.0 && h.is_finite()) {
        return Err(format!("a step of {h} s: give one above 0"));
    }
    let system = System::of(state, limit)?;
    elastic::check(&system)?;
    Ok(system)
}
