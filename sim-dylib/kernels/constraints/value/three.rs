//! Three numbers at once, with a symmetric matrix of compliances.

use super::{Past, Softness, TINY, Value, moves, product, scaled, sum_of_dots};
use crate::lanes::{Real, V3};

/// Three numbers at once.
#[derive(Clone, Copy)]
pub struct Three<R, const N: usize> {
    pub c: [R; 3],
    pub g: [[V3<R>; N]; 3],
    /// 00, 11, 22, 01 of their symmetric matrix of compliances [1/J]; the others are 0.
    pub compliance: [R; 4],
}

impl<R: Real, const N: usize> Three<R, N> {
    /// One projection; `compliance` is over h².
    #[inline(always)]
    fn block(
        &self,
        w: [R; N],
        compliance: [R; 4],
        lambda: [R; 3],
        past: &Past<R, N>,
    ) -> ([V3<R>; N], [R; 3]) {
        let (Self { c, g, .. }, [p, q, r, pq]) = (self, compliance);
        let left = [
            -c[0] - p * lambda[0] - pq * lambda[1] - past.drag(&g[0]),
            -c[1] - pq * lambda[0] - q * lambda[1] - past.drag(&g[1]),
            -c[2] - r * lambda[2] - past.drag(&g[2]),
        ];
        let more = R::from_f32(1.0) + past.gamma;
        let change = solve(
            [
                more * product(&g[0], &w, &g[0]) + p,
                more * product(&g[1], &w, &g[1]) + q,
                more * product(&g[2], &w, &g[2]) + r,
                more * product(&g[0], &w, &g[1]) + pq,
                more * product(&g[0], &w, &g[2]),
                more * product(&g[1], &w, &g[2]),
            ],
            left,
        );
        let mut d = moves(g[0], w, change[0]);
        for corner in 0..N {
            d[corner] = d[corner] + (g[1][corner] * change[1] + g[2][corner] * change[2]) * w[corner];
        }
        (d, change)
    }

    /// The inverse of the compliances times `c` [J].
    #[inline(always)]
    fn stress(&self, c: [R; 3]) -> [R; 3] {
        let [p, q, r, pq] = self.compliance;
        let determinant = p * q - pq * pq;
        [(q * c[0] - pq * c[1]) / determinant, (p * c[1] - pq * c[0]) / determinant, c[2] / r]
    }

    #[inline(always)]
    fn pulled(&self, by: [R; 3]) -> [V3<R>; N] {
        let mut sum = scaled(self.g[0], by[0]);
        for corner in 0..N {
            sum[corner] = sum[corner] + self.g[1][corner] * by[1] + self.g[2][corner] * by[2];
        }
        sum
    }
}

/// Its energies are by its compliances, whatever k is.
impl<R: Real, const N: usize> Value<R, N> for Three<R, N> {
    const MULTIPLIERS: usize = 3;

    #[inline(always)]
    fn project(
        &self,
        _: R,
        w: [R; N],
        softness: Softness<R>,
        [l0, l1, l2, _]: [R; 4],
        past: &Past<R, N>,
    ) -> ([V3<R>; N], [R; 4]) {
        let mut over_h2 = self.compliance;
        for i in 0..4 {
            over_h2[i] = self.compliance[i] * softness.per_h2;
        }
        let (d, [c0, c1, c2]) = self.block(w, over_h2, [l0, l1, l2], past);
        (d, [c0, c1, c2, R::from_f32(0.0)])
    }

    #[inline(always)]
    fn rigid(&self, w: [R; N], share: R) -> [V3<R>; N] {
        let rigid = R::from_f32(0.0);
        scaled(self.block(w, [rigid; 4], [rigid; 3], &Past::none()).0, share)
    }

    #[inline(always)]
    fn size(&self) -> R {
        self.c[0].abs().max(self.c[1].abs()).max(self.c[2].abs())
    }

    #[inline(always)]
    fn energy(&self, _: R) -> R {
        let ([a, b, c], [x, y, z]) = (self.c, self.stress(self.c));
        R::from_f32(0.5) * (a * x + b * y + c * z)
    }

    #[inline(always)]
    fn gradient(&self, _: R) -> [V3<R>; N] {
        self.pulled(self.stress(self.c))
    }

    #[inline(always)]
    fn stiffness_times(&self, _: R, d: &[V3<R>; N]) -> [V3<R>; N] {
        let change = [sum_of_dots(&self.g[0], d), sum_of_dots(&self.g[1], d), sum_of_dots(&self.g[2], d)];
        self.pulled(self.stress(change))
    }
}

/// Positive definite 3x3 system by L D Lᵀ; `a`: 00, 11, 22, 01, 02, 12. Pivots lost to round-off are held above 0.
#[inline(always)]
fn solve<R: Real>(a: [R; 6], b: [R; 3]) -> [R; 3] {
    let round_off = R::from_f32(1e-7);
    let d0 = a[0].max(R::from_f32(TINY));
    let (l10, l20) = (a[3] / d0, a[4] / d0);
    let d1 = (a[1] - l10 * a[3]).max(a[1] * round_off).max(R::from_f32(TINY));
    let below = a[5] - l10 * a[4];
    let l21 = below / d1;
    let d2 = (a[2] - l20 * a[4] - l21 * below).max(a[2] * round_off).max(R::from_f32(TINY));
    let y1 = b[1] - l10 * b[0];
    let y2 = b[2] - l20 * b[0] - l21 * y1;
    let x2 = y2 / d2;
    let x1 = y1 / d1 - l21 * x2;
    [b[0] / d0 - l10 * x1 - l20 * x2, x1, x2]
}
