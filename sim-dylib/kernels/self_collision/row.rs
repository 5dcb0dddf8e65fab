//! A row that touches, as the projection needs it: made of where the pair is, for one pair or for a pair in each lane.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

use std::cell::Cell;

use super::{
    advance::Form,
    distance::{Corner, between, weights},
    project,
};
use crate::{
    lanes::{EIGHT, Lanes, Octet, Point, Real, RowsAt, RowsAtMut, V3, octet},
    state::{Layer, Particle},
};

/// Share of its distance by which a pair that gives way no more is pushed apart in a substep: all at once would tear at
/// the threads.
const PUSH: f32 = 0.1;

/// Share of its distance below which a pair gives way no more.
const LEAST: f32 = 0.5;

/// Cosine beyond which a particle on a collider does not give way to cloth that presses it in.
const HELD: f32 = 0.7;

/// A corner moves at most this often as far as the pair is moved apart: where the others are held or pinned, one near which
/// the pair hardly touches would be flung away.
const LEVER: f32 = 4.0;

/// Two edges fade out where their nearest points come closer to an end than this share of the edge.
const RIM: f32 = 0.1;
/// And where the square of the sine between them is less than this.
const PARALLEL: f32 = 0.01;

/// Where the corners of a pair are.
#[derive(Clone, Copy)]
pub(super) struct Corners<R> {
    /// At the end of the substep [m], and inverse masses [1/kg].
    pub now: [Point<R>; 4],
    /// At its start [m].
    pub before: [V3<R>; 4],
    /// Normals of the colliders that they touch; w is above 0 where one does.
    pub contact: [Point<R>; 4],
}

/// What the projection knows, as in the columns `pair.touch_*`.
#[derive(Clone, Copy)]
pub(super) struct Made<R> {
    pub normal: V3<R>,
    pub share: [R; 4],
    /// Sum of weight² x inverse mass [1/kg]; 0: nothing can be moved.
    pub sum: R,
    pub give: [R; 4],
    /// Distance below which it gives way no more [m].
    pub least: R,
}

/// Of a pair with its second nearest point `way` [m] from the first, which has come as close as `closest` [m]. `limit` [m]
/// is the distance that it keeps, `stiffness` the share that counts, `h` [s] the substep.
#[inline(always)]
pub(super) fn made<R: Real>(
    corners: &Corners<R>,
    (way, weight): (V3<R>, [R; 4]),
    closest: R,
    (limit, stiffness): (R, R),
    h: f32,
) -> Made<R> {
    let (zero, one) = (R::from_f32(0.0), R::from_f32(1.0));
    let length = way.dot(way).sqrt().max(R::from_f32(f32::MIN_POSITIVE));
    let normal = V3 { x: way.x / length, y: way.y / length, z: way.z / length };
    let mut share = [zero; 4];
    let mut sum = zero;
    for corner in 0..4 {
        let touch = corners.contact[corner];
        // A collider bears the particle that the pair presses into it.
        let pressed = normal.dot(touch.x) * weight[corner];
        let held = touch.w.min(-(R::from_f32(HELD) * weight[corner].abs()) - pressed);
        share[corner] = zero.where_positive_else(held, weight[corner] * corners.now[corner].w);
        sum = sum + weight[corner] * share[corner];
    }
    let start = normal.dot(between(corners.before, weight)).max(closest);
    let least = (R::from_f32(LEAST) * limit).min(start + R::from_f32(PUSH) * limit);
    let [compliance, damping] = project::give(limit, h);
    let compliance = compliance / stiffness;
    let most = share[0].abs().max(share[1].abs()).max(share[2].abs().max(share[3].abs()));
    let mass = one / sum.max(most / R::from_f32(LEVER));
    let give = [compliance, damping, one / (one + compliance + damping), mass];
    Made { normal, share, sum, give, least }
}

/// How much of two edges' stiffness counts, 0 to 1. Where an end is nearest, vertex and triangle say the same, and where edges
/// are parallel their nearest points jump from end to end: the row fades out before either, for a row that comes and goes
/// would never let a pile rest (the second as in Li et al.: Incremental Potential Contact, 2020, section 5.2).
#[inline(always)]
fn crossing<R: Real>(x: [V3<R>; 4], weight: [R; 4]) -> R {
    let one = R::from_f32(1.0);
    let (first, second) = (x[1] - x[0], x[3] - x[2]);
    let across = first.cross(second);
    let sine2 =
        across.dot(across) / (first.dot(first) * second.dot(second)).max(R::from_f32(f32::MIN_POSITIVE));
    let rim = weight[0].abs().min(weight[1].abs()).min(weight[2].abs().min(weight[3].abs()));
    (rim / R::from_f32(RIM)).min(one) * (sine2 / R::from_f32(PARALLEL)).min(one)
}

