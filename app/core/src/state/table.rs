//! One table: columns of equal length, its colours, and what is parked.

use sim_api::{Class, ColumnView, TableView};

use super::{Column, TableRows, coloring::Coloring};

#[derive(Clone, Default)]
pub struct Table {
    pub name: String,
    /// Rows that the hot code sees.
    pub rows: usize,
    /// Rows behind them that broken threads took with them; columns hold them as well.
    pub dead: usize,
    /// In the order of the schema.
    pub columns: Vec<Column>,
    /// Columns the present code does not declare; they come back when it does again.
    pub parked: Vec<Column>,
    /// Row order against the scene, dead rows last, and colours of the others.
    pub coloring: Coloring,
    /// The same with no row dead, once one was.
    pub whole: Option<Coloring>,
}

impl Table {
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    pub fn column_mut(&mut self, name: &str) -> Option<&mut Column> {
        self.columns.iter_mut().find(|column| column.name == name)
    }

    /// Gives a table that the host derives these rows. Its other columns keep their values where the number of rows stays.
    pub(super) fn fill_derived(&mut self, filled: &TableRows) {
        if self.rows != filled.rows {
            self.rows = filled.rows;
            self.parked.clear();
            for column in &mut self.columns {
                *column = Column::new(&column.name, column.element, column.class, filled.rows);
            }
        }
        for column in &mut self.columns {
            if let Some(data) = filled.column(&column.name).filter(|data| data.element() == column.element) {
                column.bytes_mut().copy_from_slice(data.bytes());
            }
        }
    }

    /// Place of the column that the colours are for, if there are any.
    fn colored(&self) -> usize {
        let name = if self.name == "vertex" { "particle" } else { "idx" };
        self.columns.iter().position(|column| column.name == name).unwrap_or(usize::MAX)
    }

    /// Poisons scratch columns, so that code which reads before it writes shows it at once.
    pub fn poison_scratch(&mut self) {
        for column in self.columns.iter_mut().filter(|column| column.class == Class::Scratch) {
            column.poison();
        }
    }
}

/// Pointers to all tables for one call of the hot code. Kept between steps, so that binding does not allocate.
#[derive(Default)]
pub struct Bound {
    columns: Vec<ColumnView>,
    tables: Vec<TableView>,
}

impl Bound {
    /// Views in the order of the schema. They stay valid until a table is changed by the host.
    pub fn bind(&mut self, tables: &mut [Table]) -> &[TableView] {
        self.columns.clear();
        for table in tables.iter_mut() {
            for column in &mut table.columns {
                let (rows, element) = (column.len(), column.element);
                self.columns.push(ColumnView { data: column.data(), rows, element });
            }
        }
        self.tables.clear();
        let particles = tables.iter().find(|table| table.name == "particle").map_or(0, |table| table.rows);
        let mut first = 0;
        for table in tables {
            let ends = &table.coloring.ends;
            self.tables.push(TableView {
                rows: table.rows,
                columns: self.columns[first..].as_ptr(),
                column_count: table.columns.len(),
                color_ends: ends.as_ptr(),
                color_count: ends.len(),
                colored: table.colored(),
                // `Coloring::check` saw that it is so.
                colored_end: particles,
            });
            first += table.columns.len();
        }
        &self.tables
    }
}
