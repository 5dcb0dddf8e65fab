//! The sweep over a table of particle pairs: fetch, call the kernel, store. The kernel sees lanes only.
//!
//! Two rules keep this free of races: rows of one colour share no particle (the host checked), and colours run one
//! after another. Rows without a colour run last, one by one.

use std::ops::Range;

use sim_api::{Colors, Par, SharedMut};

use super::{Lanes, Pair, Rows, RowsAt, RowsAtMut, V3};

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
    let (first, second) = (End { particles, rows, side: 0 }, End { particles, rows, side: 1 });
    let [ax, ay, az, aw] = L::fetch(&first);
    let [bx, by, bz, bw] = L::fetch(&second);
    let a = Pair { x: V3 { x: ax, y: ay, z: az }, w: aw };
    let b = Pair { x: V3 { x: bx, y: by, z: bz }, w: bw };
    let (da, db) = kernel.project(rows, &a, &b);
    let (a, b) = (a.x + da, b.x + db);
    L::scatter([a.x, a.y, a.z, aw], &first);
    L::scatter([b.x, b.y, b.z, bw], &second);
}

/// One end of each row in the particles. Only [`group`] makes it, under the promise of [`run`].
struct End<'a> {
    particles: &'a SharedMut<'a, [f32; 4]>,
    rows: &'a Rows<'a>,
    side: usize,
}

impl End<'_> {
    #[inline(always)]
    fn particle(&self, lane: usize) -> usize {
        self.rows.ends[lane][self.side] as usize
    }
}

impl RowsAt for End<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        // SAFETY: no concurrent call uses the particles of these rows (promise of `run`).
        unsafe { self.particles.get(self.particle(lane)) }
    }
}

impl RowsAtMut for End<'_> {
    #[inline(always)]
    fn set(&self, lane: usize, row: [f32; 4]) {
        // SAFETY: as above.
        unsafe { self.particles.set(self.particle(lane), row) };
    }
}
