//! Elastic energy of every table, from the energies that the solvers use. What a solver leaves unsolved counts as strain.
//!
//! Rigid rows (compliance 0) hold no energy; how far they are off is their violation.

use sim_api::model::ConstraintTable;
use sim_kernels::{
    constraints::{self, Constraint, Kind, Single, Tables, Value, Visitor, rows_of},
    lanes::V3,
};
use weft_core::state::col;

use super::{Reading, Rows, gas, strands};
use weft_core::state::State;

pub(super) const LIST: &[Reading] = &[
    Reading {
        name: "elastic_energy",
        unit: "J",
        doc: "energy of all constraints with compliance and of all membranes, hinges and gas, summed; under solvers of rods strands bend and \
              twist from their rest shape, else from a straight one if that is theirs; those of compliance 0 hold none (see \
              max_violation), PBD does not know compliance: what it leaves unsolved counts as strain of it",
        of: |input| Some(input.measured.elastic.total()),
    },
    Reading {
        name: "total_energy",
        unit: "J",
        doc: "kinetic, potential and elastic energy; under PBD it counts strain that PBD does not feel",
        of: |input| Some(input.measured.total_energy()),
    },
];

/// By table [J], as [`ConstraintTable`] numbers them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elastic {
    pub tables: [f64; ConstraintTable::ALL.len()],
    /// Of the gas in balloons [J].
    pub gas: f64,
    /// Of the joints of strands [J], under solvers of rods; under others hinges bend.
    pub joints: f64,
    /// Largest |C| of all rigid constraints [m]; `None` without any.
    pub violation: Option<f64>,
}

impl Elastic {
    /// The distance rows were measured already; `rods`: the solver takes strands for rods, by their joints.
    pub fn of(state: &State, rows: &Rows, rods: bool) -> Self {
        let joints = if rods { strands::joint_energy(state) } else { 0.0 };
        let mut elastic =
            Self { violation: rows.violation, gas: gas::energy(state), joints, ..Self::default() };
        elastic.tables[ConstraintTable::Distance as usize] = rows.elastic;
        let position = state.get(col::particle::position);
        let hinges = if rods { state.first_of_strands() } else { position.len() };
        constraints::others(&mut Measure {
            tables: Tables::read(state),
            position,
            hinges,
            elastic: &mut elastic,
        });
        elastic
    }

    pub fn total(&self) -> f64 {
        self.tables.iter().sum::<f64>() + self.gas + self.joints
    }

    /// Of one table [J].
    pub fn table(&self, table: ConstraintTable) -> f64 {
        self.tables[table as usize]
    }
}

struct Measure<'a> {
    tables: Tables<'a>,
    position: &'a [[f32; 4]],
    /// Particle from which on hinges are joints of rods, which counts already.
    hinges: usize,
    elastic: &'a mut Elastic,
}

impl Visitor for Measure<'_> {
    fn visit<const N: usize, K: Kind<N>>(&mut self) {
        let (tables, still) = (&self.tables, self.position);
        let counts = |idx: &[u32; N]| K::TABLE != ConstraintTable::Hinge || (idx[0] as usize) < self.hinges;
        for (row, idx) in rows_of::<N, K>(tables).filter(|(_, idx)| counts(idx)) {
            let x = idx.map(|corner| vector(still.get(corner as usize).copied().unwrap_or_default()));
            let compliance = K::rows(tables).compliance.map(|column| f64::from(column[row]));
            let compliance = compliance.map(K::Row::<f64>::compliance);
            let k = compliance.map_or(1.0, |compliance| 1.0 / compliance);
            let constraint = K::Row::<f64>::load(tables, &Single { row, still }, k);
            if compliance == Some(0.0) {
                let off = constraint.value(&x).size();
                self.elastic.violation = Some(self.elastic.violation.unwrap_or(0.0).max(off));
            } else {
                self.elastic.tables[K::TABLE as usize] += constraint.energy(&x);
            }
        }
    }
}

fn vector([x, y, z, _]: [f32; 4]) -> V3<f64> {
    V3::new(x.into(), y.into(), z.into())
}
