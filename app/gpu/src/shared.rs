//! Given columns of particles, strands and colliders, one behind the other in one buffer: for passes that name more columns than an
//! adapter has places for, which read some of them there (`compose/share.rs`).
//!
//! ```text
//! given_words    first word, rows | first word, rows | …  | words of the first column | of the second | …
//! ```
//! The numbers at its head are read by the passes: a compiled one stays right for tables of other lengths.

use sim_api::Class;
use weft_core::state::State;

use super::columns::{ColumnInfo, Columns, Origin};

/// Table and name of that column.
pub(crate) const TABLE: &str = "given";
pub(crate) const NAME: &str = "words";
/// Whose columns are there.
const TABLES: [&str; 7] = ["particle", "strand", "segment", "strand_grid", "collider", "mount", "root"];

/// Words at the head for each column.
pub(crate) const HEAD: usize = 2;

fn is_shared(column: &ColumnInfo) -> bool {
    column.origin == Origin::State(Class::Given) && TABLES.contains(&column.table.as_str())
}

fn words(column: &ColumnInfo) -> usize {
    column.rows * column.element.size() / 4
}

/// The column for so many others.
pub(crate) fn column(list: &[ColumnInfo]) -> ColumnInfo {
    let rows = list.iter().filter(|column| is_shared(column)).map(|column| HEAD + words(column)).sum();
    let element = sim_api::Element::U32;
    ColumnInfo { table: TABLE.into(), name: NAME.into(), element, rows, origin: Origin::Shared }
}

/// The number of a column among those that are there.
pub(crate) fn number(columns: &Columns, column: usize) -> Option<usize> {
    let shared = is_shared(&columns.list[column]);
    shared.then(|| columns.list[..column].iter().filter(|column| is_shared(column)).count())
}

/// All columns that are there, and at which word each begins.
pub(crate) fn places(columns: &Columns) -> impl Iterator<Item = (usize, usize)> {
    let shared = || columns.list.iter().enumerate().filter(|(_, column)| is_shared(column));
    let mut next = HEAD * shared().count();
    shared().map(move |(index, column)| {
        let first = next;
        next += words(column);
        (index, first)
    })
}

/// The words at the head, for the rows that a state has.
pub(crate) fn head(columns: &Columns, state: &State) -> Vec<u32> {
    let rows = |index: usize| state.table(&columns.list[index].table).map_or(0, |table| table.rows);
    places(columns).flat_map(|(index, first)| [first as u32, rows(index) as u32]).collect()
}
