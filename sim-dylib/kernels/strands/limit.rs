//! A limit to the stretch of strands, behind contact: what a solve of few iterations and contact leave of lengths.
//!
//! ```text
//! p_i = p_i-1 + d_i (|x_i - x_i-1| brought within l (1 ± limit))        d_i = (x_i - x_i-1) / |x_i - x_i-1|
//! ```
//! Segments keep their directions, so that a strand keeps its shape, and what is beyond one that was too long comes nearer as it is. A particle
//! that a surface holds goes no farther behind it: to the place on its plane at that length (`leader.rs`). One pass is exact; frames go along by
//! the least turn of their segments, and velocities follow from places. A free strand keeps its momentum: it is moved back as a whole.
//!
//! A projection of all lengths at once by masses (Han, Harada: Tridiagonal Matrix Formulation for Inextensible Hair Strand
//! Simulation, 2013) was tried: on a strand that is pulled straight it throws light particles aside, for it does not know of the
//! pull that holds them. 1 % too long in every segment, 34 particles were 7 % off after it, and after eight rounds still.
//!
//! A material that gives way by itself does: a strand whose own mass at [`HARD`] stretches it by more is limited to that.
//!
//! What it does not do: rings, what is behind a cut, strands that are held a second time, and those whose tip cloth or a body with a
//! mass bears. What bears a root has had the pull of the solve, and does not feel this.

use sim_api::SharedMut;

use super::{
    groups::{Group, Rows, Shared, Work, plane},
    leader::on_plane,
    newton::LANES,
    nodes::{lane_of, put_rows},
    rotation::Rotation,
};
use crate::{
    lanes::{Lanes, V3},
    sim::Sim,
};

/// Change of a segment's length, as a share of it, from which its strand is brought within [`WITHIN`] of that.
const LIMIT: f32 = 0.005;
const WITHIN: f32 = 0.8;
/// Acceleration that stretches a material by as much as is its own [m/s²].
const HARD: f32 = 500.0;
/// Round-off of a place, by its largest coordinate.
const ROUNDED: f32 = 2.4e-7;

/// Brings strands within their limits: `particle.position` and `segment.rotation`.
pub fn limit(sim: &mut Sim) {
    let rows = Rows::of(&sim.state.strand, &sim.state.segment, sim.state.particle.position.len());
    let particle = &mut sim.state.particle;
    let work = Limit {
        meets: !sim.state.collider.kind.is_empty(),
        base: rows.base,
        rest: sim.state.segment.rest,
        stretch: sim.state.segment.stretch,
        plane: particle.contact.plane,
        depth: SharedMut::new(particle.contact.plane_depth),
        position: SharedMut::new(particle.position),
        rotation: SharedMut::new(sim.state.segment.rotation),
    };
    // SAFETY: no two strands have a particle in common.
    unsafe { rows.run_all(&sim.par, &mut [], &work) };
}

struct Limit<'a> {
    meets: bool,
    /// Particle of the first segment.
    base: usize,
    rest: &'a [f32],
    stretch: &'a [f32],
    plane: &'a [[f32; 4]],
    depth: SharedMut<'a, [f32; 2]>,
    position: SharedMut<'a, [f32; 4]>,
    rotation: SharedMut<'a, [f32; 4]>,
}

impl Work for Limit<'_> {
    #[inline(always)]
    unsafe fn group<L: Lanes>(&self, group: Group, _: &mut [f32]) {
        if group.closed || group.borne[1] != u32::MAX {
            return;
        }
        let zero = L::from_f32(0.0);
        let first = V3::from_row(self.place::<L>(group, 0));
        let rounded = first.x.abs().max(first.y.abs()).max(first.z.abs()) * L::from_f32(ROUNDED);
        if !any(self.out(group, [zero, rounded])) {
            return;
        }
        let mass = self.mass::<L>(group);
        let out = self.out(group, [mass, rounded]);
        let mut goes = [false; LANES];
        for (lane, goes) in goes[..L::COUNT].iter_mut().enumerate() {
            *goes = lane_of(out, lane) > 0.0 && lane_of(mass, lane) > 0.0;
        }
        let goes = &goes[..L::COUNT];
        if goes.iter().any(|goes| *goes) {
            // SAFETY: vouched for by the caller.
            unsafe { self.bring(group, [mass, rounded], goes) };
        }
    }
}

