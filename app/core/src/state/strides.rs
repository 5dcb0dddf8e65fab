//! Strides: which rows of `distance` lanes can load and store as their particles lie in columns (table `stride`).
//!
//! Derived from the rows as they are sorted by colour, and never part of a scene. In a lattice all but few rows of a colour
//! follow one another:
//! ```text
//! grid, W wide            rows of one colour             pattern
//! down, diagonals         (a, b) (a + 1, b + 1) …        adjacent
//! along                   (a, a + 1) (a + 2, a + 3) …    alternate
//! along, skips one        (a, a + 2) (a + 1, a + 3)
//!                         (a + 4, a + 6) …               pairs
//! ```

use sim_api::model::StridePattern;

use super::{Table, col, rows};

/// Most rows of a stride: work is handed to threads stride by stride.
const MOST: usize = 128;
/// Of all rows, the share that patterns have to cover, in percent.
const ENOUGH: usize = 90;
/// Shorter strides fill no lanes: their rows are projected one by one, too.
const LANES: usize = 8;
/// Fewer rows are not worth the way into columns and back.
const FEW: usize = 256;

/// Fills the table `stride`, if the code declares it.
pub(super) fn fill(tables: &mut [Table]) {
    if !tables.iter().any(|table| table.name == "stride") {
        return;
    }
    let distance = tables.iter().find(|table| table.name == "distance");
    let (derived, ends) = distance.map_or_else(Default::default, derive);
    let derived = derived.table();
    let Some(table) = tables.iter_mut().find(|table| table.name == derived.name) else { return };
    table.fill_derived(&derived);
    table.coloring.ends = ends;
}

/// The table, and the end of each colour in it; no rows where strides do not pay.
fn derive(distance: &Table) -> (rows::Stride, Vec<u32>) {
    let idx = distance.column(col::distance::idx.column).map_or(&[][..], |column| column.rows::<[u32; 2]>());
    let (mut table, mut ends) = (rows::Stride::default(), Vec::new());
    let (mut start, mut scattered) = (0, 0);
    for end in distance.coloring.ends.iter().map(|&end| end as usize) {
        let Some(mut left) = idx.get(start..end) else { return Default::default() };
        while !left.is_empty() {
            let (pattern, count) = longest(left);
            scattered += if count < LANES { count } else { 0 };
            table.rows.push([(end - left.len()) as u32, count as u32]);
            table.ends.push(left[0]);
            table.pattern.push(pattern as u32);
            left = &left[count..];
        }
        ends.push(table.rows.len() as u32);
        start = end;
    }
    // Rows of the serial tail go one by one.
    let all = start == distance.rows && start >= FEW;
    if all && (start - scattered) * 100 >= start * ENOUGH { (table, ends) } else { Default::default() }
}

/// The pattern that the first rows follow, and how many do.
fn longest(rows: &[[u32; 2]]) -> (StridePattern, usize) {
    let [a, b] = rows[0];
    let pattern = match b.wrapping_sub(a) {
        1 => StridePattern::Alternate,
        2 => StridePattern::Pairs,
        _ => StridePattern::Adjacent,
    };
    let fits = |&(k, row): &(usize, &[u32; 2])| {
        let offset = pattern.offset(k) as u32;
        *row == [a + offset, b + offset]
    };
    let count = rows.iter().enumerate().take(MOST).take_while(fits).count();
    let count = if pattern == StridePattern::Pairs { count & !1 } else { count };
    if count > 1 { (pattern, count) } else { (StridePattern::Scattered, 1) }
}
