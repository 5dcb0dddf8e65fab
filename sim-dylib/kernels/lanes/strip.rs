//! Passes over columns of particles, several at a time.

use std::ops::Range;

use sim_api::{BLOCK, Par};

use super::{Lanes, one::One};

/// What is done with a group of particles. Loops copy it, as those over rows do theirs (`along.rs`). Implementations put
/// `#[inline(always)]` on `group`.
pub trait Strip: Copy + Sync {
    /// Particles `start..start + L::COUNT`.
    ///
    /// # Safety
    /// No concurrent call uses these particles, and they are there.
    unsafe fn group<L: Lanes>(&self, start: usize);
}

/// Brings `count` particles through it.
///
/// # Safety
/// There are as many.
pub unsafe fn strips(par: &Par, count: usize, strip: &impl Strip) {
    // SAFETY: blocks share no particle, and all are there.
    par.blocks(0..count, |range| unsafe { self::strip(range, strip) });
    const { assert!(BLOCK.is_multiple_of(16), "blocks are whole groups") };
}

/// Brings particles through it.
///
/// # Safety
/// As for [`Strip::group`], for all of them.
pub unsafe fn strip(range: Range<usize>, strip: &impl Strip) {
    // SAFETY (all calls): vouched for by the caller; AVX2 is there where its loop is called.
    unsafe {
        #[cfg(not(target_arch = "x86_64"))]
        let rest = groups::<glam::Vec4>(range, strip);
        #[cfg(target_arch = "x86_64")]
        let rest = if is_x86_feature_detected!("avx512f") {
            groups_avx512(range, strip)
        } else if is_x86_feature_detected!("avx2") {
            groups_avx2(range, strip)
        } else {
            range
        };
        groups::<One>(rest, strip);
    }
}

/// # Safety
/// As for [`Strip::group`], and there is AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn groups_avx2(range: Range<usize>, strip: &impl Strip) -> Range<usize> {
    // SAFETY: vouched for by the caller.
    unsafe { groups::<super::eight::Eight>(range, strip) }
}

/// # Safety
/// As for [`Strip::group`], and there is AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn groups_avx512(range: Range<usize>, strip: &impl Strip) -> Range<usize> {
    // SAFETY: vouched for by the caller.
    unsafe { groups::<super::sixteen::Sixteen>(range, strip) }
}

/// Returns the particles that fill no group.
///
/// # Safety
/// As for [`Strip::group`].
#[inline(always)]
unsafe fn groups<L: Lanes>(range: Range<usize>, strip: &impl Strip) -> Range<usize> {
    let (strip, mut start) = (*strip, range.start);
    while start + L::COUNT <= range.end {
        // SAFETY: vouched for by the caller.
        unsafe { strip.group::<L>(start) };
        start += L::COUNT;
    }
    start..range.end
}
