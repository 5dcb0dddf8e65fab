//! Nearest points of a vertex and a triangle, and of two edges (Ericson: Real-Time Collision Detection, 2005, 5.1), as
//! choices without branches: one pair, or a pair in each lane.
//!
//! They are weights of the corners: the first primitive's are positive and add up to 1, the second's negative and add up
//! to -1. The sum of weight x corner is the way from the second point to the first.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

use glam::Vec3;

use crate::lanes::{EIGHT, Lanes, Octet, Real, RowsAt, V3, octet};

use super::advance::Form;

/// The nearest points of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    pub weight: [f32; 4],
    /// [m]
    pub way: Vec3,
}

impl Nearest {
    pub fn of(form: Form, x: [Vec3; 4]) -> Self {
        let x = [three(x[0]), three(x[1]), three(x[2]), three(x[3])];
        let weight = weights(form, x);
        let V3 { x, y, z } = between(x, weight);
        Self { weight, way: Vec3::new(x, y, z) }
    }

    /// [m]
    pub fn distance(&self) -> f32 {
        self.way.length()
    }
}

fn three(x: Vec3) -> V3<f32> {
    V3::new(x.x, x.y, x.z)
}

/// The sum of weight x corner.
#[inline(always)]
pub(super) fn between<R: Real>(x: [V3<R>; 4], weight: [R; 4]) -> V3<R> {
    // Differences to one corner: the weights add up to 0, and far from the origin the sum of places would lose digits.
    (x[1] - x[0]) * weight[1] + (x[2] - x[0]) * weight[2] + (x[3] - x[0]) * weight[3]
}

#[inline(always)]
pub(super) fn weights<R: Real>(form: Form, x: [V3<R>; 4]) -> [R; 4] {
    match form {
        Form::PointTriangle => point_triangle(x),
        Form::EdgeEdge => edge_edge(x),
    }
}

/// Of the vertex x0 and the triangle x1 x2 x3.
#[inline(always)]
fn point_triangle<R: Real>([p, a, b, c]: [V3<R>; 4]) -> [R; 4] {
    let one = R::from_f32(1.0);
    let (ab, ac, ap, bp, cp) = (b - a, c - a, p - a, p - b, p - c);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    let va = d3 * d6 - d5 * d4;
    let vb = d5 * d2 - d1 * d6;
    let vc = d1 * d4 - d3 * d2;
    // The last choice first: each region takes what those before it in the book leave.
    let all = va + vb + vc;
    let (mut v, mut w) = (share(vb, all), share(vc, all));
    // Each is taken unless the test is above 0.
    let bc = va.max(d3 - d4).max(d6 - d5);
    let along = share(d4 - d3, (d4 - d3) + (d5 - d6));
    (v, w) = (v.where_positive_else(bc, one - along), w.where_positive_else(bc, along));
    let ac = vb.max(-d2).max(d6);
    (v, w) = (v.where_positive(ac), w.where_positive_else(ac, share(d2, d2 - d6)));
    let corner = (-d6).max(d5 - d6);
    (v, w) = (v.where_positive(corner), w.where_positive_else(corner, one));
    let ab = vc.max(-d1).max(d3);
    (v, w) = (v.where_positive_else(ab, share(d1, d1 - d3)), w.where_positive(ab));
    let corner = (-d3).max(d4 - d3);
    (v, w) = (v.where_positive_else(corner, one), w.where_positive(corner));
    let corner = d1.max(d2);
    (v, w) = (v.where_positive(corner), w.where_positive(corner));
    // On the edge b c what rounding leaves of a is nothing: a row would lever it.
    let u = one - v - w;
    let u = u.where_positive(u - R::from_f32(1e-6));
    [one, -u, -v, -w]
}

/// Of the edges x0 x1 and x2 x3.
#[inline(always)]
fn edge_edge<R: Real>(x: [V3<R>; 4]) -> [R; 4] {
    let (zero, one) = (R::from_f32(0.0), R::from_f32(1.0));
    let (u, v, r) = (x[1] - x[0], x[3] - x[2], x[0] - x[2]);
    let (a, e, f) = (u.dot(u), v.dot(v), v.dot(r));
    let (b, c) = (u.dot(v), u.dot(r));
    let across = a * e - b * b;
    // Nearly parallel edges have no one pair of nearest points: an end will do.
    let crossing = across - R::from_f32(1e-6) * a * e;
    let s = ((b * f - c * e) / across.max(R::from_f32(f32::MIN_POSITIVE))).where_positive(crossing);
    let s = s.max(zero).min(one);
    let t = share(b * s + f, e);
    let (below, above) = (share(-c, a).max(zero).min(one), share(b - c, a).max(zero).min(one));
    let s = below.where_positive_else(-t, above.where_positive_else(t - one, s));
    let t = t.max(zero).min(one);
    [one - s, s, t - one, -t]
}

