//! Sums over the rows of a constraint table: read only, so no colours are needed.
//!
//! A block's values are worked out by lanes and laid side by side, then added in an order that the width of the lanes
//! does not touch; blocks are added in their order: the same bits everywhere.

use std::ops::Range;

use glam::Vec4;
use sim_api::{BLOCK, Par, SharedMut, array_of};

use super::{Lanes, Point, Rows, one::One};

/// What is summed: a number for each row. Implementations put `#[inline(always)]` on `of`.
pub trait RowValue<const N: usize>: Sync {
    fn of<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N]) -> L;
}

/// The sum over all rows; `particles` is what `of` sees at the corners. Compiled where `H` is, see `sweep::Home`.
pub fn sum_at<H, const N: usize>(
    par: &Par,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    kernel: &impl RowValue<N>,
) -> f64 {
    par.sum(idx.len(), |range| {
        let count = range.len();
        let mut values = [0.0; BLOCK];
        <H as Home>::fill(range, idx, particles, kernel, &mut values);
        let mut total = 0.0;
        for value in &values[..count] {
            total += f64::from(*value);
        }
        total
    })
}

/// Most samples that [`sum_of_squares`] adds, and the rows of each.
const SAMPLES: usize = 16;
const SAMPLE: usize = 128;

/// Sum of squares over at most [`SAMPLES`] runs of rows, evenly spread: what it costs stays far below a sweep, and a table of up
/// to 2,048 rows is summed whole.
pub fn sum_of_squares<const N: usize, K: RowValue<N>>(
    par: &Par,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    kernel: &K,
) -> f32 {
    let runs = idx.len().div_ceil(SAMPLE);
    let stride = runs.div_ceil(SAMPLES).max(1);
    let count = runs.div_ceil(stride);
    let mut sums = [0.0_f32; SAMPLES];
    let shared = SharedMut::new(&mut sums);
    par.each(count, |run| {
        let start = run * stride * SAMPLE;
        let mut values = [0.0; SAMPLE];
        <K as Home>::fill(start..(start + SAMPLE).min(idx.len()), idx, particles, kernel, &mut values);
        // SAFETY: each sample writes its own sum.
        unsafe { shared.set(run, squares(&values)) };
    });
    sums[..count].iter().sum()
}

/// Eight sums side by side, whatever the lanes were.
fn squares(values: &[f32; SAMPLE]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for eight in values.as_chunks::<8>().0 {
        sums = array_of(|at| sums[at] + eight[at] * eight[at]);
    }
    sums.iter().sum()
}

trait Home {
    /// The values of a block of rows, from the first place on.
    #[inline(never)]
    fn fill<const N: usize>(
        range: Range<usize>,
        idx: &[[u32; N]],
        particles: &[[f32; 4]],
        kernel: &impl RowValue<N>,
        values: &mut [f32],
    ) {
        let first = range.start;
        #[cfg(not(target_arch = "x86_64"))]
        let rest = groups::<glam::Vec4, N>(range, first, idx, particles, kernel, values);
        #[cfg(target_arch = "x86_64")]
        let rest = if is_x86_feature_detected!("avx2") {
            // SAFETY: there is AVX2.
            unsafe { Self::fill_avx2(range, first, idx, particles, kernel, values) }
        } else {
            range
        };
        groups::<One, N>(rest, first, idx, particles, kernel, values);
    }

    /// # Safety
    /// There is AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn fill_avx2<const N: usize>(
        range: Range<usize>,
        first: usize,
        idx: &[[u32; N]],
        particles: &[[f32; 4]],
        kernel: &impl RowValue<N>,
        values: &mut [f32],
    ) -> Range<usize> {
        groups::<super::eight::Eight, N>(range, first, idx, particles, kernel, values)
    }
}

impl<H> Home for H {}

/// Fills the values of all whole groups, row `first` in the first place, and returns the rows that are left.
#[inline(always)]
fn groups<L: Lanes, const N: usize>(
    range: Range<usize>,
    first: usize,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    kernel: &impl RowValue<N>,
    values: &mut [f32],
) -> Range<usize> {
    let mut start = range.start;
    while start + L::COUNT <= range.end {
        let rows = Rows::new::<L>(start, idx);
        kernel.of(&rows, rows.fetch_all::<L>(particles)).store(&mut values[start - first..]);
        start += L::COUNT;
    }
    start..range.end
}

/// x + y + z, from left to right.
#[inline]
pub fn total(sum: Vec4) -> f64 {
    f64::from(sum.x) + f64::from(sum.y) + f64::from(sum.z)
}
