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
    Roots, Shape, Strands,
    build::Strand,
    rest::{self, Rest, Resting},
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

/// What a ring is at rest, in world space: `seat` is the rotation of what it is around. One of a file rests in the shape that it has
/// there, but for its twist.
pub(super) fn resting(strands: &Strands, strand: &Strand, seat: DQuat) -> Resting {
    let (count, length) = (strands.particles, f64::from(strand.segment));
    let section = strands.section(0.0);
    let turned = |axis: DVec3, degrees: f64| {
        let (sin, cos) = rotation::sin_cos_wide(0.5 * degrees);
        DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    };
    let twist = f64::from(strands.twist);
    let twisted = |i: u32| turned(DVec3::Z, twist * f64::from(i) / f64::from(count));
    let closing = |i: u32| if i == 0 { turned(DVec3::Z, -twist) } else { DQuat::IDENTITY };
    let segments: Vec<Rest> = if matches!(strands.roots, Roots::File { .. }) {
        let frames = carried(strands, strand, seat);
        let before = |i: u32| frames[((i + count - 1) % count) as usize];
        let own = |i: u32| {
            let plain = frames[i as usize];
            let turn = (before(i).conjugate() * plain * closing(i)).normalize();
            let length = f64::from(strand.length(i));
            Rest { frame: (plain * twisted(i)).normalize(), length, turn }
        };
        (0..count).map(own).collect()
    } else {
        let bend = match strands.shape {
            Shape::Arc { angle } => f64::from(angle) / f64::from(count),
            Shape::Straight | Shape::Curl { .. } => 0.0,
        };
        let way = 360.0 / f64::from(count);
        // e1 along the axis of the ring, e3 along the segment; both go with it by the least turn.
        let frame = |i: u32| {
            let (sin, cos) = rotation::sin_cos_wide(way * (f64::from(i) + 0.5));
            let along = DVec3::new(sin, -cos, 0.0);
            let plain = DQuat::from_mat3(&DMat3::from_cols(DVec3::Z, along.cross(DVec3::Z), along));
            (seat * strand.frame * plain * twisted(i)).normalize()
        };
        let bent = turned(DVec3::X, bend);
        (0..count).map(|i| Rest { frame: frame(i), length, turn: bent * closing(i) }).collect()
    };
    let joint = |i: u32| {
        let own = |i: u32| segments[(i % count) as usize].length;
        [section.bend, section.twist].map(|k| f64::from(k) / (0.5 * (own(i) + own(i + count - 1))))
    };
    Resting {
        joints: (0..count).map(joint).collect(),
        segments,
        stretch: vec![f64::from(section.stretch); count as usize],
        load: 0.0,
    }
}

/// Frames of the segments of a ring of a file, from the first on by the least turn from one to the next.
fn carried(strands: &Strands, strand: &Strand, seat: DQuat) -> Vec<DQuat> {
    let place = |i: u32| seat * strand.from_root(strands.held(), i % strands.particles).as_dvec3();
    let mut frame = (seat * strand.frame).normalize();
    let next = |i: u32| {
        frame = (rest::arc(frame * DVec3::Z, place(i + 1) - place(i)) * frame).normalize();
        frame
    };
    (0..strands.particles).map(next).collect()
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
