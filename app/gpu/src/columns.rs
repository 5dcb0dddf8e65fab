//! The columns that a pass may bind, and where each comes from.

use std::cmp::Reverse;

use sim_api::{Class, Element};

use super::{
    batches::{Batches, NODES},
    bodies,
    links::Derived,
    passes::{Private, Sources, fault},
    shared, spatial_hash,
};
use weft_core::state::State;
use weft_draw::ShaderError;

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
    /// Given ones behind each other (`shared.rs`).
    Shared,
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
            Origin::Derived | Origin::Shared => Some("is worked out by the host"),
            Origin::State(_) | Origin::Private => None,
        }
    }

    pub fn bytes(&self) -> u64 {
        self.rows as u64 * self.element.size() as u64
    }
}

#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub list: Vec<ColumnInfo>,
    /// Which strands share the room for their nodes.
    pub(crate) batches: Batches,
}

impl Columns {
    /// All columns of a state, what was derived from it, and those that the texts declare. `most`: bytes of a column that can be bound.
    pub fn of(state: &State, derived: &[Derived], sources: &Sources, most: u64) -> Result<Self, ShaderError> {
        let mut columns = Self { list: Vec::new(), batches: Batches::of(state, most) };
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
            columns.list.push(ColumnInfo {
                table: made.table.to_string(),
                name: made.column.to_string(),
                element: made.element,
                rows: made.rows,
                origin: Origin::Derived,
            });
        }
        columns.list.push(shared::column(&columns.list));
        let own = columns.own_tables(state);
        for private in sources.columns()? {
            columns
                .add(&private, &own)
                .map_err(|message| fault(sources, &private.file, (private.line, 1, usize::MAX), &message))?;
        }
        Ok(columns)
    }

    /// Tables of the device alone whose rows the host knows.
    fn own_tables(&self, state: &State) -> [(&'static str, usize); 8] {
        let (particles, layers) = (self.rows("particle").unwrap_or(0), self.rows("layer").unwrap_or(0));
        let cells = spatial_hash::cells(layers);
        let [poses, parts] = bodies::rows(state);
        [
            // Parts of the sums of all particles; see `step/energy.wgsl`.
            ("energy", particles.div_ceil(ENERGY_ROWS).clamp(1, ENERGY_PARTS)),
            // Which particle is where, and near which; see `self/near.wgsl`.
            ("cell", cells),
            ("scan", cells / spatial_hash::PART),
            ("spatial_hash", layers),
            ("near", spatial_hash::slots(self.rows("strand").unwrap_or(0)) * layers),
            // Where bodies with a mass are in a substep, and what the cloth got from them; see `contact/body_sums.wgsl`.
            ("pose", poses),
            ("reaction", parts),
            (NODES, self.batches.rows()),
        ]
    }

    /// `own`: tables of the device alone.
    fn add(&mut self, private: &Private, own: &[(&str, usize)]) -> Result<(), String> {
        let variable = &private.name;
        if self.variable(variable).is_some() {
            return Err(format!("column `{variable}` is in the state already, or is worked out by the host"));
        }
        let known =
            self.list.iter().map(|column| (column.table.as_str(), column.rows)).chain(own.iter().copied());
        let names = |table: &str| variable.strip_prefix(table).is_some_and(|rest| rest.starts_with('_'));
        let table = known.filter(|(table, _)| names(table)).min_by_key(|(table, _)| Reverse(table.len()));
        let rows = private.rows.or(table.map(|(_, rows)| rows)).ok_or_else(|| {
            let row = wgsl(private.element);
            format!(
                "there is no table that `{variable}` begins with: write array<{row}, 100> for so many rows"
            )
        })?;
        if u32::try_from(rows).is_err() {
            return Err(format!("`{variable}` has {rows} rows: a pass counts them up to {}", u32::MAX));
        }
        let first = variable.split('_').next().unwrap_or_default();
        let table = table.map_or(first, |(table, _)| table).to_string();
        let name = variable[table.len()..].trim_start_matches('_').to_string();
        self.list.push(ColumnInfo { table, name, element: private.element, rows, origin: Origin::Private });
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
        let is = |column: &ColumnInfo| {
            let rest = name.strip_prefix(column.table.as_str()).and_then(|rest| rest.strip_prefix('_'));
            rest == Some(column.name.as_str())
        };
        self.list.iter().position(is)
    }

    /// Rows of a table.
    pub fn rows(&self, table: &str) -> Option<usize> {
        self.list.iter().find(|column| column.table == table).map(|column| column.rows)
    }
}

/// Every kind of row.
pub(crate) const ELEMENTS: [Element; 8] = [
    Element::F32,
    Element::F32x2,
    Element::F32x3,
    Element::F32x4,
    Element::U32,
    Element::U32x2,
    Element::U32x3,
    Element::U32x4,
];

/// An element as a row of a WGSL array.
pub(crate) fn wgsl(element: Element) -> String {
    let scalar = if (element as u32) < Element::U32 as u32 { "f32" } else { "u32" };
    match element.lanes() {
        1 => scalar.to_string(),
        // A vec3 takes 16 bytes in an array.
        3 => format!("array<{scalar}, 3>"),
        lanes => format!("vec{lanes}{}", &scalar[..1]),
    }
}
