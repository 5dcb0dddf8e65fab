//! Explicit integration of a mass-spring system: springs of stiffness k = 1/compliance.
//!
//! Stable only for h < `2/omega_max`. For 12 springs of one stiffness on a grid of particles of mass m that is
//! h < 2 / sqrt(10.125 k/m); a rigid row (compliance 0) has no such h at all. `stability_cap` therefore limits each
//! spring to its share of the stable range; 0 switches that off and shows what the method does by itself.

use glam::Vec3;
use sim_api::{ParamDesc, SolverDesc};

use super::Solver;
use crate::{
    collide,
    constraints::distance,
    forces,
    lanes::{self, Lanes, Pair, PairKernel, Rows, RowsMut, V3},
    normals::xyz,
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "explicit",
        "Mass and springs of k = 1/compliance, explicit in time: cheap steps, but small ones.",
        &[SUBSTEPS, INTEGRATOR, STABILITY_CAP],
    ),
    step,
};

const SUBSTEPS: ParamDesc =
    ParamDesc::count("substeps", [1, 32, 5000], "Steps a frame is cut into; stability asks for many.");
const INTEGRATOR: ParamDesc = ParamDesc::choice(
    "integrator",
    "symplectic_euler|explicit_euler",
    "symplectic_euler moves with the new velocity; explicit_euler with the old one, and gains energy.",
);
const STABILITY_CAP: ParamDesc = ParamDesc::number(
    "stability_cap",
    "",
    [0.0, 0.5, 1.0],
    "Largest share of the stable range a spring may use; 0: no cap, the true stiffness whatever happens.",
);

/// Springs at an inner particle of a grid: 4 structural, 4 shear, 4 bend.
const SPRINGS_PER_PARTICLE: f32 = 12.0;

fn step(sim: &mut Sim) {
    substep::update_wind(sim);
    let symplectic = sim.choice(&INTEGRATOR) == "symplectic_euler";
    let cap = sim.param(&STABILITY_CAP);
    let substeps = sim.count(&SUBSTEPS);
    sim.substeps(substeps, |sim| {
        add_forces(sim, cap);
        sim.frame.stage("forces");
        integrate(sim, symplectic);
        substep::move_holds(sim);
        velocities_of_holds(sim);
        sim.frame.stage("integrate");
        if !sim.state.collider.kind.is_empty() {
            collide::contact(sim);
            collide::velocities_of_contacts(sim);
        }
        sim.frame.stage("contact");
    });
}

/// The hand's own speed: the neighbours' dampers see it, and the cloth keeps it when it is let go.
fn velocities_of_holds(sim: &mut Sim) {
    let (per_second, particle) = (1.0 / sim.h, &mut sim.state.particle);
    for hold in sim.frame.holds() {
        let i = hold.particle as usize;
        if let (Some(x), Some(from)) = (particle.position.get(i), particle.previous.get(i)) {
            let way = (xyz(*x) - xyz(*from)) * per_second;
            particle.velocity[i] = way.extend(0.0).to_array();
        }
    }
}

fn add_forces(sim: &mut Sim, cap: f32) {
    let (world, h) = (&sim.frame.world, sim.h);
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
        // Gershgorin: omega_max² <= 2 sum(k) / m, and h² omega_max² <= 4 is stable.
        stable: if cap > 0.0 { 2.0 / (SPRINGS_PER_PARTICLE * h * h) } else { f32::MAX },
        cap: if cap > 0.0 { cap } else { 1.0 },
        h,
    };
    lanes::project(&sim.par, distance.colors, distance.idx, particle.force, &springs);
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

impl PairKernel for Springs<'_> {
    #[inline(always)]
    fn project<L: Lanes>(&self, rows: &Rows, _: &Pair<L>, _: &Pair<L>) -> (V3<L>, V3<L>) {
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
        (force, force * L::from_f32(-1.0))
    }
}

fn integrate(sim: &mut Sim, symplectic: bool) {
    let h = sim.h;
    let particle = &mut sim.state.particle;
    let force = &*particle.force;
    let (x, v, previous) = (&mut *particle.position, &mut *particle.velocity, &mut *particle.previous);
    sim.par.rows3(x, v, previous, |start, x, v, previous| {
        for (i, ((x, v), previous)) in x.iter_mut().zip(v).zip(previous).enumerate() {
            *previous = *x;
            let old = xyz(*v);
            let new = if x[3] > 0.0 { old + xyz(force[start + i]) * (h * x[3]) } else { Vec3::ZERO };
            *v = [new.x, new.y, new.z, 0.0];
            if x[3] > 0.0 {
                let at = xyz(*x) + h * if symplectic { new } else { old };
                *x = [at.x, at.y, at.z, x[3]];
            }
        }
    });
}
