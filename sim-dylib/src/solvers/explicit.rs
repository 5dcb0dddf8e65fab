//! Explicit integration of a mass-spring system: springs of stiffness k = 1/compliance.
//!
//! Stable only for h < 2/omega_max. For 12 springs of one stiffness on a grid of particles of mass m that is
//! h < 2 / sqrt(10.125 k/m); a rigid row (compliance 0) has no such h at all. `stability_cap` therefore limits each
//! spring to its share of the stable range; 0 switches that off and shows what the method does by itself.

use glam::{Vec3, Vec4};
use sim_api::{ParamDesc, SolverDesc};

use super::Solver;
use crate::{
    collide,
    constraints::distance,
    forces,
    lanes::{self, RowsMut},
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
    substep::update_normals(sim);
    let symplectic = sim.choice(&INTEGRATOR) == "symplectic_euler";
    let cap = sim.param(&STABILITY_CAP);
    let substeps = sim.count(&SUBSTEPS);
    sim.substeps(substeps, |sim| {
        add_forces(sim, cap);
        sim.frame.stage("forces");
        integrate(sim, symplectic);
        substep::move_holds(sim);
        sim.frame.stage("integrate");
        collide::contact(sim);
        collide::velocities_of_contacts(sim);
        sim.frame.stage("contact");
    });
}

fn add_forces(sim: &mut Sim, cap: f32) {
    let (world, time, h) = (&sim.frame.world, sim.time, sim.h);
    let (particle, distance) = (&mut sim.state.particle, &mut sim.state.distance);
    let (x, v, normal, mass) = (&*particle.position, &*particle.velocity, &*particle.normal, &*particle.mass);
    sim.par.rows(particle.force, |start, force| {
        for (i, force) in (start..).zip(force) {
            let f = forces::force(world, time, x[i], xyz(v[i]), normal[i], mass[i]);
            *force = [f.x, f.y, f.z, 0.0];
        }
    });

    let tension = RowsMut::new(distance.force);
    // Gershgorin: omega_max² <= 2 sum(k) / m, and h² omega_max² <= 4 is stable; a damper of d counts as 2 d / h.
    let share = Vec4::splat(2.0 * cap / (SPRINGS_PER_PARTICLE * h * h));
    lanes::accumulate(
        &sim.par,
        distance.colors,
        distance.idx,
        (particle.position, particle.velocity),
        particle.force,
        |rows, [a, b], [va, vb]| {
            let mut k = Vec4::ONE / rows.load(distance.compliance).max(Vec4::splat(f32::MIN_POSITIVE));
            let mut damping = rows.load(distance.damping);
            if cap > 0.0 {
                let limit = share / a.w.max(b.w).max(Vec4::splat(f32::MIN_POSITIVE));
                k = k.min(limit);
                damping = damping.min(limit * (0.5 * h));
            }
            let (f, t) = distance::force((a.x, va.x), (b.x, vb.x), rows.load(distance.rest), k, damping);
            tension.store(rows, t);
            f
        },
    );
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
