//! Strands that are closed: each a ring around its root, whose axis is the way that others start along.
//!
//! ```text
//!      0
//!   5     1      the last row of a strand, unused where it is open, is the segment from the last particle to the first,
//!   4     2      and the joint before segment 0 is the one that closes the ring
//!      3
//! ```
//! A ring is what an open rod becomes whose ends are turned against each other by `twist` about its own way and joined: the twist
//! is spread evenly, and the closing joint has that turn at rest. Naturally straight, it buckles out of its plane above
//! 2 pi sqrt(3) B / C (Michell, 1889; Goriely: Twisted Elastic Rings and the Rediscoveries of Michell's Instability, 2006).

use glam::{DMat3, DQuat, DVec3, Vec3 as Point};

use super::{
    Shape, Strands,
    build::Strand,
    rest::{Rest, Resting},
};
use crate::rotation;

/// Particles in the frame of the root, e3 the axis and -e1 the way to the first of them [m].
pub(super) fn places(segment: f32, particles: u32) -> Vec<Point> {
    let turn = 360.0 / f64::from(particles);
    let (sin, _) = rotation::sin_cos_wide(0.5 * turn);
    let radius = 0.5 * f64::from(segment) / sin;
    let place = |i: u32| {
        let (sin, cos) = rotation::sin_cos_wide(turn * f64::from(i));
        (DVec3::new(-cos, -sin, 0.0) * radius).as_vec3()
    };
    (0..particles).map(place).collect()
}

/// What a ring is at rest, in world space: `seat` is the rotation of what it is around.
pub(super) fn resting(strands: &Strands, strand: &Strand, seat: DQuat) -> Resting {
    let (count, length) = (strands.particles, f64::from(strand.segment));
    let section = strands.section(0.0);
    let turned = |axis: DVec3, degrees: f64| {
        let (sin, cos) = rotation::sin_cos_wide(0.5 * degrees);
        DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    };
    let bend = match strands.shape {
        Shape::Arc { angle } => f64::from(angle) / f64::from(count),
        Shape::Straight | Shape::Curl { .. } => 0.0,
    };
    let (twist, way) = (f64::from(strands.twist), 360.0 / f64::from(count));
    // e1 along the axis of the ring, e3 along the segment; both go with it by the least turn.
    let frame = |i: u32| {
        let (sin, cos) = rotation::sin_cos_wide(way * (f64::from(i) + 0.5));
        let along = DVec3::new(sin, -cos, 0.0);
        let plain = DQuat::from_mat3(&DMat3::from_cols(DVec3::Z, along.cross(DVec3::Z), along));
        let twisted = turned(DVec3::Z, twist * f64::from(i) / f64::from(count));
        (seat * strand.frame * plain * twisted).normalize()
    };
    let turn = |i: u32| {
        let bent = turned(DVec3::X, bend);
        if i == 0 { bent * turned(DVec3::Z, -twist) } else { bent }
    };
    Resting {
        segments: (0..count).map(|i| Rest { frame: frame(i), length, turn: turn(i) }).collect(),
        stretch: vec![f64::from(section.stretch); count as usize],
        joints: vec![[section.bend, section.twist].map(|k| f64::from(k) / length); count as usize],
        load: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_close() {
        for particles in [3, 4, 48, 1024] {
            let all = places(0.01, particles);
            for (i, place) in all.iter().enumerate() {
                let next = all[(i + 1) % all.len()];
                assert!((next.distance(*place) - 0.01).abs() < 1e-6, "{particles}: {i}");
            }
        }
    }
}
