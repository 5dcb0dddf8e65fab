//! What is looked at after a step of the probe: values that are not finite, what the host owns, and hashes to compare.

use sim_api::Class;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::wire::Values;
use weft_core::state::{Column, State};

/// Columns that the hot code works on and the host keeps, with their tables, in the order of the schema.
fn state_columns(state: &State) -> impl Iterator<Item = (&str, &Column)> {
    let columns =
        state.tables.iter().flat_map(|table| table.columns.iter().map(|c| (table.name.as_str(), c)));
    columns.filter(|(_, column)| column.class == Class::State)
}

/// One hash for each state column.
pub(super) fn hashes(state: &State) -> Vec<u64> {
    state_columns(state).map(|(_, column)| xxh3_64(column.bytes())).collect()
}

/// The values of all state columns.
pub(super) fn copies(state: &State) -> Vec<Vec<u8>> {
    state_columns(state).map(|(_, column)| column.bytes().to_vec()).collect()
}

/// What [`copies`] holds of one column, with its name.
pub(super) fn values(state: &State, column: usize, bytes: &[u8]) -> Option<Values> {
    let (table, found) = state_columns(state).nth(column)?;
    Some(Values {
        column: format!("{table}.{}", found.name),
        size: found.element.size(),
        float: found.element.is_float(),
        bytes: bytes.to_vec(),
    })
}

/// Hashes of everything that the hot code may not write: `given` and parked columns, colours and order of rows.
pub(super) fn given(state: &State) -> Vec<u64> {
    let mut hashes = Vec::new();
    for table in &state.tables {
        let given = table.columns.iter().filter(|column| column.class == Class::Given);
        hashes.extend(given.chain(&table.parked).map(|column| xxh3_64(column.bytes())));
        let mut hasher = Xxh3::new();
        hasher.update(bytemuck::cast_slice(&table.coloring.ends));
        hasher.update(bytemuck::cast_slice(&table.coloring.order));
        hashes.push(hasher.digest());
    }
    hashes
}

/// The first of these that has another hash now.
pub(super) fn changed(state: &State, before: &[u64]) -> Option<String> {
    let at = given(state).iter().zip(before).position(|(now, before)| now != before)?;
    let mut names = Vec::new();
    for table in &state.tables {
        let given = table.columns.iter().filter(|column| column.class == Class::Given);
        names.extend(given.map(|column| format!("{}.{} (`given`)", table.name, column.name)));
        names.extend(table.parked.iter().map(|column| format!("{}.{} (parked)", table.name, column.name)));
        names.push(format!("the colours of {}", table.name));
    }
    names.into_iter().nth(at)
}

/// The first row in which two copies of a column differ, and both values in words.
pub(super) fn difference(one: &Values, two: &Values) -> Option<(usize, String, String)> {
    let rows = one.bytes.chunks(one.size.max(1)).zip(two.bytes.chunks(two.size.max(1)));
    let (row, (a, b)) = rows.enumerate().find(|(_, (a, b))| a != b)?;
    let text = |bytes: &[u8]| {
        let (values, _) = bytes.as_chunks::<4>();
        let value = |v: &[u8; 4]| {
            if one.float { f32::from_ne_bytes(*v).to_string() } else { u32::from_ne_bytes(*v).to_string() }
        };
        let values: Vec<String> = values.iter().map(value).collect();
        if values.len() == 1 { values.concat() } else { format!("({})", values.join(", ")) }
    };
    Some((row, text(a), text(b)))
}
