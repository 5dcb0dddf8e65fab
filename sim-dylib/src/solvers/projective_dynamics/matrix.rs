//! The matrix A = M/h² + sum of k Dᵀ D, as the host's service takes it.

use sim_api::model::BendModel;
use sim_api::{Factored, Squares};

use crate::substep::Sim;

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
    let (model, given) = (state.hinge.model, state.hinge.stiffness);
    for (i, k) in state.hinge.used.iter_mut().enumerate() {
        *k = if model[i] == BendModel::Quadratic as u32 { given[i] } else { 0.0 };
    }
    // Rows of one free particle stand on the diagonal.
    let (tether, attachment) = (&mut state.tether, &mut state.attachment);
    let diagonal = &mut *state.particle.own_stiffness;
    let single = [
        (tether.idx, tether.compliance, &mut *tether.used),
        (attachment.idx, attachment.compliance, &mut *attachment.used),
    ];
    for (idx, compliance, used) in single {
        for ((&particle, &compliance), k) in idx.iter().zip(compliance).zip(used) {
            *k = stiffness(compliance, x[particle as usize][3]);
            diagonal[particle as usize] += *k;
        }
    }
    let squares = [
        Squares::pairs(state.distance.idx, state.distance.used),
        Squares::quads(state.hinge.idx, state.hinge.weights, state.hinge.used),
    ];
    sim.frame.factor.make(state.particle.own_stiffness, &squares)
}