/// Rows of eight pairs as if all of them touched, pair after pair; columns as in `pair.touch_*`.
pub(super) struct Eight {
    pub distance: [f32; EIGHT],
    pub stiffness: [f32; EIGHT],
    pub sum: [f32; EIGHT],
    pub least: [f32; EIGHT],
    /// w is 0.
    pub normal: [[f32; 4]; EIGHT],
    pub weight: [[f32; 4]; EIGHT],
    pub share: [[f32; 4]; EIGHT],
    pub give: [[f32; 4]; EIGHT],
}

/// Where the corners of pairs are looked up.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    pub now: &'a [[f32; 4]],
    pub before: &'a [[f32; 4]],
    /// `None`: no collider is there.
    pub contact: Option<&'a [[f32; 4]]>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(particle: &'a Particle, colliders: bool, layer: &'a Layer) -> Self {
        let contact = colliders.then_some(&*particle.contact.contact);
        Self { now: particle.position, before: layer.last_valid, contact }
    }
}

impl Eight {
    /// Of pairs of one form with these `limits` [m] in a substep of `h` [s].
    #[inline(always)]
    pub(super) fn of(
        form: Form,
        columns: Columns,
        idx: &[[u32; 4]; EIGHT],
        limit: &[f32; EIGHT],
        h: f32,
    ) -> Self {
        let (number, row) = ([0.0; EIGHT], [[0.0; 4]; EIGHT]);
        let mut out = Self {
            distance: number,
            stiffness: number,
            sum: number,
            least: number,
            normal: row,
            weight: row,
            share: row,
            give: row,
        };
        match form {
            Form::PointTriangle => octet(&Kernel::<0> { columns, idx, limit, h }, &mut out),
            Form::EdgeEdge => octet(&Kernel::<1> { columns, idx, limit, h }, &mut out),
        }
        out
    }
}

struct Kernel<'a, const FORM: u32> {
    columns: Columns<'a>,
    idx: &'a [[u32; 4]; EIGHT],
    limit: &'a [f32; EIGHT],
    h: f32,
}

impl<const FORM: u32> Octet for Kernel<'_, FORM> {
    type Out = Eight;

    #[inline(always)]
    fn lanes<L: Lanes>(&self, first: usize, out: &mut Eight) {
        let none = Point { x: V3::zero(), w: L::from_f32(0.0) };
        let mut corners = Corners { now: [none; 4], before: [V3::zero(); 4], contact: [none; 4] };
        let mut x = [V3::zero(); 4];
        for corner in 0..4 {
            corners.now[corner] = self.fetch(self.columns.now, first, corner);
            corners.before[corner] = self.fetch(self.columns.before, first, corner).x;
            if let Some(contact) = self.columns.contact {
                corners.contact[corner] = self.fetch(contact, first, corner);
            }
            x[corner] = corners.now[corner].x;
        }
        let form = Form::of(FORM);
        let weight = weights(form, x);
        let way = between(x, weight);
        let distance = way.dot(way).sqrt();
        let stiffness = match form {
            Form::PointTriangle => L::from_f32(1.0),
            Form::EdgeEdge => crossing(x, weight),
        };
        let limit = L::load(&self.limit[first..]);
        let Made { normal, share, sum, give, least } =
            made(&corners, (way, weight), distance, (limit, stiffness), self.h);
        distance.store(&mut out.distance[first..]);
        stiffness.store(&mut out.stiffness[first..]);
        sum.store(&mut out.sum[first..]);
        least.store(&mut out.least[first..]);
        scatter([normal.x, normal.y, normal.z, L::from_f32(0.0)], &mut out.normal[first..]);
        scatter(weight, &mut out.weight[first..]);
        scatter(share, &mut out.share[first..]);
        scatter(give, &mut out.give[first..]);
    }
}

impl<const FORM: u32> Kernel<'_, FORM> {
    #[inline(always)]
    fn fetch<L: Lanes>(&self, column: &[[f32; 4]], first: usize, corner: usize) -> Point<L> {
        let [x, y, z, w] = L::fetch(&Corner { column, idx: self.idx, first, corner });
        Point { x: V3 { x, y, z }, w }
    }
}

#[inline(always)]
fn scatter<L: Lanes>(lanes: [L; 4], rows: &mut [[f32; 4]]) {
    L::scatter(lanes, &Out { rows: Cell::from_mut(rows).as_slice_of_cells() });
}

struct Out<'a> {
    rows: &'a [Cell<[f32; 4]>],
}

impl RowsAt for Out<'_> {
    #[inline(always)]
    fn get(&self, lane: usize) -> [f32; 4] {
        self.rows[lane].get()
    }
}

impl RowsAtMut for Out<'_> {
    #[inline(always)]
    fn set(&self, lane: usize, row: [f32; 4]) {
        self.rows[lane].set(row);
    }
}
