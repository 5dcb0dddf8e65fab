//! Conjugate gradients on the matrix of the step, preconditioned by each particle's own 3 x 3 block.
//!
//! Shewchuk: An Introduction to the Conjugate Gradient Method Without the Agonizing Pain, 1994, section B3. The matrix is
//! never built: a product is one sweep over the rows.

use glam::Vec4;
use sim_api::Par;

use super::{times_block, total};
use crate::{elastic::Energies, state::State};

/// Solves A delta = residual and returns the iterations.
///
/// Starts from delta = 0, ends when the residual (in the norm of the preconditioner) is `tolerance` of what it was, after
/// `most` iterations, or where single precision finds no way on. `particle.residual` ends as that of the linear system.
pub fn solve(par: &Par, state: &mut State, h: f32, most: usize, tolerance: f32) -> usize {
    let mut rz = start(par, state);
    let goal = rz * f64::from(tolerance * tolerance);
    for iteration in 0..most {
        if rz <= goal || rz <= 0.0 {
            return iteration;
        }
        let curvature = product(par, state, h);
        // Not positive: round-off has eaten the direction.
        if curvature <= 0.0 || !curvature.is_finite() {
            return iteration;
        }
        let next = advance(par, state, (rz / curvature) as f32);
        turn(par, state, (next / rz) as f32);
        rz = next;
    }
    most
}

/// delta = 0, search = z = inverse of the blocks times r; returns r·z.
fn start(par: &Par, state: &mut State) -> f64 {
    let particle = &mut state.particle;
    let (r, diagonal, off) = (&*particle.residual, &*particle.diagonal, &*particle.off_diagonal);
    par.rows2_sum(particle.delta, particle.search, |start, delta, search| {
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
fn product(par: &Par, state: &mut State, h: f32) -> f64 {
    let per_h2 = 1.0 / (h * h);
    let (particle, energies) = Energies::of(*par, state);
    let (p, mass) = (&*particle.search, particle.mass);
    par.rows(particle.image, |start, image| {
        for (i, q) in (start..).zip(image) {
            *q = (Vec4::from_array(p[i]) * (mass[i] * per_h2)).to_array();
        }
    });
    energies.add_product(particle.position, p, particle.image);
    let image = &*particle.image;
    par.sum(p.len(), |range| {
        let mut sum = Vec4::ZERO;
        for i in range {
            sum += Vec4::from_array(p[i]) * Vec4::from_array(image[i]);
        }
        total(sum)
    })
}

/// delta += alpha search, r -= alpha image; returns the new r·z.
fn advance(par: &Par, state: &mut State, alpha: f32) -> f64 {
    let particle = &mut state.particle;
    let (p, q) = (&*particle.search, &*particle.image);
    let (diagonal, off) = (&*particle.diagonal, &*particle.off_diagonal);
    par.rows2_sum(particle.delta, particle.residual, |start, delta, residual| {
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
fn turn(par: &Par, state: &mut State, beta: f32) {
    let particle = &mut state.particle;
    let (r, diagonal, off) = (&*particle.residual, &*particle.diagonal, &*particle.off_diagonal);
    par.rows(particle.search, |start, search| {
        for (i, p) in (start..).zip(search) {
            let z = times_block(diagonal[i], off[i], r[i]).extend(0.0);
            *p = (z + Vec4::from_array(*p) * beta).to_array();
        }
    });
}
