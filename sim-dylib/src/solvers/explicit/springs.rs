//! All forces at the present positions and velocities: gravity, wind, air damping, springs and their dampers, and the
//! other tables' energies.

use crate::{
    constraints::distance,
    elastic::{self, At, Energies, Limits},
    forces,
    gas::gas,
    lanes::{self, Kernel, Lanes, Point, Rows, RowsMut, V3},
    normals::xyz,
    projection::Models,
    substep::Sim,
};

/// Springs at an inner particle of a grid: 4 structural, 4 shear, 4 bend.
pub(super) const SPRINGS_PER_PARTICLE: f32 = 12.0;

/// Stiffest spring that `stability_cap` allows, in units of m/h².
///
/// As `sim_api::Stiffness::StableStep` says.
pub(super) fn stiffest(cap: f32) -> f32 {
    2.0 / SPRINGS_PER_PARTICLE * cap
}

/// Fills `particle.force` [N] and the tension of every row; `cap` as the solver's parameter `stability_cap`.
pub(super) fn evaluate(sim: &mut Sim, cap: f32, models: Models) {
    let (world, h) = (&sim.frame.world, sim.h);
    // That of the whole range, as `stiffest`.
    let stable = if cap > 0.0 { 2.0 / (SPRINGS_PER_PARTICLE * h * h) } else { f32::MAX };
    let (particle, distance) = (&mut sim.state.particle, &mut sim.state.distance);
    let (v, normal, air, mass) = (&*particle.velocity, &*particle.normal, &*particle.air, particle.mass);
    sim.par.rows(particle.force, |start, force| {
        for (i, force) in (start..).zip(force) {
            *force = forces::force(world, mass[i], xyz(v[i]), normal[i], air[i]).extend(0.0).to_array();
        }
    });

    let springs = Springs {
        position: particle.position,
        velocity: particle.velocity,
        rest: distance.rest,
        compliance: distance.compliance,
        damping: distance.damping,
        tension: RowsMut::new(distance.force),
        stable,
        cap: if cap > 0.0 { cap } else { 1.0 },
        h,
    };
    lanes::project(&sim.par, distance.colors, distance.idx, particle.force, &springs);
    let limits = Limits { most: if cap > 0.0 { stable * cap } else { stable }, models };
    elastic::add_tensions(&mut sim.state, limits);
    let (particle, energies) = Energies::of(sim.par, &mut sim.state, limits);
    energies.add_other_forces(At { x: particle.position, still: particle.position }, particle.force);
    let state = &mut sim.state;
    let mut gas = gas!(state);
    gas.limit_stiffness(&sim.par, state.particle.position, limits.most);
    gas.add_forces(&sim.par, state.particle.position, state.particle.force);
}

/// Adds the force of each spring to `particle.force` at both its ends.
struct Springs<'a> {
    position: &'a [[f32; 4]],
    velocity: &'a [[f32; 4]],
    rest: &'a [f32],
    compliance: &'a [f32],
    damping: &'a [f32],
    tension: RowsMut<'a>,
    /// Stiffest stable spring at a particle of 1 kg [N/m].
    stable: f32,
    /// Share of it that a spring may use; a damper d counts as 2 d / h and may use what is left.
    cap: f32,
    h: f32,
}

impl Kernel<2> for Springs<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows<2>, [_, _]: [Point<L>; 2]) -> [V3<L>; 2] {
        let (a, b) = (rows.fetch::<L>(self.position, 0), rows.fetch::<L>(self.position, 1));
        let (va, vb) = (rows.fetch::<L>(self.velocity, 0).x, rows.fetch::<L>(self.velocity, 1).x);
        let tiny = L::from_f32(f32::MIN_POSITIVE);
        let stable = L::from_f32(self.stable) / a.w.max(b.w).max(tiny);
        let stiffest = stable * L::from_f32(self.cap);
        let k = (L::from_f32(1.0) / rows.load::<L>(self.compliance).max(tiny)).min(stiffest);
        let damping = rows.load::<L>(self.damping).min((stable - k) * L::from_f32(0.5 * self.h));
        // Between two pins there is no particle to limit a rigid spring by, and nothing to pull on.
        let (k, damping) = (k.where_positive(a.w + b.w), damping.where_positive(a.w + b.w));
        let (force, tension) = distance::force((a.x, va), (b.x, vb), rows.load(self.rest), k, damping);
        self.tension.store(rows, tension);
        [force, force * L::from_f32(-1.0)]
    }
}
