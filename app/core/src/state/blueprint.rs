//! What the scene fills into the tables, in scene order: the values of all columns with [`sim_api::Fill::Scene`].

/// Values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    F32(Vec<f32>),
    F32x4(Vec<[f32; 4]>),
    U32(Vec<u32>),
    U32x2(Vec<[u32; 2]>),
    U32x3(Vec<[u32; 3]>),
    U32x4(Vec<[u32; 4]>),
}

impl Data {
    pub fn element(&self) -> sim_api::Element {
        match self {
            Self::F32(_) => sim_api::Element::F32,
            Self::F32x4(_) => sim_api::Element::F32x4,
            Self::U32(_) => sim_api::Element::U32,
            Self::U32x2(_) => sim_api::Element::U32x2,
            Self::U32x3(_) => sim_api::Element::U32x3,
            Self::U32x4(_) => sim_api::Element::U32x4,
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
    pub fn column(&self, name: &str) -> Option<&Data> {
        self.columns.iter().find(|(column, _)| *column == name).map(|(_, data)| data)
    }

    pub fn column_mut(&mut self, name: &str) -> Option<&mut Data> {
        self.columns.iter_mut().find(|(column, _)| *column == name).map(|(_, data)| data)
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
        let rows = |tables: &[TableRows]| tables.iter().map(|t| (t.name, t.rows)).collect::<Vec<_>>();
        rows(&self.tables) == rows(&other.tables)
            && self.tables.iter().zip(&other.tables).all(|(a, b)| a.column("idx") == b.column("idx"))
    }

    pub fn table(&self, name: &str) -> Option<&TableRows> {
        self.tables.iter().find(|table| table.name == name)
    }

    pub fn table_mut(&mut self, name: &str) -> Option<&mut TableRows> {
        self.tables.iter_mut().find(|table| table.name == name)
    }
}
