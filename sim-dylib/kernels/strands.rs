//! Strands in the wind: what each particle of one shows to the air.
//!
//! ```text
//! F = c 2 r l (1 - t tᵀ) (u - v)       c [N s/m3], r radius, l length, t tangent, u air, v particle
//! ```
//! which is the drag of a patch of cloth of the area 2 r l whose normal points across the strand into the slip. That normal is
//! worked out once a step, as those of cloth are, so that all solvers blow on strands as they do on cloth.

use crate::{
    normals::xyz,
    state::{Particle, Strand},
};

/// Fills `particle.normal` of strands: a unit vector, or none without slip; w = area [m2]. `particle.air` is known.
pub fn face_the_wind(particle: &mut Particle, strand: &Strand) {
    for &[first, stride, count] in strand.span {
        let row = |i: u32| (first + stride * i) as usize;
        for i in 0..count {
            let (before, after) = (row(i.saturating_sub(1)), row((i + 1).min(count - 1)));
            let tangent =
                (xyz(particle.position[after]) - xyz(particle.position[before])).normalize_or_zero();
            let slip = xyz(particle.air[row(i)]) - xyz(particle.velocity[row(i)]);
            let across = (slip - tangent * tangent.dot(slip)).normalize_or_zero();
            particle.normal[row(i)] = [across.x, across.y, across.z, particle.area[row(i)]];
        }
    }
}
