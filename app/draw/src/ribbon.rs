//! The ribbon of a strand: its places, ways and sides, as far as it is not cut.

use std::ops::RangeInclusive;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use weft_scene::strands::build::Guide;

use super::StrandsView;
use super::normals::shared_if_many;

/// One side of a ribbon at a particle.
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

/// Places that a ribbon goes through.
pub(crate) fn points(guide: &Guide) -> u32 {
    guide.span[2] + u32::from(guide.closed)
}

/// Whether the segment from particle `i` of a strand to the next is cut.
pub(crate) fn is_cut(list: &StrandsView<'_>, guide: &Guide, i: u32) -> bool {
    let [first, stride, count] = guide.span;
    list.cuts.get((first + stride * (i % count)) as usize).is_some_and(|cut| *cut)
}

/// Share of a hair before which it is as wide as at its root (`hair` of `strand.wgsl`).
const WIDE: f32 = 0.6;

/// Share of the way along a hair at a particle. A ring ends where it began, and is as its root all the way; what is held at its tip
/// is as wide there, and is drawn as the first part of a hair.
fn along(guide: &Guide, i: u32) -> f32 {
    let share = i as f32 / (guide.span[2] - 1) as f32;
    match (guide.closed, guide.held) {
        (true, _) => 0.0,
        (false, true) => WIDE * share,
        (false, false) => share,
    }
}

/// The ribbons of all strands of a list, one behind the other.
pub(crate) fn fill(vertices: &mut Vec<Vertex>, list: &StrandsView<'_>) {
    vertices.clear();
    vertices.resize(list.guides.iter().map(|guide| 2 * points(guide) as usize).sum(), Vertex::zeroed());
    let mut rest = vertices.as_mut_slice();
    let mut own = |guide| rest.split_off_mut(..2 * points(guide) as usize).unwrap_or_default();
    let mut ribbons: Vec<&mut [Vertex]> = list.guides.iter().map(&mut own).collect();
    let some = |start: usize, ribbons: &mut [&mut [Vertex]]| {
        for (index, ribbon) in (start..).zip(ribbons) {
            ribbon_of(ribbon, list, &list.guides[index], index as u32);
        }
    };
    shared_if_many(list.positions.len(), &mut ribbons, some);
}

/// Both sides of one strand's ribbon. One that has particles missing is left out.
fn ribbon_of(vertices: &mut [Vertex], list: &StrandsView<'_>, guide: &Guide, index: u32) {
    let [first, stride, count] = guide.span;
    let row = |i: u32| (first + stride * i) as usize;
    let last = count - 1;
    // A step with NaN in it is drawn as what it is; an index out of range is not.
    if row(last) >= list.positions.len() {
        return;
    }
    let place = |i: u32| {
        let [x, y, z, _] = list.positions[row(i)];
        Vec3::new(x, y, z)
    };
    let mut aside = list.turn * Vec3::from(guide.aside);
    let mut piece = piece_from(list, guide, 0);
    for (point, sides) in (0..).zip(vertices.chunks_exact_mut(2)) {
        let (mut before, i, mut next) = if guide.closed {
            ((point + last) % count, point % count, (point + 1) % count)
        } else {
            (point.saturating_sub(1), point, (point + 1).min(last))
        };
        if point > *piece.end() {
            piece = piece_from(list, guide, point);
            // No seat turns what has fallen off.
            aside = Vec3::from(guide.aside);
        }
        if is_cut(list, guide, before) {
            before = i;
        }
        if is_cut(list, guide, i) {
            next = i;
        }
        let tangent = (place(next) - place(before)).normalize_or(Vec3::NEG_Y);
        let across = aside - tangent * tangent.dot(aside);
        aside = across.try_normalize().unwrap_or_else(|| tangent.any_orthonormal_vector());
        let value = list.shading.and_then(|shading| shading.values.get(row(i)).copied()).unwrap_or(0.0);
        let gone = if piece == (0..=points(guide) - 1) {
            along(guide, i)
        } else if guide.closed && *piece.end() == count {
            // It goes on behind the root.
            0.0
        } else {
            let share = (point - piece.start()) as f32 / (piece.end() - piece.start()).max(1) as f32;
            if guide.held && *piece.end() == last { WIDE * share } else { share }
        };
        let vertex = |side| Vertex {
            position: place(i).to_array(),
            along: along(guide, i),
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

/// Points of a ribbon from one on to the next cut.
pub(crate) fn piece_from(list: &StrandsView<'_>, guide: &Guide, point: u32) -> RangeInclusive<u32> {
    let last = points(guide) - 1;
    point..=(point..last).find(|i| is_cut(list, guide, *i)).unwrap_or(last)
}
