//! A way of straight pieces as so many chords of one length, from its start to its end.

use glam::DVec3;

/// Halvings of the length of a chord; they end far below single precision.
const HALVINGS: usize = 48;

/// `parts` + 1 points on the way, each as far from the one before it, and how far. Of a way longer than `longest` its start.
///
/// Chords cut corners: they are a little shorter than an equal part of the way.
pub(super) fn even(way: &[DVec3], parts: u32, longest: f64) -> (Vec<DVec3>, f64) {
    let way = start(way, longest);
    let length: f64 = way.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let (mut low, mut high) = (0.0, length / f64::from(parts));
    // So many chords of an equal part of a straight way just fit.
    if let Some(points) = walk(&way, parts, high * (1.0 - 1e-12)) {
        return (points, high);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if walk(&way, parts, middle).is_some() {
            low = middle;
        } else {
            high = middle;
        }
    }
    // What is no way at all has no chords.
    let points = walk(&way, parts, low).unwrap_or_else(|| vec![way[0]; parts as usize + 1]);
    (points, low)
}

/// So many points on a way that ends where it began, an equal part of it apart, and how long a part is. Chords that cut corners are
/// shorter: with chords of one length the last would not end at a corner that is sharp.
pub(super) fn around(way: &[DVec3], parts: u32) -> (Vec<DVec3>, f64) {
    let length: f64 = way.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let part = length / f64::from(parts);
    let (mut piece, mut before) = (0, 0.0);
    let place = |i: u32| {
        let at = part * f64::from(i);
        loop {
            let (a, b) = (way[piece], way[piece + 1]);
            let own = a.distance(b);
            if at < before + own || piece + 2 == way.len() {
                return a.lerp(b, if own > 0.0 { (at - before) / own } else { 0.0 });
            }
            (piece, before) = (piece + 1, before + own);
        }
    };
    ((0..parts).map(place).collect(), part)
}

/// The start of a way, as far as a length goes.
fn start(way: &[DVec3], longest: f64) -> Vec<DVec3> {
    let mut left = longest;
    let mut own = vec![way[0]];
    for pair in way.windows(2) {
        let piece = pair[0].distance(pair[1]);
        if piece >= left {
            own.push(pair[0].lerp(pair[1], left / piece));
            break;
        }
        own.push(pair[1]);
        left -= piece;
    }
    own
}

/// Points a chord apart, each the first on the way that is so far; `None`: it ends before.
fn walk(way: &[DVec3], parts: u32, chord: f64) -> Option<Vec<DVec3>> {
    let mut points = Vec::with_capacity(parts as usize + 1);
    points.push(way[0]);
    let (mut piece, mut share) = (0, 0.0);
    for _ in 0..parts {
        let from = points[points.len() - 1];
        loop {
            let (a, b) = (way[piece], *way.get(piece + 1)?);
            if let Some(at) = leaves(from, chord, a, b, share) {
                points.push(a.lerp(b, at));
                share = at;
                break;
            }
            (piece, share) = (piece + 1, 0.0);
        }
    }
    Some(points)
}

/// Where the piece from a to b, behind a share of it, leaves the ball about a point.
fn leaves(from: DVec3, radius: f64, a: DVec3, b: DVec3, share: f64) -> Option<f64> {
    let (way, off) = (b - a, a - from);
    let (square, half) = (way.length_squared(), off.dot(way));
    let inside = radius * radius - off.length_squared();
    let root = half * half + square * inside;
    if square == 0.0 || root < 0.0 {
        return None;
    }
    let at = (root.sqrt() - half) / square;
    (at >= share && at <= 1.0).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_around_a_ring_are_an_equal_part_of_it_apart() {
        let square = [DVec3::ZERO, DVec3::X, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y, DVec3::ZERO];
        let (points, part) = around(&square, 16);
        assert_eq!((points.len(), part), (16, 0.25));
        assert!(points[5].distance(DVec3::new(1.0, 0.25, 0.0)) < 1e-12, "{}", points[5]);
        assert!(points[15].distance(DVec3::new(0.0, 0.25, 0.0)) < 1e-12, "{}", points[15]);
    }

    #[test]
    fn chords_are_alike_and_end_where_the_way_ends() {
        let straight = [DVec3::ZERO, DVec3::new(0.0, -0.1, 0.0), DVec3::new(0.0, -0.4, 0.0)];
        let helix = |i: i32| {
            let turn = 0.2 * f64::from(i);
            DVec3::new(turn.cos(), -0.3 * turn, turn.sin()) * 0.01
        };
        let helix: Vec<DVec3> = (0..200).map(helix).collect();
        let corner = [DVec3::ZERO, DVec3::X, DVec3::X, DVec3::new(1.0, -0.5, 0.0)];
        for (way, tolerance) in [(&straight[..], 1e-9), (&helix[..], 1e-9), (&corner[..], 1e-9)] {
            for parts in [1, 3, 31] {
                let (points, chord) = even(way, parts, 10.0);
                assert_eq!(points.len(), parts as usize + 1);
                let far = points[points.len() - 1].distance(way[way.len() - 1]);
                assert!(far < 1e-9 || parts == 1 && far < 1.0, "{parts}: it ends {far} m off");
                for pair in points.windows(2) {
                    assert!(
                        (pair[0].distance(pair[1]) - chord).abs() < tolerance,
                        "{parts}: {pair:?}, {chord}"
                    );
                }
            }
        }
        let (points, chord) = even(&straight, 4, 0.2);
        assert!((chord - 0.05).abs() < 1e-9 && points[4].distance(DVec3::NEG_Y * 0.2) < 1e-9, "cut at 0.2 m");
    }
}
