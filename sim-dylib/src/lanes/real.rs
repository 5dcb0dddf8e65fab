//! The number type of constraints and energies: `f32`, `f64` (the oracle in the tests) or four lanes of `f32`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::Vec4;

/// A real number, or lanes of them.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    fn from_f32(value: f32) -> Self;
    fn sqrt(self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    /// `self` where `test` is positive, else 0.
    fn where_positive(self, test: Self) -> Self;
}

macro_rules! scalar {
    ($($ty:ty),*) => {$(
        impl Real for $ty {
            #[inline]
            fn from_f32(value: f32) -> Self {
                Self::from(value)
            }
            #[inline]
            fn sqrt(self) -> Self {
                <$ty>::sqrt(self)
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                <$ty>::max(self, other)
            }
            #[inline]
            fn min(self, other: Self) -> Self {
                <$ty>::min(self, other)
            }
            #[inline]
            fn where_positive(self, test: Self) -> Self {
                if test > 0.0 { self } else { 0.0 }
            }
        }
    )*};
}
scalar!(f32, f64);

impl Real for Vec4 {
    #[inline]
    fn from_f32(value: f32) -> Self {
        Vec4::splat(value)
    }
    #[inline]
    fn sqrt(self) -> Self {
        Vec4::sqrt(self)
    }
    #[inline]
    fn max(self, other: Self) -> Self {
        Vec4::max(self, other)
    }
    #[inline]
    fn min(self, other: Self) -> Self {
        Vec4::min(self, other)
    }
    #[inline]
    fn where_positive(self, test: Self) -> Self {
        Vec4::select(test.cmpgt(Vec4::ZERO), self, Vec4::ZERO)
    }
}

/// A point or vector in space over any [`Real`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct V3<R> {
    pub x: R,
    pub y: R,
    pub z: R,
}

impl<R: Real> V3<R> {
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    /// x x + y y + z z, summed from left to right.
    #[inline]
    pub fn dot(self, other: Self) -> R {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

impl<R: Real> Add for V3<R> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<R: Real> Sub for V3<R> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<R: Real> Mul<R> for V3<R> {
    type Output = Self;
    #[inline]
    fn mul(self, scale: R) -> Self {
        Self { x: self.x * scale, y: self.y * scale, z: self.z * scale }
    }
}
