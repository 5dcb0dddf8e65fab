//! Triangles that resist stretch and shear: what the models share.
//!
//! A triangle's deformation gradient F (3x2) maps its flat rest shape to space: F = [x1 - x0, x2 - x0] B with B =
//! `inverse_rest`. An energy density psi(F) [J/m2] gives the first Piola-Kirchhoff stress P = dpsi/dF [N/m], and that the
//! gradient by the corners: area P Bᵀ.

use super::{Load, Scalar, Tables, Value, length};
use crate::lanes::{Real, V3};

/// Two columns in space: F, a change of it, or a stress.
pub(super) type Columns<R> = [V3<R>; 2];

/// Three constraints and their gradients by the corners.
pub type Parts<R> = ([R; 3], [[V3<R>; 3]; 3]);

/// The inverse of a triangle's rest edges by columns [1/m], its area [m2], and Lamé's mu and lambda [N/m], both times `k`.
#[inline(always)]
pub(super) fn load<R: Real>(tables: &Tables, row: &impl Load<R>, k: R) -> ([R; 4], [R; 3]) {
    let triangle = &tables.triangle;
    let (mu, lame) = (row.one(triangle.mu) * k, row.one(triangle.lame) * k);
    (row.four(triangle.inverse_rest), [row.one(triangle.area), mu, lame])
}

/// A symmetric 2x2 matrix: 00, 11, 01.
pub(super) type Symmetric<R> = [R; 3];

/// Columns of F for corners (or their changes) `x` and the inverse of the rest edges by columns [1/m].
#[inline(always)]
pub fn deformation<R: Real>(x: &[V3<R>; 3], b: &[R; 4]) -> Columns<R> {
    let (e1, e2) = (x[1] - x[0], x[2] - x[0]);
    [e1 * b[0] + e2 * b[1], e1 * b[2] + e2 * b[3]]
}

/// `scale` P Bᵀ at the corners: the gradient by x0, x1 and x2 of what has the derivative `scale` P by F.
#[inline(always)]
pub fn at_corners<R: Real>(p: &Columns<R>, b: &[R; 4], scale: R) -> [V3<R>; 3] {
    let x1 = (p[0] * b[0] + p[1] * b[2]) * scale;
    let x2 = (p[0] * b[1] + p[1] * b[3]) * scale;
    [-(x1 + x2), x1, x2]
}

/// J = |f0 x f1|, never 0, the unit normal n, and G = dJ/dF.
#[inline(always)]
pub fn area_ratio<R: Real>(f: &Columns<R>) -> (R, V3<R>, Columns<R>) {
    let normal = f[0].cross(f[1]);
    let j = length(normal);
    let n = normal * (R::from_f32(1.0) / j);
    (j, n, [f[1].cross(n), n.cross(f[0])])
}

/// Green strain (FᵀF - I)/2.
#[inline(always)]
pub fn green_strain<R: Real>(f: &Columns<R>) -> Symmetric<R> {
    let (half, one) = (R::from_f32(0.5), R::from_f32(1.0));
    [(f[0].dot(f[0]) - one) * half, (f[1].dot(f[1]) - one) * half, f[0].dot(f[1]) * half]
}

#[inline(always)]
pub(super) fn times<R: Real>(f: &Columns<R>, s: &Symmetric<R>) -> Columns<R> {
    [f[0] * s[0] + f[1] * s[2], f[0] * s[2] + f[1] * s[1]]
}

/// The matrix without its negative eigenvalues, in closed form.
#[inline(always)]
pub(super) fn positive_part<R: Real>(s: &Symmetric<R>) -> Symmetric<R> {
    let (zero, half) = (R::from_f32(0.0), R::from_f32(0.5));
    let (mean, apart) = ((s[0] + s[1]) * half, (s[0] - s[1]) * half);
    let radius = (apart * apart + s[2] * s[2] + R::from_f32(1e-30)).sqrt();
    let (high, low) = ((mean + radius).max(zero), (mean - radius).max(zero));
    let (mean, share) = ((high + low) * half, (high - low) * half / radius);
    [mean + apart * share, mean - apart * share, s[2] * share]
}

/// The strains E00, E11 and 2 E01 and their gradients by the corners [1/m].
#[inline(always)]
pub fn strains<R: Real>(x: &[V3<R>; 3], inverse_rest: &[R; 4]) -> Parts<R> {
    let f = deformation(x, inverse_rest);
    let (e, zero, one) = (green_strain(&f), V3::zero(), R::from_f32(1.0));
    let gradients = [
        at_corners(&[f[0], zero], inverse_rest, one),
        at_corners(&[zero, f[1]], inverse_rest, one),
        at_corners(&[f[1], f[0]], inverse_rest, one),
    ];
    ([e[0], e[1], e[2] + e[2]], gradients)
}

/// One PBD projection of the three strains, one after another, by the shares of stretch and shear.
///
/// Müller, Chentanez, Kim, Macklin: Strain Based Dynamics, 2014.
#[inline(always)]
pub(super) fn strain_by_strain<R: Real>(
    x: &[V3<R>; 3],
    inverse_rest: &[R; 4],
    w: [R; 3],
    [stretch, shear, _]: [R; 3],
) -> [V3<R>; 3] {
    let (mut points, shares) = (*x, [stretch, stretch, shear]);
    for strain in 0..3 {
        let (c, g) = strains(&points, inverse_rest);
        let d = Scalar::new(c[strain], g[strain]).rigid(w, shares[strain]);
        for corner in 0..3 {
            points[corner] = points[corner] + d[corner];
        }
    }
    for corner in 0..3 {
        points[corner] = points[corner] - x[corner];
    }
    points
}