/// part / whole, 0 of nothing.
#[inline(always)]
fn share<R: Real>(part: R, whole: R) -> R {
    (part / whole.max(R::from_f32(f32::MIN_POSITIVE))).where_positive(whole)
}

/// How far eight pairs of one form are apart, pair after pair.
pub(super) struct Several {
    /// Square of the distance [m2].
    pub squared: [f32; EIGHT],
    /// What two corners at most of different primitives add up to in w.
    pub most: [f32; EIGHT],
}

impl Several {
    /// Of pairs with their corners in `column`.
    #[inline(always)]
    pub(super) fn of(form: Form, column: &[[f32; 4]], idx: &[[u32; 4]; EIGHT]) -> Self {
        let mut out = Self { squared: [0.0; EIGHT], most: [0.0; EIGHT] };
        match form {
            Form::PointTriangle => octet(&Eight::<0> { column, idx }, &mut out),
            Form::EdgeEdge => octet(&Eight::<1> { column, idx }, &mut out),
        }
        out
    }
}

struct Eight<'a, const FORM: u32> {
    column: &'a [[f32; 4]],
    idx: &'a [[u32; 4]; EIGHT],
}

impl<const FORM: u32> Octet for Eight<'_, FORM> {
    type Out = Several;

    #[inline(always)]
    fn lanes<L: Lanes>(&self, first: usize, out: &mut Several) {
        let (mut x, mut w) = ([V3::zero(); 4], [L::from_f32(0.0); 4]);
        for corner in 0..4 {
            let [px, py, pz, pw] = L::fetch(&Corner { column: self.column, idx: self.idx, first, corner });
            (x[corner], w[corner]) = (V3 { x: px, y: py, z: pz }, pw);
        }
        let form = Form::of(FORM);
        let weight = weights(form, x);
        let way = between(x, weight);
        way.dot(way).store(&mut out.squared[first..]);
        form.most(w).store(&mut out.most[first..]);
    }
}

/// One corner of the pairs from `first` on.
pub(super) struct Corner<'a> {
    pub column: &'a [[f32; 4]],
    pub idx: &'a [[u32; 4]; EIGHT],
    pub first: usize,
    pub corner: usize,
}

impl RowsAt for Corner<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.column[self.idx[self.first + lane][self.corner] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners from a fixed sequence: anywhere, in one plane, triangles without an area.
    fn corners(form: Form, trial: u32) -> [[f32; 4]; 4] {
        let number = |k: u32| ((trial * 4 + k) * 2719 % 8191) as f32 / 4095.5 - 1.0;
        let mut x = [[0.0; 4]; 4];
        for (i, x) in (0..).zip(&mut x) {
            let flat = if trial.is_multiple_of(5) { 0.0 } else { number(3 * i + 2) };
            *x = [number(3 * i), number(3 * i + 1), flat, i as f32];
        }
        if trial.is_multiple_of(7) && form == Form::PointTriangle {
            x[3] = [x[2][0], x[2][1], x[2][2], 3.0];
        }
        x
    }

    /// The least distance of many points of both primitives.
    fn by_search(form: Form, x: [Vec3; 4]) -> f32 {
        const STEPS: u32 = 40;
        let mut least = f32::INFINITY;
        for i in 0..=STEPS {
            for j in 0..=STEPS {
                let (u, v) = (i as f32 / STEPS as f32, j as f32 / STEPS as f32);
                let way = match form {
                    Form::PointTriangle if i + j > STEPS => continue,
                    Form::PointTriangle => x[0] - (x[1] * (1.0 - u - v) + x[2] * u + x[3] * v),
                    Form::EdgeEdge => x[0].lerp(x[1], u) - x[2].lerp(x[3], v),
                };
                least = least.min(way.length());
            }
        }
        least
    }

    #[test]
    fn no_points_are_nearer_and_eight_pairs_have_the_bits_of_one() {
        for form in [Form::PointTriangle, Form::EdgeEdge] {
            for trial in 0..100 {
                let rows: Vec<[f32; 4]> = (0..8).flat_map(|k| corners(form, 8 * trial + k)).collect();
                let idx: [[u32; 4]; EIGHT] =
                    std::array::from_fn(|k| std::array::from_fn(|corner| (4 * k + corner) as u32));
                let several = Several::of(form, &rows, &idx);
                for (k, idx) in idx.iter().enumerate() {
                    let x = idx.map(|i| Vec3::from_slice(&rows[i as usize]));
                    let one = Nearest::of(form, x);
                    assert_eq!(several.squared[k].sqrt(), one.distance(), "{form:?} {x:?}");
                    let (searched, found) = (by_search(form, x), one.distance());
                    assert!(
                        found < searched + 1e-5 && found > searched - 0.1,
                        "{form:?} {x:?}: {one:?} {searched}"
                    );
                    let sum: f32 = one.weight.iter().sum();
                    assert!(sum.abs() < 1e-5, "{one:?}");
                    assert_eq!(several.most[k], if form == Form::PointTriangle { 3.0 } else { 4.0 });
                }
            }
        }
    }
}
