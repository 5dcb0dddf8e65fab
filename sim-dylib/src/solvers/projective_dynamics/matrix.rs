//! The matrix A = M/h² + sum of k Dᵀ D, as the host's service takes it.
//!
//! The energy of a triangle is not quadratic in D = F; its k is the largest eigenvalue of d²E/dF² at rest, 2 (mu + lambda)
//! area, that of a stretch in all directions (Liu, Bouaziz, Kavan 2017, section 4.2, for a rest state). A dihedral hinge has
//! the weights of the quadratic one, which is its linearisation where it is flat.

use sim_api::{Factored, Mapped, Squares};

use crate::{
    constraints::{self, Constraint, Kind, TableRows, Tables, Visitor},
    projection::{AREA, NEO_HOOKEAN, STVK},
    state::State,
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
            let [a, b] = idx[i].mapped(|particle| x[particle as usize][3]);
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
    // Rows of one free particle stand on the diagonal, those on distance rows beside the springs.
    state.distance.stiffness.fill(0.0);
    let tables = Tables::of(state);
    constraints::others(&mut Others { state, tables, stiffness: &stiffness });
    let state = &mut sim.state;
    let squares = [
        Squares::pairs(state.distance.idx, state.distance.used),
        Squares::quads(state.hinge.idx, state.hinge.weights, state.hinge.stiffness),
        Squares::triangles(state.triangle.idx, state.triangle.inverse_rest, state.triangle.used),
        Squares::pairs(state.distance.idx, state.distance.stiffness),
    ];
    // Triangles that are only drawn join no particles, and mostly springs are alone on their rows.
    let any = |stiffness: &[f32]| stiffness.iter().any(|&k| k > 0.0);
    let squares = match (any(state.triangle.used), any(state.distance.stiffness)) {
        (false, false) => &squares[..2],
        (true, false) => &squares[..3],
        (_, true) => &squares[..],
    };
    sim.frame.factor.make(state.particle.own_stiffness, squares)
}

struct Others<'a, 's, F> {
    state: &'a mut State<'s>,
    tables: Tables<'s>,
    stiffness: &'a F,
}

/// Rows of hinges and triangles stand in the matrix by their tables' columns.
impl<F: Fn(f32, f32) -> f32> Visitor for Others<'_, '_, F> {
    fn visit<const N: usize, K: Kind<N>>(&mut self) {
        let State { particle, distance, .. } = &mut *self.state;
        let TableRows { idx, compliance, .. } = K::rows(&self.tables);
        for (row, (idx, &compliance)) in idx.iter().zip(compliance.unwrap_or(&[])).enumerate() {
            let w = idx.iter().map(|&corner| particle.position[corner as usize][3]).fold(0.0, f32::max);
            let k = (self.stiffness)(K::Row::<f32>::compliance(compliance), w);
            match idx[..] {
                [corner] => particle.own_stiffness[corner as usize] += k,
                _ => distance.stiffness[row] += k,
            }
        }
    }
}
