//! One step of implicit Euler as a minimum (Martin et al.: Example-Based Elastic Materials, 2011, eq. 4):
//!
//! ```text
//! x = argmin  1/2h² |x - inertial|²_M + E(x)        inertial = where gravity, wind and momentum alone would lead
//!                                                   E with the springs' dampers (`springs::add_dampers`)
//! residual    r = M (inertial - x) / h² - dE/dx      [N], 0 at the minimum
//! matrix      A = M / h² + d²E/dx²                   positive definite, so a cloth without pins works, too
//! ```
//! Solvers differ in how they get there: Newton's method (`implicit/newton.rs`, conjugate gradients in `implicit/cg.rs`),
//! or Jacobi's (`implicit/jacobi.rs`). Pinned and held particles stay where the step put them.

pub mod cg;
pub mod contact;
pub mod guess;
pub mod jacobi;
pub mod newton;
mod spectrum;

use glam::{Vec3, Vec4};
use sim_api::{Mapped, Par, ParamDesc, World};

use crate::{
    damping,
    describe::HELD_BACK,
    elastic::{self, At, Energies, Limits, springs},
    gas::{self, gas},
    lanes::total,
    projection::{self, Models},
    sim::Sim,
    state::{Particle, State},
};

/// Substeps of a solver that is stable at any step. A strand that is curled turns too far in a frame for the linear systems of one
/// (`scenes/curls.ron` in its first two seconds: stretched by 100,000 % under `baraff_witkin` and by 1,000 % under `implicit_newton`; in
/// ten by 12 and 18 %).
pub const SUBSTEPS: ParamDesc = ParamDesc::count(
    "substeps",
    [1, 1, 500],
    "Steps a frame is cut into. Implicit steps are stable at any size; more of them damp less, and stretch curled strands less.",
)
.with_strands(10.0);

/// Limit on the stiffness of a row, see [`springs::limit_stiffness`].
pub const STIFFEST: ParamDesc = ParamDesc::number(
    "stiffest",
    "",
    [1.0, 1e4, 1e6],
    "Stiffest spring, in units of its lighter end's mass over the substep squared: compliance 0 has no force, so rigid ones get \
     this stiffness, and never more than that mass times 2e8/s².",
);

/// How strongly a solver's steps feel the colliders, see `implicit/contact.rs`.
pub const CONTACT: ParamDesc = ParamDesc::number(
    "contact",
    "1/s2",
    [0.0, 3.6e5, 1e8],
    "Stiffness of colliders inside the step, over the mass: its weight presses a particle g/contact deep, 0.03 mm, before \
     it is pushed out. 0: the step does not see them. Stiff cloth around a round support slides where Coulomb says if the \
     solver converges; with few iterations (a residual far above the tolerance) it sticks at more, and creeps below.",
);

/// Gives every row its stiffness; once a step. A reading tells how many rows were held back.
pub fn prepare(sim: &mut Sim, substeps: usize, stiffest: f32) -> Stiffness {
    let lost_within = projection::lost_within(sim, false);
    let (h, state) = (sim.frame.dt / substeps as f32, &mut sim.state);
    sim.par.fill(state.particle.lost, [0.0; 4]);
    let (stiffest, position) = (springs::shown(stiffest, h), &*state.particle.position);
    let held = springs::held_back(&sim.par, &state.distance, position, stiffest, h);
    springs::limit_stiffness(&sim.par, &mut state.distance, position, stiffest, h);
    sim.frame.reading(HELD_BACK, held as f32);
    let limits = Limits { most: stiffest / (h * h), models: Models::of(&sim.par, state) };
    Stiffness {
        stiffest,
        damped: damping::any(&sim.par, &state.distance),
        contact: 0.0,
        gas: false,
        lost_within,
        limits,
    }
}

/// How stiff the energies are in a step.
#[derive(Clone, Copy)]
pub struct Stiffness {
    stiffest: f32,
    damped: bool,
    /// Of colliders over the mass [1/s2]; 0: the step does not see them.
    contact: f32,
    /// The gas of balloons is a part of the step.
    gas: bool,
    /// How far from the origin Newton's steps keep what positions lose of them [m]; 0: nowhere, substeps are long enough.
    lost_within: f32,
    limits: Limits,
}

