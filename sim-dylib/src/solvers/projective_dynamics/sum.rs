//! Sums over rows in fixed blocks, added in their order: the same bits for every number of threads.

use std::ops::Range;

use sim_api::{BLOCK, Par, SharedMut};

/// Blocks at a time: what fits on the stack.
const AT_ONCE: usize = 64;

/// The sum of what `f` gives for each block of `0..rows`.
pub fn over<const N: usize>(par: &Par, rows: usize, f: impl Fn(Range<usize>) -> [f64; N] + Sync) -> [f64; N] {
    let mut total = [0.0; N];
    for start in (0..rows).step_by(BLOCK * AT_ONCE) {
        let mut blocks = [[0.0; N]; AT_ONCE];
        let shared = SharedMut::new(&mut blocks);
        par.blocks(start..(start + BLOCK * AT_ONCE).min(rows), |range| {
            // SAFETY: each block has a place of its own.
            unsafe { shared.set((range.start - start) / BLOCK, f(range)) };
        });
        for block in &blocks {
            for (total, sum) in total.iter_mut().zip(block) {
                *total += sum;
            }
        }
    }
    total
}

/// Of xyz.
#[inline(always)]
pub fn dot(a: [f32; 4], b: [f32; 4]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| f64::from(a[i]) * f64::from(b[i]));
    x + y + z
}
