//! Strands that lie side by side, each in a lane of its own.

use std::ops::Range;

use sim_api::{Mapped, Par, SharedMut};

use super::{
    newton::{JOBS, LANES, PIECE},
    rotation::Rotation,
};
use crate::{
    lanes::{Lanes, One, RowsAt, RowsAtMut, V3},
    state::{Segment, Strand},
};

/// Strands side by side: one in each lane.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// First strand.
    pub row: usize,
    /// First particle of the first, and from one particle to the next.
    pub first: usize,
    pub stride: usize,
    pub count: usize,
    /// The first segment is a stub.
    pub clamped: bool,
    /// The last segment is one.
    pub tip: bool,
    /// The last particle is joined to the first.
    pub closed: bool,
    /// Numbers of the particles at the root and at the tip that cloth or a body with a mass holds (`roots.rs`, `mounts.rs`); none
    /// has the largest number.
    pub borne: [u32; 2],
}

impl Group {
    pub(super) fn particle(&self, i: usize) -> usize {
        self.first + self.stride * i
    }

    /// How many segments there are; the last of a ring goes to the first particle.
    pub(super) fn segments(&self) -> usize {
        self.count - usize::from(!self.closed)
    }

    /// Whether what holds an end holds the frame of this segment.
    #[inline(always)]
    pub(super) fn stub(&self, i: usize) -> bool {
        self.clamped && i == 0 || self.tip && i + 2 == self.count
    }

    /// Segments whose frames are not held.
    pub(super) fn free_segments(&self) -> Range<usize> {
        usize::from(self.clamped)..self.segments() - usize::from(self.tip)
    }

    /// Segments that have a joint before them.
    pub(super) fn joints(&self) -> Range<usize> {
        usize::from(!self.closed)..self.segments()
    }

    /// The node behind a node, and the one before it; around a ring.
    pub(super) fn next(&self, i: usize) -> usize {
        if i + 1 == self.count { 0 } else { i + 1 }
    }

    pub(super) fn before(&self, i: usize) -> usize {
        if i == 0 { self.count - 1 } else { i - 1 }
    }
}

/// What is done with each group. Implementations put `#[inline(always)]` on `group` and all that it calls, and write loops, not
/// closures: those are compiled without AVX2, and each operation on lanes becomes a call (a step four times as long).
///
/// The loops over groups are methods of it and not of [`Rows`]: so they are compiled with the module of the work, and an edit there
/// compiles no other's (in 2 to 3 s for 6).
pub(super) trait Work: Sync + Sized {
    /// # Safety
    /// No concurrent call has one of these strands, and no two strands have a particle in common.
    unsafe fn group<L: Lanes>(&self, group: Group, scratch: &mut [f32]);

    /// # Safety
    /// As for [`Rows::run`]; there is AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn groups_avx2(&self, rows: &Rows, strands: Range<usize>, scratch: &mut [f32]) -> Range<usize> {
        // SAFETY: vouched for by the caller.
        unsafe { self.groups::<crate::lanes::Eight>(rows, strands, scratch) }
    }

    /// # Safety
    /// As for [`Rows::run`].
    #[inline(never)]
    unsafe fn each(&self, rows: &Rows, strands: Range<usize>, scratch: &mut [f32]) {
        // SAFETY: vouched for by the caller.
        unsafe { self.groups::<One>(rows, strands, scratch) };
    }

    /// Does all whole groups and returns the strands that are left.
    ///
    /// # Safety
    /// As for [`Rows::run`].
    #[inline(always)]
    unsafe fn groups<L: Lanes>(
        &self,
        rows: &Rows,
        strands: Range<usize>,
        scratch: &mut [f32],
    ) -> Range<usize> {
        let mut row = strands.start;
        while row + L::COUNT <= strands.end {
            // SAFETY: vouched for by the caller.
            unsafe { self.group::<L>(rows.group(row), scratch) };
            row += L::COUNT;
        }
        row..strands.end
    }
}

impl Group {
    /// Whether cloth or a body with a mass holds a particle.
    #[inline(always)]
    pub(super) fn is_borne(&self, i: usize) -> bool {
        is_borne(self.borne, i)
    }

    /// Mass of a particle [kg]; one that is borne is as heavy as what bears it is there. `inverse_mass` is 0 of what is held.
    #[inline(always)]
    pub(super) fn mass<L: Lanes>(&self, i: usize, own: L, inverse_mass: L) -> L {
        if self.is_borne(i) {
            (L::from_f32(1.0) / inverse_mass).where_positive_else(inverse_mass, own)
        } else {
            own
        }
    }
}

/// Where strands are.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    spans: &'a [[u32; 3]],
    objects: &'a [u32],
    borne: &'a [[u32; 2]],
    /// `segment.stretch`
    stretch: &'a [f32],
    /// Particle of the first segment.
    pub base: usize,
}

