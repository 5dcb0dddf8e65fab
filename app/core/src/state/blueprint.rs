//! What the scene fills into the tables, in scene order: the values of all columns with [`sim_api::Fill::Scene`].

mod packed;

use std::borrow::Cow;

use bytemuck::Pod;
use sim_api::{Column, Key};

use packed::Packed;

/// Values of one column.
#[derive(Clone, Debug)]
pub enum Data {
    F32(Vec<f32>),
    F32x4(Vec<[f32; 4]>),
    U32(Vec<u32>),
    U32x2(Vec<[u32; 2]>),
    U32x3(Vec<[u32; 3]>),
    U32x4(Vec<[u32; 4]>),
    /// Of any of these types: see [`Blueprint::packed`].
    Packed(Packed),
}

impl PartialEq for Data {
    /// Bit for bit.
    fn eq(&self, other: &Self) -> bool {
        if let (Self::Packed(one), Self::Packed(other)) = (self, other) {
            return one == other;
        }
        self.element() == other.element() && self.unpacked().bytes() == other.unpacked().bytes()
    }
}

macro_rules! from_rows {
    ($($Variant:ident: $ty:ty,)*) => {
        $(impl From<Vec<$ty>> for Data {
            fn from(rows: Vec<$ty>) -> Self {
                Self::$Variant(rows)
            }
        })*
    };
}
from_rows! { F32: f32, F32x4: [f32; 4], U32: u32, U32x2: [u32; 2], U32x3: [u32; 3], U32x4: [u32; 4], }

impl Data {
    /// The rows, if they are of that type.
    pub fn rows<T: Column + Pod>(&self) -> Option<&[T]> {
        (self.element() == T::ELEMENT).then(|| bytemuck::cast_slice(self.bytes()))
    }

    pub fn element(&self) -> sim_api::Element {
        match self {
            Self::F32(_) => sim_api::Element::F32,
            Self::F32x4(_) => sim_api::Element::F32x4,
            Self::U32(_) => sim_api::Element::U32,
            Self::U32x2(_) => sim_api::Element::U32x2,
            Self::U32x3(_) => sim_api::Element::U32x3,
            Self::U32x4(_) => sim_api::Element::U32x4,
            Self::Packed(packed) => packed.element,
        }
    }

    /// The same as plain values; those of a packed column go with the one that asks.
    pub fn unpacked(&self) -> Cow<'_, Self> {
        match self {
            Self::Packed(packed) => Cow::Owned(packed.unpacked()),
            plain => Cow::Borrowed(plain),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::F32(rows) => bytemuck::cast_slice(rows),
            Self::F32x4(rows) => bytemuck::cast_slice(rows),
            Self::U32(rows) => bytemuck::cast_slice(rows),
            Self::U32x2(rows) => bytemuck::cast_slice(rows),
            Self::U32x3(rows) => bytemuck::cast_slice(rows),
            Self::U32x4(rows) => bytemuck::cast_slice(rows),
            Self::Packed(packed) => packed.whole().bytes(),
        }
    }
}

/// Rows of one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableRows {
    pub name: &'static str,
    pub rows: usize,
    pub columns: Vec<(&'static str, Data)>,
}

impl TableRows {
    /// A table of these columns; those without a row are left out.
    ///
    /// # Panics
    /// If the others are not of one length.
    pub fn new(name: &'static str, mut columns: Vec<(&'static str, Data)>) -> Self {
        columns.retain(|(_, data)| !data.bytes().is_empty());
        let count = |data: &Data| data.bytes().len() / data.element().size();
        let rows = columns.first().map_or(0, |(_, data)| count(data));
        for (column, data) in &columns {
            assert_eq!(count(data), rows, "{name}.{column} has as many rows as {name}.{}", columns[0].0);
        }
        Self { name, rows, columns }
    }

    pub fn column(&self, name: &str) -> Option<&Data> {
        self.columns.iter().find(|(column, _)| *column == name).map(|(_, data)| data)
    }

    /// As [`TableRows::column`], to write: plain values from now on.
    pub fn column_mut(&mut self, name: &str) -> Option<&mut Data> {
        let data = self.columns.iter_mut().find(|(column, _)| *column == name).map(|(_, data)| data)?;
        if let Data::Packed(packed) = data {
            *data = packed.unpacked();
        }
        Some(data)
    }
}

/// Rows of a column, in scene order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub table: &'static str,
    pub column: &'static str,
    pub rows: std::ops::Range<usize>,
}

impl Span {
    pub fn has(&self, row: usize) -> bool {
        row.wrapping_sub(self.rows.start) < self.rows.end - self.rows.start
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blueprint {
    pub tables: Vec<TableRows>,
}

impl Blueprint {
    /// Whether the rows are the same: as many of each table, between the same particles.
    pub fn same_rows(&self, other: &Self) -> bool {
        self.first_other(other).is_none()
    }

    /// The first table that has other rows.
    pub fn first_other(&self, other: &Self) -> Option<&'static str> {
        fn rows(table: &TableRows) -> (&str, usize, Option<&Data>) {
            (table.name, table.rows, table.column("idx"))
        }
        let (own, others) = (&self.tables, &other.tables);
        let count = own.len().max(others.len());
        let at = (0..count).find(|at| own.get(*at).map(rows) != others.get(*at).map(rows))?;
        own.get(at).or(others.get(at)).map(|table| table.name)
    }

    /// Keeps large columns that follow a rule for long stretches as that rule: once a state is built they are seldom asked for.
    #[must_use]
    pub fn packed(mut self) -> Self {
        let mut any = false;
        for (_, data) in self.tables.iter_mut().flat_map(|table| &mut table.columns) {
            if let Some(packed) = Packed::of(data) {
                *data = Data::Packed(packed);
                any = true;
            }
        }
        if any {
            crate::memory::give_back();
        }
        self
    }

    pub fn table(&self, name: &str) -> Option<&TableRows> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Rows of a column in scene order; none where the scene gives none.
    pub fn get<T: Column + Pod>(&self, key: Key<T>) -> &[T] {
        let data = self.table(key.table).and_then(|table| table.column(key.column));
        data.and_then(Data::rows).unwrap_or_default()
    }

    pub fn table_mut(&mut self, name: &str) -> Option<&mut TableRows> {
        self.tables.iter_mut().find(|table| table.name == name)
    }
}
