//! A chain that hangs between two ends, y = a cosh((x - x0) / a) + c, from its ends and its length.

use glam::DVec3;

/// Straight lines that are drawn.
const PARTS: usize = 96;
/// Longer than its span by less than this share is straight, and by more than that hangs straight down and up.
const STRAIGHT: f64 = 1e-9;
const STEEP: f64 = 1e12;

/// Points from one end to the other, `to` from it [m], evenly along a length [m]; `up` is a unit vector.
pub(super) fn between(from: DVec3, to: DVec3, up: DVec3, length: f64) -> Vec<DVec3> {
    let rise = to.dot(up);
    let across = to - up * rise;
    let span = across.length();
    // sinh(u) / u = ratio, u = span / 2a.
    let ratio = (length * length - rise * rise).max(0.0).sqrt() / span;
    if to.length() >= length * (1.0 - STRAIGHT) || ratio <= 1.0 + STRAIGHT {
        return vec![from, from + to];
    }
    if ratio >= STEEP {
        return vec![from, from - up * (0.5 * (length - rise)), from + to];
    }
    let (mut low, mut high) = (0.0, 50.0);
    for _ in 0..80 {
        let u: f64 = 0.5 * (low + high);
        if u.sinh() < ratio * u { low = u } else { high = u }
    }
    let a = span / (low + high);
    let middle = 0.5 * span - a * (rise / length).atanh();
    let place = |i: usize| {
        let s = length * i as f64 / PARTS as f64;
        let turned = (s / a - (middle / a).sinh()).asinh();
        let (x, y) = (middle + a * turned, a * (turned.cosh() - (middle / a).cosh()));
        from + across * (x / span) + up * y
    };
    (0..=PARTS).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowest(curve: &[DVec3]) -> f64 {
        curve.iter().map(|place| place.y).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn a_chain_of_twice_its_span_sags_as_the_book_says() {
        // sinh(u) / u = 2: u = 2.17732, sag (cosh u - 1) / 2u.
        let from = DVec3::new(0.3, 2.0, -1.0);
        let curve = between(from, DVec3::new(0.6, 0.0, 0.8), DVec3::Y, 2.0);
        assert!((2.0 - lowest(&curve) - 0.79640).abs() < 1e-4, "{}", lowest(&curve));
        assert!((curve[PARTS] - from - DVec3::new(0.6, 0.0, 0.8)).length() < 1e-9);
        let whole: f64 = curve.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        assert!((whole - 2.0).abs() < 1e-3 && whole < 2.0, "{whole}");
    }

    /// The horizontal force is one everywhere: the slope grows by w ds / H.
    #[test]
    fn ends_at_two_heights_are_joined_by_one_force() {
        let to = DVec3::new(0.8, 0.5, 0.0);
        let curve = between(DVec3::ZERO, to, DVec3::Y, 1.7);
        assert!((curve[PARTS] - to).length() < 1e-9, "{}", curve[PARTS]);
        let slopes: Vec<f64> =
            curve.windows(2).map(|ends| (ends[1].y - ends[0].y) / (ends[1].x - ends[0].x)).collect();
        let grows: Vec<f64> = slopes.windows(2).map(|two| two[1] - two[0]).collect();
        let (least, most) = grows.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        assert!(least > 0.0 && most / least - 1.0 < 1e-3, "{least} to {most}");
    }

    #[test]
    fn what_is_tight_is_straight_and_what_hangs_from_one_place_goes_down_and_up() {
        let to = DVec3::new(1.0, 0.2, 0.0);
        for length in [0.5, to.length(), 1e-3] {
            assert_eq!(between(DVec3::ZERO, to, DVec3::Y, length), [DVec3::ZERO, to]);
        }
        let folded = between(DVec3::ZERO, DVec3::Y, DVec3::Y, 3.0);
        assert_eq!(folded, [DVec3::ZERO, DVec3::NEG_Y, DVec3::Y]);
        let near = between(DVec3::ZERO, DVec3::new(0.1, 0.0, 0.0), DVec3::Y, 3.0);
        assert!((lowest(&near) + 1.5).abs() < 0.05 && near.iter().all(|place| place.is_finite()));
    }
}
