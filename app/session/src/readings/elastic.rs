//! Elastic energy of every table, from the energies that the solvers use. What a solver leaves unsolved counts as strain.
//!
//! Rigid rows (compliance 0) hold no energy; how far they are off is their violation.

use sim_kernels::{
    constraints::{
        Energy,
        attachment::Attachment,
        hinge::Dihedral,
        membrane::{Area, NeoHookean, StVenantKirchhoff},
        quadratic_bend::QuadraticBend,
        tether::Tether,
    },
    lanes::V3,
};
use weft_core::state::col;

use super::{Reading, Rows};
use weft_core::state::State;

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "elastic_energy",
        unit: "J",
        doc: "energy of all rows with compliance and of all membranes and hinges, summed; rows of compliance 0 hold none \
              (see max_violation), PBD does not know compliance: what it leaves unsolved counts as strain of it",
        of: |input| Some(input.measured.elastic.total()),
    },
    Reading {
        name: "total_energy",
        unit: "J",
        doc: "kinetic, potential and elastic energy; under PBD it counts strain that PBD does not feel",
        of: |input| Some(input.measured.total_energy()),
    },
];

/// By table [J].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elastic {
    pub distance: f64,
    pub triangle: f64,
    pub hinge: f64,
    pub tether: f64,
    pub attachment: f64,
    /// Largest |C| of all rigid rows [m]; `None` without any.
    pub violation: Option<f64>,
}

impl Elastic {
    /// The distance rows were measured already.
    pub fn of(state: &State, rows: &Rows) -> Self {
        let position = state.get(col::particle::position);
        let mut elastic = Self { distance: rows.elastic, violation: rows.violation, ..Self::default() };
        elastic.triangle = triangles(state, position);
        elastic.hinge = hinges(state, position);
        elastic.tethers(state, position);
        elastic.attachments(state, position);
        elastic
    }

    pub fn total(&self) -> f64 {
        self.distance + self.triangle + self.hinge + self.tether + self.attachment
    }

    fn tethers(&mut self, state: &State, position: &[[f32; 4]]) {
        let ends = state.get(col::tether::idx).iter().zip(state.get(col::tether::anchor));
        let rest = state.get(col::tether::rest);
        let compliance = state.get(col::tether::compliance);
        for (((idx, anchor), rest), compliance) in ends.zip(rest).zip(compliance) {
            let (x, anchor) = (point(position, *idx), point(position, *anchor));
            let k = 1.0 / f64::from(*compliance);
            let tether = Tether { anchor, rest: f64::from(*rest), k };
            if *compliance > 0.0 {
                self.tether += tether.energy(&[x]);
            } else {
                self.violated(tether.stretch(x).0.max(0.0));
            }
        }
    }

    fn attachments(&mut self, state: &State, position: &[[f32; 4]]) {
        let target = state.get(col::attachment::target);
        let compliance = state.get(col::attachment::compliance);
        let rows = state.get(col::attachment::idx).iter().zip(target).zip(compliance);
        for ((idx, target), compliance) in rows {
            let (x, target) = (point(position, *idx), vector(*target));
            if *compliance > 0.0 {
                self.attachment += Attachment { target, k: 1.0 / f64::from(*compliance) }.energy(&[x]);
            } else {
                let off = x - target;
                self.violated(off.dot(off).sqrt());
            }
        }
    }

    fn violated(&mut self, by: f64) {
        self.violation = Some(self.violation.unwrap_or(0.0).max(by));
    }
}

fn triangles(state: &State, position: &[[f32; 4]]) -> f64 {
    let model = state.get(col::triangle::model);
    let inverse_rest = state.get(col::triangle::inverse_rest);
    let area = state.get(col::triangle::area);
    let lame = state.get(col::triangle::lame);
    let rows = state.get(col::triangle::idx).iter().zip(model).zip(inverse_rest).zip(area);
    let rows = rows.zip(state.get(col::triangle::mu).iter().zip(lame));
    rows.map(|((((idx, model), inverse_rest), area), (mu, lame))| {
        let x = idx.map(|corner| point(position, corner));
        let inverse_rest = inverse_rest.map(f64::from);
        let [area, mu, lame] = [*area, *mu, *lame].map(f64::from);
        match *model {
            1 => StVenantKirchhoff { inverse_rest, area, mu, lame }.energy(&x),
            2 => NeoHookean { inverse_rest, area, mu, lame }.energy(&x),
            3 => Area { area, k: mu }.energy(&x),
            // Drawn only.
            _ => 0.0,
        }
    })
    .sum()
}

fn hinges(state: &State, position: &[[f32; 4]]) -> f64 {
    let model = state.get(col::hinge::model);
    let weights = state.get(col::hinge::weights);
    let rest_angle = state.get(col::hinge::rest_angle);
    let rows = state.get(col::hinge::idx).iter().zip(model).zip(weights).zip(rest_angle);
    rows.zip(state.get(col::hinge::stiffness))
        .map(|((((idx, model), weights), rest_angle), k)| {
            let x = idx.map(|corner| point(position, corner));
            let (k, rest_angle) = (f64::from(*k), f64::from(*rest_angle));
            match *model {
                0 => QuadraticBend { weights: weights.map(f64::from), k }.energy(&x),
                _ => Dihedral { rest_angle, k }.energy(&x),
            }
        })
        .sum()
}

fn point(position: &[[f32; 4]], particle: u32) -> V3<f64> {
    vector(position.get(particle as usize).copied().unwrap_or_default())
}

fn vector([x, y, z, _]: [f32; 4]) -> V3<f64> {
    V3::new(x.into(), y.into(), z.into())
}
