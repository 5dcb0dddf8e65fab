//! The sweep over a constraint table of N particles a row: fetch, call the kernel, store. The kernel sees lanes only.
//!
//! Two rules keep this free of races: rows of one colour share no particle (the host checked), and colours run one
//! after another. Rows without a colour run last, one by one. Builds with debug assertions look again (`race.rs`).

use std::ops::Range;

use sim_api::{CHECKED, Colors, Par, SharedMut};

use super::{Lanes, Point, Rows, RowsAt, RowsAtMut, V3, lost, one::One, race};

/// What a sweep does with a group of rows of N particles. Implementations put `#[inline(always)]` on `project`.
pub trait Kernel<const N: usize>: Sync {
    /// Changes of all corners. Each lane may use its own row only.
    fn project<L: Lanes>(&self, rows: &Rows<N>, x: [Point<L>; N]) -> [V3<L>; N];

    /// Where what positions lose of the changes is kept, a row for each particle.
    #[inline(always)]
    fn lost(&self) -> Option<lost::Shared<'_>> {
        None
    }

    /// Brings the particles of a group of rows through it.
    ///
    /// # Safety
    /// No concurrent call uses these particles, no two of the rows share one, and all of them are in `particles`.
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, rows: &Rows<N>, particles: &SharedMut<[f32; 4]>) {
        let mut x = [Point { x: V3::zero(), w: L::from_f32(0.0) }; N];
        for corner in 0..N {
            let [px, py, pz, w] = L::fetch(&Corner { particles, rows, corner });
            x[corner] = Point { x: V3 { x: px, y: py, z: pz }, w };
        }
        let d = self.project(rows, x);
        for corner in 0..N {
            let mut moved = x[corner].x + d[corner];
            if let Some(lost) = self.lost() {
                let kept = Corner { particles: lost.rows, rows, corner };
                let left;
                [moved, left] = lost::go(x[corner].x, d[corner], V3::from_row(L::fetch(&kept)), lost.within);
                L::scatter([left.x, left.y, left.z, L::from_f32(0.0)], &kept);
            }
            L::scatter([moved.x, moved.y, moved.z, x[corner].w], &Corner { particles, rows, corner });
        }
    }
}

/// Gauss-Seidel by colours over `particles`: adds what the kernel returns to xyz of every corner, keeps w.
///
/// # Panics
/// If the colours are not those of the table that `idx` is a column of, or `particles` is no column of all particles.
pub fn project<const N: usize, K: Kernel<N>>(
    par: &Par,
    colors: Colors,
    idx: &[[u32; N]],
    particles: &mut [[f32; 4]],
    kernel: &K,
) {
    project_at::<K, N>(par, colors, idx, particles, kernel);
}

/// [`project`], compiled where `H` is: for kernels that only wrap another type's code, see [`Home`].
pub fn project_at<H, const N: usize>(
    par: &Par,
    colors: Colors,
    idx: &[[u32; N]],
    particles: &mut [[f32; 4]],
    kernel: &impl Kernel<N>,
) {
    // A colour of another table says nothing about these rows.
    assert!(colors.are_of(idx), "the colours are those of another table than the rows");
    let least = kernel.lost().map_or(particles.len(), |lost| lost.rows.len().min(particles.len()));
    assert!(idx.is_empty() || colors.end() <= least, "a column with a row for each particle");
    let particles = SharedMut::new(particles);
    // SAFETY (both calls of `run`): rows of one colour share no particle, the tail runs row by row, and all particles of
    // the rows are there.
    for range in colors.ranges() {
        if CHECKED {
            race::check_rows(&idx[range.clone()], particles.len());
        }
        par.blocks(range, |range| unsafe { <H as Home>::run(range, idx, &particles, kernel) });
    }
    for row in colors.serial_tail() {
        unsafe { <H as Home>::run(row..row + 1, idx, &particles, kernel) };
    }
}

/// Where a sweep's loop is compiled: with `Self`, the constraint or the kernel.
///
/// An incremental build puts a generic function into the unit of the module that defines it, so the sweeps of all
/// solvers would be one unit, built anew (8 s) for an edit of any. A provided method of a trait goes where `Self` is.
trait Home {
    /// # Safety
    /// No concurrent call uses the particles of these rows, the rows of `range` share no particle, and all of them are in
    /// `particles`.
    #[inline(never)]
    unsafe fn run<const N: usize>(
        range: Range<usize>,
        idx: &[[u32; N]],
        particles: &SharedMut<[f32; 4]>,
        kernel: &impl Kernel<N>,
    ) {
        // SAFETY (all calls): vouched for by the caller; AVX2 is there where its loop is called.
        unsafe {
            #[cfg(not(target_arch = "x86_64"))]
            let rest = groups::<glam::Vec4, N>(range, idx, particles, kernel);
            #[cfg(target_arch = "x86_64")]
            let rest = if is_x86_feature_detected!("avx2") {
                Self::run_avx2(range, idx, particles, kernel)
            } else {
                range
            };
            groups::<One, N>(rest, idx, particles, kernel);
        }
    }

    /// # Safety
    /// As for [`Home::run`], and there is AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2<const N: usize>(
        range: Range<usize>,
        idx: &[[u32; N]],
        particles: &SharedMut<[f32; 4]>,
        kernel: &impl Kernel<N>,
    ) -> Range<usize> {
        // SAFETY: vouched for by the caller.
        unsafe { groups::<super::eight::Eight, N>(range, idx, particles, kernel) }
    }
}

impl<H> Home for H {}

/// Runs all whole groups and returns the rows that are left.
///
/// # Safety
/// As for [`Home::run`].
#[inline(always)]
unsafe fn groups<L: Lanes, const N: usize>(
    range: Range<usize>,
    idx: &[[u32; N]],
    particles: &SharedMut<[f32; 4]>,
    kernel: &impl Kernel<N>,
) -> Range<usize> {
    let mut start = range.start;
    while start + L::COUNT <= range.end {
        let rows = Rows::new::<L>(start, idx);
        // SAFETY: vouched for by the caller.
        unsafe { kernel.group::<L>(&rows, particles) };
        start += L::COUNT;
    }
    start..range.end
}

/// One corner of each row in the particles. Only [`Kernel::group`] makes it, under its promise.
pub(super) struct Corner<'a, const N: usize> {
    pub(super) particles: &'a SharedMut<'a, [f32; 4]>,
    pub(super) rows: &'a Rows<'a, N>,
    pub(super) corner: usize,
}

impl<const N: usize> Corner<'_, N> {
    #[inline(always)]
    fn particle(&self, lane: usize) -> usize {
        self.rows.idx[lane][self.corner] as usize
    }
}

impl<const N: usize> RowsAt for Corner<'_, N> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        // SAFETY: no concurrent call uses the particles of these rows, and they are there (promise of `Kernel::group`).
        unsafe { self.particles.get_unchecked(self.particle(lane)) }
    }
}

impl<const N: usize> RowsAtMut for Corner<'_, N> {
    #[inline(always)]
    fn set(&self, lane: usize, row: [f32; 4]) {
        // SAFETY: as above.
        unsafe { self.particles.set_unchecked(self.particle(lane), row) };
    }
}
