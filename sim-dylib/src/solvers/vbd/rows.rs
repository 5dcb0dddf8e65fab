//! Rows of all constraints but the springs, as seen from one of their corners.

use sim_api::model::ConstraintTable;

use super::{block::Block, descent::limited};
use crate::{
    constraints::{self, Constraint, Kind, Single, Tables, Visitor, has},
    lanes::{V3, vertex::Around},
    state::Incident,
};

pub(super) struct Rows<'a> {
    pub incident: &'a Incident<'a>,
    pub tables: Tables<'a>,
    /// Stiffest row over the inverse mass of its lightest particle [1/s2].
    pub stiffest: f32,
    /// Where anchors are looked up: they have no row in `incident`, so their positions might be written meanwhile.
    pub inertial: &'a [[f32; 4]],
}

impl Rows<'_> {
    /// Whether a constraint acts on the rows of a table.
    pub(super) fn any_on(table: ConstraintTable) -> bool {
        struct Any(ConstraintTable, bool);
        impl Visitor for Any {
            fn visit<const N: usize, K: Kind<N>>(&mut self) {
                self.1 |= K::TABLE == self.0;
            }
        }
        let mut any = Any(table, false);
        constraints::others(&mut any);
        any.1
    }

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
        constraints::others(&mut Corner { rows: self, at, particle, around, force, block });
    }
}

/// A row of the particle at hand: only [`Rows::add`] makes it, under its promise.
struct Corner<'a> {
    rows: &'a Rows<'a>,
    at: usize,
    particle: u32,
    around: &'a Around<'a>,
    force: &'a mut V3<f32>,
    block: &'a mut Block<f32>,
}

impl Visitor for Corner<'_> {
    #[inline(always)]
    fn visit<const N: usize, K: Kind<N>>(&mut self) {
        let Rows { incident, tables, stiffest, inertial } = self.rows;
        let row = incident.row[self.at] as usize;
        if incident.table[self.at] != K::TABLE as u32 || !has::<N, K>(tables, row) {
            return;
        }
        let idx = K::rows(tables).idx[row];
        let (mut x, mut w, mut corner) = ([V3::zero(); N], [0.0_f32; N], 0);
        for i in 0..N {
            // SAFETY: the corners of a row of the particle at hand.
            let [px, py, pz, pw] = unsafe { self.around.particle(idx[i]) };
            (x[i], w[i]) = (V3 { x: px, y: py, z: pz }, pw);
            if idx[i] == self.particle {
                corner = i;
            }
        }
        let k = match K::rows(tables).compliance {
            Some(compliance) => {
                limited(K::Row::<f32>::compliance(compliance[row]), largest(w), 0.0, *stiffest)
            }
            None => 1.0,
        };
        let constraint = K::Row::<f32>::load(tables, &Single { row, still: inertial }, k);
        add(&constraint, &x, corner, self.force, self.block);
    }
}

#[inline(always)]
fn largest<const N: usize>(of: [f32; N]) -> f32 {
    let mut most = of[0];
    for value in &of[1..] {
        most = most.max(*value);
    }
    most
}

/// The 3 x 3 block of one corner by three products with unit vectors.
fn add<const N: usize>(
    constraint: &impl Constraint<f32, N>,
    x: &[V3<f32>; N],
    corner: usize,
    force: &mut V3<f32>,
    block: &mut Block<f32>,
) {
    *force = *force - constraint.gradient(x)[corner];
    let mut d = [V3::zero(); N];
    d[corner] = V3::new(1.0, 0.0, 0.0);
    let column_x = constraint.stiffness_times(x, &d)[corner];
    d[corner] = V3::new(0.0, 1.0, 0.0);
    let column_y = constraint.stiffness_times(x, &d)[corner];
    d[corner] = V3::new(0.0, 0.0, 1.0);
    let column_z = constraint.stiffness_times(x, &d)[corner];
    block.xx += column_x.x;
    block.xy += column_y.x;
    block.xz += column_z.x;
    block.yy += column_y.y;
    block.yz += column_z.y;
    block.zz += column_z.z;
}
