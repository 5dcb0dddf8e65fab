//! A way of straight pieces as so many chords of one length, from its start to its end.

use glam::DVec3;

/// The length of a chord is known to this part of it, far below single precision.
const EXACT: f64 = 1e-12;
/// Guesses along a line before what is left is halved, which ends a way that turns back on itself.
const GUESSES: usize = 16;
/// Halvings; they end there.
const HALVINGS: usize = 48;

/// `parts` + 1 points on the way, each as far from the one before it, and how far. Of a way longer than `longest` its start.
///
/// Chords cut corners: they are a little shorter than an equal part of the way.
pub(super) fn even(way: &[DVec3], parts: u32, longest: f64) -> (Vec<DVec3>, f64) {
    let way = start(way, longest);
    let length: f64 = way.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut points = Vec::with_capacity(parts as usize + 1);
    let most = length / f64::from(parts);
    // So many chords of an equal part of a straight way just fit.
    let straight = most * (1.0 - 1e-12);
    let chord = if walk(&way, parts, straight, &mut points) <= 0.0 {
        most
    } else {
        let low = longest_that_fits(most, -length, |chord| walk(&way, parts, chord, &mut points));
        // What is no way at all has no chords.
        if walk(&way, parts, low, &mut points) > 0.0 {
            points = vec![way[0]; parts as usize + 1];
        }
        low
    };
    (points, chord)
}

/// The longest chord below `most` that fits: `over` says how much too long one is, for 0 that is `none`. By false position, where an
/// end that stands still counts half (Dowell and Jarratt 1971).
fn longest_that_fits(most: f64, none: f64, mut over: impl FnMut(f64) -> f64) -> f64 {
    let [mut low, mut high] = [(0.0, none), (most, over(most).max(0.0))];
    let mut last_fits = None;
    for turn in 0..GUESSES + HALVINGS {
        let (apart, least) = (high.0 - low.0, EXACT * most);
        if apart <= least || low.1 == 0.0 {
            break;
        }
        let share = if turn < GUESSES { low.1 / (low.1 - high.1) } else { 0.5 };
        let aside = 0.5 * least;
        let middle = low.0 + (apart * share).clamp(aside, apart - aside);
        let own = over(middle);
        let fits = own <= 0.0;
        let (moved, other) = if fits { (&mut low, &mut high) } else { (&mut high, &mut low) };
        *moved = (middle, own);
        if last_fits.replace(fits) == Some(fits) {
            other.1 *= 0.5;
        }
    }
    low.0
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

/// Puts points a chord apart, each the first on the way that is so far. Returns how much too long they are together: below 0 what is left
/// of the way behind the last one, above 0 what the way lacks for it.
fn walk(way: &[DVec3], parts: u32, chord: f64, points: &mut Vec<DVec3>) -> f64 {
    points.clear();
    points.push(way[0]);
    let (mut piece, mut share, mut from) = (0, 0.0, way[0]);
    for done in 0..parts {
        // A ball is convex: from inside of it, a piece leaves it that ends outside.
        while way.get(piece + 1).is_some_and(|end| end.distance_squared(from) < chord * chord) {
            (piece, share) = (piece + 1, 0.0);
        }
        let Some(end) = way.get(piece + 1) else {
            return f64::from(parts - done) * chord - from.distance(way[way.len() - 1]);
        };
        share = leaves(from, chord, way[piece], *end, share);
        from = way[piece].lerp(*end, share);
        points.push(from);
    }
    let rest = way[piece + 1..].windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
    -(from.distance(way[piece + 1]) + rest)
}

/// Where the piece from a to b, behind a share of it, leaves the ball about a point, outside of which it ends.
fn leaves(from: DVec3, radius: f64, a: DVec3, b: DVec3, share: f64) -> f64 {
    let (way, off) = (b - a, a - from);
    let (square, half) = (way.length_squared(), off.dot(way));
    let inside = radius * radius - off.length_squared();
    let root = half * half + square * inside;
    if square == 0.0 {
        return 1.0;
    }
    ((root.max(0.0).sqrt() - half) / square).clamp(share, 1.0)
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
        let mut walks = 0;
        let length = helix.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
        let chord = longest_that_fits(length / 31.0, -length, |chord| {
            walks += 1;
            walk(&helix, 31, chord, &mut Vec::new())
        });
        assert!(
            (chord - even(&helix, 31, 10.0).1).abs() < 1e-15 && walks < 24,
            "{chord} m after {walks} walks"
        );
        let (points, chord) = even(&straight, 4, 0.2);
        assert!((chord - 0.05).abs() < 1e-9 && points[4].distance(DVec3::NEG_Y * 0.2) < 1e-9, "cut at 0.2 m");
    }
}