impl Stiffness {
    /// Lets the step see the colliders (`implicit/contact.rs`); `stiffness` over the mass [1/s2], 0: it does not.
    pub fn with_contact(self, sim: &Sim, stiffness: f32) -> Self {
        Self { contact: if sim.state.collider.kind.is_empty() { 0.0 } else { stiffness }, ..self }
    }

    /// Makes the gas of balloons a part of the step (`gas.rs`).
    pub fn with_gas(self, sim: &Sim) -> Self {
        Self { gas: !gas::none(&sim.state), ..self }
    }
}

/// The implicit step of one substep.
pub struct Step<'a, 'b> {
    pub par: Par,
    pub state: &'a mut State<'b>,
    /// [s]
    pub h: f32,
    world: World,
    /// Stiffness of colliders in units of m/h²; 0: the step does not see them.
    contact: f32,
    /// Particles touched something where contact was linearised last.
    touching: bool,
    /// Contact is as linear as it was there, see [`contact::freeze`].
    frozen: bool,
    gas: bool,
    lost_within: f32,
    limits: Limits,
}

/// Begins one after `predict`: the positions are where inertia alone leads.
pub fn begin<'a, 'b>(sim: &'a mut Sim<'b>, stiffness: Stiffness) -> Step<'a, 'b> {
    let (par, h, world) = (sim.par, sim.h, sim.frame.world);
    let state = &mut sim.state;
    if stiffness.damped {
        let (particle, distance) = (&state.particle, &mut state.distance);
        springs::limit_stiffness(&par, distance, particle.position, stiffness.stiffest, h);
        springs::add_dampers(&par, distance, particle.previous, 1.0 / h);
    }
    if stiffness.gas {
        gas!(state).limit_stiffness(&par, state.particle.position, stiffness.limits.most);
    }
    Step {
        par,
        state,
        h,
        world,
        contact: stiffness.contact * h * h,
        touching: false,
        frozen: false,
        gas: stiffness.gas,
        lost_within: stiffness.lost_within,
        limits: stiffness.limits,
    }
}

impl<'b> Step<'_, 'b> {
    /// The particles, and the energies over them.
    pub fn energies(&mut self) -> (&mut Particle<'b>, Energies<'_>) {
        Energies::of(self.par, self.state, self.limits)
    }
}

/// Fills `distance.force` [N] at the present positions.
pub fn write_tension(sim: &mut Sim, stiffness: Stiffness) {
    springs::write_tension(&sim.par, &mut sim.state.distance, sim.state.particle.position);
    elastic::add_tensions(&mut sim.state, stiffness.limits);
}

/// Free particles go back to where the substep began; pinned and held ones stay where it put them.
pub fn back_to_start(step: &mut Step) {
    let (par, particle) = (step.par, &mut step.state.particle);
    let previous = &*particle.previous;
    par.rows(particle.position, |start, position| {
        for (x, from) in position.iter_mut().zip(&previous[start..]).filter(|(x, _)| x[3] > 0.0) {
            *x = [from[0], from[1], from[2], x[3]];
        }
    });
}

/// All particles go to where inertia alone leads.
pub fn go_to_inertial(step: &mut Step) {
    let particle = &mut step.state.particle;
    copy(&step.par, particle.position, particle.inertial);
}

/// One column's rows to another.
fn copy(par: &Par, to: &mut [[f32; 4]], from: &[[f32; 4]]) {
    par.rows(to, |start, rows| rows.copy_from_slice(&from[start..start + rows.len()]));
}

/// Fills `particle.implicit.residual` at the present positions and returns the sum of its squares [N2].
pub fn residual(step: &mut Step) -> f64 {
    let (par, per_h2) = (step.par, 1.0 / (step.h * step.h));
    let (particle, energies) = step.energies();
    let (x, inertial, mass) = (&*particle.position, &*particle.inertial, particle.mass);
    par.rows(particle.implicit.residual, |start, residual| {
        for (i, r) in (start..).zip(residual) {
            let way = Vec4::from_array(inertial[i]) - Vec4::from_array(x[i]);
            *r = (way * (mass[i] * per_h2)).with_w(0.0).to_array();
        }
    });
    energies.add_forces(At { x, still: inertial }, particle.implicit.residual);
    if step.gas {
        let state = &mut *step.state;
        gas!(state).add_forces(&par, state.particle.position, state.particle.implicit.residual);
    }
    contact::add_forces(step);
    let particle = &mut step.state.particle;
    let x = &*particle.position;
    par.rows_sum(particle.implicit.residual, |start, rows| {
        let mut sum = Vec4::ZERO;
        for (r, x) in rows.iter_mut().zip(&x[start..]) {
            if x[3] > 0.0 {
                sum += Vec4::from_array(*r) * Vec4::from_array(*r);
            } else {
                *r = [0.0; 4];
            }
        }
        total(sum)
    })
}

