//! The sweep over particles: each lane is one particle and sees its neighbours, row by row of the table `vertex`.
//!
//! Particles of one colour share no row of any constraint table (the host derived it so), and a kernel reaches other
//! particles through [`Around`] only, as far as they share a row with the one at hand, so nothing is read while it is
//! written. Particles without a colour run last, one by one.

use std::ops::Range;

use sim_api::{CHECKED, Colors, Par, SharedMut};

use super::{
    Lanes, Point, RowsAt, RowsAtMut, V3,
    axis::RowsFrom,
    lost::{self, Lost},
    one::One,
    race::{First, Written},
};

/// Particles of a strip of the tables: the distance rows of one particle lie so far apart in `incident`.
pub const STRIP: usize = 8;

/// Rows that are handed to a thread: whole strips, small enough that a colour of a small cloth feeds several threads.
const CHUNK: usize = 32 * STRIP;

/// What a sweep does with a group of particles. Implementations put `#[inline(always)]` on `visit`.
pub trait VertexKernel: Sync {
    /// How far the particles of rows `row..row + L::COUNT` of `vertex`, which are at `x`, go, or what to write for them.
    fn visit<L: Lanes>(&self, row: usize, x: Point<L>, around: &Around) -> V3<L>;
}

/// The particles and who is next to whom.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    positions: SharedMut<'a, [f32; 4]>,
    /// `incident.other`
    other: &'a [u32],
    /// Looked at where [`CHECKED`].
    written: Written<'a>,
}

impl<'a> Around<'a> {
    fn new(positions: SharedMut<'a, [f32; 4]>, other: &'a [u32]) -> Self {
        Self { positions, other, written: Written::default() }
    }

    /// The other particles of `L::COUNT` consecutive distance rows of `incident`, from `first` on.
    ///
    /// # Safety
    /// They are rows of the particles at hand, one each.
    #[inline(always)]
    pub unsafe fn other<L: Lanes>(&self, first: usize) -> Point<L> {
        let idx = &self.other[first..first + L::COUNT];
        if CHECKED {
            idx.iter().for_each(|&other| self.written.check_read(other));
        }
        let [x, y, z, w] = L::fetch(&At { column: &self.positions, idx });
        Point { x: V3 { x, y, z }, w }
    }

    /// A particle.
    ///
    /// # Safety
    /// It shares a row of a constraint table with the particle at hand, or is that.
    #[inline(always)]
    pub unsafe fn particle(&self, particle: u32) -> [f32; 4] {
        if CHECKED {
            self.written.check_read(particle);
        }
        // SAFETY: neighbours have other colours, so nothing writes them now.
        unsafe { self.positions.get(particle as usize) }
    }
}

/// Gauss-Seidel by colours of particles: each goes as far as the kernel returns.
///
/// What the last place of a position loses of that is kept for the next sweep in `lost`, a row for each of `vertex`.
///
/// # Panics
/// If the colours are not those of `particle`.
pub fn descend(
    par: &Par,
    (colors, particle, other): (Colors, &[u32], &[u32]),
    positions: &mut [[f32; 4]],
    Lost { rows, within }: Lost,
    kernel: &impl VertexKernel,
) {
    let (positions, rows) = (SharedMut::new(positions), SharedMut::new(rows));
    let to = To::Moves(lost::Shared::new(&rows, within));
    sweep(par, colors, particle, Around::new(positions, other), to, kernel);
}

/// What the kernel returns goes to `out`, one row per particle; w is 0 there.
pub fn visit(
    par: &Par,
    (colors, particle, other): (Colors, &[u32], &[u32]),
    positions: &mut [[f32; 4]],
    out: &mut [[f32; 4]],
    kernel: &impl VertexKernel,
) {
    let (positions, out) = (SharedMut::new(positions), SharedMut::new(out));
    sweep(par, colors, particle, Around::new(positions, other), To::Column(&out), kernel);
}

/// Where what a kernel returns goes.
#[derive(Clone, Copy)]
enum To<'a> {
    Column(&'a SharedMut<'a, [f32; 4]>),
    /// The positions go so far.
    Moves(lost::Shared<'a>),
}

