//! Whether a library's tables fit what the scenes of this program fill.

use sim_api::{
    Class, Element, Fill,
    model::{TABLES, col},
};

use crate::{
    state::{ColumnSchema, Schema},
    suggest::nearest,
};

/// Columns without which the host can neither draw, hold nor move anything.
const NEEDED: [(&str, &str); 7] = [
    (col::particle::position.table, col::particle::position.column),
    (col::particle::velocity.table, col::particle::velocity.column),
    (col::distance::idx.table, col::distance::idx.column),
    (col::distance::rest.table, col::distance::rest.column),
    (col::distance::kind.table, col::distance::kind.column),
    (col::collider::position.table, col::collider::position.column),
    (col::collider::rotation.table, col::collider::rotation.column),
];

/// Type of a column of the model.
fn element(table: &str, column: &str) -> Option<Element> {
    columns(table).iter().find(|known| known.0 == column).map(|known| known.1)
}

/// Columns of a table of the model.
fn columns(table: &str) -> &'static [(&'static str, Element, Class)] {
    TABLES.iter().find(|known| known.name == table).map_or(&[], |known| known.columns)
}

/// Whether the host can run a library's tables: what it needs is there, and what it is asked to give it has.
pub fn check_schema(schema: &Schema) -> Result<(), String> {
    for table in &schema.tables {
        for column in table.columns.iter().filter(|column| column.fill == Fill::Scene) {
            let path = format!("{}.{}", table.name, column.name);
            match element(&table.name, &column.name) {
                Some(element) if element == column.element => {}
                Some(element) => {
                    return Err(format!(
                        "`{path}` is {:?} in the scene's tables, not {:?}",
                        element, column.element
                    ));
                }
                None => {
                    let known = columns(&table.name).iter().map(|known| known.0);
                    let near = nearest(&column.name, known);
                    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    return Err(format!(
                        "no scene fills `{path}`{near}: write it without `given` or `= scene`, and it starts at zero"
                    ));
                }
            }
        }
    }
    for table in &schema.tables {
        // Colours and trees hold for what the host wrote: code that may write there could make them wrong.
        let given = columns(&table.name).iter().filter(|known| known.2 == Class::Given);
        for (name, ..) in given {
            let other = |column: &&ColumnSchema| column.name == *name && column.class != Class::Given;
            if let Some(column) = table.columns.iter().find(other) {
                return Err(format!(
                    "`{}.{name}` is the host's alone and was declared `{:?}`: write `given {name}`",
                    table.name, column.class
                ));
            }
        }
    }
    for (table, column) in NEEDED {
        let declared = schema.tables.iter().find(|t| t.name == table);
        let declared = declared.and_then(|t| t.columns.iter().find(|c| c.name == column));
        if declared.is_none_or(|declared| Some(declared.element) != element(table, column)) {
            let element =
                element(table, column).map_or_else(String::new, |element| format!(" ({element:?})"));
            return Err(format!(
                "the host needs `{table}.{column}`{element}; it is gone from sim-dylib/kernels/state.rs"
            ));
        }
    }
    Ok(())
}
