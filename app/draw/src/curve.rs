//! Hair between its particles: Catmull and Rom's spline through them (A Class of Local Interpolating Splines, 1974), in as many parts
//! as a picture shows bends of.
//!
//! ```text
//! o───────────o───────────o       particles, as a solver moves them: from close by curls would be polygons
//! o───┬───┬───o───┬───┬───o       4 parts a segment; what lies straight is joined again (`segments.rs`)
//! ```

use glam::Vec3;
use weft_scene::strands::build::Guide;

use super::StrandsView;
use super::detail::Detail;

/// Distance from straight segments that is left in parts, by the tolerance of a picture.
pub(crate) const LEFT: f32 = 0.4;

/// Parts of a segment at most.
const MOST: u32 = 8;

/// Places of all strands of a list at most: each is uploaded every frame.
const PLACES: u32 = 1 << 17;

/// Strands of a list that are looked at.
const LOOKED_AT: usize = 64;

/// Place and way at `t` in 0..1 between the middle two of four places.
pub(crate) fn at([a, b, c, d]: [Vec3; 4], t: f32) -> (Vec3, Vec3) {
    let (first, second, third) =
        ((c - a) * 0.5, a - b * 2.5 + c * 2.0 - d * 0.5, (b - c) * 1.5 + (d - a) * 0.5);
    (b + (first + (second + third * t) * t) * t, first + (second * 2.0 + third * (3.0 * t)) * t)
}

/// How many parts the segments of a list are drawn in, if they were drawn in so many: a power of two.
pub(crate) fn parts(list: &StrandsView<'_>, detail: Detail, present: u32) -> u32 {
    let off = list.painted.map_or_else(|| bulge(list), |painted| painted.bulge);
    // One that is drawn in parts stays so until half of that shows: nothing comes and goes where it swings about.
    let shows = detail.tolerance * if present > 1 { 0.5 } else { 1.0 };
    if off <= shows {
        return 1;
    }
    let places: u32 = list.guides.iter().map(|guide| guide.span[2]).sum();
    let (_, hairs) = list.hairs(detail);
    let fits = |parts: u32| {
        let all = (places * parts) as f32;
        all <= PLACES as f32 && all * hairs <= detail.places
    };
    let enough = |parts: u32| off <= LEFT * detail.tolerance * (parts * parts) as f32;
    let powers = std::iter::successors(Some(1), |parts| Some(2 * parts)).take_while(|parts| *parts <= MOST);
    let mut best = 1;
    for parts in powers.take_while(|parts| fits(*parts)) {
        best = parts;
        if enough(parts) {
            break;
        }
    }
    best
}

/// Of so many strands one in how many is looked at.
pub(crate) fn asked(strands: usize) -> usize {
    strands.div_ceil(LOOKED_AT).max(1)
}

/// How far splines lie from straight segments [m]: the most of some strands.
fn bulge(list: &StrandsView<'_>) -> f32 {
    let step = asked(list.guides.len());
    let of_strand = |guide: &Guide| {
        let [first, stride, count] = guide.span;
        let place = |i: u32| {
            let row = list.positions.get((first + stride * i) as usize);
            row.map_or(Vec3::NAN, |[x, y, z, _]| Vec3::new(*x, *y, *z))
        };
        // In the middle of a segment.
        let off = |i: u32| (place(i) + place(i + 1) - place(i - 1) - place(i + 2)).length() / 16.0;
        (1..count.saturating_sub(2)).map(off).fold(0.0, f32::max)
    };
    list.guides.iter().step_by(step).map(of_strand).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::{StrandLook, detail::NEAR};

    #[test]
    fn a_spline_goes_through_its_places_and_follows_a_circle() {
        let on = |angle: f32| Vec3::new(angle.cos(), angle.sin(), 0.0);
        let four = [0.0, 0.5, 1.0, 1.5].map(on);
        assert!(at(four, 0.0).0 == four[1] && at(four, 1.0).0.distance(four[2]) < 1e-6);
        for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let (place, way) = at(four, t);
            assert!((place.length() - 1.0).abs() < 2e-3, "{place}");
            assert!(way.normalize().dot(place).abs() < 0.02, "{way} at {place}");
        }
        let line = [0.0, 1.0, 2.0, 3.0].map(|x| Vec3::X * x);
        assert!(at(line, 0.3).0.distance(Vec3::X * 1.3) < 1e-6 && at(line, 0.3).1.distance(Vec3::X) < 1e-6);
    }

    #[test]
    fn bends_that_show_are_drawn_in_parts_and_no_more_than_there_is_room_for() {
        let detail = Detail { places: 1e6, pixel: 1e-3, ..NEAR };
        let of = |radius: f32, strands: usize, detail: Detail, present| {
            // Eight segments a turn.
            let place =
                |i: usize| [radius * (i as f32 * 0.785).cos(), 0.0, radius * (i as f32 * 0.785).sin(), 0.0];
            let positions: Vec<[f32; 4]> = (0..48).map(place).collect();
            let guide = Guide { span: [0, 1, 48], closed: false, held: false, aside: [1.0, 0.0, 0.0] };
            let look = StrandLook::from(&weft_scene::strands::StrandLook::default());
            let list = StrandsView {
                id: 0,
                positions: &positions,
                guides: &vec![guide; strands],
                neighbors: &[],
                painted: None,
                cuts: &[],
                pieces: 0,
                turn: Quat::IDENTITY,
                look: StrandLook { children: 1, ..look },
                shading: None,
            };
            parts(&list, detail, present)
        };
        // A spline of eight segments a turn lies 0.0675 radii off a chord; the sagitta is 0.0761.
        assert_eq!(of(1e-3, 10, detail, 1), 1);
        assert_eq!(of(1e-3, 10, detail, 2), 2, "it stays as it is while it shows a little");
        assert_eq!(of(2e-3, 10, detail, 1), 2);
        assert_eq!(of(8e-3, 10, detail, 1), 4);
        assert_eq!(of(1.0, 10, detail, 1), 8, "there are no more");
        assert_eq!(of(8e-3, 10, Detail { places: 1000.0, ..detail }, 1), 2);
        assert_eq!(of(8e-3, 3000, detail, 1), 1);
        assert_eq!(of(f32::NAN, 10, detail, 1), 1);
    }
}
