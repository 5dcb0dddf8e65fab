//! What the distance rows held, from their lambdas.

use sim_api::model::ConstraintTable;

use crate::{
    constraints::{self, Kind, Multiplier, Tables, Visitor, multipliers},
    sim::Sim,
    state::State,
};

/// Tension of each row [N]: lambda is an impulse times h, negative in tension.
pub fn write_forces(sim: &mut Sim) {
    let per_h2 = 1.0 / (sim.h * sim.h);
    let distance = &mut sim.state.distance;
    let lambda = &*distance.multipliers.lambda;
    sim.par.rows(distance.force, |start, force| {
        for (force, lambda) in force.iter_mut().zip(&lambda[start..]) {
            *force = -lambda * per_h2;
        }
    });
}

/// Adds what other constraints on those rows held, where a solver keeps their lambdas.
pub fn add_forces(sim: &mut Sim) {
    struct Add<'a, 's>(&'a mut State<'s>, Tables<'s>, f32);
    impl Visitor for Add<'_, '_> {
        fn visit<const N: usize, K: Kind<N>>(&mut self) {
            let Add(state, tables, per_h2) = self;
            if K::TABLE != ConstraintTable::Distance || K::rows(tables).idx.is_empty() {
                return;
            }
            let mut multipliers = multipliers!(state);
            let lambdas = K::multipliers(&mut multipliers);
            for (force, lambda) in state.distance.force.iter_mut().zip(lambdas) {
                *force -= lambda.first() * *per_h2;
            }
        }
    }
    let (tables, per_h2) = (Tables::of(&sim.state), 1.0 / (sim.h * sim.h));
    constraints::others(&mut Add(&mut sim.state, tables, per_h2));
}
