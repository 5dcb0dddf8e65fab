//! Conjugate gradients on the matrix of the step, preconditioned by each particle's own 3 x 3 block.
//!
//! Shewchuk: An Introduction to the Conjugate Gradient Method Without the Agonizing Pain, 1994, section B3. The matrix is
//! never built: a product is one sweep over the rows.

use glam::Vec4;
use sim_api::Par;

use crate::{elastic::At, gas::gas, lanes::total};

use super::{Step, contact, times_block};

/// Solves A delta = residual and returns the iterations.
///
/// Starts from delta = 0, ends when the residual (in the norm of the preconditioner) is `tolerance` of what it was, after
/// `most` iterations, or where single precision finds no way on. `particle.implicit.residual` ends as that of the linear system.
pub fn solve(step: &mut Step, most: usize, tolerance: f32) -> usize {
    let rz = start(step);
    iterate(step, rz, rz * f64::from(tolerance * tolerance), most)
}

/// As [`solve`], from the guess that the particles go to `particle.implicit.iterate`: delta is what is missing from there.
///
/// `tolerance` is of the lesser of two residuals: at delta = 0, and where inertia and colliders lead, which is
/// `particle.implicit.iterate`, but in contact `particle.implicit.iterate_before`. Over short steps that is the force that inertia left out,
/// and as much of it is left in a second whatever the step is; of the first, which has the momentum m v / h in it, the
/// shorter the steps the more would be left (at 1 % and h = 1/1200 s a membrane swung to 1.8 times its amplitude). Over long
/// ones stiff rows make it as large as they are stiff, and the first counts.
pub fn solve_from_iterate(step: &mut Step, most: usize, tolerance: f32) -> usize {
    /// Share of the residual at delta = 0 that is rounding: where nothing pulls, nothing is to be solved.
    const NOISE: f64 = 1e-5;
    let whole = start(step);
    let particle = &mut step.state.particle;
    let inertia =
        if step.touching { &*particle.implicit.iterate_before } else { &*particle.implicit.iterate };
    point(&step.par, particle.implicit.search, inertia, particle.position);
    leave_image(step);
    let mut rz = start(step);
    let goal = (whole.min(rz) * f64::from(tolerance * tolerance)).max(whole * (NOISE * NOISE));
    if step.touching {
        let particle = &mut step.state.particle;
        point(
            &step.par,
            particle.implicit.search,
            particle.implicit.iterate,
            particle.implicit.iterate_before,
        );
        leave_image(step);
        rz = start(step);
    }
    iterate(step, rz, goal, most)
}

/// search = to - from.
fn point(par: &Par, search: &mut [[f32; 4]], to: &[[f32; 4]], from: &[[f32; 4]]) {
    par.rows(search, |start, search| {
        for (i, p) in (start..).zip(search) {
            *p = (Vec4::from_array(to[i]) - Vec4::from_array(from[i])).with_w(0.0).to_array();
        }
    });
}

/// residual -= A search.
fn leave_image(step: &mut Step) {
    product(step);
    let particle = &mut step.state.particle;
    let (x, image) = (&*particle.position, &*particle.implicit.image);
    step.par.rows(particle.implicit.residual, |start, residual| {
        for (i, r) in (start..).zip(residual).filter(|(i, _)| x[*i][3] > 0.0) {
            *r = (Vec4::from_array(*r) - Vec4::from_array(image[i])).with_w(0.0).to_array();
        }
    });
}

fn iterate(step: &mut Step, mut rz: f64, goal: f64, most: usize) -> usize {
    for iteration in 0..most {
        if rz <= goal || rz <= 0.0 {
            return iteration;
        }
        let curvature = product(step);
        // Not positive: round-off has eaten the direction.
        if curvature <= 0.0 || !curvature.is_finite() {
            return iteration;
        }
        let next = advance(step, (rz / curvature) as f32);
        turn(step, (next / rz) as f32);
        rz = next;
    }
    most
}

/// delta = 0, search = z = inverse of the blocks times r; returns r·z.
fn start(step: &mut Step) -> f64 {
    let (par, particle) = (step.par, &mut step.state.particle);
    let (r, diagonal, off) =
        (&*particle.implicit.residual, &*particle.implicit.diagonal, &*particle.implicit.off_diagonal);
    par.rows2_sum(particle.implicit.delta, particle.implicit.search, |start, delta, search| {
        let mut sum = Vec4::ZERO;
        for (i, (delta, p)) in (start..).zip(delta.iter_mut().zip(search)) {
            let z = times_block(diagonal[i], off[i], r[i]).extend(0.0);
            (*delta, *p) = ([0.0; 4], z.to_array());
            sum += z * Vec4::from_array(r[i]);
        }
        total(sum)
    })
}

/// image = A search; returns search·image.
pub(super) fn product(step: &mut Step) -> f64 {
    let (par, per_h2) = (step.par, 1.0 / (step.h * step.h));
    let (particle, energies) = step.energies();
    let (p, mass) = (&*particle.implicit.search, particle.mass);
    par.rows(particle.implicit.image, |start, image| {
        for (i, q) in (start..).zip(image) {
            *q = (Vec4::from_array(p[i]) * (mass[i] * per_h2)).to_array();
        }
    });
    energies.add_product(At { x: particle.position, still: particle.inertial }, p, particle.implicit.image);
    if step.gas {
        let state = &mut *step.state;
        gas!(state).add_product(&par, state.particle.implicit.search, state.particle.implicit.image);
    }
    contact::add_product(step);
    let particle = &step.state.particle;
    let (p, image) = (&*particle.implicit.search, &*particle.implicit.image);
    par.sum(p.len(), |range| {
        let mut sum = Vec4::ZERO;
        for i in range {
            sum += Vec4::from_array(p[i]) * Vec4::from_array(image[i]);
        }
        total(sum)
    })
}

/// delta += alpha search, r -= alpha image; returns the new r·z.
fn advance(step: &mut Step, alpha: f32) -> f64 {
    let (par, particle) = (step.par, &mut step.state.particle);
    let (p, q) = (&*particle.implicit.search, &*particle.implicit.image);
    let (diagonal, off) = (&*particle.implicit.diagonal, &*particle.implicit.off_diagonal);
    par.rows2_sum(particle.implicit.delta, particle.implicit.residual, |start, delta, residual| {
        let mut sum = Vec4::ZERO;
        for (i, (delta, r)) in (start..).zip(delta.iter_mut().zip(residual)) {
            *delta = (Vec4::from_array(*delta) + Vec4::from_array(p[i]) * alpha).to_array();
            let left = Vec4::from_array(*r) - Vec4::from_array(q[i]) * alpha;
            *r = left.to_array();
            // Where nothing moves the block is 0, and so is z.
            sum += times_block(diagonal[i], off[i], *r).extend(0.0) * left;
        }
        total(sum)
    })
}

/// search = z + beta search.
fn turn(step: &mut Step, beta: f32) {
    let (par, particle) = (step.par, &mut step.state.particle);
    let (r, diagonal, off) =
        (&*particle.implicit.residual, &*particle.implicit.diagonal, &*particle.implicit.off_diagonal);
    par.rows(particle.implicit.search, |start, search| {
        for (i, p) in (start..).zip(search) {
            let z = times_block(diagonal[i], off[i], r[i]).extend(0.0);
            *p = (z + Vec4::from_array(*p) * beta).to_array();
        }
    });
}
