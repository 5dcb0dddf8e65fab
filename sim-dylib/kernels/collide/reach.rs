//! Cheap tests before the exact one, in world space: who cannot meet a collider in this substep, one by one and many at once.

use glam::{Vec3, Vec4};

use super::{pose::Pose, shape::Shape};

/// Particles that share a [`Bounds`].
pub(super) const CHUNK: usize = 16;

/// What a particle must be in to be near.
pub(super) enum Reach {
    Below {
        normal: Vec3,
        height: f32,
    },
    Ball {
        center: Vec3,
        radius: f32,
    },
    /// `half`: from the centre to the centre of a cap.
    Capsule {
        center: Vec3,
        half: Vec3,
        radius: f32,
    },
}

impl Reach {
    /// `thickness` [m] around the shape as it moves in a substep.
    pub(super) fn of(shape: &Shape, [begin, end]: [&Pose; 2], thickness: f32) -> Self {
        // A little more than exact, so that rounding never decides.
        if let Shape::Plane = shape {
            let normal = end.rotate(Vec3::Y);
            return Self::Below { normal, height: normal.dot(end.position) + 1.001 * thickness + 1e-5 };
        }
        let center = end.position;
        let way = (center - begin.position).length() + begin.turn(end) * shape.radius();
        let around = |radius| 1.001 * (radius + thickness + way);
        match *shape {
            Shape::Capsule { radius, half_height } if half_height > 0.0 => Self::Capsule {
                center,
                half: end.rotate(Vec3::Y * half_height),
                radius: around(radius) + 1e-5,
            },
            _ => Self::Ball { center, radius: around(shape.radius()) },
        }
    }

    /// Whether a particle that went `from` here may have come near.
    #[inline(always)]
    pub(super) fn holds(&self, x: Vec3, from: Vec3) -> bool {
        match self {
            // Nothing passes through half of space.
            Self::Below { normal, height } => normal.dot(x) < *height,
            Self::Ball { center, radius } => {
                let near = *radius + (x - from).length();
                (x - center).length_squared() < near * near
            }
            Self::Capsule { center, half, radius } => {
                let near = *radius + (x - from).length();
                from_axis(x - center, *half).length_squared() < near * near
            }
        }
    }

    /// Whether [`Reach::holds`] none of some particles. What is rounded here is rounded as there, in the same order, so no
    /// particle is left out that it would hold.
    #[inline]
    pub(super) fn is_away(&self, bounds: &Bounds) -> bool {
        let Bounds { lower, upper, .. } = *bounds;
        match self {
            Self::Below { normal, height } => {
                let lowest = Vec3::select(normal.cmpge(Vec3::ZERO), lower, upper);
                normal.dot(lowest) >= *height
            }
            Self::Ball { center, radius } => {
                let near = *radius + bounds.way;
                (center.max(lower).min(upper) - center).length_squared() >= near * near
            }
            Self::Capsule { center, half, radius } => {
                // Rounded otherwise than there.
                let near = *radius + bounds.way + bounds.radius;
                let middle = ((lower - center) + (upper - center)) * 0.5;
                from_axis(middle, *half).length_squared() >= 1.001 * near * near
            }
        }
    }
}

/// From the nearest point of the segment between -`half` and `half`.
#[inline(always)]
fn from_axis(x: Vec3, half: Vec3) -> Vec3 {
    x - half * (x.dot(half) / half.length_squared()).clamp(-1.0, 1.0)
}

/// Around particles that lie side by side in the table.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    lower: Vec3,
    upper: Vec3,
    /// Half the diagonal, and a little more [m].
    radius: f32,
    /// No way of one of them in this substep is longer [m].
    way: f32,
}

impl Bounds {
    /// Of [`CHUNK`] particles each that went `from` some places to others.
    #[inline(always)]
    pub(super) fn all<const N: usize>(x: &[[f32; 4]], from: &[[f32; 4]]) -> [Self; N] {
        let mut all = [Self { lower: Vec3::INFINITY, upper: Vec3::NEG_INFINITY, radius: 0.0, way: 0.0 }; N];
        for (bounds, (x, from)) in all.iter_mut().zip(x.chunks(CHUNK).zip(from.chunks(CHUNK))) {
            let (mut lower, mut upper, mut way) = (Vec4::INFINITY, Vec4::NEG_INFINITY, Vec4::ZERO);
            for (x, from) in x.iter().zip(from) {
                let (x, from) = (Vec4::from_array(*x), Vec4::from_array(*from));
                (lower, upper) = (lower.min(x), upper.max(x));
                way = way.max((x - from).abs());
            }
            let (lower, upper) = (lower.truncate(), upper.truncate());
            *bounds = Self { lower, upper, radius: around(lower, upper), way: way.truncate().length() };
        }
        all
    }

    /// Takes in one that went `from` a place to another.
    #[inline]
    pub(super) fn add(&mut self, x: Vec3, from: Vec3) {
        (self.lower, self.upper) = (self.lower.min(x), self.upper.max(x));
        self.radius = around(self.lower, self.upper);
        self.way = self.way.max((x - from).length());
    }
}

/// Radius of a ball around a box [m], a little larger than exact.
#[inline(always)]
fn around(lower: Vec3, upper: Vec3) -> f32 {
    0.501 * (upper - lower).length() + 1e-5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normals::xyz;

    /// Numbers from -1 to 1.
    fn random(seed: &mut u64) -> f32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    #[test]
    fn nobody_is_left_out_with_others_who_would_be_held_alone() {
        let mut seed = 1;
        let (mut held, mut away) = (0, 0);
        for round in 0..30_000 {
            let mut three = |size: f32| Vec3::from_array([(); 3].map(|()| random(&mut seed) * size));
            let origin = Vec3::splat([0.0, 10_000.0][round % 2]);
            let (center, half) = (origin + three(0.3), three(0.2));
            let reach = match round % 3 {
                0 => {
                    let normal = three(1.0).normalize();
                    Reach::Below { normal, height: normal.dot(center) }
                }
                1 => Reach::Ball { center, radius: 0.2 },
                _ => Reach::Capsule { center, half, radius: 0.1 },
            };
            let middle = origin + three(0.6);
            let mut x = [[0.0; 4]; CHUNK];
            let mut from = [[0.0; 4]; CHUNK];
            for (x, from) in x.iter_mut().zip(&mut from) {
                let to = middle + three(0.15);
                (*x, *from) = (to.extend(1.0).to_array(), (to + three(0.1)).extend(0.5).to_array());
            }
            let [bounds] = Bounds::all(&x, &from);
            let one = x.iter().zip(&from).any(|(x, from)| reach.holds(xyz(*x), xyz(*from)));
            assert!(!(one && reach.is_away(&bounds)), "round {round}");
            held += usize::from(one);
            away += usize::from(reach.is_away(&bounds));
        }
        assert!(held > 5_000 && away > 5_000, "{held} held, {away} away");
    }
}
