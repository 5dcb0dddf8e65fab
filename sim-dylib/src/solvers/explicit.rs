//! Explicit integration of a mass-spring system: springs of stiffness k = 1/compliance.
//!
//! Stable only for h < `2/omega_max`. For 12 springs of one stiffness on a grid of particles of mass m that is
//! h < 2 / sqrt(10.125 k/m); a rigid row (compliance 0) has no such h at all. `stability_cap` therefore limits each
//! spring to its share of the stable range; 0 switches that off and shows what the method does by itself.

mod integrate;
mod springs;

use sim_api::{Kind, ParamDesc, SolverDesc, Stiffness};

use super::Solver;
use crate::{
    collide,
    describe::{ALL_TABLES, HELD_BACK},
    elastic::springs::held_back,
    normals::xyz,
    projection::Models,
    self_collision,
    strands::roots,
    substep::{self, Sim},
};

pub const SOLVER: Solver = Solver {
    description: SolverDesc::new(
        "explicit",
        "Mass and springs of k = 1/compliance, explicit in time: cheap steps, but small ones.",
        &[SUBSTEPS, INTEGRATOR, STABILITY_CAP],
    )
    .kind(Kind::Explicit)
    .stiffness(Stiffness::stable_step(&STABILITY_CAP, springs::SPRINGS_PER_PARTICLE))
    .takes(ALL_TABLES)
    .readings(&[HELD_BACK]),
    step,
};

const SUBSTEPS: ParamDesc =
    ParamDesc::count("substeps", [1, 32, 5000], "Steps a frame is cut into; stability asks for many.");
const INTEGRATOR: ParamDesc = ParamDesc::choice(
    "integrator",
    "symplectic_euler|explicit_euler|taylor2|velocity_verlet|rk4",
    "How a step is taken: symplectic_euler and velocity_verlet are stable below 2/omega, explicit_euler and taylor2 \
     gain energy at any step, rk4 costs four evaluations.",
);
const STABILITY_CAP: ParamDesc = ParamDesc::number(
    "stability_cap",
    "",
    [0.0, 0.5, 1.0],
    "Largest fraction of the stable range a spring may use; 0: no cap, the true stiffness whatever happens.",
);

fn step(sim: &mut Sim) {
    substep::update_wind(sim);
    let scheme = sim.choice(&INTEGRATOR);
    let cap = sim.param(&STABILITY_CAP);
    let (substeps, models) = (sim.count(&SUBSTEPS), Models::of(&sim.par, &sim.state));
    let stiffest = if cap > 0.0 { springs::stiffest(cap) } else { f32::INFINITY };
    let h = sim.frame.dt / substeps as f32;
    // Shown: what runs then is not the cloth of the scene.
    let held = held_back(&sim.par, &sim.state.distance, sim.state.particle.position, stiffest, h);
    sim.frame.reading(HELD_BACK, held as f32);
    substep::repeat(sim, substeps, |sim| {
        integrate::integrate(sim, scheme, cap, models);
        substep::move_holds(sim);
        roots::hold(sim);
        velocities_of_holds(sim);
        if !sim.state.collider.kind.is_empty() {
            let particle = &mut sim.state.particle;
            particle.inertial.copy_from_slice(particle.position);
            collide::contact(sim);
            collide::velocities_of_contacts(sim);
            collide::react(sim);
        }
        self_collision::contact_and_velocities(sim);
        sim.frame.stage("contact");
    });
    if sim.state.collider.kind.is_empty() {
        // As after contact: a solver that takes over must not find that of another there.
        sim.state.particle.predicted.copy_from_slice(sim.state.particle.velocity);
    }
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
