//! Volume inside a closed mesh, triangle by triangle: that of the tetrahedra to the origin, with their signs.
//!
//! Positive where the triangles are counter-clockwise seen from outside. The sum over a closed mesh does not depend on
//! the origin; in single precision take positions relative to a point near the mesh. An open mesh has no volume, and
//! its sum means nothing.

use crate::lanes::{Real, V3};

/// a . (b x c) / 6 [m3].
#[inline(always)]
pub fn signed<R: Real>([a, b, c]: &[V3<R>; 3]) -> R {
    a.dot(b.cross(*c)) * R::from_f32(0.5) / R::from_f32(3.0)
}

/// Its derivatives by a, b and c [m2]: b x c / 6 and so on.
#[inline(always)]
pub fn gradient<R: Real>([a, b, c]: &[V3<R>; 3]) -> [V3<R>; 3] {
    let sixth = R::from_f32(0.5) / R::from_f32(3.0);
    [b.cross(*c) * sixth, c.cross(*a) * sixth, a.cross(*b) * sixth]
}

/// What a triangle of a closed surface adds to the derivative of the volume at each of its corners [m2]. It differs from
/// [`gradient`] by terms that cancel around a vertex, and does not depend on the origin.
#[inline(always)]
pub fn closed_gradient<R: Real>([a, b, c]: &[V3<R>; 3]) -> V3<R> {
    (*b - *a).cross(*c - *a) * (R::from_f32(0.5) / R::from_f32(3.0))
}
