//! A cloth that is held along an edge: the edge of the clamp, the free edge farthest from it, the length between.

use glam::DVec3;

use super::net::Net;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::readings) struct Strip {
    /// Mean of the pinned particles beside free ones [m].
    pub clamp: DVec3,
    /// Mean of the particles farthest from the pins along the cloth [m].
    pub tip: DVec3,
    /// Along the cloth at rest [m].
    pub length: f64,
}

impl Strip {
    /// `None` if nothing is pinned, or everything.
    pub(super) fn of(net: &Net) -> Option<Self> {
        let pinned = net.pinned();
        let way = net.way(&pinned);
        let length = way.iter().copied().filter(|way| way.is_finite()).fold(0.0, f32::max);
        if length <= 0.0 {
            return None;
        }
        let mut clamp: Vec<usize> = net
            .rows()
            .filter_map(|([a, b], ..)| match (net.is_pinned(a), net.is_pinned(b)) {
                (true, false) => Some(a),
                (false, true) => Some(b),
                _ => None,
            })
            .collect();
        clamp.sort_unstable();
        clamp.dedup();
        // Sums of the same lengths in another order differ in the last place.
        let farthest = |&particle: &usize| {
            let way = way[particle - net.particles.start];
            way.is_finite() && way > length * (1.0 - 1e-4)
        };
        let tip: Vec<usize> = net.particles.clone().filter(farthest).collect();
        Some(Self { clamp: net.mean(&clamp), tip: net.mean(&tip), length: length.into() })
    }

    /// From the clamp down to the tip, and sideways [m].
    pub(super) fn chord(&self, up: DVec3) -> (f64, f64) {
        let chord = self.tip - self.clamp;
        let drop = -chord.dot(up);
        (drop, (chord + up * drop).length())
    }
}
