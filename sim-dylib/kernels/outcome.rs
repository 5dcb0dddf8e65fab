//! What came of a step besides the new state, for every solver alike: accelerations and stresses.
//!
//! A row stands for a strip of cloth `width` wide, so its stress is force / width [N/m]. At a particle of area A the rows
//! add up to the membrane stress tensor (virial) sigma = 1/(2A) sum of force rest d d^T, d the unit direction of the
//! row. Its trace, the sum of both principal stresses, needs no directions; it is what `particle.stress` holds. Under a
//! pull in one direction it is that pull, however the rows share it and wherever the threads point. A membrane adds
//! the trace of its own tensor (Cauchy's), present area times tr(sigma) = sum of x dE/dx, a third to each corner.

use sim_api::{Mapped, Par, model::ConstraintTable};

use crate::{
    constraints::{self, Constraint, Kind, Single, Tables, Visitor, rows_of},
    lanes::{self, Lanes, RowShare, Rows, V3},
    projection::Models,
    sim::Sim,
    state::{Distance, Particle, Stride},
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
    let rows = (&Tables::of(&sim.state), Models::of(&sim.par, &sim.state));
    let (particle, distance) = (&mut sim.state.particle, &sim.state.distance);
    row_shares(&par, particle.stress, distance, &sim.state.stride);
    particle_stresses(&par, particle, rows);
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

/// Force times length at rest, half for each end.
#[derive(Clone, Copy)]
struct Work<'a> {
    force: &'a [f32],
    rest: &'a [f32],
}

impl RowShare for Work<'_> {
    #[inline(always)]
    fn of<L: Lanes>(&self, rows: &Rows<2>) -> L {
        L::from_f32(0.5) * rows.load_own(self.force) * rows.load(self.rest)
    }
}

fn row_shares(par: &Par, stress: &mut [f32], distance: &Distance, strides: &Stride) {
    par.fill(stress, 0.0);
    let work = Work { force: distance.force, rest: distance.rest };
    lanes::add_at_ends(par, distance.colors, distance.idx, stress, strides, &work);
}

fn particle_stresses(par: &Par, particle: &mut Particle, (tables, models): (&Tables, Models)) {
    membranes(particle, tables, models);
    let area = particle.area;
    par.rows(particle.stress, |start, rows| {
        for (stress, area) in rows.iter_mut().zip(&area[start..]) {
            *stress = if *area > 0.0 { *stress / area } else { 0.0 };
        }
    });
}

/// Adds tr(sigma), sigma the stress over the present width (Cauchy), times the area at rest of each triangle that resists, a third to
/// each corner.
fn membranes(particle: &mut Particle, tables: &Tables, models: Models) {
    struct Add<'a, 's, 't>(&'a mut Particle<'s>, &'a Tables<'t>, Models);
    impl Visitor for Add<'_, '_, '_> {
        fn visit<const N: usize, K: Kind<N>>(&mut self) {
            let Self(particle, tables, models) = self;
            if K::TABLE != ConstraintTable::Triangle || !models.act::<N, K>(tables) {
                return;
            }
            for (row, idx) in rows_of::<N, K>(tables) {
                let x = idx.mapped(|corner| V3::from_row(particle.position[corner as usize]));
                let single = Single { row, still: particle.position };
                let gradient = K::Row::<f32>::load(tables, &single, 1.0).gradient(&x);
                // The gradients add up to 0: places may be told from x0.
                let mut work = 0.0;
                for corner in 1..N {
                    work += (x[corner] - x[0]).dot(gradient[corner]);
                }
                // That of the triangle as it is; a particle's area is that at rest.
                let normal = (x[1] - x[0]).cross(x[2] - x[0]);
                let area = 0.5 * normal.dot(normal).sqrt();
                work *= tables.triangle.area[row] / area.max(f32::MIN_POSITIVE);
                idx.iter().for_each(|&corner| particle.stress[corner as usize] += work / N as f32);
            }
        }
    }
    constraints::others(&mut Add(particle, tables, models));
}
