//! Sums over the rows of a constraint table: read only, so no colours are needed.
//!
//! Rows are added one after another whatever the width of the lanes, blocks in their order: the same bits everywhere.

use std::ops::Range;

use sim_api::Par;

use super::{Lanes, Point, Rows};

/// What a sum adds for each row. Implementations put `#[inline(always)]` on `of`.
pub trait RowSum<const N: usize>: Sync {
    fn of<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N]) -> L;
}

/// The sum over all rows; `particles` is what `of` sees at the corners. Compiled where `H` is, see `sweep::Home`.
pub fn sum_at<H, const N: usize>(
    par: &Par,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    kernel: &impl RowSum<N>,
) -> f64 {
    par.sum(idx.len(), |range| <H as Home>::run(range, idx, particles, kernel))
}

trait Home {
    #[inline(never)]
    fn run<const N: usize>(
        range: Range<usize>,
        idx: &[[u32; N]],
        particles: &[[f32; 4]],
        kernel: &impl RowSum<N>,
    ) -> f64 {
        #[cfg(not(target_arch = "x86_64"))]
        let (total, rest) = groups::<glam::Vec4, N>(0.0, range, idx, particles, kernel);
        #[cfg(target_arch = "x86_64")]
        let (total, rest) = if is_x86_feature_detected!("avx2") {
            // SAFETY: there is AVX2.
            unsafe { Self::run_avx2(range, idx, particles, kernel) }
        } else {
            (0.0, range)
        };
        groups::<f32, N>(total, rest, idx, particles, kernel).0
    }

    /// # Safety
    /// There is AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2<const N: usize>(
        range: Range<usize>,
        idx: &[[u32; N]],
        particles: &[[f32; 4]],
        kernel: &impl RowSum<N>,
    ) -> (f64, Range<usize>) {
        groups::<super::eight::Eight, N>(0.0, range, idx, particles, kernel)
    }
}

impl<H> Home for H {}

/// `total` and the sum of all whole groups, and the rows that are left.
#[inline(always)]
fn groups<L: Lanes, const N: usize>(
    mut total: f64,
    range: Range<usize>,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    kernel: &impl RowSum<N>,
) -> (f64, Range<usize>) {
    let mut start = range.start;
    while start + L::COUNT <= range.end {
        let rows = Rows { start, idx: &idx[start..start + L::COUNT] };
        let mut values = [0.0; 8];
        kernel.of(&rows, rows.fetch_all::<L>(particles)).store(&mut values);
        let mut lane = 0;
        while lane < L::COUNT {
            total += f64::from(values[lane]);
            lane += 1;
        }
        start += L::COUNT;
    }
    (total, start..range.end)
}
