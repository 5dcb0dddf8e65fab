//! Self collision on the device, by particles and segments: how far they keep from each other, and room for the cells that
//! find them (`shaders/sim/self`).
//!
//! Between the particles of a sheet is nothing that another one could touch: the farthest place from them in a triangle is
//! its circumradius away (half of the longest edge, if that is not opposite an acute angle). Particles that keep a quarter
//! more from each other cannot pass there, as long as cloth stretches by less. So `room` is the cloth's thickness or that,
//! whichever is more. Strands have segments, from each particle to the one ahead of it, and keep their thickness.
//!
//! Rejected: the CPU's pairs of triangles and edges. Their lists change length in each substep, and projecting them one after
//! another, which keeps stacks quiet there, is what a device cannot do.

use glam::Vec3;
use weft_core::state::col;

use weft_core::state::State;

/// Particles that each may meet at a time; where there are strands a particle of cloth meets many segments.
pub(crate) fn slots(strands: usize) -> usize {
    if strands > 0 { 64 } else { 32 }
}

/// Cells of a part of the sum (`self/scan.wgsl`).
pub(crate) const PART: usize = 1024;
/// `room` by the farthest place in the triangles around a particle.
const COVER: f32 = 1.25;

/// Numbers of a state in which cloth collides with cloth; nothing in any other.
#[derive(Default)]
pub(crate) struct SpatialHash {
    /// Distance that each particle, or the segment that begins there, keeps from others of its kind [m]; 0: it meets none.
    pub room: Vec<f32>,
    /// The next particle of its strand and the one before; itself where there is none.
    pub beside: Vec<[u32; 2]>,
    /// Side of a cell [m].
    pub side: f32,
}

impl SpatialHash {
    pub(crate) fn of(state: &State) -> Self {
        let start = state.get(col::layer::start);
        let mut room = vec![0.0_f32; start.len()];
        let at = |particle: u32| Vec3::from_slice(&start[particle as usize]);
        for corners in state.get(col::face::corners) {
            let far = farthest(corners.map(at));
            for &corner in corners {
                room[corner as usize] = room[corner as usize].max(COVER * far);
            }
        }
        for (room, &thickness) in room.iter_mut().zip(state.get(col::layer::thickness)) {
            *room = if thickness > 0.0 { room.max(thickness) } else { 0.0 };
        }
        let beside = beside(state, start.len());
        // Two that meet are as far from each other as both reach, and half of what they keep more; cloth twice as far.
        let reach = |(i, room): (u32, &f32)| match at(i).distance(at(beside[i as usize][0])) {
            0.0 => *room,
            length => 0.75 * room + length,
        };
        let side = 2.0 * (0..).zip(&room).map(reach).fold(0.0, f32::max);
        Self { room, beside, side }
    }

    /// Largest distance that particles keep [m]; 0: none does.
    pub(crate) fn keeps_apart(&self) -> f32 {
        self.room.iter().copied().fold(0.0, f32::max)
    }
}

/// Along the segments of strands that are not cut, which are the edges without triangles.
fn beside(state: &State, particles: usize) -> Vec<[u32; 2]> {
    let mut beside: Vec<[u32; 2]> = (0..particles as u32).map(|i| [i, i]).collect();
    let edges = state.get(col::edge::ends).iter().zip(state.get(col::edge::faces));
    for (&[a, b], _) in edges.filter(|(_, faces)| **faces == [u32::MAX; 2]) {
        // The last segment of a ring leads to its first particle.
        let (from, to) = if beside[a as usize][0] == a { (a, b) } else { (b, a) };
        (beside[from as usize][0], beside[to as usize][1]) = (to, from);
    }
    beside
}

/// Rows of the hash table for so many particles: a power of two, whole parts.
pub(crate) fn cells(particles: usize) -> usize {
    if particles == 0 { 0 } else { (2 * particles).next_power_of_two().max(PART) }
}

/// Distance of the farthest place in a triangle from its corners [m].
fn farthest([a, b, c]: [Vec3; 3]) -> f32 {
    let mut squares = [(b - a).length_squared(), (c - b).length_squared(), (a - c).length_squared()];
    squares.sort_by(f32::total_cmp);
    let [small, middle, large] = squares;
    let doubled = (b - a).cross(c - a).length();
    if large >= small + middle || doubled == 0.0 {
        return 0.5 * large.sqrt();
    }
    (small * middle * large).sqrt() / (2.0 * doubled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farthest_place_is_the_center_of_the_circle_or_of_the_longest_edge() {
        let of = |c: Vec3| farthest([Vec3::ZERO, Vec3::X, c]);
        assert!((of(Vec3::Y) - 0.5_f32.sqrt()).abs() < 1e-6, "right-angled");
        assert!(
            (of(Vec3::new(0.5, 0.75_f32.sqrt(), 0.0)) - 1.0 / 3.0_f32.sqrt()).abs() < 1e-6,
            "equal sides"
        );
        assert!((of(Vec3::new(0.5, 0.01, 0.0)) - 0.5).abs() < 1e-6, "flat");
        assert!((of(Vec3::new(0.5, 0.0, 0.0)) - 0.5).abs() < 1e-6, "no area");
    }

    #[test]
    fn the_table_has_room_for_everybody() {
        for particles in [1, 500, 1234, 65_536] {
            let cells = cells(particles);
            assert!(
                cells >= 2 * particles && cells.is_power_of_two() && cells.is_multiple_of(PART),
                "{particles}: {cells}"
            );
        }
        assert_eq!(cells(0), 0);
    }
}