fn sweep(par: &Par, colors: Colors, particle: &[u32], around: Around, to: To, kernel: &impl VertexKernel) {
    assert!(colors.are_of(particle), "the colours are those of other rows than `vertex.particle`");
    let sweep = Sweep { particle, around: &around, to, kernel };
    // SAFETY (both calls of `run`): particles of one colour share no row, and the tail runs one by one.
    for range in colors.ranges() {
        let (first, around);
        let mut sweep = Sweep { ..sweep };
        if CHECKED {
            let color = &particle[range.clone()];
            first = First::of(color);
            around =
                Around { written: Written { color, first: Some(&first), at_hand: &[] }, ..*sweep.around };
            sweep.around = &around;
        }
        par.each(range.len().div_ceil(CHUNK), |chunk| {
            let start = range.start + chunk * CHUNK;
            unsafe { sweep.run(start..(start + CHUNK).min(range.end)) };
        });
    }
    for row in colors.serial_tail() {
        unsafe { sweep.run(row..row + 1) };
    }
}

struct Sweep<'a, K> {
    /// `vertex.particle`
    particle: &'a [u32],
    around: &'a Around<'a>,
    to: To<'a>,
    kernel: &'a K,
}

impl<K: VertexKernel> Sweep<'_, K> {
    /// # Safety
    /// No concurrent call writes these particles or what shares a row with them.
    unsafe fn run(&self, range: Range<usize>) {
        // SAFETY (all calls): vouched for by the caller; AVX2 is there where its loop is called.
        unsafe {
            #[cfg(not(target_arch = "x86_64"))]
            let rest = self.groups::<glam::Vec4>(range);
            #[cfg(target_arch = "x86_64")]
            let rest = if is_x86_feature_detected!("avx2") { self.run_avx2(range) } else { range };
            self.groups::<One>(rest);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2(&self, range: Range<usize>) -> Range<usize> {
        // SAFETY: vouched for by the caller.
        unsafe { self.groups::<super::eight::Eight>(range) }
    }

    /// Runs all whole groups and returns the rows that are left.
    ///
    /// # Safety
    /// As for [`Sweep::run`].
    #[inline(always)]
    unsafe fn groups<L: Lanes>(&self, range: Range<usize>) -> Range<usize> {
        let mut row = range.start;
        while row + L::COUNT <= range.end {
            let idx = &self.particle[row..row + L::COUNT];
            let [x, y, z, w] = L::fetch(&At { column: &self.around.positions, idx });
            let own;
            let around = if CHECKED {
                own = Around { written: Written { at_hand: idx, ..self.around.written }, ..*self.around };
                &own
            } else {
                self.around
            };
            let here = V3 { x, y, z };
            let out = self.kernel.visit(row, Point { x: here, w }, around);
            match self.to {
                To::Column(column) => {
                    L::scatter([out.x, out.y, out.z, L::from_f32(0.0)], &At { column, idx });
                }
                To::Moves(lost) => {
                    let kept = RowsFrom { rows: lost.rows, start: row };
                    // SAFETY: rows of the particles at hand, which nothing else visits (vouched for by the caller).
                    let (before, _) = unsafe { kept.load::<L>() };
                    let [there, left] = lost::go(here, out, before, lost.within);
                    // SAFETY: as above.
                    unsafe { kept.store(left, L::from_f32(0.0)) };
                    L::scatter([there.x, there.y, there.z, w], &At { column: &self.around.positions, idx });
                }
            }
            row += L::COUNT;
        }
        row..range.end
    }
}

/// Rows of a column by index. Only this file makes it, under the promise of [`Sweep::run`].
struct At<'a> {
    column: &'a SharedMut<'a, [f32; 4]>,
    idx: &'a [u32],
}

impl RowsAt for At<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        // SAFETY: nothing writes these rows now (promise of `Sweep::run`).
        unsafe { self.column.get(self.idx[lane] as usize) }
    }
}

impl RowsAtMut for At<'_> {
    #[inline(always)]
    fn set(&self, lane: usize, row: [f32; 4]) {
        // SAFETY: as above; no two lanes have the same particle.
        unsafe { self.column.set(self.idx[lane] as usize, row) };
    }
}

/// Rows of a read-only column of the particles, for the rows of `vertex` at hand.
#[inline(always)]
pub fn fetch<L: Lanes>(column: &[[f32; 4]], particles: &[u32]) -> Point<L> {
    let [x, y, z, w] = L::fetch(&Of { column, particles });
    Point { x: V3 { x, y, z }, w }
}

struct Of<'a> {
    column: &'a [[f32; 4]],
    particles: &'a [u32],
}

impl RowsAt for Of<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.column[self.particles[lane] as usize]
    }
}
