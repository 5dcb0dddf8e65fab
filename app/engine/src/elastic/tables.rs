//! From the tables of a state to groups of rows.

use sim_kernels::constraints::{self, Constraint, Kind, Single, Tables, Visitor, rows_of};
use weft_core::state::{State, col};

use super::{
    Limit,
    groups::{Elements, Rows},
};

/// All rows that store energy, by constraint.
pub(super) fn groups(state: &State, limit: Limit) -> Result<Vec<Box<dyn Elements>>, String> {
    for (table, column) in ROWS {
        check(state, table, column)?;
    }
    let position = state.get(col::particle::position);
    let mut read = Read { tables: Tables::read(state), position, limit, groups: Vec::new() };
    constraints::each(&mut read);
    Ok(read.groups)
}

/// Columns that name particles.
const ROWS: [(&str, &str); 6] = [
    ("distance", "idx"),
    ("triangle", "idx"),
    ("hinge", "idx"),
    ("tether", "idx"),
    ("tether", "anchor"),
    ("attachment", "idx"),
];

/// Whether the rows of a table name particles that are there.
fn check(state: &State, name: &str, column: &str) -> Result<(), String> {
    let particles = state.table("particle").map_or(0, |table| table.rows);
    let Some(idx) = state.table(name).and_then(|table| table.column(column)) else {
        return Ok(());
    };
    let outside = bytemuck::cast_slice::<u8, u32>(idx.bytes()).iter().find(|&&i| i as usize >= particles);
    outside.map_or(Ok(()), |i| {
        Err(format!("table `{name}`, column `{column}`, names particle {i} of {particles}"))
    })
}

struct Read<'a> {
    tables: Tables<'a>,
    position: &'a [[f32; 4]],
    limit: Limit,
    groups: Vec<Box<dyn Elements>>,
}

impl Visitor for Read<'_> {
    fn visit<const N: usize, K: Kind<N>>(&mut self) {
        let (tables, still) = (&self.tables, self.position);
        let compliances = K::rows(tables).compliance;
        let load = |(row, idx): (usize, &[u32; N])| {
            let k = compliances.map_or(1.0, |column| {
                let w = idx.iter().map(|&corner| still[corner as usize][3]).fold(0.0, f32::max);
                self.limit.stiffness(K::Row::<f64>::compliance(column[row].into()), w.into())
            });
            (*idx, K::Row::<f64>::load(tables, &Single { row, still }, k))
        };
        let rows: Vec<_> = rows_of::<N, K>(tables).map(load).collect();
        if !rows.is_empty() {
            self.groups.push(Box::new(Rows(rows)));
        }
    }
}
