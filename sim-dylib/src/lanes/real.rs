//! The number type of constraints and energies: `f32`, `f64` (the oracle in the tests) or lanes of `f32`.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, or lanes of them.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    fn from_f32(value: f32) -> Self;
    #[must_use]
    fn sqrt(self) -> Self;
    #[must_use]
    fn max(self, other: Self) -> Self;
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// `self` where `test` is positive, else 0.
    #[must_use]
    fn where_positive(self, test: Self) -> Self;
}

macro_rules! scalar {
    ($($ty:ty),*) => {$(
        impl Real for $ty {
            #[inline(always)]
            fn from_f32(value: f32) -> Self {
                Self::from(value)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$ty>::sqrt(self)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                <$ty>::max(self, other)
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                <$ty>::min(self, other)
            }
            #[inline(always)]
            fn where_positive(self, test: Self) -> Self {
                if test > 0.0 { self } else { 0.0 }
            }
        }
    )*};
}
scalar!(f32, f64);

/// Several `f32` that go through the same operations.
pub trait Lanes: Real {
    const COUNT: usize;

    /// The first `COUNT` values of a slice.
    fn load(values: &[f32]) -> Self;

    /// Into the first `COUNT` values of a slice.
    fn store(self, values: &mut [f32]);

    /// Lanes of x, y, z and w from a row for each lane.
    fn fetch(rows: &impl RowsAt) -> [Self; 4];

    /// Rows from lanes of x, y, z and w, in the order of the lanes.
    fn scatter(lanes: [Self; 4], rows: &impl RowsAtMut);
}

/// Rows of a column by lane. A trait, not a closure: incremental builds do not inline closures into a loop that is
/// compiled for AVX2, and then every intrinsic becomes a call.
pub trait RowsAt {
    fn get(&self, lane: usize) -> [f32; 4];
}

pub trait RowsAtMut: RowsAt {
    fn set(&self, lane: usize, row: [f32; 4]);
}

/// One lane: the rows that are left over, and processors without AVX2.
impl Lanes for f32 {
    const COUNT: usize = 1;

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        values[0]
    }

    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        values[0] = self;
    }

    #[inline(always)]
    fn fetch(rows: &impl RowsAt) -> [Self; 4] {
        rows.get(0)
    }

    #[inline(always)]
    fn scatter(lanes: [Self; 4], rows: &impl RowsAtMut) {
        rows.set(0, lanes);
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

    #[inline(always)]
    pub fn zero() -> Self {
        let zero = R::from_f32(0.0);
        Self { x: zero, y: zero, z: zero }
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    /// x x + y y + z z, summed from left to right.
    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

impl<R: Real> Add for V3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<R: Real> Sub for V3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<R: Real> Neg for V3<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<R: Real> Mul<R> for V3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, scale: R) -> Self {
        Self { x: self.x * scale, y: self.y * scale, z: self.z * scale }
    }
}
