//! Sweeps over rows whose particles lie in strides: positions are columns while they run, so that lanes are loaded and stored
//! as they lie in memory, without the transposes of `sweep.rs`.
//!
//! ```text
//! positions (rows)  x y z w | x y z w | …   →   x x x x …   y y y y …   z z z z …   w w w w …
//! stride, adjacent  rows (a, b) (a + 1, b + 1) …    lanes: columns at a.. and at b..
//! ```
//! The operations of a row, and the order of the colours, are those of `sweep.rs`: so are the bits. The last rows of a stride
//! that fill no group run in one with rows before them, which are not stored again.

use std::ops::Range;

use sim_api::{CHECKED, Colors, Mapped, Par, SharedMut, model::StridePattern};

use super::pattern::{Adjacent, Alternate, Pairs, Pattern};
use super::{Axes, Axis, Lanes, Pull, Pulled, Rows, RowsFrom, Strip, V3, one::One, project_at, race, strips};
use crate::state::{Stride, columns};

/// Strides that a thread takes at a time.
const AT_ONCE: usize = 8;

/// Room for positions as columns, and the strides of the distance rows.
pub struct Columns<'a> {
    axes: [&'a mut [f32]; 4],
    strides: &'a Stride<'a>,
    /// Positions are there already, and stay.
    stay: bool,
}

impl<'a> Columns<'a> {
    /// `stay`: positions are in columns already, and stay there (`substep/columns.rs`).
    pub fn new(room: &'a mut columns::Columns, strides: &'a Stride, stay: bool) -> Self {
        Self { axes: [&mut *room.x, &mut *room.y, &mut *room.z, &mut *room.w], strides, stay }
    }
}

/// [`project_at`] of rows that only pull at their ends: in columns where the rows have strides.
pub fn pull_at<H, P: Pull>(
    par: &Par,
    colors: Colors,
    idx: &[[u32; 2]],
    particles: &mut [[f32; 4]],
    columns: &mut Columns,
    pull: &P,
) {
    if columns.strides.rows.is_empty() {
        return project_at::<H, 2>(par, colors, idx, particles, &Pulled(pull));
    }
    assert!(colors.are_of(idx), "the colours are those of another table than the rows");
    let count = particles.len();
    let [x, y, z, w] = &mut columns.axes;
    assert!([&x, &y, &z, &w].iter().all(|axis| axis.len() == count), "a value for each particle");
    let (x, w) = (Axes([Axis::new(x), Axis::new(y), Axis::new(z)]), Axis::new(w));
    let sweep = Sweep { x, w, count, strides: columns.strides, idx };
    let mut rows = Move { x, w, rows: SharedMut::new(particles), back: false };
    if !columns.stay {
        // SAFETY: there are as many.
        unsafe { strips(par, count, &rows) };
    }
    for color in columns.strides.colors.ranges() {
        if CHECKED {
            sweep.check(color.clone());
        }
        par.each(color.len().div_ceil(AT_ONCE), |block| {
            let start = color.start + block * AT_ONCE;
            // SAFETY: strides of one colour share no particle, for their rows do not.
            unsafe { <H as Home>::run(start..color.end.min(start + AT_ONCE), &sweep, pull) };
        });
    }
    if !columns.stay {
        rows.back = true;
        // SAFETY: as above.
        unsafe { strips(par, count, &rows) };
    }
}

struct Sweep<'a> {
    /// Positions of all particles, and their inverse masses.
    x: Axes<'a>,
    w: Axis<'a>,
    /// How many there are.
    count: usize,
    strides: &'a Stride<'a>,
    idx: &'a [[u32; 2]],
}

