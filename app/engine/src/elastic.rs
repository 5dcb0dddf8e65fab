//! The elastic system of a state in double precision: particles, and everything that stores energy.
//!
//! ```text
//!  tables of the state  ─ System::of ─┐  particles: position, velocity, mass, pinned
//!                                     └  groups of rows: energy, gradient, stiffness matrix
//! ```
//! The formulas are those of `sim_kernels::constraints`, taken at f64. A row of compliance 0 stores no energy: it is taken as a
//! spring of a stated stiffness ([`Limit`]). No contact, no friction, no damping of springs.

#[cfg(not(target_arch = "wasm32"))]
mod factor;
mod groups;
mod matrix;
mod tables;

use glam::{DMat3, DVec3};
use weft_core::state::col;

#[cfg(not(target_arch = "wasm32"))]
pub use factor::Factor;
use groups::Elements;
pub use groups::Hessian;
pub use matrix::Blocks;

use sim_api::Stiffness;
use weft_core::state::State;

/// How stiff a row may be: compliance 0 is infinitely stiff, and nothing can be computed with that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// At most this stiff [N/m].
    Stiffest(f64),
    /// At most `times` m/h², m the mass of the lighter end: [`Stiffness::Inertia`].
    Inertia { times: f64, h: f64 },
    /// At most the share `cap` of what is stable at a substep of `h` seconds: [`Stiffness::StableStep`].
    StableStep { cap: f64, springs: f64, h: f64 },
    /// The true stiffness; rigid constraints are left out.
    WithoutRigid,
}

impl Limit {
    /// That of a solver at a substep of `h` seconds; `value` is that of its parameter.
    pub fn of(stiffness: Stiffness, value: f64, h: f64) -> Self {
        match stiffness {
            Stiffness::Geometric | Stiffness::Compliant => Self::WithoutRigid,
            Stiffness::Inertia { .. } => Self::Inertia { times: value, h },
            Stiffness::StableStep { springs, .. } => {
                Self::StableStep { cap: value, springs: springs.into(), h }
            }
        }
    }

    /// Stiffness [N/m] of a row of `compliance` [m/N] whose lighter end has the inverse mass `w` [1/kg].
    pub fn stiffness(self, compliance: f64, w: f64) -> f64 {
        let true_stiffness = 1.0 / compliance;
        match self {
            Self::Stiffest(most) => true_stiffness.min(most),
            Self::Inertia { times, h } if w > 0.0 => true_stiffness.min(times / (h * h * w)),
            Self::StableStep { cap, springs, h } if cap > 0.0 && w > 0.0 => {
                true_stiffness.min(cap * 2.0 / (springs * h * h * w))
            }
            Self::WithoutRigid if compliance == 0.0 => 0.0,
            Self::WithoutRigid => true_stiffness,
            // Between two pins there is nothing to limit it by, and nothing that moves.
            Self::Inertia { .. } | Self::StableStep { .. } => {
                true_stiffness.min(1.0 / f64::from(f32::MIN_POSITIVE))
            }
        }
    }
}

/// Particles and elastic rows of one state.
pub struct System {
    /// Position [m], world space, one row per particle.
    pub x: Vec<DVec3>,
    /// Velocity [m/s], world space, one row per particle.
    pub v: Vec<DVec3>,
    /// Mass [kg], one row per particle; infinite for what is pinned or held.
    pub mass: Vec<f64>,
    /// Place among the free particles, one row per particle; `None`: pinned or held.
    pub free: Vec<Option<u32>>,
    /// The free particles, in order.
    pub free_particles: Vec<u32>,
    groups: Vec<Box<dyn Elements>>,
}

