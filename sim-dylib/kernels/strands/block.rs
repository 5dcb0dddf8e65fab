//! One node of a strand in Newton's system: six unknowns, its place [m] and the turn of the frame that starts there [rad].
//!
//! ```text
//! | A0  B0ᵀ         |        A_i = L_i L_iᵀ             W_i = B_i L_i⁻ᵀ
//! | B0  A1  B1ᵀ     |   →    A_i+1 -= W_i W_iᵀ          y_i = L_i⁻¹ r_i,   r_i+1 -= W_i y_i      from the root to the tip
//! |     B1  A2  ... |        z_i = L_i⁻ᵀ (y_i - W_iᵀ z_i+1)                                      and back
//! ```

#![allow(clippy::needless_range_loop, reason = "rows and columns of small matrices, and loops for AVX2")]

use crate::lanes::{Real, V3};

/// Of a sum, by its largest term.
const ROUND_OFF: f32 = 1e-7;

/// A symmetric block, of which the lower triangle is used, and the right-hand side.
#[derive(Clone, Copy)]
pub(super) struct Node<R> {
    pub(super) a: [[R; 6]; 6],
    pub(super) r: [R; 6],
}

/// Rows: unknowns of the next node; columns: of this one.
pub(super) type Coupling<R> = [[R; 6]; 6];

impl<R: Real> Node<R> {
    #[inline(always)]
    pub(super) fn zero() -> Self {
        let zero = R::from_f32(0.0);
        Self { a: [[zero; 6]; 6], r: [zero; 6] }
    }

    /// Adds a force [N] on the place.
    #[inline(always)]
    pub(super) fn push(&mut self, force: V3<R>) {
        add(&mut self.r, 0, force);
    }

    /// Adds a torque [N m] on the frame.
    #[inline(always)]
    pub(super) fn twist(&mut self, torque: V3<R>) {
        add(&mut self.r, 3, torque);
    }

    /// Adds k to the three numbers on the diagonal from `at` on.
    #[inline(always)]
    pub(super) fn stiffen(&mut self, at: usize, k: R) {
        for i in at..at + 3 {
            self.a[i][i] = self.a[i][i] + k;
        }
    }

    /// Adds k n nᵀ to the block whose first row is `at`.
    #[inline(always)]
    pub(super) fn stiffen_along(&mut self, at: usize, k: R, n: V3<R>) {
        let n = [n.x, n.y, n.z];
        for i in 0..3 {
            for j in 0..=i {
                self.a[at + i][at + j] = self.a[at + i][at + j] + k * n[i] * n[j];
            }
        }
    }

    /// Unknowns from `at` on do not move where `free` is 0; it is 1 elsewhere. `before` is what couples the node to the last.
    #[inline(always)]
    pub(super) fn hold(&mut self, at: usize, free: R, coupling: &mut Coupling<R>, before: &mut Coupling<R>) {
        let held = R::from_f32(1.0) - free;
        for i in at..at + 3 {
            for j in 0..6 {
                if j <= i {
                    self.a[i][j] = self.a[i][j] * free;
                } else {
                    self.a[j][i] = self.a[j][i] * free;
                }
                coupling[j][i] = coupling[j][i] * free;
                before[i][j] = before[i][j] * free;
            }
            self.a[i][i] = self.a[i][i] + held;
            self.r[i] = self.r[i] * free;
        }
    }

    /// Takes out the node before, `w` and `y` as that left them. What is left of the diagonal is round-off below that of the whole.
    #[inline(always)]
    pub(super) fn eliminate(&mut self, w: &Coupling<R>, y: &[R; 6]) {
        for i in 0..6 {
            let least = self.a[i][i] * R::from_f32(ROUND_OFF);
            for j in 0..=i {
                let mut value = self.a[i][j];
                for k in 0..6 {
                    value = value - w[i][k] * w[j][k];
                }
                self.a[i][j] = value;
            }
            self.a[i][i] = self.a[i][i].max(least);
            let mut value = self.r[i];
            for k in 0..6 {
                value = value - w[i][k] * y[k];
            }
            self.r[i] = value;
        }
    }

    /// Cholesky: the block becomes L, with the inverses of its diagonal; the right-hand side becomes y.
    #[inline(always)]
    pub(super) fn factor(&mut self) {
        let (one, least) = (R::from_f32(1.0), R::from_f32(ROUND_OFF));
        for i in 0..6 {
            for j in 0..i {
                let mut value = self.a[i][j];
                for k in 0..j {
                    value = value - self.a[i][k] * self.a[j][k];
                }
                self.a[i][j] = value * self.a[j][j];
            }
            let mut pivot = self.a[i][i];
            // Round-off, where nothing but it is left.
            let floor = (pivot * least).max(R::from_f32(1e-30));
            for k in 0..i {
                pivot = pivot - self.a[i][k] * self.a[i][k];
            }
            self.a[i][i] = one / pivot.max(floor).sqrt();
        }
        for i in 0..6 {
            let mut value = self.r[i];
            for j in 0..i {
                value = value - self.a[i][j] * self.r[j];
            }
            self.r[i] = value * self.a[i][i];
        }
    }

    /// W = B L⁻ᵀ, of a block that is factored.
    #[inline(always)]
    pub(super) fn couple(&self, coupling: &mut Coupling<R>) {
        for row in coupling {
            for i in 0..6 {
                let mut value = row[i];
                for j in 0..i {
                    value = value - self.a[i][j] * row[j];
                }
                row[i] = value * self.a[i][i];
            }
        }
    }
}

/// z = L⁻ᵀ (y - Wᵀ next), `l` the lower triangle by rows.
#[inline(always)]
pub(super) fn back<R: Real>(l: &[R; 21], w: &[R; 36], y: [R; 6], next: &[R; 6]) -> [R; 6] {
    let mut z = y;
    for i in 0..6 {
        for j in 0..6 {
            z[i] = z[i] - w[j * 6 + i] * next[j];
        }
    }
    for i in (0..6).rev() {
        for j in i + 1..6 {
            z[i] = z[i] - l[j * (j + 1) / 2 + i] * z[j];
        }
        z[i] = z[i] * l[i * (i + 1) / 2 + i];
    }
    z
}

#[inline(always)]
fn add<R: Real>(r: &mut [R; 6], at: usize, v: V3<R>) {
    (r[at], r[at + 1], r[at + 2]) = (r[at] + v.x, r[at + 1] + v.y, r[at + 2] + v.z);
}