impl Sweep<'_> {
    /// # Panics
    /// If strides are those of other rows, or two of them share a particle.
    fn check(&self, color: Range<usize>) {
        let rows = color.clone().map(|stride| self.strides.rows[stride]);
        let mut ends = rows.map(|[first, count]| first as usize..(first + count) as usize);
        if let (Some(first), Some(last)) = (ends.clone().next(), ends.next_back()) {
            race::check_rows(&self.idx[first.start..last.end]);
        }
        for stride in color {
            let ([first, count], [a, b]) = (self.strides.rows[stride], self.strides.ends[stride]);
            let pattern = StridePattern::from_number(self.strides.pattern[stride]);
            let Some(pattern) = pattern.filter(|pattern| *pattern != StridePattern::Scattered) else {
                continue;
            };
            let of = |k: u32| [a, b].mapped(|end| end + pattern.offset(k as usize) as u32);
            let same = (0..count).all(|k| self.idx[(first + k) as usize] == of(k));
            assert!(same, "stride {stride} is not that of its rows");
        }
    }

    /// Brings the rows of one stride through it.
    ///
    /// # Panics
    /// If there are not as many rows or particles.
    ///
    /// # Safety
    /// No concurrent call uses the particles of the stride.
    #[inline(always)]
    unsafe fn stride<L: Lanes>(&self, stride: usize, pull: &impl Pull) {
        let ([first, count], ends) = (self.strides.rows[stride], self.strides.ends[stride]);
        let (first, count) = (first as usize, count as usize);
        assert!(first + count <= self.idx.len(), "stride {stride} has more rows than there are");
        // SAFETY (all calls): vouched for by the caller, and rows and particles are there.
        unsafe {
            let pattern = StridePattern::from_number(self.strides.pattern[stride]);
            match pattern.filter(|_| count >= L::COUNT) {
                Some(StridePattern::Adjacent) => self.groups::<L, Adjacent>(first, count, ends, pull),
                Some(StridePattern::Alternate) => self.groups::<L, Alternate>(first, count, ends, pull),
                Some(StridePattern::Pairs) => self.groups::<L, Pairs>(first, count, ends, pull),
                _ => self.one_by_one(first..first + count, pull),
            }
        }
    }

    /// # Safety
    /// As for [`Sweep::stride`].
    #[inline(always)]
    unsafe fn groups<L: Lanes, W: Pattern>(
        &self,
        first: usize,
        count: usize,
        ends: [u32; 2],
        pull: &impl Pull,
    ) {
        let last = ends[0].max(ends[1]) as usize + W::offset(count - 1);
        assert!(last < self.count, "particle {last} of {}", self.count);
        // SAFETY (both calls): vouched for by the caller.
        unsafe {
            let mut k = 0;
            while k + L::COUNT <= count {
                self.group::<L, W>(first, k, 0, ends, pull);
                k += L::COUNT;
            }
            if k < count {
                let start = count - L::COUNT;
                self.group::<L, W>(first, start, k - start, ends, pull);
            }
        }
    }

    /// Rows from the `k`-th of a stride on; the first `skip` of them are not stored.
    ///
    /// # Safety
    /// As for [`Sweep::stride`].
    #[inline(always)]
    unsafe fn group<L: Lanes, W: Pattern>(
        &self,
        first: usize,
        k: usize,
        skip: usize,
        [a, b]: [u32; 2],
        pull: &impl Pull,
    ) {
        // SAFETY: vouched for by the caller.
        let mut rows = unsafe { Rows::new_unchecked::<L>(first + k, self.idx) };
        (rows.crossed, rows.skip) = (W::CROSSED, skip);
        let at = [a as usize + W::offset(k), b as usize + W::offset(k)];
        let (Axes([x, y, z]), w) = (self.x, self.w);
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            let ([ax, bx], [ay, by]) = (W::load::<L>(x, at), W::load::<L>(y, at));
            let ([az, bz], w) = (W::load::<L>(z, at), W::load::<L>(w, at));
            let d = V3 { x: bx - ax, y: by - ay, z: bz - az };
            let [s0, s1] = pull.scales(&rows, d.dot(d), w);
            let mut a = V3 { x: ax - d.x * s0, y: ay - d.y * s0, z: az - d.z * s0 };
            let mut b = V3 { x: bx + d.x * s1, y: by + d.y * s1, z: bz + d.z * s1 };
            if skip > 0 {
                let stored = rows.stored::<L>();
                a = a.where_positive_else(stored, V3 { x: ax, y: ay, z: az });
                b = b.where_positive_else(stored, V3 { x: bx, y: by, z: bz });
            }
            W::store::<L>([a.x, b.x], x, at);
            W::store::<L>([a.y, b.y], y, at);
            W::store::<L>([a.z, b.z], z, at);
        }
    }

    /// # Safety
    /// As for [`Sweep::stride`].
    #[inline(never)]
    unsafe fn one_by_one(&self, rows: Range<usize>, pull: &impl Pull) {
        for row in rows {
            let [a, b] = self.idx[row].mapped(|end| end as usize);
            assert!(a.max(b) < self.count, "row {row} names a particle that is not there");
            // SAFETY (all calls): the particles are there, and this call has them to itself.
            unsafe {
                let (x0, x1): (V3<One>, V3<One>) = (self.x.load(a), self.x.load(b));
                let d = x1 - x0;
                let w = [self.w.load(a), self.w.load(b)];
                let [s0, s1] = pull.scales(&Rows::new::<One>(row, self.idx), d.dot(d), w);
                self.x.store(a, x0 - d * s0);
                self.x.store(b, x1 + d * s1);
            }
        }
    }
}