impl Limit<'_> {
    #[inline(always)]
    fn place<L: Lanes>(&self, group: Group, i: usize) -> [L; 4] {
        L::fetch(&Shared { column: &self.position, first: group.particle(i) })
    }

    /// Rest length of a segment [m], 0 where nothing limits it, and what it may be longer or shorter by [m].
    #[inline(always)]
    fn within<L: Lanes>(&self, group: Group, i: usize, [mass, rounded]: [L; 2]) -> [L; 2] {
        let segment = group.particle(i) - self.base;
        let (rest, k) = (L::load(&self.rest[segment..]), L::load(&self.stretch[segment..]));
        // M a / k is what the material itself gives way by.
        let soft = mass * L::from_f32(HARD) / k.max(L::from_f32(1e-30));
        [rest.where_positive(k), (rest * L::from_f32(LIMIT)).max(soft) + rounded]
    }

    /// Above 0 where a segment is out of its limit.
    #[inline(always)]
    fn out<L: Lanes>(&self, group: Group, limits: [L; 2]) -> L {
        let (mut out, mut before) = (L::from_f32(0.0), V3::from_row(self.place::<L>(group, 0)));
        for i in 1..group.count {
            let here = V3::from_row(self.place::<L>(group, i));
            let [rest, slack] = self.within::<L>(group, i - 1, limits);
            let (long, short) = (rest + slack, (rest - slack).max(L::from_f32(0.0)));
            let way = here - before;
            let now = way.dot(way);
            out = out.max((now - long * long).max(short * short - now).where_positive(rest));
            before = here;
        }
        out
    }

    /// Mass of what is free [kg]; 0 of strands that are held a second time.
    #[inline(always)]
    fn mass<L: Lanes>(&self, group: Group) -> L {
        let (zero, one) = (L::from_f32(0.0), L::from_f32(1.0));
        let (mut mass, mut again) = (zero, zero);
        for i in 0..group.count {
            let [_, _, _, w] = self.place::<L>(group, i);
            again = again.max(zero.where_positive_else(w, mass));
            mass = mass + (one / w.max(L::from_f32(1e-30))).where_positive(w);
        }
        zero.where_positive_else(again, mass)
    }

    /// Brings strands that go within their limits.
    ///
    /// # Safety
    /// As for [`Work::group`].
    #[inline(always)]
    unsafe fn bring<L: Lanes>(&self, group: Group, limits: [L; 2], goes: &[bool]) {
        let (zero, one, tiny) = (L::from_f32(0.0), L::from_f32(1.0), L::from_f32(1e-15));
        let [x, y, z, root] = self.place::<L>(group, 0);
        // Where the last particle was, and is now.
        let (mut old, mut new) = (V3 { x, y, z }, V3 { x, y, z });
        // What is behind a cut is let be.
        let (mut moment, mut whole) = (V3::zero(), one);
        for i in 1..group.count {
            let particle = group.particle(i);
            let [x, y, z, w] = self.place::<L>(group, i);
            let here = V3 { x, y, z };
            let [rest, slack] = self.within::<L>(group, i - 1, limits);
            whole = zero
                .where_positive_else(-L::load(&self.stretch[particle - group.stride - self.base..]), whole);
            let (way, most) = (here - old, slack * L::from_f32(WITHIN));
            let length = way.dot(way).sqrt();
            let right = length.min(rest + most).max(rest - most).where_positive_else(rest, length);
            let led = way * (right / length.max(tiny));
            let mut to = new + led;
            if self.meets {
                // SAFETY: vouched for by the caller.
                let [nx, ny, nz, level, there] = unsafe { plane(self.plane, &self.depth, particle, new) };
                let across = V3 { x: nx, y: ny, z: nz };
                let level = level.min(across.dot(here - new));
                let beside = new + on_plane(across, level, right, [led, led]);
                to = beside.where_positive_else((level - across.dot(led)).where_positive(there), to);
            }
            let to = to.where_positive_else(w.min(whole), here);
            moment = moment + (to - here) * (one / w.max(L::from_f32(1e-30))).where_positive(w);
            put_rows(&Shared { column: &self.position, first: particle }, [to.x, to.y, to.z, w], goes);
            if !group.stub(i - 1) {
                let rows = Shared { column: &self.rotation, first: particle - group.stride - self.base };
                let turned =
                    Rotation::between(here - old, to - new).after(Rotation::new(L::fetch(&rows))).unit();
                put_rows(&rows, turned.lanes(), goes);
            }
            (old, new) = (here, to);
        }
        if !any(root) {
            return;
        }
        let back = (moment * (one / limits[0].max(L::from_f32(1e-30)))).where_positive(root);
        for i in 0..group.count {
            let [x, y, z, w] = self.place::<L>(group, i);
            let to = V3 { x, y, z } - back;
            put_rows(
                &Shared { column: &self.position, first: group.particle(i) },
                [to.x, to.y, to.z, w],
                goes,
            );
        }
    }
}

/// Whether a lane is above 0.
#[inline(always)]
fn any<L: Lanes>(lanes: L) -> bool {
    let mut all = [0.0; LANES];
    lanes.store(&mut all);
    all[..L::COUNT].iter().any(|lane| *lane > 0.0)
}
