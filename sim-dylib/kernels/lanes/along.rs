//! Loops over distance rows stride by stride, in the order in which they run (`state/wavefront.rs`): lanes are loaded and stored as
//! they lie in columns. The last rows of a stride that fill no group run first, in one with rows before them, which are not
//! stored then.

use std::ops::Range;

use sim_api::{CHECKED, Mapped, Par, model::StridePattern};

use super::pattern::{Adjacent, Alternate, Pairs, Pattern};
use super::{Lanes, Rows, one::One, race};
use crate::state::Stride;

/// What is done with the ends of a group of rows. Loops copy it: what lies behind a reference is loaded again after each store.
/// Implementations put `#[inline(always)]` on `read` and `group`.
pub(super) trait Ends: Copy + Sync {
    /// What it reads of rows, in lanes: once for all that are alike.
    type Of<L: Lanes>: Copy;

    /// How many particles there are.
    fn count(&self) -> usize;

    /// `particle` is one of theirs.
    ///
    /// # Safety
    /// As for [`Ends::group`].
    unsafe fn read<L: Lanes>(&self, rows: &Rows<2>, particle: usize) -> Self::Of<L>;

    /// Rows whose first particles lie at these places.
    ///
    /// # Safety
    /// No concurrent call uses these particles, and they are there.
    unsafe fn group<L: Lanes, W: Pattern>(&self, rows: &Rows<2>, of: Self::Of<L>, at: [usize; 2]);

    /// Particles before rows come for them.
    ///
    /// # Safety
    /// As for [`Ends::group`].
    unsafe fn particles(&self, _: Range<usize>) {}
}

/// Brings all rows through `ends`, compiled where `H` is.
pub(super) fn along<H>(par: &Par, strides: &Stride, idx: &[[u32; 2]], ends: &impl Ends) {
    let (jobs, along) = (strides.colors, Along { strides, idx, ends });
    // Regions, and the borders between them.
    let regions = jobs.count().div_ceil(2);
    for at_once in [0..regions, regions..jobs.count()] {
        if CHECKED {
            along.check(at_once.clone());
        }
        par.each(at_once.len(), |job| {
            // SAFETY: jobs that run at once share no particle.
            unsafe { <H as Home>::run(jobs.range(at_once.start + job), &along) };
        });
    }
}

struct Along<'a, E> {
    strides: &'a Stride<'a>,
    idx: &'a [[u32; 2]],
    ends: &'a E,
}

/// Rows of a stride that lie in a pattern.
struct Run {
    first: usize,
    count: usize,
    /// The first of some rows with the values that all of these have.
    alike: Option<usize>,
    /// Particles of the first.
    ends: [u32; 2],
}