impl System {
    /// The system of a state, its rows no stiffer than `limit`.
    ///
    /// # Errors
    /// Without particles, or if a row names a particle that is not there.
    pub fn of(state: &State, limit: Limit) -> Result<Self, String> {
        let position = state.get(col::particle::position);
        if position.is_empty() {
            return Err("there are no particles: the scene has no cloth".into());
        }
        let xyz = |row: &[f32; 4]| DVec3::new(row[0].into(), row[1].into(), row[2].into());
        let mut free_particles = Vec::new();
        let mut free = Vec::with_capacity(position.len());
        for (i, row) in (0..).zip(position) {
            free.push((row[3] > 0.0).then_some(free_particles.len() as u32));
            free_particles.extend((row[3] > 0.0).then_some(i));
        }
        Ok(Self {
            x: position.iter().map(xyz).collect(),
            v: state.get(col::particle::velocity).iter().map(xyz).collect(),
            mass: position.iter().map(|row| 1.0 / f64::from(row[3])).collect(),
            free,
            free_particles,
            groups: tables::groups(state, limit)?,
        })
    }

    /// Rows that store energy.
    pub fn rows(&self) -> usize {
        self.groups.iter().map(|group| group.len()).sum()
    }

    /// Whether an element touches a free particle: else nothing elastic can move.
    pub fn can_move(&self) -> bool {
        let mut found = false;
        self.each_link(&mut |a, b| found |= a == b && self.free[a as usize].is_some());
        found
    }

    /// Elastic energy [J] at positions `x` [m], one row per particle.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        self.groups.iter().map(|group| group.energy(x)).sum()
    }

    /// dE/dx [N] at `x` [m], one row per particle; pinned ones feel it too.
    pub fn gradient(&self, x: &[DVec3]) -> Vec<DVec3> {
        let mut gradient = vec![DVec3::ZERO; x.len()];
        self.groups.iter().for_each(|group| group.add_gradient(x, &mut gradient));
        gradient
    }

    /// An empty matrix with a block wherever two free particles share a row.
    pub fn matrix(&self) -> Blocks {
        Blocks::new(self.free_particles.len(), self.links())
    }

    /// The pairs of free particles that share a row.
    pub fn links(&self) -> Vec<(u32, u32)> {
        let mut links = Vec::new();
        self.each_link(&mut |a, b| {
            if let (Some(a), Some(b)) = (self.free[a as usize], self.free[b as usize]) {
                links.push((a, b));
            }
        });
        links
    }

    /// Adds d²E/dx² [N/m] at `x`, rows and columns of pinned particles left out.
    pub fn add_stiffness(&self, x: &[DVec3], kind: Hessian, matrix: &mut Blocks) {
        for group in &self.groups {
            group.each_block(x, kind, &mut |a, b, block| {
                if let (Some(a), Some(b)) = (self.free[a as usize], self.free[b as usize]) {
                    matrix.add(a, b, block);
                }
            });
        }
    }

    /// Adds `factor` times the masses [kg].
    pub fn add_inertia(&self, factor: f64, matrix: &mut Blocks) {
        for (block, &i) in matrix.diagonal.iter_mut().zip(&self.free_particles) {
            *block += DMat3::from_diagonal(DVec3::splat(self.mass[i as usize] * factor));
        }
    }

    fn each_link(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.groups.iter().for_each(|group| group.each_link(visit));
    }
}

/// What makes an analysis of a system pointless, in words.
pub fn check(system: &System) -> Result<(), String> {
    if system.free_particles.is_empty() {
        return Err(format!(
            "all {} particles are pinned: nothing can move. Take a pin away",
            system.x.len()
        ));
    }
    if system.rows() == 0 {
        return Err("nothing is elastic: the scene has no constraint that stores energy".into());
    }
    if !system.can_move() {
        return Err("every elastic constraint lies between pinned particles: nothing elastic can move".into());
    }
    Ok(())
}

/// What stands for rigid, in units of m/h²: the default of `stiffest` in the implicit solvers. Soft enough for double
/// precision, stiffer than single precision can tell from rigid.
pub const RIGID: f64 = 1e4;
