//! Strands in the wind: what each particle of one shows to the air.
//!
//! ```text
//! F = c 2 r l (1 - t tᵀ) (u - v)       c [N s/m3], r radius, l length, t tangent, u air, v particle
//! ```
//! which is the drag of a patch of cloth of the area 2 r l whose normal points across the strand into the slip. That normal is
//! worked out once a step, as those of cloth are, so that all solvers blow on strands as they do on cloth. Strands that feel each
//! other keep the wind from those between them: their area counts less.

use sim_api::{Par, SharedMut};

use super::{each, grid, groups};
use crate::{
    normals::xyz,
    state::{Particle, Segment, Strand, StrandGrid},
};

/// Fills `particle.normal` of strands: a unit vector, or none without slip; w = area [m2]. `particle.air` and, where there is a
/// grid, `segment.density` are known.
pub fn face_the_wind(
    par: &Par,
    particle: &mut Particle,
    strand: &Strand,
    (segment, grids): (&Segment, &StrandGrid),
) {
    let normal = SharedMut::new(particle.normal);
    let (x, v, air, area) = (&*particle.position, &*particle.velocity, &*particle.air, particle.area);
    let base = x.len() - segment.rest.len();
    let open = |row: usize| match segment.grid[row - base] {
        u32::MAX => 1.0,
        grid => grid::open(segment.density[row - base], grids.shelter[grid as usize]),
    };
    each(par, strand.span.len(), |strand_row| {
        let [first, stride, count] = strand.span[strand_row];
        let row = |i: u32| (first + stride * i) as usize;
        let ring = groups::is_ring(segment.stretch, strand.span[strand_row], base);
        for i in 0..count {
            let (mut before, mut after) = if ring {
                (row((i + count - 1) % count), row((i + 1) % count))
            } else {
                (row(i.saturating_sub(1)), row((i + 1).min(count - 1)))
            };
            if groups::is_cut(segment.stretch[before - base]) {
                before = row(i);
            }
            if groups::is_cut(segment.stretch[row(i) - base]) {
                after = row(i);
            }
            let tangent = (xyz(x[after]) - xyz(x[before])).normalize_or_zero();
            let slip = xyz(air[row(i)]) - xyz(v[row(i)]);
            let across = (slip - tangent * tangent.dot(slip)).normalize_or_zero();
            // SAFETY: no two strands have a particle in common.
            unsafe { normal.set(row(i), [across.x, across.y, across.z, area[row(i)] * open(row(i))]) };
        }
    });
}
