//! Which rows of a table may run at the same time.

use std::ops::Range;

use crate::ColumnView;

/// The colours of a constraint table: rows of one colour share no particle, so they may run at the same time.
/// Rows after the last colour (the serial tail) must run one after another.
#[derive(Clone, Copy, Debug)]
pub struct Colors<'a> {
    ends: &'a [u32],
    rows: usize,
    /// The particles of the rows, which the colours were checked for.
    colored: Option<&'a ColumnView>,
    /// Every particle of them is below this.
    end: usize,
}

// SAFETY: of the column it looks at the address alone.
unsafe impl Send for Colors<'_> {}
// SAFETY: as above.
unsafe impl Sync for Colors<'_> {}

impl<'a> Colors<'a> {
    /// # Safety
    /// No two rows of one colour may share a particle of the column `colored`, which only the host writes, and every value
    /// of it is below `end`. If the rows are particles, no two of a colour may share a row of a constraint table.
    pub unsafe fn new(ends: &'a [u32], rows: usize, colored: Option<&'a ColumnView>, end: usize) -> Self {
        Self { ends, rows, colored, end }
    }

    /// Of no rows.
    pub const fn none() -> Self {
        Self { ends: &[], rows: 0, colored: None, end: 0 }
    }

    /// Whether these rows are those that the colours were checked for, and cut into rows in the same way.
    pub fn are_of<T>(self, rows: &[T]) -> bool {
        let data = rows.as_ptr().cast::<u8>();
        let same =
            |column: &ColumnView| column.data.cast_const() == data && column.element.size() == size_of::<T>();
        rows.is_empty() || self.colored.is_some_and(same)
    }

    /// Every particle of the rows is below this.
    pub fn end(self) -> usize {
        self.end
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.ends.len()
    }

    /// The rows of one.
    pub fn range(self, color: usize) -> Range<usize> {
        let start = color.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[color] as usize
    }

    pub fn ranges(self) -> impl Iterator<Item = Range<usize>> + 'a {
        (0..self.count()).map(move |color| self.range(color))
    }

    /// The rows that no colour could take.
    pub fn serial_tail(self) -> Range<usize> {
        self.ends.last().map_or(0, |&end| end as usize)..self.rows
    }
}
