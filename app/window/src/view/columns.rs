//! Any column of the state as one number a particle, those that were saved a second ago included.
//!
//! | table | number of a particle |
//! |---|---|
//! | `particle` | its row |
//! | `segment` | the row of its segment |
//! | with a column `idx` | of the rows that it is in, the value of largest size |
//!
//! A vector counts by its length (x, y, z), a whole number as it is.

use std::sync::{LazyLock, Mutex, PoisonError};

use sim_api::Element;
use weft_core::{
    state::{Column, ColumnSchema, State, Table},
    suggest,
};
use weft_engine::generation::Generation;

use super::Quantity;

/// Column of a constraint table that names the particles of its rows.
const IDX: &str = "idx";

/// Those that were asked for. A few hundred bytes each, as many as there are columns: they stay.
static KNOWN: LazyLock<Mutex<Vec<&'static Quantity>>> = LazyLock::new(Mutex::default);

/// Names of the tables of a state whose columns can be shown.
pub fn tables(state: &State) -> impl Iterator<Item = &str> {
    state.tables.iter().filter(|table| table.rows > 0 && shows(table)).map(|table| table.name.as_str())
}

/// The columns of a table, as quantities.
pub fn of_table(code: &Generation, table: &str) -> Vec<&'static Quantity> {
    let found = code.schema.tables.iter().find(|declared| declared.name == table);
    let columns = found.map_or(&[][..], |declared| &declared.columns);
    columns.iter().filter(|column| is_number(column)).map(|column| quantity(table, column)).collect()
}

fn shows(table: &Table) -> bool {
    ["particle", "segment"].contains(&table.name.as_str()) || table.column(IDX).is_some()
}

/// Indices say nothing as a colour.
fn is_number(column: &ColumnSchema) -> bool {
    column.name != IDX && (column.element.is_float() || column.element == Element::U32)
}

/// `table.column` of the built-in code.
pub(super) fn built_in(table: &str, column: &str) -> Result<&'static Quantity, String> {
    let code = Generation::built_in();
    let names: Vec<&str> = code.schema.tables.iter().map(|declared| declared.name.as_str()).collect();
    let near = |name: &str, names: &[&str]| {
        let near = suggest::nearest(name, names.iter().copied());
        near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
    };
    if !names.contains(&table) {
        return Err(format!("there is no table `{table}`{}", near(table, &names)));
    }
    let columns = of_table(&code, table);
    let found =
        columns.iter().find(|quantity| quantity.shown_column().is_some_and(|shown| shown.1 == column));
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = columns.iter().filter_map(|one| Some(one.shown_column()?.1)).collect();
        format!(
            "`{table}` has no column `{column}` to show{} (columns: {})",
            near(column, &names),
            names.join(", ")
        )
    })
}

fn quantity(table: &str, column: &ColumnSchema) -> &'static Quantity {
    let (name, doc) = (format!("{table}.{}", column.name), column.doc.trim());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.iter().find(|quantity| quantity.name == name && quantity.doc == doc) {
        return found;
    }
    let leak = |text: &str| -> &'static str { Box::leak(text.to_string().into_boxed_str()) };
    let made =
        Quantity::of_column(leak(&name), (leak(unit(doc)), leak(doc)), (leak(table), leak(&column.name)));
    let made: &'static Quantity = Box::leak(Box::new(made));
    known.push(made);
    made
}

/// The first unit of a description: `Force [N] ...`.
fn unit(doc: &str) -> &str {
    let inside = doc.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inside.map_or("", |(unit, _)| unit)
}

/// One number a particle; zeros where the state has no such column.
pub(super) fn read(state: &State, table: &str, column: &str) -> Vec<f32> {
    let particles = state.table("particle").map_or(0, |table| table.rows);
    let mut values = vec![0.0; particles];
    let Some(table) = state.table(table) else { return values };
    let Some(column) = table.column(column) else { return values };
    let rows = numbers(column);
    if let Some(idx) = table.column(IDX) {
        let lanes = idx.element.lanes();
        let corners: &[u32] = bytemuck::cast_slice(&idx.bytes()[..idx.len() * idx.element.size()]);
        for (corners, value) in corners.chunks_exact(lanes).zip(rows) {
            for &corner in corners {
                if let Some(most) = values.get_mut(corner as usize)
                    && value.abs() > most.abs()
                {
                    *most = value;
                }
            }
        }
        return values;
    }
    // Segments are those of the last particles.
    let first = if table.name == "segment" { particles.saturating_sub(table.rows) } else { 0 };
    values.iter_mut().skip(first).zip(rows).for_each(|(to, value)| *to = value);
    values
}

/// One number a row.
fn numbers(column: &Column) -> Vec<f32> {
    let length = |row: &[f32]| row.iter().take(3).map(|value| value * value).sum::<f32>().sqrt();
    match column.element {
        Element::F32 => column.rows::<f32>().to_vec(),
        Element::U32 => column.rows::<u32>().iter().map(|value| *value as f32).collect(),
        Element::F32x2 => column.rows::<[f32; 2]>().iter().map(|row| length(row)).collect(),
        Element::F32x3 => column.rows::<[f32; 3]>().iter().map(|row| length(row)).collect(),
        Element::F32x4 => column.rows::<[f32; 4]>().iter().map(|row| length(row)).collect(),
        Element::U32x2 | Element::U32x3 | Element::U32x4 => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_with_their_unit_and_mistakes_with_the_nearest() {
        let velocity = Quantity::named("particle.velocity").expect("a column");
        assert_eq!((velocity.name, velocity.unit), ("particle.velocity", "m/s"));
        assert!(std::ptr::eq(velocity, Quantity::named("particle.velocity").expect("the same")));
        assert_eq!(Quantity::named("distance.force").expect("a column").unit, "N");
        for (name, says) in [
            ("particel.velocity", "did you mean `particle`?"),
            ("particle.velocty", "did you mean `velocity`?"),
            ("distance.idx", "no column `idx` to show"),
            ("stres", "TABLE.COLUMN"),
        ] {
            let why = Quantity::named(name).expect_err(name);
            assert!(why.contains(says), "{name}: {why}");
        }
    }
}
