//! The number type of constraints and energies: `f32`, `f64` (the oracle in the tests) or lanes of `f32`.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number, or lanes of them.
pub trait Real:
    Copy
    + Send
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
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
    /// `self` where `test` is positive, else `other`.
    #[must_use]
    fn where_positive_else(self, test: Self, other: Self) -> Self;

    #[must_use]
    #[inline(always)]
    fn abs(self) -> Self {
        self.max(-self)
    }

    /// Angle of the point (x, self) in -pi..=pi [rad]; 0 at the origin.
    ///
    /// In single precision within 3e-7, out of `+ - * /` alone: the same bits for every number of lanes.
    #[must_use]
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        arc_tangent(self, x)
    }
}

/// S. L. Moshier's polynomial for atan (Cephes, `atanf`) after two folds: into the octant below the diagonal, then
/// to |t| <= tan(pi/8).
#[inline(always)]
fn arc_tangent<R: Real>(y: R, x: R) -> R {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let c = R::from_f32;
    let (across, along) = (y.abs(), x.abs());
    let (low, high) = (across.min(along), across.max(along));
    let upper = low - high * c(0.414_213_57);
    let over = (low - high).where_positive_else(upper, low);
    let under = (low + high).where_positive_else(upper, high);
    let t = over / under.max(c(f32::MIN_POSITIVE));
    let z = t * t;
    let p = ((c(8.053_744_6e-2) * z - c(1.387_768_6e-1)) * z + c(1.997_771_1e-1)) * z - c(3.333_295e-1);
    let angle = p * z * t + t + c(FRAC_PI_4).where_positive(upper);
    let angle = (c(FRAC_PI_2) - angle).where_positive_else(across - along, angle);
    let angle = (c(PI) - angle).where_positive_else(-x, angle);
    (-angle).where_positive_else(-y, angle)
}

macro_rules! scalar {
    ($($ty:ty { $($own:item)* }),*) => {$(
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
            #[inline(always)]
            fn where_positive_else(self, test: Self, other: Self) -> Self {
                if test > 0.0 { self } else { other }
            }
            $($own)*
        }
    )*};
}
scalar!(f32 {}, f64 {
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
});

/// Several `f32` that go through the same operations.
pub trait Lanes: Real {
    const COUNT: usize;

    /// The first `COUNT` values of a slice.
    fn load(values: &[f32]) -> Self;

    /// Into the first `COUNT` values of a slice.
    fn store(self, values: &mut [f32]);

    /// Whether all lanes of both are this value, which is no NaN.
    fn all_are(lanes: [Self; 2], value: Self) -> bool;

    /// The lanes in the order in which [`Lanes::alternate`] and [`Lanes::pairs_apart`] leave them; done twice, that of the rows.
    #[must_use]
    fn crossed(self) -> Self;

    /// Values 0 2 4 … and 1 3 5 … of twice as many as there are lanes, crossed.
    fn alternate(values: &[f32]) -> [Self; 2];

    /// The way back.
    fn store_alternate(lanes: [Self; 2], values: &mut [f32]);

    /// Values 0 1 4 5 8 9 … and 2 3 6 7 … of twice as many as there are lanes, crossed.
    fn pairs_apart(values: &[f32]) -> [Self; 2];

    /// The way back.
    fn store_pairs(lanes: [Self; 2], values: &mut [f32]);

    /// Lanes of x, y, z and w from a row for each lane.
    fn fetch(rows: &impl RowsAt) -> [Self; 4];

    /// Rows from lanes of x, y, z and w, in the order of the lanes.
    fn scatter(lanes: [Self; 4], rows: &impl RowsAtMut);

    /// Both ends of rows as they lie in memory, see `pull.rs`.
    type Pairs;

    fn pairs(ends: &[impl RowsAt; 2]) -> Self::Pairs;

    /// |x1 - x0|², summed from left to right, and w of both ends.
    fn lengths(pairs: &Self::Pairs) -> (Self, [Self; 2]);

    /// x0 -= d s0, x1 += d s1 with d = x1 - x0; w stays.
    fn pull(pairs: Self::Pairs, scales: [Self; 2], ends: &[impl RowsAtMut; 2]);
}

/// Rows of a column by lane. A trait, not a closure: incremental builds do not inline closures into a loop that is
/// compiled for AVX2, and then every intrinsic becomes a call.
pub trait RowsAt {
    fn get(&self, lane: usize) -> [f32; 4];
}

pub trait RowsAtMut: RowsAt {
    fn set(&self, lane: usize, row: [f32; 4]);
}

/// A point or vector in space over any [`Real`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct V3<R> {
    pub x: R,
    pub y: R,
    pub z: R,
}

impl<R: Real> V3<R> {
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    /// The first three of a row.
    #[inline(always)]
    pub fn from_row([x, y, z, _]: [R; 4]) -> Self {
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

    /// The vector where `test` is positive, else 0.
    #[inline(always)]
    pub fn where_positive(self, test: R) -> Self {
        Self {
            x: self.x.where_positive(test),
            y: self.y.where_positive(test),
            z: self.z.where_positive(test),
        }
    }

    /// The vector where `test` is positive, else `other`.
    #[inline(always)]
    pub fn where_positive_else(self, test: R, other: Self) -> Self {
        Self {
            x: self.x.where_positive_else(test, other.x),
            y: self.y.where_positive_else(test, other.y),
            z: self.z.where_positive_else(test, other.z),
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

#[cfg(test)]
mod tests {
    use super::Real;

    #[test]
    fn arc_tangent_is_right_all_around() {
        for i in -2000..=2000 {
            let angle = f64::from(i) / 2000.0 * std::f64::consts::PI;
            for length in [1e-6, 0.3, 1.0, 2e5] {
                let (y, x) = ((length * angle.sin()) as f32, (length * angle.cos()) as f32);
                let (single, exact) = (Real::atan2(y, x), f64::from(y).atan2(f64::from(x)));
                assert!((f64::from(single) - exact).abs() < 3e-7, "{y} {x}: {single} for {exact}");
            }
        }
        assert_eq!(Real::atan2(0.0_f32, 0.0), 0.0);
        assert_eq!(Real::atan2(0.0_f32, -1.0), std::f32::consts::PI);
    }
}
