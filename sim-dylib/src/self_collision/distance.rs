//! Nearest points of a vertex and a triangle, and of two edges (Ericson: Real-Time Collision Detection, 2005, 5.1).

use glam::Vec3;

/// The nearest points of a pair as weights of its corners: the first primitive's are positive and add up to 1, the
/// second's negative and add up to -1. The sum of weight x corner is the way from the second point to the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    pub weight: [f32; 4],
    /// [m]
    pub way: Vec3,
    /// Both points lie inside their primitives, not on the rim.
    pub inside: bool,
}

impl Nearest {
    fn new(x: [Vec3; 4], weight: [f32; 4], inside: bool) -> Self {
        Self { weight, way: weighted(x, weight), inside }
    }

    /// [m]
    pub fn distance(&self) -> f32 {
        self.way.length()
    }
}

/// The sum of weight x corner.
#[inline(always)]
pub fn weighted(x: [Vec3; 4], weight: [f32; 4]) -> Vec3 {
    // Differences to one corner: the weights add up to 0, and far from the origin the sum of places would lose digits.
    (x[1] - x[0]) * weight[1] + (x[2] - x[0]) * weight[2] + (x[3] - x[0]) * weight[3]
}

/// Of the vertex x0 and the triangle x1 x2 x3.
pub fn point_triangle(x: [Vec3; 4]) -> Nearest {
    let [p, a, b, c] = x;
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let of = |u: f32, v: f32, w: f32, inside: bool| Nearest::new(x, [1.0, -u, -v, -w], inside);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return of(1.0, 0.0, 0.0, false);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return of(0.0, 1.0, 0.0, false);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = share(d1, d1 - d3);
        return of(1.0 - v, v, 0.0, false);
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return of(0.0, 0.0, 1.0, false);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = share(d2, d2 - d6);
        return of(1.0 - w, 0.0, w, false);
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = share(d4 - d3, (d4 - d3) + (d5 - d6));
        return of(0.0, 1.0 - w, w, false);
    }
    let per_area = 1.0 / (va + vb + vc);
    let (v, w) = (vb * per_area, vc * per_area);
    of(1.0 - v - w, v, w, true)
}

/// Of the edges x0 x1 and x2 x3.
pub fn edge_edge(x: [Vec3; 4]) -> Nearest {
    let (u, v, r) = (x[1] - x[0], x[3] - x[2], x[0] - x[2]);
    let (a, e, f) = (u.dot(u), v.dot(v), v.dot(r));
    let (b, c) = (u.dot(v), u.dot(r));
    let across = a * e - b * b;
    // Nearly parallel edges have no one pair of nearest points: an end will do.
    let mut s = if across > 1e-6 * a * e { ((b * f - c * e) / across).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = share(b * s + f, e);
    if t < 0.0 {
        t = 0.0;
        s = share(-c, a).clamp(0.0, 1.0);
    } else if t > 1.0 {
        t = 1.0;
        s = share(b - c, a).clamp(0.0, 1.0);
    }
    let inside = s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0;
    Nearest::new(x, [1.0 - s, s, t - 1.0, -t], inside)
}

/// part / whole, 0 of nothing.
#[inline(always)]
fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
