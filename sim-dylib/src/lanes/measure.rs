//! A sum of squares over a constraint table that nothing is written to.
//!
//! Over at most [`BLOCKS`] blocks of rows, evenly spread: what it costs stays far below a sweep on a large cloth, and
//! a table of up to 32,768 rows is summed whole. Blocks are fixed and added in order: the same bits for every number
//! of threads and lanes.

use std::ops::Range;

use sim_api::{BLOCK, Par, SharedMut};

use super::{Lanes, Point, Rows};

/// Most blocks that are summed.
const BLOCKS: usize = 32;

/// What is squared. Implementations put `#[inline(always)]` on `measure`.
pub trait Measure<const N: usize>: Sync {
    fn measure<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N]) -> L;
}

/// Sum of squares over the rows of `idx`.
pub fn sum_of_squares<const N: usize>(
    par: &Par,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    measure: &impl Measure<N>,
) -> f32 {
    let blocks = idx.len().div_ceil(BLOCK);
    let stride = blocks.div_ceil(BLOCKS).max(1);
    let count = blocks.div_ceil(stride);
    let mut sums = [0.0_f32; BLOCKS];
    let shared = SharedMut::new(&mut sums);
    par.each(count, |block| {
        let start = block * stride * BLOCK;
        let sum = sum_block(start..(start + BLOCK).min(idx.len()), idx, particles, measure);
        // SAFETY: each block writes its own sum.
        unsafe { shared.set(block, sum) };
    });
    sums[..count].iter().sum()
}

fn sum_block<const N: usize>(
    range: Range<usize>,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    measure: &impl Measure<N>,
) -> f32 {
    let mut values = [0.0_f32; BLOCK];
    let first = range.start;
    #[cfg(not(target_arch = "x86_64"))]
    let rest = groups::<glam::Vec4, N>(range, first, idx, particles, measure, &mut values);
    #[cfg(target_arch = "x86_64")]
    let rest = if is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 is there.
        unsafe { groups_avx2(range, first, idx, particles, measure, &mut values) }
    } else {
        range
    };
    groups::<f32, N>(rest, first, idx, particles, measure, &mut values);
    // Eight sums side by side, whatever the lanes were.
    let mut sums = [0.0_f32; 8];
    for eight in values.as_chunks::<8>().0 {
        for (sum, value) in sums.iter_mut().zip(eight) {
            *sum += value * value;
        }
    }
    sums.iter().sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn groups_avx2<const N: usize>(
    range: Range<usize>,
    first: usize,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    measure: &impl Measure<N>,
    values: &mut [f32; BLOCK],
) -> Range<usize> {
    groups::<super::eight::Eight, N>(range, first, idx, particles, measure, values)
}

/// Measures all whole groups and returns the rows that are left.
#[inline(always)]
fn groups<L: Lanes, const N: usize>(
    range: Range<usize>,
    first: usize,
    idx: &[[u32; N]],
    particles: &[[f32; 4]],
    measure: &impl Measure<N>,
    values: &mut [f32; BLOCK],
) -> Range<usize> {
    let mut start = range.start;
    while start + L::COUNT <= range.end {
        let rows = Rows { start, idx: &idx[start..start + L::COUNT] };
        measure.measure::<L>(&rows, rows.fetch_all(particles)).store(&mut values[start - first..]);
        start += L::COUNT;
    }
    start..range.end
}
