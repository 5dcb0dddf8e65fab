//! Brings the columns in line with what the code now declares, and keeps every value it can.

use std::fmt;

use sim_api::{Class, Fill};

use super::{
    Blueprint, Column, ColumnSchema, Data, Schema, State, Table, TableRows, TableSchema, Tearing, color,
};

/// What a reconcile did, by `table.column`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub kept: usize,
    pub added: Vec<String>,
    /// Were parked before and are back with their old values.
    pub restored: Vec<String>,
    /// Same name, other element type: the old values are parked, the new column starts afresh.
    pub retyped: Vec<String>,
    pub parked: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "kept {}", self.kept)?;
        let lists = [
            ("added", &self.added),
            ("restored", &self.restored),
            ("retyped", &self.retyped),
            ("parked", &self.parked),
        ];
        for (what, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            write!(f, ", {what} {} ({})", names.len(), names.join(", "))?;
        }
        Ok(())
    }
}

impl State {
    /// A fresh state for a scene.
    pub fn build(schema: &Schema, blueprint: &Blueprint) -> Result<Self, String> {
        let mut state = Self::default();
        state.reconcile(schema, blueprint)?;
        Ok(state)
    }

    /// Makes the columns those of `schema`. Rows never change here; a table that is new gets the blueprint's rows.
    pub fn reconcile(&mut self, schema: &Schema, blueprint: &Blueprint) -> Result<Report, String> {
        let mut report = Report::default();
        let mut tables = Vec::new();
        let particles = blueprint.table("particle").map_or(0, |table| table.rows);
        // What may fail comes first: the tables stand as they are then.
        let known = |declared: &&TableSchema| self.tables.iter().any(|table| table.name == declared.name);
        let new = schema.tables.iter().filter(|declared| !known(declared));
        let new = new.map(|declared| new_table(&declared.name, blueprint.table(&declared.name), particles));
        let new = new.collect::<Result<Vec<_>, _>>()?;
        let mut old = std::mem::take(&mut self.tables);
        old.extend(new);
        for declared in &schema.tables {
            let table = old.iter().position(|table| table.name == declared.name);
            let table = table.map_or_else(Table::default, |i| old.swap_remove(i));
            tables.push(reconcile_table(table, declared, blueprint.table(&declared.name), &mut report));
        }
        // Tables the code no longer declares are parked whole, after the declared ones.
        for mut table in old {
            let gone = table.columns.drain(..).filter(|column| column.class == Class::State);
            let gone: Vec<Column> = gone.collect();
            report.parked.extend(gone.iter().map(|column| format!("{}.{}", table.name, column.name)));
            table.parked.extend(gone);
            tables.push(table);
        }
        // What is derived from the rows is there already if no column is new.
        self.incidence_stale |=
            !(report.added.is_empty() && report.restored.is_empty() && report.retyped.is_empty());
        self.strides_stale = true;
        self.tables = tables;
        if self.torn.is_none() {
            self.torn = Tearing::of(blueprint);
        }
        self.compact_again();
        Ok(report)
    }
}

/// A table with the scene's rows, coloured if its rows name particles.
fn new_table(name: &str, filled: Option<&TableRows>, particles: usize) -> Result<Table, String> {
    let rows = filled.map_or(0, |table| table.rows);
    let mut table = Table { name: name.to_string(), rows, ..Table::default() };
    if let Some(idx) = filled.and_then(|table| table.column("idx")).map(Data::unpacked) {
        let (arity, values) = (idx.element().lanes(), bytemuck::cast_slice(idx.bytes()));
        if let Some(outside) = values.iter().find(|&&particle: &&u32| particle as usize >= particles) {
            return Err(format!("table `{name}` names particle {outside} of {particles}"));
        }
        let kinds = filled.and_then(|table| table.column("kind")).map(Data::unpacked);
        let kinds = kinds.as_ref().and_then(|kinds| kinds.rows()).unwrap_or_default();
        table.coloring = color(values, arity, kinds, particles);
        let ends = |row| {
            let scene_row = table.coloring.order[row] as usize;
            &values[scene_row * arity..(scene_row + 1) * arity]
        };
        table.coloring.check_rows(rows, ends, particles).map_err(|e| format!("table `{name}`: {e}"))?;
    }
    Ok(table)
}

fn reconcile_table(
    mut table: Table,
    declared: &TableSchema,
    filled: Option<&TableRows>,
    report: &mut Report,
) -> Table {
    let mut present = std::mem::take(&mut table.columns);
    let mut copies = Vec::new();
    for want in &declared.columns {
        let path = format!("{}.{}", declared.name, want.name);
        let fits = |column: &Column| {
            // What was scratch holds no values worth keeping.
            column.name == want.name
                && column.element == want.element
                && (column.class == want.class || want.class == Class::Scratch)
        };
        let mut column = if let Some(i) = present.iter().position(fits) {
            report.kept += 1;
            present.swap_remove(i)
        } else if let Some(i) = table.parked.iter().position(fits) {
            report.restored.push(path);
            table.parked.swap_remove(i)
        } else {
            let retyped =
                present.iter().any(|column| column.name == want.name && column.element != want.element);
            if retyped {
                report.retyped.push(path);
            } else {
                report.added.push(path);
            }
            if want.fill == Fill::Copy {
                copies.push(table.columns.len());
            }
            let all = table.rows + table.dead;
            let filled = filled.filter(|filled| filled.rows == all);
            let mut column = new_column(want, all, filled, &table.coloring.order);
            column.hide(table.dead);
            column
        };
        column.class = want.class;
        table.columns.push(column);
    }
    for i in copies {
        let source = &declared.columns[i].source;
        if let Some(from) = table.columns.iter().find(|column| column.name == *source) {
            let bytes = from.bytes().to_vec();
            table.columns[i].bytes_mut().copy_from_slice(&bytes);
        }
    }
    for gone in present.into_iter().filter(|column| column.class == Class::State) {
        let retyped =
            declared.columns.iter().any(|column| column.name == gone.name && column.element != gone.element);
        if !retyped {
            report.parked.push(format!("{}.{}", declared.name, gone.name));
        }
        table.parked.push(gone);
    }
    table
}

fn new_column(want: &ColumnSchema, rows: usize, filled: Option<&TableRows>, order: &[u32]) -> Column {
    let mut column = Column::new(&want.name, want.element, want.class, rows);
    let data = filled.and_then(|table| table.column(&want.name));
    if let Some(data) = data.filter(|data| data.element() == want.element && want.fill == Fill::Scene) {
        column.fill(data.unpacked().bytes(), order);
    }
    column
}
