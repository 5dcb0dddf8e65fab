//! Eight lanes: AVX2. Only the loop that `sweep.rs` compiles for AVX2 makes values of this type, after it asked the
//! processor; that is what makes the intrinsics below sound.

use std::{
    arch::x86_64::{
        __m256, _CMP_GT_OQ, _CMP_NEQ_UQ, _mm_loadu_ps, _mm_storeu_ps, _mm256_add_ps, _mm256_and_ps,
        _mm256_blendv_ps, _mm256_castpd_ps, _mm256_castps_pd, _mm256_castps128_ps256, _mm256_castps256_ps128,
        _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_div_ps, _mm256_extractf128_ps, _mm256_insertf128_ps,
        _mm256_loadu_ps, _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_ps,
        _mm256_permute_ps, _mm256_permute4x64_pd, _mm256_set1_ps, _mm256_setr_epi32, _mm256_setzero_ps,
        _mm256_shuffle_ps, _mm256_sqrt_ps, _mm256_storeu_ps, _mm256_sub_ps, _mm256_unpackhi_ps,
        _mm256_unpacklo_ps, _mm256_xor_ps,
    },
    ops::{Add, Div, Mul, Neg, Sub},
};

use super::{Lanes, Real, RowsAt, RowsAtMut};

#[derive(Clone, Copy)]
pub(crate) struct Eight(__m256);

macro_rules! operators {
    ($($trait:ident $method:ident $intrinsic:ident),*) => {$(
        impl $trait for Eight {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the processor has AVX2, or no value of this type would exist.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}
operators!(Add add _mm256_add_ps, Sub sub _mm256_sub_ps, Mul mul _mm256_mul_ps, Div div _mm256_div_ps);

impl Neg for Eight {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Real for Eight {
    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        // SAFETY: only called inside the AVX2 loop.
        Self(unsafe { _mm256_set1_ps(value) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn where_positive(self, test: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(test.0, _mm256_setzero_ps())) })
    }
    #[inline(always)]
    fn where_positive_else(self, test: Self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            _mm256_blendv_ps(other.0, self.0, _mm256_cmp_ps::<_CMP_GT_OQ>(test.0, _mm256_setzero_ps()))
        })
    }
}

impl Lanes for Eight {
    const COUNT: usize = 8;

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        let values = &values[..8];
        // SAFETY: eight values are there; only called inside the AVX2 loop.
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        let values = &mut values[..8];
        // SAFETY: as above.
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn all_are([a, b]: [Self; 2], value: Self) -> bool {
        // SAFETY: as above.
        unsafe {
            let other = _mm256_or_ps(
                _mm256_cmp_ps::<_CMP_NEQ_UQ>(a.0, value.0),
                _mm256_cmp_ps::<_CMP_NEQ_UQ>(b.0, value.0),
            );
            _mm256_movemask_ps(other) == 0
        }
    }

    /// The middle quarters change places: what a shuffle inside of both halves of two registers leaves.
    #[inline(always)]
    fn crossed(self) -> Self {
        // SAFETY: only called inside the AVX2 loop.
        Self(unsafe { _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(_mm256_castps_pd(self.0))) })
    }

    #[inline(always)]
    fn alternate(values: &[f32]) -> [Self; 2] {
        let (a, b) = (Self::load(values).0, Self::load(&values[8..]).0);
        // SAFETY: as above.
        unsafe { [Self(_mm256_shuffle_ps::<0x88>(a, b)), Self(_mm256_shuffle_ps::<0xDD>(a, b))] }
    }

    #[inline(always)]
    fn store_alternate([a, b]: [Self; 2], values: &mut [f32]) {
        // SAFETY: as above.
        unsafe {
            Self(_mm256_unpacklo_ps(a.0, b.0)).store(values);
            Self(_mm256_unpackhi_ps(a.0, b.0)).store(&mut values[8..]);
        }
    }

    #[inline(always)]
    fn pairs_apart(values: &[f32]) -> [Self; 2] {
        let (a, b) = (Self::load(values).0, Self::load(&values[8..]).0);
        // SAFETY: as above.
        unsafe { [Self(_mm256_shuffle_ps::<0x44>(a, b)), Self(_mm256_shuffle_ps::<0xEE>(a, b))] }
    }

    #[inline(always)]
    fn store_pairs([a, b]: [Self; 2], values: &mut [f32]) {
        // SAFETY: as above.
        unsafe {
            Self(_mm256_shuffle_ps::<0x44>(a.0, b.0)).store(values);
            Self(_mm256_shuffle_ps::<0xEE>(a.0, b.0)).store(&mut values[8..]);
        }
    }

    /// Rows l and l + 4 share a register, so that all shuffles stay inside 128-bit halves.
    #[inline(always)]
    fn fetch(rows: &impl RowsAt) -> [Self; 4] {
        let [x, y, z, w] = transpose(pairs(rows));
        [Self(x), Self(y), Self(z), Self(w)]
    }

    #[inline(always)]
    fn scatter(lanes: [Self; 4], rows: &impl RowsAtMut) {
        let [x, y, z, w] = lanes;
        let [a, b, c, d] = transpose([x.0, y.0, z.0, w.0]);
        rows.set(0, low(a));
        rows.set(1, low(b));
        rows.set(2, low(c));
        rows.set(3, low(d));
        rows.set(4, high(a));
        rows.set(5, high(b));
        rows.set(6, high(c));
        rows.set(7, high(d));
    }

    type Pairs = Pairs;

    #[inline(always)]
    fn pairs([a, b]: &[impl RowsAt; 2]) -> Pairs {
        Pairs { a: pairs(a), b: pairs(b) }
    }

    #[inline(always)]
    fn lengths(Pairs { a, b }: &Pairs) -> (Self, [Self; 2]) {
        let d = [sub(b[0], a[0]), sub(b[1], a[1]), sub(b[2], a[2]), sub(b[3], a[3])];
        let [x, y, z, _] = transpose(d);
        let (x, y, z) = (Self(x), Self(y), Self(z));
        let ([.., w0], [.., w1]) = (transpose(*a), transpose(*b));
        (x * x + y * y + z * z, [Self(w0), Self(w1)])
    }

    #[inline(always)]
    fn pull(Pairs { a, b }: Pairs, [s0, s1]: [Self; 2], ends: &[impl RowsAtMut; 2]) {
        // SAFETY: only called inside the AVX2 loop.
        unsafe {
            let (s0, s1) = (s0.0, s1.0);
            let xyz = _mm256_castsi256_ps(_mm256_setr_epi32(-1, -1, -1, 0, -1, -1, -1, 0));
            let s0 = [
                _mm256_permute_ps::<0x00>(s0),
                _mm256_permute_ps::<0x55>(s0),
                _mm256_permute_ps::<0xAA>(s0),
                _mm256_permute_ps::<0xFF>(s0),
            ];
            let s1 = [
                _mm256_permute_ps::<0x00>(s1),
                _mm256_permute_ps::<0x55>(s1),
                _mm256_permute_ps::<0xAA>(s1),
                _mm256_permute_ps::<0xFF>(s1),
            ];
            for pair in 0..4 {
                let d = _mm256_and_ps(sub(b[pair], a[pair]), xyz);
                let x0 = _mm256_sub_ps(a[pair], _mm256_mul_ps(d, s0[pair]));
                let x1 = _mm256_add_ps(b[pair], _mm256_mul_ps(d, s1[pair]));
                ends[0].set(pair, low(x0));
                ends[0].set(pair + 4, high(x0));
                ends[1].set(pair, low(x1));
                ends[1].set(pair + 4, high(x1));
            }
        }
    }
}

