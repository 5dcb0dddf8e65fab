//! One XPBD projection of any constraint of stiffness k: C and its gradients in, changes of the corners and lambda out.
//!
//! Macklin, Müller, Chentanez: XPBD, 2016: eq. 18 and, with damping, eq. 26. Both sides are multiplied by
//! s = k h² = 1/alpha~, so that a row without stiffness does nothing, and nothing is divided by it.

use super::TINY;
use crate::lanes::{Real, V3};

/// What the damping term of eq. 26 needs.
#[derive(Clone, Copy)]
pub struct Past<R, const N: usize> {
    /// Ways of the corners since the start of the substep [m].
    pub way: [V3<R>; N],
    /// gamma of eq. 26: the damping's time over the substep; 0 is undamped.
    pub gamma: R,
}

impl<R: Real, const N: usize> Past<R, N> {
    /// Undamped.
    #[inline(always)]
    pub fn none() -> Self {
        Self { way: [V3::zero(); N], gamma: R::from_f32(0.0) }
    }

    /// gamma g . way
    #[inline(always)]
    fn drag(&self, g: &[V3<R>; N]) -> R {
        self.gamma * sum_of_dots(g, &self.way)
    }
}

#[inline(always)]
fn sum_of_dots<R: Real, const N: usize>(a: &[V3<R>; N], b: &[V3<R>; N]) -> R {
    let mut sum = a[0].dot(b[0]);
    for corner in 1..N {
        sum = sum + a[corner].dot(b[corner]);
    }
    sum
}

/// a W bᵀ with the inverse masses `w` [1/kg].
#[inline(always)]
fn product<R: Real, const N: usize>(a: &[V3<R>; N], w: &[R; N], b: &[V3<R>; N]) -> R {
    let mut sum = a[0].dot(b[0]) * w[0];
    for corner in 1..N {
        sum = sum + a[corner].dot(b[corner]) * w[corner];
    }
    sum
}

/// Scalar constraint: `c` with gradient `g`, `s` = k h², `lambda` so far. Changes of the corners and of lambda.
#[inline(always)]
pub fn scalar<R: Real, const N: usize>(
    (c, g): (R, [V3<R>; N]),
    w: [R; N],
    s: R,
    lambda: R,
    past: &Past<R, N>,
) -> ([V3<R>; N], R) {
    let one = R::from_f32(1.0);
    let stiff = s * (one + past.gamma) * product(&g, &w, &g);
    let change = -(s * (c + past.drag(&g)) + lambda) / (stiff + one);
    (moves(g, w, change), change)
}

/// Least share of a row's gradient that its free corners must have, squared. If all that could turn a hinge is pinned, the
/// gradient by the corner that is left is a matter of rounding, and to divide by it throws that corner across the scene: a
/// strip with dihedral hinges flew apart at its clamp at more than 600 m/s.
const LEVER: f32 = 0.01;

/// Gradient and inverse masses as they count in a division.
#[inline(always)]
fn lever<R: Real, const N: usize>(sum: R, whole: R, w: [R; N]) -> R {
    let mut lightest = w[0];
    for corner in 1..N {
        lightest = lightest.max(w[corner]);
    }
    sum.max(lightest * whole * R::from_f32(LEVER)).max(R::from_f32(TINY))
}

/// The same made rigid, of which the share `k` in 0..=1 is taken (PBD, Müller 2007).
#[inline(always)]
pub fn rigid<R: Real, const N: usize>((c, g): (R, [V3<R>; N]), w: [R; N], k: R) -> [V3<R>; N] {
    let sum = product(&g, &w, &g);
    moves(g, w, (-(k * c) / lever(sum, sum_of_dots(&g, &g), w)).where_positive(sum))
}

/// Vector constraint C = sum of `weights` x with one compliance for all axes.
#[inline(always)]
pub fn vector<R: Real, const N: usize>(
    c: V3<R>,
    weights: [R; N],
    w: [R; N],
    s: R,
    lambda: V3<R>,
    past: &Past<R, N>,
) -> ([V3<R>; N], V3<R>) {
    let one = R::from_f32(1.0);
    let (mut sum, mut way) = (weights[0] * weights[0] * w[0], past.way[0] * weights[0]);
    for corner in 1..N {
        sum = sum + weights[corner] * weights[corner] * w[corner];
        way = way + past.way[corner] * weights[corner];
    }
    let scale = one / (s * (one + past.gamma) * sum + one);
    let change = -((c + way * past.gamma) * s + lambda) * scale;
    let mut d = [change; N];
    for corner in 0..N {
        d[corner] = change * (weights[corner] * w[corner]);
    }
    (d, change)
}

/// The same made rigid, of which the share `k` is taken.
#[inline(always)]
pub fn rigid_vector<R: Real, const N: usize>(c: V3<R>, weights: [R; N], w: [R; N], k: R) -> [V3<R>; N] {
    let (mut sum, mut whole) = (weights[0] * weights[0] * w[0], weights[0] * weights[0]);
    for corner in 1..N {
        sum = sum + weights[corner] * weights[corner] * w[corner];
        whole = whole + weights[corner] * weights[corner];
    }
    let change = (-c * (k / lever(sum, whole, w))).where_positive(sum);
    let mut d = [change; N];
    for corner in 0..N {
        d[corner] = change * (weights[corner] * w[corner]);
    }
    d
}

/// Three scalar constraints at once. `compliance`: 00, 11, 22, 01 of the symmetric matrix, over h²; the others are 0.
#[inline(always)]
pub fn block<R: Real, const N: usize>(
    (c, g): ([R; 3], [[V3<R>; N]; 3]),
    w: [R; N],
    compliance: [R; 4],
    lambda: [R; 3],
    past: &Past<R, N>,
) -> ([V3<R>; N], [R; 3]) {
    let [p, q, r, pq] = compliance;
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

/// Eq. 17.
#[inline(always)]
fn moves<R: Real, const N: usize>(g: [V3<R>; N], w: [R; N], change: R) -> [V3<R>; N] {
    let mut d = g;
    for corner in 0..N {
        d[corner] = g[corner] * (w[corner] * change);
    }
    d
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
