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

use std::ops::Range;

use sim_api::{Key, model::StridePattern};

use super::{Table, col, rows, wavefront};

/// Most particles between the first row of a stride and the last: what is done with one is near in memory.
const MOST: usize = 128;
/// Of all rows, the share that patterns have to cover, in percent.
const ENOUGH: usize = 90;
/// Shorter strides fill no lanes: their rows are projected one by one, too.
const LANES: usize = 8;
/// Lanes of the widest machine.
const MOST_LANES: usize = 16;
/// Most values of rows that are remembered.
const MOST_VALUES: usize = 64;
/// Fewer rows are not worth the way into columns and back.
const FEW: usize = 256;

/// Fills the table `stride`, if the code declares it.
pub(super) fn fill(tables: &mut [Table]) {
    if !tables.iter().any(|table| table.name == "stride") {
        return;
    }
    let named = |name: &str| tables.iter().find(|table| table.name == name);
    let particles = named("particle").map_or(0, |table| table.rows);
    let (derived, ends) = named("distance").map_or_else(Default::default, |rows| derive(rows, particles));
    let derived = derived.table();
    let Some(table) = tables.iter_mut().find(|table| table.name == derived.name) else { return };
    table.fill_derived(&derived);
    table.coloring.ends = ends;
}

/// The table, and the end of each of its jobs; no rows where strides do not pay.
fn derive(distance: &Table, particles: usize) -> (rows::Stride, Vec<u32>) {
    let idx = rows_of(distance, col::distance::idx);
    let mut values = Values::of(distance);
    let mut table = rows::Stride::default();
    for first in (0..particles).step_by(wavefront::PARTICLES) {
        let count = wavefront::PARTICLES.min(particles - first);
        push(&mut table, StridePattern::Particles, [first, count], [0; 2], None);
    }
    let (mut start, mut scattered) = (0, 0);
    let mut colors = vec![0; table.rows.len()];
    for (color, end) in (1..).zip(distance.coloring.ends.iter().map(|&end| end as usize)) {
        let Some(mut left) = idx.get(start..end) else { return Default::default() };
        while !left.is_empty() {
            let (first, (pattern, count)) = (end - left.len(), longest(left));
            scattered += if count < LANES { count } else { 0 };
            push(&mut table, pattern, [first, count], left[0], values.alike(first..first + count));
            left = &left[count..];
        }
        colors.resize(table.rows.len(), color);
        start = end;
    }
    // Rows of the serial tail go one by one.
    let all = start == distance.rows && start >= FEW;
    if !all || (start - scattered) * 100 < start * ENOUGH {
        return Default::default();
    }
    let ends = wavefront::sort(&mut table, &colors, idx, particles);
    (table, ends)
}

fn rows_of<T: sim_api::Column>(table: &Table, key: Key<T>) -> &[T] {
    table.column(key.column).map_or(&[][..], |column| column.rows::<T>())
}

fn push(
    table: &mut rows::Stride,
    pattern: StridePattern,
    rows: [usize; 2],
    ends: [u32; 2],
    alike: Option<usize>,
) {
    table.rows.push(rows.map(|n| n as u32));
    table.ends.push(ends);
    table.pattern.push(pattern as u32);
    table.alike.push(alike.map_or(u32::MAX, |row| row as u32));
}

/// What solvers read of a row while they pull at its ends.
struct Values<'a> {
    rest: &'a [f32],
    compliance: &'a [f32],
    kind: &'a [u32],
    /// The first of enough rows for all lanes, with their values: of so many as stay in the cache.
    first: Vec<([u32; 3], usize)>,
}

impl<'a> Values<'a> {
    fn of(distance: &'a Table) -> Self {
        Self {
            rest: rows_of(distance, col::distance::rest),
            compliance: rows_of(distance, col::distance::compliance),
            kind: rows_of(distance, col::distance::kind),
            first: Vec::new(),
        }
    }

    fn get(&self, row: usize) -> Option<[u32; 3]> {
        Some([self.rest.get(row)?.to_bits(), self.compliance.get(row)?.to_bits(), *self.kind.get(row)?])
    }

    /// Where as many rows begin that all have the values of these, if these are alike: mostly the same few, which are in the cache.
    fn alike(&mut self, rows: Range<usize>) -> Option<usize> {
        let values = self.get(rows.start)?;
        if !rows.clone().all(|row| self.get(row) == Some(values)) {
            return None;
        }
        if rows.len() < MOST_LANES {
            return Some(rows.start);
        }
        let known = self.first.iter().find(|(of, _)| *of == values).map(|(_, first)| *first);
        if known.is_none() && self.first.len() < MOST_VALUES {
            self.first.push((values, rows.start));
        }
        Some(known.unwrap_or(rows.start))
    }
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
        let offset = pattern.offset(k);
        offset < MOST && *row == [a, b].map(|end| end + offset as u32)
    };
    let count = rows.iter().enumerate().take_while(fits).count();
    let count = if pattern == StridePattern::Pairs { count & !1 } else { count };
    if count > 1 { (pattern, count) } else { (StridePattern::Scattered, 1) }
}
