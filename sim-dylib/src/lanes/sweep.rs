//! The sweep over a table of particle pairs: fetch, call the kernel, store. The kernel sees lanes only.
//!
//! Two rules keep this free of races: rows of one colour share no particle (the host checked), and colours run one
//! after another. Rows without a colour run last, one by one.

use std::ops::Range;

use sim_api::{Colors, Par, SharedMut};

use super::{Lanes, Pair, Rows, V3};

/// What a sweep does with a group of rows. Implementations put `#[inline(always)]` on `project`.
pub trait PairKernel: Sync {
    /// Changes of both ends. Each lane may use its own row only.
    fn project<L: Lanes>(&self, rows: &Rows, a: &Pair<L>, b: &Pair<L>) -> (V3<L>, V3<L>);
}

/// Gauss-Seidel by colours over `particles`: adds what the kernel returns to xyz of either end, keeps w.
pub fn project(
    par: &Par,
    colors: Colors,
    idx: &[[u32; 2]],
    particles: &mut [[f32; 4]],
    kernel: &impl PairKernel,
) {
    let particles = SharedMut::new(particles);
    // SAFETY (both calls of `run`): rows of one colour share no particle, and the tail runs row by row.
    for range in colors.ranges() {
        par.blocks(range, |range| unsafe { run(range, idx, &particles, kernel) });
    }
    for row in colors.serial_tail() {
        unsafe { run(row..row + 1, idx, &particles, kernel) };
    }
}

/// # Safety
/// No concurrent call uses the particles of these rows, and the rows of `range` share no particle.
unsafe fn run(
    range: Range<usize>,
    idx: &[[u32; 2]],
    particles: &SharedMut<[f32; 4]>,
    kernel: &impl PairKernel,
) {
    // SAFETY (all calls): vouched for by the caller; AVX2 is there where its loop is called.
    unsafe {
        #[cfg(not(target_arch = "x86_64"))]
        let rest = groups::<glam::Vec4>(range, idx, particles, kernel);
        #[cfg(target_arch = "x86_64")]
        let rest =
            if is_x86_feature_detected!("avx2") { run_avx2(range, idx, particles, kernel) } else { range };
        groups::<f32>(rest, idx, particles, kernel);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn run_avx2(
    range: Range<usize>,
    idx: &[[u32; 2]],
    particles: &SharedMut<[f32; 4]>,
    kernel: &impl PairKernel,
) -> Range<usize> {
    // SAFETY: vouched for by the caller.
    unsafe { groups::<super::eight::Eight>(range, idx, particles, kernel) }
}

/// Runs all whole groups and returns the rows that are left.
///
/// # Safety
/// As for [`run`].
#[inline(always)]
unsafe fn groups<L: Lanes>(
    range: Range<usize>,
    idx: &[[u32; 2]],
    particles: &SharedMut<[f32; 4]>,
    kernel: &impl PairKernel,
) -> Range<usize> {
    let mut start = range.start;
    while start + L::COUNT <= range.end {
        let rows = Rows { start, ends: &idx[start..start + L::COUNT] };
        // SAFETY: vouched for by the caller.
        unsafe { group::<L>(&rows, particles, kernel) };
        start += L::COUNT;
    }
    start..range.end
}

/// # Safety
/// As for [`run`].
#[inline(always)]
unsafe fn group<L: Lanes>(rows: &Rows, particles: &SharedMut<[f32; 4]>, kernel: &impl PairKernel) {
    let fetch = |end| {
        // SAFETY: vouched for by the caller.
        let [x, y, z, w] = L::fetch(|lane| unsafe { particles.get(rows.particle(lane, end)) });
        Pair { x: V3 { x, y, z }, w }
    };
    let (a, b) = (fetch(0), fetch(1));
    let (da, db) = kernel.project(rows, &a, &b);
    for (end, pair, change) in [(0, a, da), (1, b, db)] {
        let moved = pair.x + change;
        // SAFETY: vouched for by the caller.
        L::scatter([moved.x, moved.y, moved.z, pair.w], |lane, row| unsafe {
            particles.set(rows.particle(lane, end), row);
        });
    }
}
