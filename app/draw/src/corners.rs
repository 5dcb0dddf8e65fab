//! What joins the places of strands, as indices of their vertices: ribbons, and lines where hair is no wider than those of OpenGL.
//!
//! ```text
//! root                      points    tip     hair that is wider than a pixel: ribbons all the way
//! ├──────────┼──────────┼──────┼──┼──┤        narrower: lines, which are half of the work, and ribbons for its point;
//! ╞══════════ lines ═══════════╡< ribbons     in maps of light, which show no points: lines alone
//! ```

use std::ops::Range;

use glam::Vec3;
use rayon::prelude::*;
use weft_scene::strands::build::Guide;

use super::detail::{Detail, drawn_to, place};
use super::normals::MANY;
use super::ribbon::{Vertex, piece_from, points};
use super::segments::{self, Straight};
use super::strand::StrandsView;

/// Places in `ShaderKind::primitives` of strands.
pub(crate) const RIBBONS: usize = 0;
pub(crate) const LINES: usize = 1;

/// Share of the way along a hair before which none ends (`hair` of `strand.wgsl`).
const POINTS: f32 = 0.82;

/// Strands whose corners a thread works out in one go.
const PART: usize = 64;

/// What a picture or a map shows, as ranges of corners.
#[derive(Clone, Default)]
pub(crate) struct Shown {
    pub ribbons: Range<i32>,
    pub lines: Range<i32>,
}

/// The corners of some strands.
#[derive(Default)]
pub(crate) struct Joined {
    ribbons: Vec<u32>,
    lines: Vec<u32>,
}

impl Joined {
    /// Those of the strands of a list that are drawn, by all threads if they are many; `first` are their first vertices, of segments in
    /// so many parts.
    pub(crate) fn of(
        list: &StrandsView<'_>,
        first: &[u32],
        (vertices, parts): (&[Vertex], u32),
        detail: Detail,
        reach: f32,
    ) -> Self {
        let (_, hairs) = list.hairs(detail);
        let end = drawn_to(hairs.min(1.0));
        let (bulge, is_lines) = (list.bulge(reach), list.is_lines(detail));
        let joined = |start: usize, first: &[u32]| {
            let (mut joined, mut segments) = (Self::default(), Vec::new());
            let drawn = (start..).zip(first).filter(|(strand, _)| place(*strand as u32) < end);
            for (strand, first) in drawn {
                let (guide, own) = (&list.guides[strand], &vertices[*first as usize..]);
                let straight = detail.straight(points(guide, parts) - 1, parts, bulge);
                segments_of(&mut segments, list, guide, (own, parts), straight);
                for corners in segments.iter().map(|segment| segment.map(|i| first + 2 * i)) {
                    let is_point = detail.points && vertices[corners[1] as usize].gone > POINTS;
                    joined.add(corners, is_lines && !is_point);
                }
            }
            joined
        };
        if list.positions.len() < MANY {
            return joined(0, first);
        }
        let parts = first.par_chunks(PART).enumerate().map(|(part, first)| joined(part * PART, first));
        let mut all = Self::default();
        for own in parts.collect::<Vec<_>>() {
            all.ribbons.extend(own.ribbons);
            all.lines.extend(own.lines);
        }
        all
    }

    /// A segment between the first of two vertices each.
    fn add(&mut self, [a, b]: [u32; 2], is_line: bool) {
        if is_line {
            self.lines.extend([a, b]);
        } else {
            self.ribbons.extend([a, a + 1, b, b, a + 1, b + 1]);
        }
    }

    pub(crate) fn append_to(self, corners: &mut Vec<u32>) -> Shown {
        let mut add = |some: Vec<u32>| {
            let start = corners.len() as i32;
            corners.extend(some);
            start..corners.len() as i32
        };
        let [ribbons, lines] = [self.ribbons, self.lines].map(&mut add);
        Shown { ribbons, lines }
    }
}

