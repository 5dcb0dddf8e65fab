//! The ribbon of a strand: its places, ways and sides, as far as it is not cut.

use std::ops::RangeInclusive;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use weft_scene::strands::build::Guide;

use super::StrandsView;
use super::curve;
use super::normals::shared_if_many;

/// One side of a ribbon at a particle, or between two.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Vertex {
    pub position: [f32; 3],
    /// 0 at the root, 1 at the tip.
    along: f32,
    pub tangent: [f32; 3],
    /// -1 or 1.
    side: f32,
    /// Unit vector across the strand that turns with it.
    aside: [f32; 3],
    /// Number of the strand.
    strand: f32,
    /// Place on the scale of what is shown, 0..1.
    value: f32,
    /// 0 at the beginning of its piece, 1 at its end: as `along` where nothing is cut.
    pub gone: f32,
}

/// Places that a ribbon goes through, of segments in so many parts.
pub(crate) fn points(guide: &Guide, parts: u32) -> u32 {
    (guide.span[2] - u32::from(!guide.closed)) * parts + 1
}

/// Whether the segment from particle `i` of a strand to the next is cut.
pub(crate) fn is_cut(list: &StrandsView<'_>, guide: &Guide, i: u32) -> bool {
    let [first, stride, count] = guide.span;
    list.cuts.get((first + stride * (i % count)) as usize).is_some_and(|cut| *cut)
}

/// Share of a hair before which it is as wide as at its root (`hair` of `strand.wgsl`).
const WIDE: f32 = 0.6;

/// Share of the way along a hair at a place, counted in segments. A ring ends where it began, and is as its root all the way; what is held
/// at its tip is as wide there, and is drawn as the first part of a hair.
fn along(guide: &Guide, at: f32) -> f32 {
    let share = at / (guide.span[2] - 1) as f32;
    match (guide.closed, guide.held) {
        (true, _) => 0.0,
        (false, true) => WIDE * share,
        (false, false) => share,
    }
}

/// The ribbons of all strands of a list, one behind the other, of segments in so many parts.
pub(crate) fn fill(vertices: &mut Vec<Vertex>, list: &StrandsView<'_>, parts: u32) {
    vertices.clear();
    let of = |guide| 2 * points(guide, parts) as usize;
    vertices.resize(list.guides.iter().map(of).sum(), Vertex::zeroed());
    let mut rest = vertices.as_mut_slice();
    let mut own = |guide| rest.split_off_mut(..of(guide)).unwrap_or_default();
    let mut ribbons: Vec<&mut [Vertex]> = list.guides.iter().map(&mut own).collect();
    let some = |start: usize, ribbons: &mut [&mut [Vertex]]| {
        for (index, ribbon) in (start..).zip(ribbons) {
            ribbon_of(ribbon, list, index as u32, parts);
        }
    };
    shared_if_many(list.positions.len(), &mut ribbons, some);
}

/// The particles of a strand.
#[derive(Clone, Copy)]
struct Particles<'a> {
    list: &'a StrandsView<'a>,
    guide: &'a Guide,
}

impl Particles<'_> {
    fn row(self, i: u32) -> usize {
        let [first, stride, count] = self.guide.span;
        (first + stride * (i % count)) as usize
    }

    fn place(self, i: u32) -> Vec3 {
        let [x, y, z, _] = self.list.positions[self.row(i)];
        Vec3::new(x, y, z)
    }

    fn value(self, i: u32) -> f32 {
        self.list.shading.and_then(|shading| shading.values.get(self.row(i)).copied()).unwrap_or(0.0)
    }

    /// Whether the strand goes on behind a particle, uncut.
    fn goes_on(self, i: u32) -> bool {
        (self.guide.closed || i + 1 < self.guide.span[2]) && !is_cut(self.list, self.guide, i)
    }

    /// The places around one: of the particle before it, its own, and of the next. What is not there lies straight on.
    fn around(self, i: u32) -> [Vec3; 3] {
        let count = self.guide.span[2];
        let before = if i == 0 && !self.guide.closed { None } else { Some((i + count - 1) % count) };
        let before = before.filter(|before| self.goes_on(*before)).map(|before| self.place(before));
        let next = self.goes_on(i).then(|| self.place(i + 1));
        let own = self.place(i);
        let opposite = |other: Vec3| own * 2.0 - other;
        let [a, c] = [(before, next), (next, before)]
            .map(|(wanted, other)| wanted.or_else(|| other.map(opposite)).unwrap_or(own));
        [a, own, c]
    }

    /// Place and way at a share of the way from a particle to the next.
    fn at(self, i: u32, share: f32) -> (Vec3, Vec3) {
        let [a, b, c] = self.around(i);
        if share == 0.0 {
            return (b, c - a);
        }
        let last = if self.goes_on(i) { self.around((i + 1) % self.guide.span[2])[2] } else { c * 2.0 - b };
        curve::at([a, b, c, last], share)
    }
}

/// Both sides of one strand's ribbon. One that has particles missing is left out.
fn ribbon_of(vertices: &mut [Vertex], list: &StrandsView<'_>, index: u32, parts: u32) {
    let guide = &list.guides[index as usize];
    let particles = Particles { list, guide };
    let last = guide.span[2] - 1;
    // A step with NaN in it is drawn as what it is; an index out of range is not.
    if particles.row(last) >= list.positions.len() {
        return;
    }
    let mut aside = list.turn * Vec3::from(guide.aside);
    let mut piece = piece_from(list, guide, 0);
    for (at, sides) in (0..).zip(vertices.chunks_exact_mut(2)) {
        let (point, share) = (at / parts, (at % parts) as f32 / parts as f32);
        let i = point % (last + 1);
        if point > *piece.end() {
            piece = piece_from(list, guide, point);
            // No seat turns what has fallen off.
            aside = Vec3::from(guide.aside);
        }
        let (place, way) = particles.at(i, share);
        let tangent = way.normalize_or(Vec3::NEG_Y);
        let across = aside - tangent * tangent.dot(aside);
        aside = across.try_normalize().unwrap_or_else(|| tangent.any_orthonormal_vector());
        let mut value = particles.value(i);
        if share > 0.0 {
            value += share * (particles.value(i + 1) - value);
        }
        let along = along(guide, i as f32 + share);
        let gone = if piece == (0..=points(guide, 1) - 1) {
            along
        } else if guide.closed && *piece.end() == last + 1 {
            // It goes on behind the root.
            0.0
        } else {
            let way = (point - piece.start()) as f32 + share;
            let share = way / (piece.end() - piece.start()).max(1) as f32;
            if guide.held && *piece.end() == last { WIDE * share } else { share }
        };
        let vertex = |side| Vertex {
            position: place.to_array(),
            along,
            tangent: tangent.to_array(),
            side,
            aside: aside.to_array(),
            strand: index as f32,
            value,
            gone,
        };
        sides.copy_from_slice(&[vertex(-1.0), vertex(1.0)]);
    }
}

/// Particles of a ribbon from one on to the next cut.
pub(crate) fn piece_from(list: &StrandsView<'_>, guide: &Guide, point: u32) -> RangeInclusive<u32> {
    let last = points(guide, 1) - 1;
    point..=(point..last).find(|i| is_cut(list, guide, *i)).unwrap_or(last)
}
