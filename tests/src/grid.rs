//! Schemas by hand.

use sim_api::{Class, Element, Fill};
use weft_core::state::{ColumnSchema, Schema, TableSchema};
pub use weft_proof::validate::fixtures::particles;

/// A column of class `state`.
pub fn column(name: &str, element: Element, fill: Fill) -> ColumnSchema {
    ColumnSchema {
        name: name.to_string(),
        element,
        class: Class::State,
        fill,
        source: String::new(),
        doc: String::new(),
    }
}

pub fn copy_of(name: &str, element: Element, source: &str) -> ColumnSchema {
    ColumnSchema { source: source.to_string(), ..column(name, element, Fill::Copy) }
}

pub fn scratch(name: &str, element: Element) -> ColumnSchema {
    ColumnSchema { class: Class::Scratch, ..column(name, element, Fill::Zero) }
}

pub fn table(name: &str, columns: &[ColumnSchema]) -> TableSchema {
    TableSchema { name: name.to_string(), columns: columns.to_vec() }
}

pub fn schema(tables: &[TableSchema]) -> Schema {
    Schema { tables: tables.to_vec() }
}