impl<'a> Rows<'a> {
    /// Of so many particles in all.
    pub(super) fn of(strand: &Strand<'a>, segment: &Segment<'a>, particles: usize) -> Self {
        let (spans, objects, stretch) = (strand.span, strand.object, segment.stretch);
        Self { spans, objects, borne: strand.borne, stretch, base: particles - stretch.len() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Does `work` with all strands; each job has its part of the room, which is empty for a work that needs none.
    ///
    /// # Safety
    /// No two strands have a particle in common.
    pub(super) unsafe fn run_all(&self, par: &Par, room: &mut [f32], work: &impl Work) {
        let pieces = self.len().div_ceil(PIECE);
        let jobs = pieces.min(JOBS);
        let share = room.len() / jobs.max(1);
        let room = SharedMut::new(room);
        par.each(jobs, |job| {
            // SAFETY: each job has its own rows.
            let room = unsafe { room.rows_mut(job * share..(job + 1) * share) };
            for piece in (job..pieces).step_by(jobs) {
                let strands = piece * PIECE..((piece + 1) * PIECE).min(self.len());
                // SAFETY: vouched for by the caller.
                unsafe { self.run(strands, work, room) };
            }
        });
    }

    /// Does `work` with all of some strands, in their order.
    ///
    /// # Safety
    /// No concurrent call has one of these strands, and no two strands have a particle in common.
    pub(super) unsafe fn run(&self, strands: Range<usize>, work: &impl Work, scratch: &mut [f32]) {
        let mut next = strands.start;
        while next < strands.end {
            let many = self.side_by_side(next, strands.end);
            // SAFETY: vouched for by the caller; AVX2 is there where its loop is called.
            unsafe {
                #[cfg(not(target_arch = "x86_64"))]
                let rest = work.groups::<glam::Vec4>(self, next..next + many, scratch);
                #[cfg(target_arch = "x86_64")]
                let rest = if is_x86_feature_detected!("avx2") {
                    work.groups_avx2(self, next..next + many, scratch)
                } else {
                    next..next + many
                };
                work.each(self, rest, scratch);
            }
            next += many;
        }
    }

    /// How many strands from one on lie beside each other.
    fn side_by_side(&self, from: usize, end: usize) -> usize {
        let [first, stride, count] = self.spans[from];
        let beside = |other: &usize| {
            let step = (*other - from) as u32;
            self.spans[*other] == [first + step, stride, count] && self.objects[*other] == self.objects[from]
        };
        (from..end).take_while(beside).count()
    }

    /// The group whose first strand is this one.
    #[inline]
    fn group(&self, row: usize) -> Group {
        let [first, stride, count] = self.spans[row].mapped(|number| number as usize);
        let clamped = self.stretch[first - self.base] == 0.0;
        let closed = is_ring(self.stretch, self.spans[row], self.base);
        let tip = has_tip_stub(self.stretch, self.spans[row], self.base);
        Group { row, first, stride, count, clamped, tip, closed, borne: self.borne[row] }
    }
}

/// Whether the last particle of a strand is joined to its first: the row behind its segments is one of them.
#[inline]
pub(super) fn is_ring(stretch: &[f32], [first, stride, count]: [u32; 3], base: usize) -> bool {
    stretch[(first + stride * (count - 1)) as usize - base] != 0.0
}

/// Whether a particle is one of those of `strand.borne`.
#[inline(always)]
pub(super) fn is_borne(borne: [u32; 2], i: usize) -> bool {
    borne[0] == i as u32 || borne[1] == i as u32
}

/// Whether a segment is cut, by its `segment.stretch`.
pub fn is_cut(stretch: f32) -> bool {
    stretch < 0.0
}

/// Numbers of the particles that hang together with particle `root` of a strand, in their order; it is not one of them.
pub fn hanging(stretch: &[f32], span: [u32; 3], base: usize, root: usize) -> impl Iterator<Item = usize> {
    let [first, stride, count] = span.mapped(|number| number as usize);
    let cut = move |i: &usize| is_cut(stretch[first + stride * i - base]);
    let end = (root..count).find(cut).map_or(count, |cut| cut + 1);
    // Of a ring that is cut what hangs at its other end, too.
    let back = if is_ring(stretch, span, base) {
        (end..count).rev().find(cut).map_or(end, |cut| cut + 1)
    } else {
        count
    };
    (root + 1..end).chain(back..count)
}

/// Whether the last segment of a strand is a stub.
#[inline]
pub(super) fn has_tip_stub(stretch: &[f32], [first, stride, count]: [u32; 3], base: usize) -> bool {
    stretch[(first + stride * (count - 2)) as usize - base] == 0.0
}

/// The given columns of the segments.
#[derive(Clone, Copy)]
pub(super) struct Segments<'a> {
    pub rest: &'a [f32],
    pub stretch: &'a [f32],
    pub bend: &'a [f32],
    pub twist: &'a [f32],
    pub rest_turn: &'a [[f32; 4]],
}

impl<'a> Segments<'a> {
    pub(super) fn of(segment: &Segment<'a>) -> Self {
        let Segment { rest, stretch, bend, twist, rest_turn, .. } = *segment;
        Self { rest, stretch, bend, twist, rest_turn }
    }

