//! Rows of triangles, hinges, tethers and soft pins, as seen from one of their corners.

use sim_api::model::{BendModel, ConstraintTable, MembraneModel};

use super::block::Block;
use crate::{
    constraints::{
        Energy,
        attachment::Attachment as SoftPin,
        hinge::Dihedral,
        membrane::{Area, NeoHookean, StVenantKirchhoff},
        quadratic_bend::QuadraticBend,
        tether::Tether as String,
    },
    lanes::{V3, vertex::Around},
    state::{Attachment, Hinge, Incident, Tether, Triangle},
};

/// Triangles are slivers where a corner that moves by their length turns a hinge by so many radians: 50 times as long as high.
const SHARP: f32 = 50.0;
/// Stiffest hinge of slivers, in units of the stiffest spring.
const SLIVER: f32 = 0.03;

/// All tables that can hold more than springs at a particle.
pub(super) struct Rows<'a> {
    pub incident: &'a Incident<'a>,
    pub triangle: &'a Triangle<'a>,
    pub hinge: &'a Hinge<'a>,
    pub tether: &'a Tether<'a>,
    pub attachment: &'a Attachment<'a>,
    /// Where anchors are looked up: they have no row in `incident`, so their positions might be written meanwhile.
    pub inertial: &'a [[f32; 4]],
    /// Stiffest row over the inverse mass of its lighter end [1/s2].
    pub stiffest: f32,
}

impl Rows<'_> {
    /// Adds row `at` of `incident` to the force on `particle` and to its stiffness.
    ///
    /// # Safety
    /// It is a row of `particle`, the one at hand.
    pub(super) unsafe fn add(
        &self,
        at: usize,
        particle: u32,
        around: &Around,
        force: &mut V3<f32>,
        block: &mut Block<f32>,
    ) {
        let (row, corner) = (self.incident.row[at] as usize, self.incident.other[at] as usize);
        // For tethers and soft pins, limited in the same way as springs.
        let k = self.incident.stiffness[at];
        // SAFETY (all calls of `positions`): the corners of a row of this particle.
        match ConstraintTable::from_number(self.incident.table[at]) {
            Some(ConstraintTable::Triangle) => {
                let x = unsafe { positions(around, self.triangle.idx[row]) };
                let (inverse_rest, area) = (self.triangle.inverse_rest[row], self.triangle.area[row]);
                let (mu, lame) = (self.triangle.mu[row], self.triangle.lame[row]);
                match MembraneModel::from_number(self.triangle.model[row]) {
                    Some(MembraneModel::StVenantKirchhoff) => {
                        add(&StVenantKirchhoff { inverse_rest, area, mu, lame }, &x, corner, force, block);
                    }
                    Some(MembraneModel::NeoHookean) => {
                        add(&NeoHookean { inverse_rest, area, mu, lame }, &x, corner, force, block);
                    }
                    Some(MembraneModel::Area) => add(&Area { area, k: mu }, &x, corner, force, block),
                    Some(MembraneModel::Drawn) | None => {}
                }
            }
            Some(ConstraintTable::Hinge) => {
                let places = self.hinge.idx[row].map(|particle| unsafe { around.particle(particle) });
                let (x, w) = (places.map(xyz), places.map(|place| place[3]));
                let k = self.hinge.stiffness[row];
                if self.hinge.model[row] == BendModel::Quadratic as u32 {
                    let weights = self.hinge.weights[row];
                    let k = self.limited(k, &x, w, weights.map(|weight| weight * weight));
                    add(&QuadraticBend { weights, k }, &x, corner, force, block);
                } else {
                    let hinge = Dihedral { rest_angle: self.hinge.rest_angle[row], k };
                    let (bend, g) = hinge.bend(&x);
                    let k = self.limited(k, &x, w, g.map(|g| g.dot(g)));
                    if k > 0.0 {
                        add_linear(g[corner], k, bend, force, block);
                    }
                }
            }
            Some(ConstraintTable::Tether) => {
                let anchor = xyz(self.inertial[self.tether.anchor[row] as usize]);
                let string = String { anchor, rest: self.tether.rest[row], k };
                add(&string, &unsafe { positions(around, [particle]) }, corner, force, block);
            }
            Some(ConstraintTable::Attachment) => {
                let pin = SoftPin { target: xyz(self.attachment.target[row]), k };
                add(&pin, &unsafe { positions(around, [particle]) }, corner, force, block);
            }
            _ => {}
        }
    }
}

impl Rows<'_> {
    /// The stiffness of a hinge [N m], that of slivers limited: where the corner that moves them least goes is what the rounding of
    /// the others leaves. `w`: the inverse masses, `square`: the squares of the bend's change by each corner [1/m2]. 0 where the
    /// triangles have no area at all.
    #[inline(always)]
    fn limited(&self, k: f32, x: &[V3<f32>; 4], w: [f32; 4], square: [f32; 4]) -> f32 {
        let largest = |of: [f32; 4]| of[0].max(of[1]).max(of[2].max(of[3]));
        let most = largest([w[0] * square[0], w[1] * square[1], w[2] * square[2], w[3] * square[3]]);
        let limit = SLIVER * self.stiffest;
        if most * k <= limit {
            return k;
        }
        let ways = [x[1] - x[0], x[2] - x[0], x[3] - x[0], x[3] - x[2]];
        let sharp = largest(square) * largest(ways.map(|way| way.dot(way)));
        if sharp <= SHARP * SHARP {
            k
        } else if most < f32::INFINITY {
            limit / most
        } else {
            0.0
        }
    }
}

/// [`add`] of an energy k/2 bend², of which only the part that is linear at the corner is known: `g` is the bend's gradient there.
#[inline(always)]
fn add_linear(g: V3<f32>, k: f32, bend: f32, force: &mut V3<f32>, block: &mut Block<f32>) {
    *force = *force - g * (k * bend);
    let (x, y, z) = (g * (k * g.x), g * (k * g.y), g * (k * g.z));
    block.xx += x.x;
    block.xy += y.x;
    block.xz += z.x;
    block.yy += y.y;
    block.yz += z.y;
    block.zz += z.z;
}

/// The 3 x 3 block of one corner by three products with unit vectors.
fn add<const N: usize>(
    energy: &impl Energy<f32, N>,
    x: &[V3<f32>; N],
    corner: usize,
    force: &mut V3<f32>,
    block: &mut Block<f32>,
) {
    *force = *force - energy.gradient(x)[corner];
    let mut d = [V3::zero(); N];
    d[corner] = V3::new(1.0, 0.0, 0.0);
    let column_x = energy.stiffness_times(x, &d)[corner];
    d[corner] = V3::new(0.0, 1.0, 0.0);
    let column_y = energy.stiffness_times(x, &d)[corner];
    d[corner] = V3::new(0.0, 0.0, 1.0);
    let column_z = energy.stiffness_times(x, &d)[corner];
    block.xx += column_x.x;
    block.xy += column_y.x;
    block.xz += column_z.x;
    block.yy += column_y.y;
    block.yz += column_z.y;
    block.zz += column_z.z;
}

/// # Safety
/// They are corners of one row, of which the particle at hand is one.
unsafe fn positions<const N: usize>(around: &Around, particles: [u32; N]) -> [V3<f32>; N] {
    // SAFETY: vouched for by the caller.
    particles.map(|particle| xyz(unsafe { around.particle(particle) }))
}

fn xyz([x, y, z, _]: [f32; 4]) -> V3<f32> {
    V3 { x, y, z }
}
