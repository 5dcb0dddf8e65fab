//! The state: tables of named, typed columns, owned by the host and shared by all solvers.
//!
//! ```text
//!  Schema (what the hot code declares)  ─┐
//!                                        ├─ State::reconcile → kept / added / parked / restored
//!  Blueprint (what the scene fills in)  ─┘
//! ```
//! A column is known by (table, name, element type). It survives a reload under that key byte for byte; a key that
//! vanishes is parked and comes back when the edit is undone. Rows of a constraint table are sorted by colour.

mod blueprint;
mod coloring;
mod column;
mod difference;
mod farthest;
mod hash;
pub mod image;
pub mod incidence;
mod lines;
mod reconcile;
mod refresh;
pub mod rows;
mod schema;
mod snapshot;
mod strides;
mod table;
mod tearing;
mod wavefront;

pub use sim_kernels::state::col;

pub use blueprint::{Blueprint, Data, Span, TableRows};
pub use coloring::{Coloring, MAX_COLORS, color};
pub use column::Column;
pub use difference::Difference;
pub use farthest::farthest;
pub use hash::StateHash;
pub use lines::fence;
pub use reconcile::Report;
pub use schema::{ColumnSchema, Schema, TableSchema};
pub use snapshot::Snapshot;
pub use table::{Bound, Table};
pub use tearing::{Tearing, crowds};

use sim_api::{Class, Key, Par};

impl sim_kernels::constraints::Source for State {
    fn column<T: sim_api::Column>(&self, key: Key<T>) -> &[T] {
        self.get(key)
    }
}

/// All tables of one run, in the order of the schema they were last reconciled with.
#[derive(Clone, Default)]
pub struct State {
    pub tables: Vec<Table>,
    /// Which rows broken threads took with them; `None`: nothing can tear.
    pub torn: Option<Tearing>,
    /// The tables `vertex` and `incident` are empty, or those of other rows or values: see [`State::update_topology`].
    incidence_stale: bool,
    /// The table `stride` is that of other rows.
    strides_stale: bool,
}

impl State {
    /// Rows that act of each constraint table, by what they are called; tables without any are left out.
    pub fn constraints(&self) -> Vec<(&'static str, usize)> {
        let rows = |name: &str| self.table(name).map_or(0, |table| table.rows);
        // Triangles of model 0 are drawn only.
        let triangles = self.get(col::triangle::model).iter().filter(|model| **model > 0).count();
        let all = [
            ("springs", rows("distance")),
            ("triangles", triangles),
            ("hinges", rows("hinge")),
            ("tethers", rows("tether")),
            ("soft pins", rows("attachment")),
        ];
        all.into_iter().filter(|(_, rows)| *rows > 0).collect()
    }

    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    pub fn table_mut(&mut self, name: &str) -> Option<&mut Table> {
        self.tables.iter_mut().find(|table| table.name == name)
    }

    /// A column beside which something was written since the last call, as `table.column`.
    pub fn hit(&mut self) -> Option<String> {
        let mut hit = None;
        for table in &mut self.tables {
            for column in table.columns.iter_mut().filter(|column| !column.intact()) {
                column.mend();
                hit.get_or_insert_with(|| format!("{}.{}", table.name, column.name));
            }
        }
        hit
    }

    /// Values of state columns that have to be finite.
    fn floats(&self) -> impl Iterator<Item = (&Table, &Column, &[[u8; 4]])> {
        let columns =
            self.tables.iter().flat_map(|table| table.columns.iter().map(move |column| (table, column)));
        let floats = columns.filter(|(_, column)| column.class == Class::State && column.element.is_float());
        floats.map(|(table, column)| (table, column, column.bytes().as_chunks::<4>().0))
    }

    /// How many values [`State::not_finite`] looks at.
    pub fn values(&self) -> usize {
        self.floats().map(|(_, _, values)| values.len()).sum()
    }

    /// Whether [`State::not_finite`] finds none.
    pub fn is_finite(&self, par: &Par) -> bool {
        !self.floats().any(|(_, _, values)| par.any(values.len(), |range| any_not_finite(&values[range])))
    }

    /// The first value of a state column that is NaN or infinite, as `table.column` and row.
    pub fn not_finite(&self) -> Option<(String, usize)> {
        self.floats().find_map(|(table, column, values)| {
            let at = first_not_finite(values)?;
            Some((format!("{}.{}", table.name, column.name), at / column.element.lanes()))
        })
    }

    /// The first frame of a strand that is no rotation: a quaternion of another length than 1.
    pub fn no_rotation(&self) -> Option<usize> {
        const FAR: f32 = 0.01;
        let square = |row: &[f32; 4]| row.iter().map(|value| value * value).sum::<f32>();
        self.get(col::segment::rotation).iter().position(|row| (square(row) - 1.0).abs() > FAR)
    }

    /// Particle of the first segment: all before it are of cloth.
    pub fn first_of_strands(&self) -> usize {
        self.get(col::particle::position).len().saturating_sub(self.get(col::segment::rest).len())
    }

    /// Rows of a column; none where the running library does not declare it.
    pub fn get<T: sim_api::Column>(&self, key: Key<T>) -> &[T] {
        let found = self.table(key.table).and_then(|table| table.column(key.column));
        found.map_or(&[], |column| column.rows::<T>())
    }

    /// As [`State::get`], to write.
    pub fn get_mut<T: sim_api::Column>(&mut self, key: Key<T>) -> &mut [T] {
        let found = self.table_mut(key.table).and_then(|table| table.column_mut(key.column));
        found.map_or(&mut [], |column| column.rows_mut::<T>())
    }
}

/// Where the first value is that is NaN or infinite. Block by block: one without a branch is looked through in vectors.
fn first_not_finite(values: &[[u8; 4]]) -> Option<usize> {
    const BLOCK: usize = 256;
    let at = BLOCK * values.chunks(BLOCK).position(any_not_finite)?;
    Some(at + values[at..].iter().position(|&value| not_finite(value))?)
}

fn not_finite(value: [u8; 4]) -> bool {
    !f32::from_ne_bytes(value).is_finite()
}

/// Looks at all of them: many at a time.
fn any_not_finite(values: &[[u8; 4]]) -> bool {
    values.iter().fold(false, |any, &value| any | not_finite(value))
}
