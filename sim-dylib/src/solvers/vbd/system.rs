//! The system of one vertex (eq. 8 to 10): force and stiffness of all rows that touch it, springs in lanes, the rows of
//! the other tables one by one.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

use sim_api::model::ConstraintTable;

use super::{
    block::{self, Block},
    rows::Rows,
};
use crate::{
    constraints::Tables,
    lanes::{
        Lanes, Point, V3,
        lost::Lost,
        vertex::{self, Around, STRIP, VertexKernel},
    },
    substep::Sim,
};

/// The widest lanes.
const MAX_LANES: usize = 8;

struct System<'a> {
    particle: &'a [u32],
    springs: &'a [[u32; 2]],
    others: &'a [[u32; 2]],
    rest: &'a [f32],
    stiffness: &'a [f32],
    inertial: &'a [[f32; 4]],
    rows: Rows<'a>,
    /// Other constraints than the springs act on their rows.
    on_springs: bool,
    /// h² [s2]
    h2: f32,
}

impl System<'_> {
    /// x~ - x [m], h²/m [s2/kg], force on the particles [N] and its negative derivative [N/m].
    #[inline(always)]
    fn assemble<L: Lanes>(&self, row: usize, x: Point<L>, around: &Around) -> (V3<L>, L, V3<L>, Block<L>) {
        let inertial = vertex::fetch::<L>(self.inertial, &self.particle[row..row + L::COUNT]);
        let (mut force, mut stiffness) = (V3::zero(), Block::diagonal(L::from_f32(0.0)));
        let [first, count] = self.springs[row];
        for place in 0..count as usize {
            let at = first as usize + STRIP * place;
            let (rest, k) = (L::load(&self.rest[at..]), L::load(&self.stiffness[at..]));
            // SAFETY: `springs` says which rows are those of the particles at hand.
            let other = unsafe { around.other::<L>(at) };
            force = force + block::spring(x.x, other.x, rest, k, &mut stiffness);
        }
        let mut more = u32::from(self.on_springs) * count;
        for lane in 0..L::COUNT {
            more |= self.others[row + lane][1];
        }
        if more > 0 {
            let sums = self.others::<L>(row, around);
            let [x, y, z, xx, xy, xz, yy, yz, zz] = &sums;
            force = force + V3 { x: L::load(x), y: L::load(y), z: L::load(z) };
            stiffness.xx = stiffness.xx + L::load(xx);
            stiffness.xy = stiffness.xy + L::load(xy);
            stiffness.xz = stiffness.xz + L::load(xz);
            stiffness.yy = stiffness.yy + L::load(yy);
            stiffness.yz = stiffness.yz + L::load(yz);
            stiffness.zz = stiffness.zz + L::load(zz);
        }
        (inertial.x - x.x, x.w * L::from_f32(self.h2), force, stiffness)
    }

    /// What the other rows add: x y z of the force, xx xy xz yy yz zz of the block; one value a lane.
    #[inline(never)]
    fn others<L: Lanes>(&self, row: usize, around: &Around) -> [[f32; MAX_LANES]; 9] {
        let mut sums = [[0.0_f32; MAX_LANES]; 9];
        for lane in 0..L::COUNT {
            let [first, count] = self.others[row + lane];
            let (mut f, mut b) = (V3::zero(), Block::diagonal(0.0));
            for at in first as usize..(first + count) as usize {
                // SAFETY: `others` says which rows are those of the particle.
                unsafe { self.rows.add(at, self.particle[row + lane], around, &mut f, &mut b) };
            }
            let [first, count] = if self.on_springs { self.springs[row + lane] } else { [0; 2] };
            for place in 0..count as usize {
                // SAFETY: `springs` says which rows are those of the particle; padding is no row of any constraint.
                unsafe {
                    let at = first as usize + STRIP * place;
                    self.rows.add(at, self.particle[row + lane], around, &mut f, &mut b);
                }
            }
            let values = [f.x, f.y, f.z, b.xx, b.xy, b.xz, b.yy, b.yz, b.zz];
            for i in 0..values.len() {
                sums[i][lane] = values[i];
            }
        }
        sums
    }
}

struct Descent<'a>(System<'a>);

impl VertexKernel for Descent<'_> {
    /// One Newton step.
    #[inline(always)]
    fn visit<L: Lanes>(&self, row: usize, x: Point<L>, around: &Around) -> V3<L> {
        let (inertia, h2w, force, stiffness) = self.0.assemble(row, x, around);
        // Eq. 8 times h²/m: no division by the mass, and a pinned particle (w = 0) goes to its x~.
        stiffness.plus_identity(h2w).solve(inertia + force * h2w)
    }
}

struct Residual<'a>(System<'a>);

impl VertexKernel for Residual<'_> {
    /// What is left of x~ - x + h²/m f = 0 [m]; pinned particles have nothing left.
    #[inline(always)]
    fn visit<L: Lanes>(&self, row: usize, x: Point<L>, around: &Around) -> V3<L> {
        let (inertia, h2w, force, _) = self.0.assemble(row, x, around);
        inertia + force * h2w
    }
}

macro_rules! system {
    ($sim:ident, $stiffest:ident) => {
        System {
            particle: $sim.state.vertex.particle,
            springs: $sim.state.vertex.springs,
            others: $sim.state.vertex.others,
            rest: $sim.state.incident.rest,
            stiffness: $sim.state.incident.stiffness,
            inertial: $sim.state.particle.inertial,
            rows: Rows {
                incident: &$sim.state.incident,
                tables: Tables::of(&$sim.state),
                stiffest: $stiffest,
                inertial: $sim.state.particle.inertial,
            },
            on_springs: Rows::any_on(ConstraintTable::Distance),
            h2: $sim.h * $sim.h,
        }
    };
}

/// One Newton step of every particle, colour by colour. `stiffest` [1/s2], `lost_within` [m].
pub(super) fn descend(sim: &mut Sim, stiffest: f32, lost_within: f32) {
    let graph = (sim.state.vertex.colors, sim.state.vertex.particle, sim.state.incident.other);
    let kernel = Descent(system!(sim, stiffest));
    let lost = Lost { rows: sim.state.vertex.lost, within: lost_within };
    vertex::descend(&sim.par, graph, sim.state.particle.position, lost, &kernel);
}

/// Fills `particle.force` with the residual of the substep's equation over the mass [m].
pub(super) fn residual(sim: &mut Sim, stiffest: f32) {
    let graph = (sim.state.vertex.colors, sim.state.vertex.particle, sim.state.incident.other);
    let kernel = Residual(system!(sim, stiffest));
    vertex::visit(&sim.par, graph, sim.state.particle.position, sim.state.particle.force, &kernel);
}