    /// E A / l [N/m]; 0 where it is cut.
    #[inline(always)]
    pub(super) fn stretch<L: Lanes>(&self, segment: usize) -> L {
        L::load(&self.stretch[segment..]).max(L::from_f32(0.0))
    }

    /// Above 0 where a segment is cut.
    #[inline(always)]
    pub(super) fn cut<L: Lanes>(&self, segment: usize) -> L {
        -L::load(&self.stretch[segment..])
    }

    /// What the joint before a segment has at rest, and its stiffness against bending and twist [N m]; 0 beside a cut.
    #[inline(always)]
    pub(super) fn joint<L: Lanes>(&self, segment: usize) -> (Rotation<L>, [L; 2]) {
        let (rest, zero) = (Read { column: self.rest_turn, first: segment }, L::from_f32(0.0));
        let stiffness = [L::load(&self.bend[segment..]).max(zero), L::load(&self.twist[segment..]).max(zero)];
        (Rotation::new(L::fetch(&rest)), stiffness)
    }
}

/// Rows of a column that is only read, one for each lane.
pub(super) struct Read<'a> {
    pub column: &'a [[f32; 4]],
    pub first: usize,
}

impl RowsAt for Read<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.column[self.first + lane]
    }
}

/// The same of a column that jobs write, each its own rows. Only a [`Work`] makes it, under the promise of its
/// `group`.
pub(super) struct Shared<'a> {
    pub column: &'a SharedMut<'a, [f32; 4]>,
    pub first: usize,
}

impl RowsAt for Shared<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        // SAFETY: these rows are the job's own.
        unsafe { self.column.get(self.first + lane) }
    }
}

impl RowsAtMut for Shared<'_> {
    #[inline(always)]
    fn set(&self, lane: usize, row: [f32; 4]) {
        // SAFETY: as above.
        unsafe { self.column.set(self.first + lane, row) };
    }
}

/// Numbers of a column that jobs write, one for each lane. As [`Shared`], only a [`Work`] makes it.
pub(super) struct Numbers<'a> {
    pub column: &'a SharedMut<'a, f32>,
    pub first: usize,
}

impl Numbers<'_> {
    #[inline(always)]
    pub(super) fn load<L: Lanes>(&self) -> L {
        let mut all = [0.0; LANES];
        for (lane, number) in all.iter_mut().enumerate().take(L::COUNT) {
            // SAFETY: these rows are the job's own.
            *number = unsafe { self.column.get(self.first + lane) };
        }
        L::load(&all)
    }

    #[inline(always)]
    pub(super) fn store<L: Lanes>(&self, numbers: L) {
        let mut all = [0.0; LANES];
        numbers.store(&mut all);
        for (lane, number) in all.iter().enumerate().take(L::COUNT) {
            // SAFETY: as above.
            unsafe { self.column.set(self.first + lane, *number) };
        }
    }
}

/// The plane that a particle may not pass, told from `origin`: unit normal, level, and 1; all 0 where it meets none.
///
/// # Safety
/// As for [`Work::group`].
#[inline(always)]
pub(super) unsafe fn plane<L: Lanes>(
    planes: &[[f32; 4]],
    depth: &SharedMut<[f32; 2]>,
    particle: usize,
    origin: V3<L>,
) -> [L; 5] {
    let [x, y, z, level] = L::fetch(&Read { column: planes, first: particle });
    let mut there = [0.0; LANES];
    for (lane, there) in there.iter_mut().enumerate().take(L::COUNT) {
        // SAFETY: vouched for by the caller.
        *there = if unsafe { depth.get(particle + lane) }[1] >= 0.0 { 1.0 } else { 0.0 };
    }
    let there = L::load(&there);
    // Of a particle that meets none these are no numbers.
    let normal = V3 { x, y, z }.where_positive(there);
    [normal.x, normal.y, normal.z, (level - normal.dot(origin)).where_positive(there), there]
}

/// Puts particles to their places, in world space; what is held is where it was put, to the last bit.
#[inline(always)]
pub(super) fn put<L: Lanes>(
    position: &SharedMut<[f32; 4]>,
    inertial: &[[f32; 4]],
    particle: usize,
    place: V3<L>,
) {
    let [x, y, z, w] = L::fetch(&Read { column: inertial, first: particle });
    let place = place.where_positive_else(w, V3 { x, y, z });
    L::scatter([place.x, place.y, place.z, w], &Shared { column: position, first: particle });
}
