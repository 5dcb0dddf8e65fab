//! The spectral radius of Jacobi iterations, for their acceleration (`implicit/jacobi.rs`).
//!
//! The iteration is B = I - relaxation D⁻¹ A, D the blocks on the diagonal of A. Along any x the Rayleigh quotient
//! xᵀA x / xᵀD x is at least the smallest eigenvalue of D⁻¹ A, so what is estimated from it is never larger than the largest
//! eigenvalue of B: the acceleration assumes no slower error than there is. Rounds of the power method on B, from the cloth
//! that moves as a whole, bring the quotient down; with pins the whole cloth is not the slowest error.

use glam::Vec4;

use super::{Step, cg, times_block, total};

/// Least number of products with the matrix in one estimate: the first has the cloth as a whole, the others smooth it
/// near its pins.
const LEAST: usize = 8;

/// Spectral radius of B, from below; the matrix and its blocks were assembled. `iterations` are to use it: the more, the
/// slower the errors that count, and the more rounds find them.
pub(super) fn estimate_rho(step: &mut Step, relaxation: f32, iterations: usize) -> f32 {
    begin(step);
    let mut smallest = 1.0_f64;
    for _ in 0..LEAST.max(iterations / 2) {
        let inner = direction(step);
        let outer = cg::product(step);
        if inner > 0.0 && outer.is_finite() {
            smallest = smallest.min(outer / inner);
        }
        // D B x = D x - relaxation A x
        let particle = &mut step.state.particle;
        let image = &*particle.implicit.image;
        step.par.rows(particle.implicit.delta, |start, rows| {
            for (r, image) in rows.iter_mut().zip(&image[start..]) {
                *r = (Vec4::from_array(*r) - Vec4::from_array(*image) * relaxation).to_array();
            }
        });
    }
    (1.0 - f64::from(relaxation) * smallest).clamp(0.0, 0.9999) as f32
}

/// `particle.implicit.delta` = D x for the cloth that moves as a whole along the axis on which it is stiffest.
fn begin(step: &mut Step) {
    let particle = &mut step.state.particle;
    let (diagonal, x) = (&*particle.implicit.diagonal, &*particle.position);
    // The blocks are inverted already; of a diagonal dominant one the inverse's entry is close enough.
    let stiffness = |i: usize, axis: usize| if x[i][3] > 0.0 { 1.0 / diagonal[i][axis] } else { 0.0 };
    let blocks = step.par.sums(x.len(), |range| {
        let mut sums = [0.0; 3];
        for i in range {
            for (axis, sum) in sums.iter_mut().enumerate() {
                *sum += f64::from(stiffness(i, axis));
            }
        }
        sums
    });
    let stiffest = (0..3).fold(0, |best, axis| if blocks[axis] > blocks[best] { axis } else { best });
    step.par.rows(particle.implicit.delta, |start, rows| {
        for (i, r) in (start..).zip(rows) {
            *r = [0.0; 4];
            r[stiffest] = stiffness(i, stiffest);
        }
    });
}

/// `particle.implicit.search` = x of D x in `particle.implicit.delta`; returns xᵀD x.
fn direction(step: &mut Step) -> f64 {
    let particle = &mut step.state.particle;
    let (r, diagonal, off) =
        (&*particle.implicit.delta, &*particle.implicit.diagonal, &*particle.implicit.off_diagonal);
    step.par.rows_sum(particle.implicit.search, |start, search| {
        let mut sum = Vec4::ZERO;
        for (i, x) in (start..).zip(search) {
            let here = times_block(diagonal[i], off[i], r[i]).extend(0.0);
            *x = here.to_array();
            sum += here * Vec4::from_array(r[i]);
        }
        total(sum)
    })
}
