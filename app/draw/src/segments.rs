//! How many of a strand's places a picture or a map shows: segments that a straight one stands for within a fraction of a pixel or texel
//! are drawn as one.
//!
//! ```text
//! 0     1     2     3     4     5     6     7     8      a strand: bent at its root, nearly straight behind
//! ├─────┼─────┼─────┼─────┼─────┼─────┼─────┼─────┤
//! ├─────┴─────┼─────┴─────┼─────┴─────┼─────┴─────┤      halves that are one segment each are joined while all that they leave out
//! ├───────────┼───────────┼───────────┴───────────┤      stays within the tolerance
//! ```
//! Halves, and not the longest run from the root on: what moves a little keeps its places.

use glam::Vec3;

/// What may be left out of a strand.
#[derive(Clone, Copy)]
pub(crate) struct Straight {
    /// Farthest that a place may be from where it is drawn [m].
    pub tolerance: f32,
    /// Places that a segment spans at most.
    pub longest: u32,
    /// From this place on a segment spans at most `short`: where hairs end.
    pub end: u32,
    pub short: u32,
}

/// Adds the ends of the segments that show the places from `first` to `last`. Returns how far they are from one segment [m], if one
/// shows them all.
pub(crate) fn add(
    segments: &mut Vec<[u32; 2]>,
    [first, last]: [u32; 2],
    straight: Straight,
    place: &impl Fn(u32) -> Vec3,
) -> Option<f32> {
    let count = last.saturating_sub(first);
    if count < 2 {
        segments.extend((count == 1).then_some([first, last]));
        return Some(0.0);
    }
    let (begin, middle) = (segments.len(), first + count / 2);
    let before = add(segments, [first, middle], straight, place);
    let behind = add(segments, [middle, last], straight, place);
    let most = if last > straight.end { straight.longest.min(straight.short) } else { straight.longest };
    let way = (middle - first) as f32 / count as f32;
    let off = before?.max(behind?) + place(first).lerp(place(last), way).distance(place(middle));
    // Not so for what is no number.
    (count <= most && off <= straight.tolerance).then(|| {
        segments.truncate(begin);
        segments.push([first, last]);
        off
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Straight = Straight { tolerance: 1e-3, longest: 64, end: 64, short: 2 };

    fn shown(last: u32, straight: Straight, place: impl Fn(u32) -> Vec3) -> Vec<[u32; 2]> {
        let mut segments = Vec::new();
        add(&mut segments, [0, last], straight, &place);
        let ends: Vec<u32> = segments.iter().map(|segment| segment[1]).collect();
        let begins: Vec<u32> = segments.iter().map(|segment| segment[0]).collect();
        assert_eq!(begins, [&[0], &ends[..ends.len() - 1]].concat(), "one goes on where the last ended");
        assert_eq!(ends.last(), Some(&last));
        // No place is farther from what is drawn than is allowed.
        for [a, b] in segments.clone() {
            for i in a..=b {
                let drawn = place(a).lerp(place(b), (i - a) as f32 / (b - a) as f32);
                let off = drawn.distance(place(i));
                assert!(off.is_nan() || off <= straight.tolerance, "{off} at {i} of {a}..{b}");
            }
        }
        segments
    }

    #[test]
    fn what_is_straight_is_one_segment_and_what_is_bent_is_as_many_as_it_shows() {
        let line = |i: u32| Vec3::X * 0.01 * i as f32;
        assert_eq!(shown(31, ANY, line), [[0, 31]]);
        assert_eq!(shown(31, Straight { longest: 8, ..ANY }, line).len(), 4);
        let end = shown(32, Straight { longest: 8, end: 24, ..ANY }, line);
        assert_eq!(end, [[0, 8], [8, 16], [16, 24], [24, 26], [26, 28], [28, 30], [30, 32]]);
        // A zigzag whose middles lie on its chords.
        let zigzag = |i: u32| Vec3::new(0.01 * i as f32, [0.0, 0.01, 0.0, -0.01][i as usize % 4], 0.0);
        assert_eq!(shown(32, ANY, zigzag).len(), 32);
        // Sagitta L2 / (8 R) of an arc: half the tolerance for two segments, four times as much for four.
        let arc = |i: u32| 0.1 * Vec3::new((0.1 * i as f32).sin(), (0.1 * i as f32).cos(), 0.0);
        assert_eq!(shown(32, ANY, arc).len(), 16);
        assert_eq!(shown(32, Straight { tolerance: 1e-4, ..ANY }, arc).len(), 32);
        // Bent at its root alone.
        let hook = |i: u32| {
            if i < 4 { Vec3::X * 0.01 * i as f32 } else { Vec3::new(0.03, -0.01 * (i - 3) as f32, 0.0) }
        };
        let bent = shown(32, ANY, hook);
        assert!(bent.len() < 8 && bent.contains(&[16, 32]), "{bent:?}");
        assert_eq!(shown(8, ANY, |i| if i == 3 { Vec3::NAN } else { line(i) }).len(), 4);
        for last in [1, 2, 3, 5, 19] {
            assert_eq!(shown(last, ANY, line), [[0, last]]);
        }
    }
}
