//! The host's own copy of what a library declares: names, element types, classes, fill rules.

use sim_api::{Class, ColumnDesc, Element, Fill, TableDesc};

#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSchema {
    pub name: String,
    pub element: Element,
    pub class: Class,
    pub fill: Fill,
    /// The column to copy from, for [`Fill::Copy`].
    pub source: String,
    pub doc: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TableSchema {
    pub name: String,
    pub columns: Vec<ColumnSchema>,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Schema {
    pub tables: Vec<TableSchema>,
}

impl Schema {
    /// Copies a library's description; names that appear twice, or a copy from nowhere, are refused.
    pub fn read(tables: &[TableDesc]) -> Result<Self, String> {
        let schema = Self { tables: tables.iter().map(TableSchema::read).collect() };
        for (i, table) in schema.tables.iter().enumerate() {
            if schema.tables[..i].iter().any(|other| other.name == table.name) {
                return Err(format!("table `{}` is declared twice", table.name));
            }
            table.check()?;
        }
        Ok(schema)
    }
}

impl TableSchema {
    fn read(table: &TableDesc) -> Self {
        let columns = table.columns.as_slice().iter().map(ColumnSchema::read).collect();
        Self { name: table.name.to_string(), columns }
    }

    fn check(&self) -> Result<(), String> {
        for (i, column) in self.columns.iter().enumerate() {
            let name = &column.name;
            if self.columns[..i].iter().any(|other| other.name == *name) {
                return Err(format!("column `{}.{name}` is declared twice", self.name));
            }
            if column.fill == Fill::Copy {
                let source = self.columns.iter().find(|other| other.name == column.source);
                if source.is_none_or(|source| source.element != column.element || source.name == *name) {
                    return Err(format!(
                        "column `{}.{name}` copies from `{}`, which is not another column of the same type",
                        self.name, column.source
                    ));
                }
            }
        }
        Ok(())
    }
}

impl ColumnSchema {
    fn read(column: &ColumnDesc) -> Self {
        Self {
            name: column.name.to_string(),
            element: column.element,
            class: column.class,
            fill: column.fill,
            source: column.source.to_string(),
            doc: column.doc.as_str().trim().to_string(),
        }
    }
}
