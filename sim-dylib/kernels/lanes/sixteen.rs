//! Sixteen lanes: AVX-512, for rows that lie in strides; gathered rows are slower with it. Only loops that are compiled for
//! AVX-512 make values of this type, after they asked the processor; that is what makes the intrinsics below sound.

use std::{
    arch::x86_64::{
        __m512, _CMP_GT_OQ, _CMP_NEQ_UQ, _mm_loadu_ps, _mm_storeu_ps, _mm512_add_ps, _mm512_castps_si512,
        _mm512_castps128_ps512, _mm512_castsi512_ps, _mm512_cmp_ps_mask, _mm512_div_ps,
        _mm512_extractf32x4_ps, _mm512_insertf32x4, _mm512_loadu_ps, _mm512_mask_mov_ps, _mm512_maskz_mov_ps,
        _mm512_max_ps, _mm512_min_ps, _mm512_mul_ps, _mm512_permutex2var_ps, _mm512_set1_epi32,
        _mm512_set1_ps, _mm512_setr_epi32, _mm512_setzero_ps, _mm512_shuffle_ps, _mm512_sqrt_ps,
        _mm512_storeu_ps, _mm512_sub_ps, _mm512_unpackhi_ps, _mm512_unpacklo_ps, _mm512_xor_si512,
    },
    ops::{Add, Div, Mul, Neg, Sub},
};

use super::{Lanes, Real, RowsAt, RowsAtMut, pull::fetched_pairs};

#[derive(Clone, Copy)]
pub(crate) struct Sixteen(__m512);

macro_rules! operators {
    ($($trait:ident $method:ident $intrinsic:ident),*) => {$(
        impl $trait for Sixteen {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the processor has AVX-512, or no value of this type would exist.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}
operators!(Add add _mm512_add_ps, Sub sub _mm512_sub_ps, Mul mul _mm512_mul_ps, Div div _mm512_div_ps);

impl Neg for Sixteen {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(self.0), _mm512_set1_epi32(i32::MIN)))
        })
    }
}

impl Real for Sixteen {
    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        // SAFETY: only called inside the AVX-512 loops.
        Self(unsafe { _mm512_set1_ps(value) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn where_positive(self, test: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            _mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(test.0, _mm512_setzero_ps()), self.0)
        })
    }
    #[inline(always)]
    fn where_positive_else(self, test: Self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let positive = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(test.0, _mm512_setzero_ps());
            _mm512_mask_mov_ps(other.0, positive, self.0)
        })
    }
}

/// Picks sixteen of the values of two registers.
macro_rules! pick {
    ($a:expr, $b:expr, [$($place:expr),*]) => {
        Self(_mm512_permutex2var_ps($a, _mm512_setr_epi32($($place),*), $b))
    };
}

impl Lanes for Sixteen {
    const COUNT: usize = 16;

    #[inline(always)]
    fn load(values: &[f32]) -> Self {
        let values = &values[..16];
        // SAFETY: sixteen values are there; only called inside the AVX-512 loops.
        Self(unsafe { _mm512_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        let values = &mut values[..16];
        // SAFETY: as above.
        unsafe { _mm512_storeu_ps(values.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn all_are([a, b]: [Self; 2], value: Self) -> bool {
        // SAFETY: as above.
        unsafe {
            let other = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(a.0, value.0)
                | _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(b.0, value.0);
            other == 0
        }
    }

    #[inline(always)]
    fn crossed(self) -> Self {
        self
    }

    #[inline(always)]
    fn alternate(values: &[f32]) -> [Self; 2] {
        let (a, b) = (Self::load(values).0, Self::load(&values[16..]).0);
        // SAFETY: as above.
        unsafe {
            [
                pick!(a, b, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]),
                pick!(a, b, [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]),
            ]
        }
    }

    #[inline(always)]
    fn store_alternate([a, b]: [Self; 2], values: &mut [f32]) {
        // SAFETY: as above.
        unsafe {
            pick!(a.0, b.0, [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]).store(values);
            pick!(a.0, b.0, [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31])
                .store(&mut values[16..]);
        }
    }

    #[inline(always)]
    fn pairs_apart(values: &[f32]) -> [Self; 2] {
        let (a, b) = (Self::load(values).0, Self::load(&values[16..]).0);
        // SAFETY: as above.
        unsafe {
            [
                pick!(a, b, [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29]),
                pick!(a, b, [2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31]),
            ]
        }
    }

    #[inline(always)]
    fn store_pairs([a, b]: [Self; 2], values: &mut [f32]) {
        // SAFETY: as above.
        unsafe {
            pick!(a.0, b.0, [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23]).store(values);
            pick!(a.0, b.0, [8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31])
                .store(&mut values[16..]);
        }
    }

    /// Rows l, l + 4, l + 8 and l + 12 share a register, so that all shuffles stay inside its quarters.
    #[inline(always)]
    fn fetch(rows: &impl RowsAt) -> [Self; 4] {
        let [x, y, z, w] = transpose([four(rows, 0), four(rows, 1), four(rows, 2), four(rows, 3)]);
        [Self(x), Self(y), Self(z), Self(w)]
    }

    #[inline(always)]
    fn scatter([x, y, z, w]: [Self; 4], rows: &impl RowsAtMut) {
        let quarters = transpose([x.0, y.0, z.0, w.0]);
        for first in 0..4 {
            let [a, b, c, d] = rows_of(quarters[first]);
            rows.set(first, a);
            rows.set(first + 4, b);
            rows.set(first + 8, c);
            rows.set(first + 12, d);
        }
    }

    fetched_pairs! {}
}

#[inline(always)]
fn four(rows: &impl RowsAt, first: usize) -> __m512 {
    let [a, b, c, d] = [rows.get(first), rows.get(first + 4), rows.get(first + 8), rows.get(first + 12)];
    // SAFETY: only called inside the AVX-512 loops; each load reads a whole row.
    unsafe {
        let all = _mm512_castps128_ps512(_mm_loadu_ps(a.as_ptr()));
        let all = _mm512_insertf32x4::<1>(all, _mm_loadu_ps(b.as_ptr()));
        let all = _mm512_insertf32x4::<2>(all, _mm_loadu_ps(c.as_ptr()));
        _mm512_insertf32x4::<3>(all, _mm_loadu_ps(d.as_ptr()))
    }
}

#[inline(always)]
fn rows_of(four: __m512) -> [[f32; 4]; 4] {
    let mut rows = [[0.0; 4]; 4];
    // SAFETY: only called inside the AVX-512 loops; a row holds four values.
    unsafe {
        _mm_storeu_ps(rows[0].as_mut_ptr(), _mm512_extractf32x4_ps::<0>(four));
        _mm_storeu_ps(rows[1].as_mut_ptr(), _mm512_extractf32x4_ps::<1>(four));
        _mm_storeu_ps(rows[2].as_mut_ptr(), _mm512_extractf32x4_ps::<2>(four));
        _mm_storeu_ps(rows[3].as_mut_ptr(), _mm512_extractf32x4_ps::<3>(four));
    }
    rows
}

/// A 4x4 transpose in each quarter.
#[inline(always)]
fn transpose([a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: only called with values made inside the AVX-512 loops.
    unsafe {
        let (ab_low, ab_high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
        [
            _mm512_shuffle_ps::<0x44>(ab_low, cd_low),
            _mm512_shuffle_ps::<0xEE>(ab_low, cd_low),
            _mm512_shuffle_ps::<0x44>(ab_high, cd_high),
            _mm512_shuffle_ps::<0xEE>(ab_high, cd_high),
        ]
    }
}