impl<E: Ends> Along<'_, E> {
    fn pattern(&self, stride: usize) -> Option<StridePattern> {
        StridePattern::from_number(self.strides.pattern[stride])
    }

    /// The first of as many rows as there are lanes that have the values of all in a stride.
    #[inline(always)]
    fn alike<L: Lanes>(&self, stride: usize) -> Option<usize> {
        let row = self.strides.alike[stride] as usize;
        (row.saturating_add(L::COUNT) <= self.idx.len()).then_some(row)
    }

    /// # Panics
    /// If strides are those of other rows, or two of these jobs share a particle.
    fn check(&self, jobs: Range<usize>) {
        let mut end = 0;
        let mut apart = true;
        for job in jobs.clone() {
            let (mut least, mut most) = (usize::MAX, 0);
            for stride in self.strides.colors.range(job) {
                self.check_rows(stride);
                let [first, last] = self.span(stride);
                (least, most) = (least.min(first), most.max(last + 1));
            }
            apart &= end <= least;
            end = end.max(most);
        }
        // Mostly each has a run of particles to itself.
        if !apart {
            race::check_jobs(jobs, end, |job, each| {
                let strides = self.strides.colors.range(job);
                strides.for_each(|stride| self.each_particle(stride, each));
            });
        }
    }

    /// The first and the last particle of a stride.
    fn span(&self, stride: usize) -> [usize; 2] {
        let [first, count] = self.strides.rows[stride].mapped(|n| n as usize);
        let [a, b] = self.strides.ends[stride].mapped(|end| end as usize);
        match self.pattern(stride).unwrap_or(StridePattern::Scattered) {
            StridePattern::Particles => [first, first + count - 1],
            pattern => [a.min(b), a.max(b) + pattern.offset(count - 1)],
        }
    }

    fn each_particle(&self, stride: usize, each: &mut dyn FnMut(usize)) {
        let [first, count] = self.strides.rows[stride].mapped(|n| n as usize);
        if self.pattern(stride) == Some(StridePattern::Particles) {
            (first..first + count).for_each(each);
        } else {
            self.idx[first..first + count].as_flattened().iter().for_each(|&end| each(end as usize));
        }
    }

    /// # Panics
    /// If a stride is that of other rows.
    fn check_rows(&self, stride: usize) {
        let ([first, count], [a, b]) = (self.strides.rows[stride], self.strides.ends[stride]);
        let pattern = self.pattern(stride).unwrap_or(StridePattern::Scattered);
        if pattern != StridePattern::Particles {
            let of = |k: u32| [a, b].mapped(|end| end + pattern.offset(k as usize) as u32);
            let same = (0..count).all(|k| self.idx[(first + k) as usize] == of(k));
            assert!(same, "stride {stride} is not that of its rows");
        }
    }

    /// Brings one stride through it.
    ///
    /// # Panics
    /// If there are not as many rows or particles.
    ///
    /// # Safety
    /// No concurrent call uses the particles of the stride.
    #[inline(always)]
    unsafe fn stride<L: Lanes>(&self, stride: usize) {
        let [first, count] = self.strides.rows[stride].mapped(|n| n as usize);
        let pattern = self.pattern(stride);
        if pattern == Some(StridePattern::Particles) {
            assert!(first + count <= self.ends.count(), "stride {stride} has more particles than there are");
            // SAFETY: vouched for by the caller, and particles are there.
            return unsafe { self.ends.particles(first..first + count) };
        }
        assert!(first + count <= self.idx.len(), "stride {stride} has more rows than there are");
        let run = Run { first, count, alike: self.alike::<L>(stride), ends: self.strides.ends[stride] };
        // SAFETY (all calls): vouched for by the caller, and rows are there.
        unsafe {
            match pattern.filter(|_| count >= L::COUNT) {
                Some(StridePattern::Adjacent) => self.groups::<L, Adjacent>(&run),
                Some(StridePattern::Alternate) => self.groups::<L, Alternate>(&run),
                Some(StridePattern::Pairs) => self.groups::<L, Pairs>(&run),
                _ => self.one_by_one(first..first + count),
            }
        }
    }

    /// # Safety
    /// As for [`Along::stride`].
    #[inline(always)]
    unsafe fn groups<L: Lanes, W: Pattern>(&self, run: &Run) {
        let Run { first, count, alike, ends: at } = *run;
        let last = at[0].max(at[1]) as usize + W::offset(count - 1);
        assert!(last < self.ends.count(), "particle {last} of {}", self.ends.count());
        let (ends, at) = (*self.ends, at.mapped(|end| end as usize));
        // Those that fill no group come first: behind their neighbours they would wait for what these store.
        let left = count % L::COUNT;
        let (mut k, mut skip) = if left > 0 { (count - L::COUNT, L::COUNT - left) } else { (0, 0) };
        // SAFETY (all): vouched for by the caller; rows and particles are there.
        unsafe {
            let mut rows = self.rows::<L, W>(alike.unwrap_or(first), 0);
            let mut of = ends.read::<L>(&rows, at[0] + W::offset(count / 2));
            while k + L::COUNT <= count {
                rows = self.rows::<L, W>(first + k, skip);
                match alike {
                    Some(alike) => rows.start = alike,
                    None => of = ends.read::<L>(&rows, at[0] + W::offset(k)),
                }
                ends.group::<L, W>(&rows, of, at.mapped(|end| end + W::offset(k)));
                (k, skip) = (if skip > 0 { 0 } else { k + L::COUNT }, 0);
            }
        }
    }

    /// Rows from `first` on, of which the first `skip` are not stored.
    ///
    /// # Safety
    /// There are as many as lanes.
    #[inline(always)]
    unsafe fn rows<L: Lanes, W: Pattern>(&self, first: usize, skip: usize) -> Rows<'_, 2> {
        // SAFETY: vouched for by the caller.
        let mut rows = unsafe { Rows::new_unchecked::<L>(first, self.idx) };
        (rows.crossed, rows.skip) = (W::CROSSED, skip);
        rows
    }

    /// # Safety
    /// As for [`Along::stride`].
    #[inline(never)]
    unsafe fn one_by_one(&self, rows: Range<usize>) {
        for row in rows {
            let at = self.idx[row].mapped(|end| end as usize);
            assert!(at[0].max(at[1]) < self.ends.count(), "row {row} names a particle that is not there");
            let rows = Rows::new::<One>(row, self.idx);
            // SAFETY: the particles are there, and this call has them to itself.
            unsafe { self.ends.group::<One, Adjacent>(&rows, self.ends.read::<One>(&rows, at[0]), at) };
        }
    }
}

/// Where a loop is compiled: with `Self`, as in `sweep.rs`.
trait Home {
    /// # Safety
    /// No concurrent call uses the particles of these strides.
    #[inline(never)]
    unsafe fn run<E: Ends>(strides: Range<usize>, along: &Along<E>) {
        // SAFETY (all calls): vouched for by the caller; AVX2 is there where its loop is called.
        unsafe {
            #[cfg(not(target_arch = "x86_64"))]
            strides.for_each(|stride| along.stride::<glam::Vec4>(stride));
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx512f") {
                Self::run_avx512(strides, along);
            } else if is_x86_feature_detected!("avx2") {
                Self::run_avx2(strides, along);
            } else {
                strides.for_each(|stride| along.stride::<One>(stride));
            }
        }
    }

    /// # Safety
    /// As for [`Home::run`], and there is AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2<E: Ends>(strides: Range<usize>, along: &Along<E>) {
        for stride in strides {
            // SAFETY: vouched for by the caller.
            unsafe { along.stride::<super::eight::Eight>(stride) };
        }
    }

    /// # Safety
    /// As for [`Home::run`], and there is AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    unsafe fn run_avx512<E: Ends>(strides: Range<usize>, along: &Along<E>) {
        for stride in strides {
            // SAFETY (both calls): vouched for by the caller; with AVX-512 there is AVX2.
            unsafe {
                if along.strides.rows[stride][1] < super::sixteen::Sixteen::COUNT as u32 {
                    Self::run_avx2(stride..stride + 1, along);
                } else {
                    along.stride::<super::sixteen::Sixteen>(stride);
                }
            }
        }
    }
}

impl<H> Home for H {}
