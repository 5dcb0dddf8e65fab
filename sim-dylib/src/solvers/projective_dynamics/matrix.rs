//! The matrix A = M/h² + sum of k Dᵀ D, as the host's service takes it.
//!
//! The energy of a triangle is not quadratic in D = F; its k is the largest eigenvalue of d²E/dF² at rest, 2 (mu + lambda)
//! area, that of a stretch in all directions (Liu, Bouaziz, Kavan 2017, section 4.2, for a rest state). A dihedral hinge has
//! the weights of the quadratic one, which is its linearisation where it is flat.

use sim_api::{Factored, Squares};

use crate::{
    projection::{AREA, NEO_HOOKEAN, STVK},
    substep::Sim,
};

/// Works out the stiffness of all rows for substeps of `h` seconds, and has the host factor the matrix if it is new.
pub(super) fn make(sim: &mut Sim, h: f32, stiffest: f32) -> Factored {
    let state = &mut sim.state;
    let per_h2 = 1.0 / (h * h);
    let x = &*state.particle.position;
    sim.par.rows(state.particle.own_stiffness, |start, diagonal| {
        for (diagonal, x) in diagonal.iter_mut().zip(&x[start..]) {
            *diagonal = if x[3] > 0.0 { per_h2 / x[3] } else { 0.0 };
        }
    });

    // Stiffness of a row whose lighter free end has the inverse mass w.
    let stiffness = |compliance: f32, w: f32| {
        let most = stiffest * per_h2 / w.max(f32::MIN_POSITIVE);
        if w > 0.0 { (1.0 / compliance.max(f32::MIN_POSITIVE)).min(most) } else { 0.0 }
    };
    let (idx, compliance) = (state.distance.idx, state.distance.compliance);
    sim.par.rows(state.distance.used, |start, k| {
        for (i, k) in (start..).zip(k) {
            let [a, b] = idx[i].map(|particle| x[particle as usize][3]);
            *k = stiffness(compliance[i], a.max(b));
        }
    });
    let triangle = &mut state.triangle;
    for (i, k) in triangle.used.iter_mut().enumerate() {
        *k = match triangle.model[i] {
            STVK | NEO_HOOKEAN => 2.0 * (triangle.mu[i] + triangle.lame[i]) * triangle.area[i],
            AREA => 2.0 * triangle.mu[i] * triangle.area[i],
            _ => 0.0,
        };
    }
    // Rows of one free particle stand on the diagonal.
    let (tether, attachment) = (&state.tether, &state.attachment);
    for (idx, compliance) in [(tether.idx, tether.compliance), (attachment.idx, attachment.compliance)] {
        for (&particle, &compliance) in idx.iter().zip(compliance) {
            state.particle.own_stiffness[particle as usize] += stiffness(compliance, x[particle as usize][3]);
        }
    }
    let squares = [
        Squares::pairs(state.distance.idx, state.distance.used),
        Squares::quads(state.hinge.idx, state.hinge.weights, state.hinge.stiffness),
        Squares::triangles(state.triangle.idx, state.triangle.inverse_rest, state.triangle.used),
    ];
    // Triangles that are only drawn join no particles.
    let squares = &squares[..if state.triangle.used.iter().any(|&k| k > 0.0) { 3 } else { 2 }];
    sim.frame.factor.make(state.particle.own_stiffness, squares)
}
