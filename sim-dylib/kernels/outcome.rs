//! What came of a step besides the new state, for every solver alike: accelerations and stresses.
//!
//! A row stands for a strip of cloth `width` wide, so its stress is force / width [N/m]. At a particle of area A the rows
//! add up to the membrane stress tensor (virial) sigma = 1/(2A) sum of force rest d d^T, d the unit direction of the
//! row. Its trace, the sum of both principal stresses, needs no directions; it is what `particle.stress` holds. Under a
//! pull in one direction it is that pull, however the rows share it and wherever the threads point. A membrane adds
//! the trace of its own tensor, area tr(sigma) = sum of x dE/dx, a third to each corner.

use sim_api::model::MembraneModel;

use sim_api::Par;

use crate::{
    constraints::{
        Energy,
        membrane::{Area, NeoHookean, StVenantKirchhoff},
    },
    lanes::V3,
    sim::Sim,
    state::{Distance, Particle, Triangle},
};

/// Before the solver: keeps the velocities of the frame's start where the accelerations will be.
pub fn begin(sim: &mut Sim) {
    let particle = &mut sim.state.particle;
    let velocity = &*particle.velocity;
    sim.par.rows(particle.acceleration, |start, rows| {
        rows.copy_from_slice(&velocity[start..start + rows.len()]);
    });
}

/// After the solver.
pub fn finish(sim: &mut Sim) {
    let (par, dt) = (sim.par, sim.frame.dt);
    accelerations(&par, &mut sim.state.particle, dt);
    row_stresses(&par, &mut sim.state.distance);
    particle_stresses(&par, &mut sim.state.particle, &sim.state.distance, &sim.state.triangle);
    sim.frame.stage("outcome");
}

fn accelerations(par: &Par, particle: &mut Particle, dt: f32) {
    let (velocity, per_second) = (&*particle.velocity, 1.0 / dt);
    par.rows(particle.acceleration, |start, rows| {
        for (a, v) in rows.iter_mut().zip(&velocity[start..]) {
            *a = [(v[0] - a[0]) * per_second, (v[1] - a[1]) * per_second, (v[2] - a[2]) * per_second, 0.0];
        }
    });
}

fn row_stresses(par: &Par, distance: &mut Distance) {
    let (force, width) = (&*distance.force, distance.width);
    par.rows(distance.stress, |start, rows| {
        let given = force[start..].iter().zip(&width[start..]);
        for (stress, (force, width)) in rows.iter_mut().zip(given) {
            *stress = if *width > 0.0 { force / width } else { 0.0 };
        }
    });
}

fn particle_stresses(par: &Par, particle: &mut Particle, distance: &Distance, triangle: &Triangle) {
    particle.stress.fill(0.0);
    for ((idx, force), rest) in distance.idx.iter().zip(&*distance.force).zip(distance.rest) {
        let share = 0.5 * force * rest;
        particle.stress[idx[0] as usize] += share;
        particle.stress[idx[1] as usize] += share;
    }
    membranes(particle, triangle);
    let area = particle.area;
    par.rows(particle.stress, |start, rows| {
        for (stress, area) in rows.iter_mut().zip(&area[start..]) {
            *stress = if *area > 0.0 { *stress / area } else { 0.0 };
        }
    });
}

/// Adds area tr(sigma) of each triangle that resists, a third to each corner.
fn membranes(particle: &mut Particle, triangle: &Triangle) {
    for (row, (idx, model)) in triangle.idx.iter().zip(triangle.model).enumerate() {
        let Some(model) = MembraneModel::from_number(*model).filter(|model| *model != MembraneModel::Drawn)
        else {
            continue;
        };
        let x = idx.map(|corner| {
            let [x, y, z, _] = particle.position[corner as usize];
            V3 { x, y, z }
        });
        let inverse_rest = triangle.inverse_rest[row];
        let (area, mu, lame) = (triangle.area[row], triangle.mu[row], triangle.lame[row]);
        let gradient = match model {
            MembraneModel::StVenantKirchhoff => {
                StVenantKirchhoff { inverse_rest, area, mu, lame }.gradient(&x)
            }
            MembraneModel::NeoHookean => NeoHookean { inverse_rest, area, mu, lame }.gradient(&x),
            _ => Area { area, k: mu }.gradient(&x),
        };
        // The gradients add up to 0: places may be told from x0.
        let work = (x[1] - x[0]).dot(gradient[1]) + (x[2] - x[0]).dot(gradient[2]);
        idx.iter().for_each(|&corner| particle.stress[corner as usize] += work / 3.0);
    }
}
