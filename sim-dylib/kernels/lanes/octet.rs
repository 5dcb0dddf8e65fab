//! Eight items that need not lie side by side: the same lanes as in a sweep, for what is found here and there.

use super::Lanes;
#[cfg(target_arch = "x86_64")]
use super::one::One;

/// Items that one call works off.
pub const EIGHT: usize = 8;

/// What is done with eight items. Implementations put `#[inline(always)]` on `lanes`.
pub trait Octet {
    type Out;

    /// Items `first..first + L::COUNT`.
    fn lanes<L: Lanes>(&self, first: usize, out: &mut Self::Out);
}

/// Works off eight items.
#[inline(always)]
pub fn octet<K: Octet>(kernel: &K, out: &mut K::Out) {
    <K as Home>::eight(kernel, out);
}

/// Where the lanes are compiled, as `sweep::Home`.
trait Home {
    #[inline(never)]
    fn eight<K: Octet>(kernel: &K, out: &mut K::Out) {
        #[cfg(not(target_arch = "x86_64"))]
        all::<glam::Vec4, K>(kernel, out);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: there is AVX2.
            unsafe { Self::eight_avx2(kernel, out) }
        } else {
            all::<One, K>(kernel, out);
        }
    }

    /// # Safety
    /// There is AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn eight_avx2<K: Octet>(kernel: &K, out: &mut K::Out) {
        all::<super::eight::Eight, K>(kernel, out);
    }
}

impl<H> Home for H {}

#[inline(always)]
fn all<L: Lanes, K: Octet>(kernel: &K, out: &mut K::Out) {
    let mut first = 0;
    while first < EIGHT {
        kernel.lanes::<L>(first, out);
        first += L::COUNT;
    }
}
