//! How lanes take both ends of rows from a column, by the pattern in which their particles lie.

use sim_api::model::StridePattern;

use super::{Axis, Lanes};

/// Where the particles of a stride lie, see [`StridePattern`].
pub(super) trait Pattern {
    /// Whether lanes are crossed.
    const CROSSED: bool;

    /// Which it is.
    const IS: StridePattern;

    /// Of the first particle of row `k`.
    #[inline(always)]
    fn offset(k: usize) -> usize {
        Self::IS.offset(k)
    }

    /// Both ends of as many rows as there are lanes.
    ///
    /// # Safety
    /// No concurrent call uses these particles.
    unsafe fn load<L: Lanes>(axis: Axis, at: [usize; 2]) -> [L; 2];

    /// Whether both ends of all these rows are this value, which is no NaN.
    ///
    /// # Safety
    /// As for [`Pattern::load`].
    unsafe fn all_are<L: Lanes>(axis: Axis, at: [usize; 2], value: L) -> bool;

    /// # Safety
    /// As for [`Pattern::load`].
    unsafe fn store<L: Lanes>(ends: [L; 2], axis: Axis, at: [usize; 2]);
}

/// Both ends at + k.
pub(super) struct Adjacent;

impl Pattern for Adjacent {
    const CROSSED: bool = false;
    const IS: StridePattern = StridePattern::Adjacent;

    #[inline(always)]
    unsafe fn load<L: Lanes>(axis: Axis, [a, b]: [usize; 2]) -> [L; 2] {
        // SAFETY: vouched for by the caller.
        unsafe { [axis.load(a), axis.load(b)] }
    }

    #[inline(always)]
    unsafe fn all_are<L: Lanes>(axis: Axis, at: [usize; 2], value: L) -> bool {
        // SAFETY: vouched for by the caller.
        L::all_are(unsafe { Self::load(axis, at) }, value)
    }

    #[inline(always)]
    unsafe fn store<L: Lanes>(ends: [L; 2], axis: Axis, [a, b]: [usize; 2]) {
        // SAFETY: vouched for by the caller.
        unsafe {
            axis.store(a, ends[0]);
            axis.store(b, ends[1]);
        }
    }
}

/// Both ends of a group in one run of values, see [`Lanes::crossed`].
macro_rules! crossed {
    ($Name:ident, $load:ident, $store:ident) => {
        pub(super) struct $Name;

        impl Pattern for $Name {
            const CROSSED: bool = true;
            const IS: StridePattern = StridePattern::$Name;

            #[inline(always)]
            unsafe fn load<L: Lanes>(axis: Axis, [a, _]: [usize; 2]) -> [L; 2] {
                // SAFETY: vouched for by the caller.
                L::$load(unsafe { axis.values(a, 2 * L::COUNT) })
            }

            #[inline(always)]
            unsafe fn all_are<L: Lanes>(axis: Axis, [a, _]: [usize; 2], value: L) -> bool {
                // SAFETY: vouched for by the caller.
                L::all_are(unsafe { [axis.load(a), axis.load(a + L::COUNT)] }, value)
            }

            #[inline(always)]
            unsafe fn store<L: Lanes>(ends: [L; 2], axis: Axis, [a, _]: [usize; 2]) {
                // SAFETY: vouched for by the caller.
                L::$store(ends, unsafe { axis.values(a, 2 * L::COUNT) });
            }
        }
    };
}
crossed!(Alternate, alternate, store_alternate);
crossed!(Pairs, pairs_apart, store_pairs);

#[cfg(test)]
mod tests {
    use super::super::{Axis, Lanes, One};
    use super::*;

    /// Ends of rows by their offsets, there and back.
    #[inline(always)]
    fn check<L: Lanes, W: Pattern>(second: usize) {
        let mut values: Vec<f32> = (0..2 * L::COUNT + second).map(|value| value as f32).collect();
        let before = values.clone();
        let axis = Axis::new(&mut values);
        // SAFETY: there are as many values, and nothing else uses them.
        let ends: [L; 2] = unsafe { W::load(axis, [0, second]) };
        for (end, first) in ends.into_iter().zip([0, second]) {
            let mut of_rows = vec![0.0; L::COUNT];
            if W::CROSSED { end.crossed() } else { end }.store(&mut of_rows);
            let expected: Vec<f32> = (0..L::COUNT).map(|k| (first + W::offset(k)) as f32).collect();
            assert_eq!(of_rows, expected, "{} lanes", L::COUNT);
        }
        // SAFETY: as above.
        unsafe { W::store([ends[0] + L::from_f32(100.0), ends[1] - L::from_f32(50.0)], axis, [0, second]) };
        for row in 0..L::COUNT {
            let [a, b] = [W::offset(row), second + W::offset(row)];
            assert_eq!([values[a], values[b]], [before[a] + 100.0, before[b] - 50.0], "row {row}");
        }
    }

    #[inline(always)]
    fn check_all<L: Lanes>() {
        check::<L, Adjacent>(L::COUNT);
        check::<L, Alternate>(1);
        if L::COUNT > 1 {
            check::<L, Pairs>(2);
        }
    }

    #[test]
    fn patterns_take_ends_and_put_them_back() {
        check_all::<One>();
        check_all::<glam::Vec4>();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[target_feature(enable = "avx2")]
            fn eight() {
                check_all::<super::super::Eight>();
            }
            // SAFETY: the processor has AVX2.
            unsafe { eight() };
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f") {
            #[target_feature(enable = "avx512f")]
            fn sixteen() {
                check_all::<super::super::sixteen::Sixteen>();
            }
            // SAFETY: the processor has AVX-512.
            unsafe { sixteen() };
        }
    }
}
