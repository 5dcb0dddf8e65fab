//! What a constraint holds at 0: a number, one that may be negative, a vector or three numbers at once; and one projection
//! of each, by a compliance or a stiffness (XPBD) and rigid (PBD).
//!
//! Macklin, Müller, Chentanez: XPBD, 2016: eq. 18 and, with damping, eq. 26. By a stiffness k both sides are multiplied by
//! s = k h² = 1/alpha~, so that a row without stiffness does nothing, and nothing is divided by it.

mod three;
mod vector;

pub use three::Three;
pub use vector::Vector;

use super::TINY;
use crate::lanes::{Real, V3};

/// What is 0 at rest, with its gradients by the corners.
pub trait Value<R: Real, const N: usize>: Copy {
    /// How many multipliers it has.
    const MULTIPLIERS: usize;

    /// One XPBD projection: changes of the corners, and of the multipliers. `k`: the row's own stiffness.
    fn project(
        &self,
        k: R,
        w: [R; N],
        softness: Softness<R>,
        lambda: [R; 4],
        past: &Past<R, N>,
    ) -> ([V3<R>; N], [R; 4]);

    /// The same made rigid, of which a share in 0..=1 is taken (PBD, Müller 2007).
    fn rigid(&self, w: [R; N], share: R) -> [V3<R>; N];

    /// How far it is off, not negative.
    fn size(&self) -> R;

    /// k/2 C² [J]
    fn energy(&self, k: R) -> R;

    /// Its derivative, k C g [N].
    fn gradient(&self, k: R) -> [V3<R>; N];

    /// Gauss-Newton: k g gᵀ d, the second derivative where C is 0 or g constant.
    fn stiffness_times(&self, k: R, d: &[V3<R>; N]) -> [V3<R>; N];
}

/// How soft a row is in a substep of h seconds.
#[derive(Clone, Copy)]
pub struct Softness<R> {
    /// alpha~ = compliance / h², 0 is rigid; `None`: the row has a stiffness of its own.
    pub alpha: Option<R>,
    /// h² [s2] and 1/h².
    pub h2: R,
    pub per_h2: R,
}

/// A number with its gradients.
#[derive(Clone, Copy)]
pub struct Scalar<R, const N: usize> {
    c: R,
    g: [V3<R>; N],
    /// Only where C > 0.
    pulls: bool,
}

impl<R: Real, const N: usize> Scalar<R, N> {
    /// C = 0.
    #[inline(always)]
    pub fn new(c: R, g: [V3<R>; N]) -> Self {
        Self { c, g, pulls: false }
    }

    /// C <= 0: where it is negative it does nothing, and it never pushes (lambda <= 0).
    #[inline(always)]
    pub fn at_most(c: R, g: [V3<R>; N]) -> Self {
        Self { c, g, pulls: true }
    }

    /// C, 0 where it does nothing.
    #[inline(always)]
    pub fn c(&self) -> R {
        if self.pulls { self.c.max(R::from_f32(0.0)) } else { self.c }
    }

    /// Change of the multiplier by a stiffness: `s` = k h².
    #[inline(always)]
    fn stiff(&self, w: [R; N], s: R, lambda: R, (gamma, drag): (R, R)) -> R {
        let one = R::from_f32(1.0);
        let stiff = s * (one + gamma) * product(&self.g, &w, &self.g);
        -(s * (self.c + drag) + lambda) / (stiff + one)
    }

    /// The same by a compliance, which may be 0: `alpha` = compliance / h².
    #[inline(always)]
    fn compliant(&self, w: [R; N], alpha: R, lambda: R, (gamma, drag): (R, R)) -> R {
        let sum = product(&self.g, &w, &self.g);
        let bottom = ((R::from_f32(1.0) + gamma) * sum + alpha).max(R::from_f32(TINY));
        (-(self.c + alpha * lambda + drag) / bottom).where_positive(sum)
    }
}

impl<R: Real, const N: usize> Value<R, N> for Scalar<R, N> {
    const MULTIPLIERS: usize = 1;

    #[inline(always)]
    fn project(
        &self,
        k: R,
        w: [R; N],
        softness: Softness<R>,
        [lambda, ..]: [R; 4],
        past: &Past<R, N>,
    ) -> ([V3<R>; N], [R; 4]) {
        let mut drag = past.drag(&self.g);
        if self.pulls {
            drag = drag.where_positive(self.c);
        }
        let mut change = match softness.alpha {
            Some(alpha) => self.compliant(w, alpha, lambda, (past.gamma, drag)),
            None => self.stiff(w, k * softness.h2, lambda, (past.gamma, drag)),
        };
        if self.pulls {
            change = change.min(-lambda);
        }
        (moves(self.g, w, change), alone(change))
    }

    #[inline(always)]
    fn rigid(&self, w: [R; N], share: R) -> [V3<R>; N] {
        let (sum, whole) = (product(&self.g, &w, &self.g), sum_of_dots(&self.g, &self.g));
        moves(self.g, w, (-(share * self.c()) / lever(sum, whole, w)).where_positive(sum))
    }

    #[inline(always)]
    fn size(&self) -> R {
        self.c().abs()
    }

    #[inline(always)]
    fn energy(&self, k: R) -> R {
        R::from_f32(0.5) * k * self.c() * self.c()
    }

    #[inline(always)]
    fn gradient(&self, k: R) -> [V3<R>; N] {
        scaled(self.g, k * self.c())
    }

    #[inline(always)]
    fn stiffness_times(&self, k: R, d: &[V3<R>; N]) -> [V3<R>; N] {
        let k = if self.pulls { k.where_positive(self.c) } else { k };
        scaled(self.g, k * sum_of_dots(&self.g, d))
    }
}

/// A multiplier that is the only one.
#[inline(always)]
pub(super) fn alone<R: Real>(lambda: R) -> [R; 4] {
    let none = R::from_f32(0.0);
    [lambda, none, none, none]
}

#[inline(always)]
fn scaled<R: Real, const N: usize>(g: [V3<R>; N], by: R) -> [V3<R>; N] {
    let mut scaled = g;
    for corner in 0..N {
        scaled[corner] = g[corner] * by;
    }
    scaled
}

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

/// Eq. 17.
#[inline(always)]
fn moves<R: Real, const N: usize>(g: [V3<R>; N], w: [R; N], change: R) -> [V3<R>; N] {
    let mut d = g;
    for corner in 0..N {
        d[corner] = g[corner] * (w[corner] * change);
    }
    d
}
