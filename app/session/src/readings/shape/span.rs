//! A cloth that hangs between two ends at one level, as a catenary does: the ends, their span, and the length between.

use glam::DVec3;

use super::net::Net;

/// Ends farther from level than this share of the span are no catenary.
const LEVEL: f64 = 0.02;
/// An end is a point or a short edge: at most this share of the span wide.
const SHORT: f64 = 0.2;

pub(super) struct Span {
    /// Pinned particles of the two ends.
    pub ends: [Vec<usize>; 2],
    /// Level of the ends along `up` [m].
    pub height: f64,
    /// Between the ends [m].
    pub span: f64,
    /// Along the cloth at rest [m].
    pub length: f64,
}

impl Span {
    /// `None` if the pins are not two groups at one level, far apart, and joined by cloth.
    pub(super) fn of(net: &Net) -> Option<Self> {
        let pinned = net.pinned();
        let farthest = |from: DVec3| {
            let distance = |&&particle: &&usize| net.at(particle).distance_squared(from);
            pinned.iter().max_by(|a, b| distance(a).total_cmp(&distance(b))).copied()
        };
        let a = net.at(farthest(net.at(*pinned.first()?))?);
        let b = net.at(farthest(a)?);
        let (left, right): (Vec<usize>, Vec<usize>) = pinned.iter().partition(|&&particle| {
            net.at(particle).distance_squared(a) < net.at(particle).distance_squared(b)
        });
        let (p, q) = (net.mean(&left), net.mean(&right));
        let rise = (q - p).dot(net.up);
        let span = (q - p - net.up * rise).length();
        let wide = |end: &[usize], middle: DVec3| {
            end.iter().map(|&particle| net.at(particle).distance(middle)).fold(0.0, f64::max) * 2.0
        };
        let sound = !left.is_empty()
            && !right.is_empty()
            && rise.abs() < LEVEL * span
            && wide(&left, p).max(wide(&right, q)) < SHORT * span;
        if !sound {
            return None;
        }
        let way = net.way(&left);
        let length = right.iter().map(|&end| way[end - net.particles.start]).fold(f32::INFINITY, f32::min);
        let height = 0.5 * (p + q).dot(net.up);
        length.is_finite().then_some(Self { ends: [left, right], height, span, length: length.into() })
    }
}