/// Rows l and l + 4 of both ends in a register each.
pub(crate) struct Pairs {
    a: [__m256; 4],
    b: [__m256; 4],
}

#[inline(always)]
fn pairs(rows: &impl RowsAt) -> [__m256; 4] {
    [
        pair(rows.get(0), rows.get(4)),
        pair(rows.get(1), rows.get(5)),
        pair(rows.get(2), rows.get(6)),
        pair(rows.get(3), rows.get(7)),
    ]
}

#[inline(always)]
fn sub(a: __m256, b: __m256) -> __m256 {
    // SAFETY: only called inside the AVX2 loop.
    unsafe { _mm256_sub_ps(a, b) }
}

#[inline(always)]
fn low(pair: __m256) -> [f32; 4] {
    let mut row = [0.0; 4];
    // SAFETY: only called inside the AVX2 loop; a row holds four values.
    unsafe { _mm_storeu_ps(row.as_mut_ptr(), _mm256_castps256_ps128(pair)) };
    row
}

#[inline(always)]
fn high(pair: __m256) -> [f32; 4] {
    let mut row = [0.0; 4];
    // SAFETY: as above.
    unsafe { _mm_storeu_ps(row.as_mut_ptr(), _mm256_extractf128_ps::<1>(pair)) };
    row
}

#[inline(always)]
fn pair(low: [f32; 4], high: [f32; 4]) -> __m256 {
    // SAFETY: only called inside the AVX2 loop; each load reads a whole row.
    unsafe {
        let low = _mm256_castps128_ps256(_mm_loadu_ps(low.as_ptr()));
        _mm256_insertf128_ps::<1>(low, _mm_loadu_ps(high.as_ptr()))
    }
}

/// A 4x4 transpose in both halves.
#[inline(always)]
fn transpose([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: only called with values made inside the AVX2 loop.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0x44>(ab_low, cd_low),
            _mm256_shuffle_ps::<0xEE>(ab_low, cd_low),
            _mm256_shuffle_ps::<0x44>(ab_high, cd_high),
            _mm256_shuffle_ps::<0xEE>(ab_high, cd_high),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[target_feature(enable = "avx2")]
    fn arc_tangents(y: [f32; 8], x: [f32; 8]) -> [f32; 8] {
        let mut angles = [0.0; 8];
        Eight::load(&y).atan2(Eight::load(&x)).store(&mut angles);
        angles
    }

    #[test]
    fn arc_tangent_has_the_bits_of_one_lane() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        for i in 0..2000_u32 {
            let lane = |l: u32, salt: u32| ((i * 8 + l) * salt % 8191) as f32 / 4095.5 - 1.0;
            let (mut y, mut x) = ([0.0; 8], [0.0; 8]);
            for l in 0..8 {
                (y[l as usize], x[l as usize]) = (lane(l, 2719), lane(l, 5477) * 3.0);
            }
            // SAFETY: the processor has AVX2.
            let angles = unsafe { arc_tangents(y, x) };
            for l in 0..8 {
                assert_eq!(angles[l].to_bits(), Real::atan2(y[l], x[l]).to_bits(), "{} {}", y[l], x[l]);
            }
        }
    }
}