/// The segments of a strand that are drawn; all of them where numbers are shown.
fn segments_of(
    segments: &mut Vec<[u32; 2]>,
    list: &StrandsView<'_>,
    guide: &Guide,
    (vertices, parts): (&[Vertex], u32),
    straight: Straight,
) {
    let place = |i: u32| Vec3::from(vertices[2 * i as usize].position);
    let last = points(guide, 1) - 1;
    segments.clear();
    let mut point = 0;
    while point < last {
        let to = *piece_from(list, guide, point).end();
        let [from, end] = [point, to].map(|point| parts * point);
        if list.shading.is_some() {
            segments.extend((from..end).map(|i| [i, i + 1]));
        } else {
            segments::add(segments, [from, end], straight, &place);
        }
        point = to + 1;
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::StrandLook;
    use crate::detail::NEAR;
    use crate::ribbon;

    fn look() -> StrandLook {
        StrandLook::from(&weft_scene::strands::StrandLook::default())
    }

    /// Segments of the first of so many straight strands of 32 places that are ribbons and lines, as places.
    fn of(detail: Detail, strands: u32) -> [Vec<[u32; 2]>; 2] {
        let positions: Vec<[f32; 4]> = (0..32).map(|i| [0.0, -0.01 * i as f32, 0.0, 0.0]).collect();
        let guide = Guide { span: [0, 1, 32], closed: false, held: false, aside: [1.0, 0.0, 0.0] };
        let guides = vec![guide; strands as usize];
        let first: Vec<u32> = (0..strands).map(|strand| 64 * strand).collect();
        let list = StrandsView {
            id: 0,
            positions: &positions,
            guides: &guides,
            neighbors: &[],
            painted: None,
            cuts: &[],
            pieces: 0,
            turn: Quat::IDENTITY,
            look: look(),
            shading: None,
        };
        let mut vertices = Vec::new();
        ribbon::fill(&mut vertices, &list, 1);
        let mut corners = vec![7; 3];
        let shown = Joined::of(&list, &first, (&vertices, 1), detail, 0.0).append_to(&mut corners);
        let some = |range: &Range<i32>| &corners[range.start as usize..range.end as usize];
        assert_eq!(shown.ribbons.len() + shown.lines.len() + 3, corners.len());
        let ribbons = some(&shown.ribbons).chunks(6).map(|c| {
            assert_eq!(c, [c[0], c[0] + 1, c[2], c[2], c[0] + 1, c[2] + 1]);
            [c[0] / 2, c[2] / 2]
        });
        let lines = some(&shown.lines).chunks(2).map(|c| [c[0] / 2, c[1] / 2]);
        let own = |[_, end]: &[u32; 2]| *end < 32;
        [ribbons.filter(own).collect(), lines.filter(own).collect()]
    }

    #[test]
    fn hair_no_wider_than_a_pixel_is_lines_up_to_its_point() {
        // Two pixels wide.
        let [ribbons, lines] = of(NEAR, 300);
        assert!(lines.is_empty() && ribbons.first().unwrap()[0] == 0 && ribbons.last().unwrap()[1] == 31);
        // A fifth of a pixel; so many are drawn that each is one.
        let far = Detail { pixel: 1e-3, tolerance: 1e-3, ..NEAR };
        assert!(of(far, 100)[1].is_empty(), "of a few hairs the last is thinner, as no line is");
        let [ribbons, lines] = of(far, 300);
        assert_eq!(
            [lines[0][0], lines.last().unwrap()[1]],
            [0, ribbons[0][0]],
            "one goes on where the other ends"
        );
        assert!(ribbons[0][1] as f32 > 0.82 * 31.0 && ribbons[0][0] as f32 <= 0.82 * 31.0, "{ribbons:?}");
        assert_eq!(ribbons.last().unwrap()[1], 31);
        // A map shows no points; of so few strands it draws all hairs.
        let map = Detail { points: false, fewest: 4000.0, ..far };
        let [ribbons, lines] = of(map, 1);
        assert!(ribbons.is_empty() && lines.last().unwrap()[1] == 31, "{ribbons:?} {lines:?}");
        assert_eq!(map.hairs(24.0, look().width, 1), 24.0);
        assert!(far.hairs(24.0, look().width, 1) < 5.0);
    }
}
