//! Rotations of material frames as unit quaternions, over any [`Real`].

use crate::lanes::{Real, V3};

/// A unit quaternion: v is the sine of half the angle times the axis, w its cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation<R> {
    pub v: V3<R>,
    pub w: R,
}

impl Rotation<f32> {
    /// Of three axes that are square to each other (Shepperd: Quaternion from Rotation Matrix, 1978).
    pub fn of_axes([a, b, c]: [V3<f32>; 3]) -> Self {
        let [x, y, z] = [a.x - b.y - c.z, b.y - a.x - c.z, c.z - a.x - b.y];
        let w = a.x + b.y + c.z;
        let (i, j, k) = (b.z - c.y, c.x - a.z, a.y - b.x);
        let most = x.max(y).max(z).max(w);
        let four = if most == w {
            [i, j, k, 1.0 + w]
        } else if most == x {
            [1.0 + x, a.y + b.x, c.x + a.z, i]
        } else if most == y {
            [a.y + b.x, 1.0 + y, b.z + c.y, j]
        } else {
            [c.x + a.z, b.z + c.y, 1.0 + z, k]
        };
        Self::new(four).unit()
    }
}

impl<R: Real> Rotation<R> {
    #[inline(always)]
    pub fn new([x, y, z, w]: [R; 4]) -> Self {
        Self { v: V3 { x, y, z }, w }
    }

    #[inline(always)]
    pub fn lanes(self) -> [R; 4] {
        [self.v.x, self.v.y, self.v.z, self.w]
    }

    #[inline(always)]
    pub fn inverse(self) -> Self {
        Self { v: -self.v, w: self.w }
    }

    /// First `other`, then this one.
    #[inline(always)]
    pub fn after(self, other: Self) -> Self {
        let (a, b) = (self.v, other.v);
        Self { v: b * self.w + a * other.w + a.cross(b), w: self.w * other.w - a.dot(b) }
    }

    /// R e3: what a frame has along its segment.
    #[inline(always)]
    pub fn along(self) -> V3<R> {
        let (V3 { x, y, z }, w, two) = (self.v, self.w, R::from_f32(2.0));
        V3 { x: (x * z + w * y) * two, y: (y * z - w * x) * two, z: R::from_f32(1.0) - (x * x + y * y) * two }
    }

    #[inline(always)]
    pub fn rotate(self, vector: V3<R>) -> V3<R> {
        let t = self.v.cross(vector) * R::from_f32(2.0);
        vector + t * self.w + self.v.cross(t)
    }

    /// Of length 1 again; the inverse of nothing is no number.
    #[inline(always)]
    pub fn unit(self) -> Self {
        let scale = R::from_f32(1.0) / (self.v.dot(self.v) + self.w * self.w).sqrt();
        Self { v: self.v * scale, w: self.w * scale }
    }

    /// R e1, R e2, R e3.
    #[inline(always)]
    pub fn axes(self) -> [V3<R>; 3] {
        let (zero, one) = (R::from_f32(0.0), R::from_f32(1.0));
        let e1 = self.rotate(V3 { x: one, y: zero, z: zero });
        let e2 = self.rotate(V3 { x: zero, y: one, z: zero });
        [e1, e2, self.along()]
    }

    /// Turned on by a small angle about an axis in its own space [rad]: q + q (angle, 0) / 2, made a unit again.
    #[inline(always)]
    pub fn turned_within(self, angle: V3<R>) -> Self {
        let half = angle * R::from_f32(0.5);
        Self { v: self.v + half * self.w + self.v.cross(half), w: self.w - self.v.dot(half) }.unit()
    }

    /// Turned on by a small rotation vector in world space [rad]: q + (angle, 0) q / 2, made a unit again.
    #[inline(always)]
    pub fn turned(self, angle: V3<R>) -> Self {
        let half = angle * R::from_f32(0.5);
        Self { v: self.v + half * self.w + half.cross(self.v), w: self.w - half.dot(self.v) }.unit()
    }

    /// The least rotation that takes the direction of `from` to that of `to`; half a turn about some axis where they are opposite.
    #[inline(always)]
    pub fn between(from: V3<R>, to: V3<R>) -> Self {
        let (zero, tiny) = (R::from_f32(0.0), R::from_f32(1e-30));
        let scale = R::from_f32(1.0) / (from.dot(from) * to.dot(to)).max(tiny).sqrt();
        let (cross, w) = (from.cross(to) * scale, from.dot(to) * scale + R::from_f32(1.0));
        // Across `from`, and not short: two of the three components of a vector are no longer than the third.
        let flat = V3 { x: -from.y, y: from.x, z: zero };
        let steep = V3 { x: zero, y: -from.z, z: from.y };
        let longer = flat.dot(flat) - steep.dot(steep);
        let across = V3 {
            x: flat.x.where_positive_else(longer, steep.x),
            y: flat.y.where_positive_else(longer, steep.y),
            z: flat.z.where_positive_else(longer, steep.z),
        };
        let across = across * (R::from_f32(1.0) / across.dot(across).max(tiny).sqrt());
        let apart = w - R::from_f32(1e-6);
        Self {
            v: V3 {
                x: cross.x.where_positive_else(apart, across.x),
                y: cross.y.where_positive_else(apart, across.y),
                z: cross.z.where_positive_else(apart, across.z),
            },
            w: w.where_positive(apart),
        }
        .unit()
    }

    /// Turned by the least rotation that brings it along an edge.
    #[inline(always)]
    pub fn onto(self, edge: V3<R>) -> Self {
        Self::between(self.along(), edge).after(self).unit()
    }
}