/// What is minimised, at the present positions [J].
pub fn objective(step: &mut Step) -> f64 {
    let (par, h) = (step.par, f64::from(step.h));
    let (particle, energies) = step.energies();
    let (x, inertial, mass) = (&*particle.position, &*particle.inertial, particle.mass);
    let inertia = par.sum(x.len(), |range| {
        let mut sum = 0.0;
        for i in range.filter(|&i| x[i][3] > 0.0) {
            let way = Vec4::from_array(x[i]) - Vec4::from_array(inertial[i]);
            sum += f64::from(mass[i]) * total(way * way);
        }
        sum
    });
    let mut energy = 0.5 * inertia / (h * h) + energies.energy(At { x, still: inertial });
    if step.gas {
        let state = &mut *step.state;
        energy += gas!(state).energy(&par, state.particle.position);
    }
    energy + contact::energy(step)
}

/// Fills the matrix at the present positions: `distance.hessian`, and the inverse of each particle's own block in
/// `particle.implicit.diagonal` and `particle.implicit.off_diagonal`.
///
/// `dominant` as in [`Energies::add_blocks`], `across` as in [`springs::linearise`].
pub fn assemble(step: &mut Step, dominant: bool, across: f32) {
    let (par, per_h2) = (step.par, 1.0 / (step.h * step.h));
    springs::linearise(&par, &mut step.state.distance, step.state.particle.position, across);
    let (particle, energies) = step.energies();
    let (x, mass) = (&*particle.position, particle.mass);
    par.rows2(particle.implicit.diagonal, particle.implicit.off_diagonal, |start, diagonal, off| {
        for (i, (d, o)) in (start..).zip(diagonal.iter_mut().zip(off)) {
            let inertia = mass[i] * per_h2;
            (*d, *o) = ([inertia, inertia, inertia, 0.0], [0.0; 4]);
        }
    });
    energies.add_blocks(
        At { x, still: particle.inertial },
        particle.implicit.diagonal,
        particle.implicit.off_diagonal,
        dominant,
    );
    contact::add_blocks(step);
    let particle = &mut step.state.particle;
    let x = &*particle.position;
    par.rows2(particle.implicit.diagonal, particle.implicit.off_diagonal, |start, diagonal, off| {
        for (i, (d, o)) in (start..).zip(diagonal.iter_mut().zip(off)) {
            // A particle that does not move has an inverse of 0: nothing moves it.
            (*d, *o) = if x[i][3] > 0.0 { inverse(*d, *o) } else { ([0.0; 4], [0.0; 4]) };
        }
    });
}

/// Inverse of a symmetric positive definite 3 x 3 block by cofactors: xx, yy, zz and yz, zx, xy.
fn inverse([xx, yy, zz, _]: [f32; 4], [yz, zx, xy, _]: [f32; 4]) -> ([f32; 4], [f32; 4]) {
    // Scaled to a unit trace: the determinant of a light particle's block would leave the range of f32.
    let scale = 3.0 / (xx + yy + zz);
    let [xx, yy, zz, yz, zx, xy] = [xx, yy, zz, yz, zx, xy].mapped(|value| value * scale);
    let (cxx, cyy, czz) = (yy * zz - yz * yz, xx * zz - zx * zx, xx * yy - xy * xy);
    let (cyz, czx, cxy) = (zx * xy - xx * yz, xy * yz - yy * zx, yz * zx - zz * xy);
    let determinant = xx * cxx + xy * cxy + zx * czx;
    let factor = scale / determinant;
    ([cxx, cyy, czz, 0.0].mapped(|c| c * factor), [cyz, czx, cxy, 0.0].mapped(|c| c * factor))
}

/// A block times a vector.
#[inline]
fn times_block([xx, yy, zz, _]: [f32; 4], [yz, zx, xy, _]: [f32; 4], v: [f32; 4]) -> Vec3 {
    Vec3::new(
        xx * v[0] + xy * v[1] + zx * v[2],
        xy * v[0] + yy * v[1] + yz * v[2],
        zx * v[0] + yz * v[1] + zz * v[2],
    )
}
