//! The columns that a pass may bind, and where each comes from.

use sim_api::{Class, Element};

use super::{bodies, crowd, links::Derived, passes::Private};
use weft_core::state::State;

/// Particles that a part of the energy adds up at least.
const ENERGY_ROWS: usize = 16;
/// Parts of the energy at most: each comes back after a frame.
const ENERGY_PARTS: usize = 1 << 14;

/// Where a column comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The state's tables; a `given` one is read only.
    State(Class),
    /// Worked out by the host for the device (`links.rs`): read only.
    Derived,
    /// The device's own.
    Private,
}

#[derive(Clone, Debug)]
pub struct ColumnInfo {
    pub table: String,
    pub name: String,
    pub element: Element,
    pub rows: usize,
    pub origin: Origin,
}

impl ColumnInfo {
    /// Name of the WGSL variable.
    pub fn variable(&self) -> String {
        format!("{}_{}", self.table, self.name)
    }

    /// Why a pass may not write it.
    pub fn read_only(&self) -> Option<&'static str> {
        match self.origin {
            Origin::State(Class::Given) => Some("is given: it belongs to the scene"),
            Origin::Derived => Some("is worked out by the host"),
            Origin::State(_) | Origin::Private => None,
        }
    }

    pub fn bytes(&self) -> u64 {
        (self.rows * self.element.size()) as u64
    }
}

#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub list: Vec<ColumnInfo>,
}

impl Columns {
    /// All columns of a state, what was derived from it, and the device's own.
    pub fn of(state: &State, derived: &[Derived], private: &[Private]) -> Result<Self, String> {
        let mut columns = Self::default();
        for table in &state.tables {
            for column in &table.columns {
                columns.list.push(ColumnInfo {
                    table: table.name.clone(),
                    name: column.name.clone(),
                    element: column.element,
                    // With those that broken threads took: they may come back.
                    rows: table.rows + table.dead,
                    origin: Origin::State(column.class),
                });
            }
        }
        for made in derived {
            columns.add(made.table, made.column, made.element, Some(made.rows), Origin::Derived)?;
        }
        // Filled with the first value that is not finite; see `finite.wgsl`.
        columns.add("fault", "not_finite", Element::U32, Some(1), Origin::Private)?;
        // Parts of the sums of all particles; see `energy.wgsl`.
        let parts = columns.rows("particle").unwrap_or(0).div_ceil(ENERGY_ROWS).clamp(1, ENERGY_PARTS);
        columns.add("energy", "part", Element::F32x4, Some(parts), Origin::Private)?;
        // Who is where, and near whom; see `self_near.wgsl`.
        let layers = columns.rows("layer").unwrap_or(0);
        let cells = crowd::cells(layers);
        for (table, name, element, rows) in [
            ("cell", "count", Element::U32, cells),
            ("cell", "end", Element::U32, cells),
            ("scan", "sum", Element::U32, cells / crowd::PART),
            ("crowd", "particle", Element::U32, layers),
            ("near", "other", Element::U32, crowd::SLOTS * layers),
            ("near", "limit", Element::F32, crowd::SLOTS * layers),
            ("hash", "lost", Element::U32, 1),
        ] {
            columns.add(table, name, element, Some(rows), Origin::Private)?;
        }
        // Threads that have broken in a frame; see `tear_break.wgsl`.
        columns.add("torn", "count", Element::U32, Some(1), Origin::Private)?;
        // Where bodies with a mass are in a substep, and what the cloth got from them; see `body_sums.wgsl`.
        let [poses, parts] = bodies::rows(state);
        for (table, name, rows) in
            [("pose", "row", poses), ("reaction", "impulse", parts), ("reaction", "angular", parts)]
        {
            columns.add(table, name, Element::F32x4, Some(rows), Origin::Private)?;
        }
        for own in private {
            columns.add(&own.table, &own.column, own.element.element(), own.rows, Origin::Private)?;
        }
        Ok(columns)
    }

    /// `rows`: `None` for those of the table.
    fn add(
        &mut self,
        table: &str,
        name: &str,
        element: Element,
        rows: Option<usize>,
        origin: Origin,
    ) -> Result<(), String> {
        if self.index(table, name).is_some() {
            return Err(format!("passes.ron: column `{table}.{name}` is in the state already"));
        }
        let rows = rows
            .or_else(|| self.rows(table))
            .ok_or_else(|| format!("passes.ron: column `{table}.{name}`: there is no table `{table}`"))?;
        self.list.push(ColumnInfo {
            table: table.to_string(),
            name: name.to_string(),
            element,
            rows,
            origin,
        });
        Ok(())
    }

    pub fn index(&self, table: &str, name: &str) -> Option<usize> {
        self.list.iter().position(|column| column.table == table && column.name == name)
    }

    /// The column behind `table.column`.
    pub fn path(&self, path: &str) -> Option<usize> {
        path.split_once('.').and_then(|(table, name)| self.index(table, name))
    }

    /// The column behind a WGSL variable.
    pub fn variable(&self, name: &str) -> Option<usize> {
        name.split_once('_').and_then(|(table, column)| self.index(table, column))
    }

    /// Rows of a table.
    pub fn rows(&self, table: &str) -> Option<usize> {
        self.list.iter().find(|column| column.table == table).map(|column| column.rows)
    }
}
