//! The columns that last between two steps, as bytes to compare another state with.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sim_api::Class;

use super::{
    super::{Difference, State},
    ColumnImage, element,
};

#[derive(Serialize, Deserialize)]
struct Lasting<'a> {
    #[serde(borrow)]
    tables: Vec<(Cow<'a, str>, Vec<ColumnImage<'a>>)>,
}

/// All columns of class `state`, into memory that may be used again.
pub fn write_lasting(state: &State, mut bytes: Vec<u8>) -> Vec<u8> {
    let columns = |table: &super::Table| {
        let lasting = table.columns.iter().filter(|column| column.class == Class::State);
        lasting.map(|column| column.bytes().len()).sum::<usize>()
    };
    let size: usize = state.tables.iter().map(columns).sum();
    let tables = state.tables.iter().map(|table| {
        let lasting = table.columns.iter().filter(|column| column.class == Class::State);
        (Cow::Borrowed(&*table.name), lasting.map(ColumnImage::of).collect())
    });
    bytes.clear();
    bytes.reserve(size + 4096);
    // Memory cannot fail to be written.
    postcard::to_extend(&Lasting { tables: tables.collect() }, bytes).unwrap_or_default()
}

/// The first value in which `state` differs from what [`write_lasting`] wrote, which stands first in it. Columns that `state`
/// does not have are passed over.
pub fn differs(bytes: &[u8], state: &State) -> Result<Option<Difference>, String> {
    let lasting: Lasting =
        postcard::from_bytes(bytes).map_err(|e| format!("these are not the columns of a state: {e}"))?;
    for (name, columns) in &lasting.tables {
        let Some(table) = state.table(name) else { continue };
        for image in columns {
            let element = element(image.element)?;
            let Some(now) = table.column(&image.name).filter(|now| now.element == element) else { continue };
            let column = format!("{name}.{}", image.name);
            if let Some(found) = Difference::of_rows(column, element, [&image.bytes, now.bytes()]) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}