/// Positions into columns, or back.
struct Move<'a> {
    x: Axes<'a>,
    w: Axis<'a>,
    rows: SharedMut<'a, [f32; 4]>,
    back: bool,
}

impl Strip for Move<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, start: usize) {
        let rows = RowsFrom { rows: &self.rows, start };
        // SAFETY (all calls): vouched for by the caller.
        unsafe {
            if self.back {
                return rows.store::<L>(self.x.load(start), self.w.load(start));
            }
            let (x, w) = rows.load::<L>();
            self.x.store(start, x);
            self.w.store(start, w);
        }
    }
}

/// Where a sweep's loop is compiled: with `Self`, as in `sweep.rs`.
trait Home {
    /// # Safety
    /// No concurrent call uses the particles of these strides.
    #[inline(never)]
    unsafe fn run(strides: Range<usize>, sweep: &Sweep, pull: &impl Pull) {
        // SAFETY (all calls): vouched for by the caller; AVX2 is there where its loop is called.
        unsafe {
            #[cfg(not(target_arch = "x86_64"))]
            strides.for_each(|stride| sweep.stride::<glam::Vec4>(stride, pull));
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx512f") {
                Self::run_avx512(strides, sweep, pull);
            } else if is_x86_feature_detected!("avx2") {
                Self::run_avx2(strides, sweep, pull);
            } else {
                for stride in strides {
                    let [first, count] = sweep.strides.rows[stride];
                    sweep.one_by_one(first as usize..(first + count) as usize, pull);
                }
            }
        }
    }

    /// # Safety
    /// As for [`Home::run`], and there is AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2(strides: Range<usize>, sweep: &Sweep, pull: &impl Pull) {
        for stride in strides {
            // SAFETY: vouched for by the caller.
            unsafe { sweep.stride::<super::eight::Eight>(stride, pull) };
        }
    }

    /// # Safety
    /// As for [`Home::run`], and there is AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    unsafe fn run_avx512(strides: Range<usize>, sweep: &Sweep, pull: &impl Pull) {
        for stride in strides {
            // SAFETY (both calls): vouched for by the caller; with AVX-512 there is AVX2.
            unsafe {
                if sweep.strides.rows[stride][1] < super::sixteen::Sixteen::COUNT as u32 {
                    Self::run_avx2(stride..stride + 1, sweep, pull);
                } else {
                    sweep.stride::<super::sixteen::Sixteen>(stride, pull);
                }
            }
        }
    }
}

impl<H> Home for H {}
