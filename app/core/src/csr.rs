//! Lists of varying length, one behind the other: compressed sparse rows.
//!
//! ```text
//! starts   0     2  3        6
//! items    a  b  c  d  e  f
//!          row 0 1  row 2
//! ```

/// The items of each row, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Csr<T = u32> {
    /// Where each row begins in `items`, and the end of the last.
    pub starts: Vec<u32>,
    pub items: Vec<T>,
}

impl<T: Copy> Csr<T> {
    /// Entries of (row, item), sorted by counting: they are gone through twice, by clones that should own nothing, and keep
    /// their order within a row.
    ///
    /// # Panics
    /// Where a row is not below `rows`.
    pub fn new(rows: usize, entries: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        Self::visiting(rows, move |give| entries.clone().for_each(|(row, item)| give(row, item)))
    }

    /// As [`Csr::new`] for entries that are easier given than listed: `visit` gives them all, the same ones each time.
    ///
    /// # Panics
    /// Where a row is not below `rows`, or the entries are others the second time.
    pub fn visiting(rows: usize, visit: impl Fn(&mut dyn FnMut(u32, T))) -> Self {
        // Any item will do to begin with.
        let (mut starts, mut any) = (vec![0; rows + 1], None);
        visit(&mut |row, item| {
            starts[row as usize + 1] += 1;
            any = Some(item);
        });
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut items = any.map_or(Vec::new(), |any| vec![any; starts[rows] as usize]);
        let mut next = starts.clone();
        visit(&mut |row, item| {
            items[next[row as usize] as usize] = item;
            next[row as usize] += 1;
        });
        Self { starts, items }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the items of a row are.
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    pub fn row(&self, row: usize) -> &[T] {
        &self.items[self.range(row)]
    }
}

impl Csr {
    /// The constraints at each particle: `idx` gives constraints with their particles.
    pub fn incidence<'a, const N: usize>(
        particles: usize,
        idx: impl Iterator<Item = (u32, &'a [u32; N])> + Clone,
    ) -> Self {
        Self::new(
            particles,
            idx.flat_map(|(constraint, ends)| ends.iter().map(move |&end| (end, constraint))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order_within_a_row() {
        let csr = Csr::new(4, [(2, 'c'), (0, 'a'), (2, 'd'), (0, 'b'), (2, 'c')].into_iter());
        let rows: Vec<&[char]> = (0..csr.len()).map(|row| csr.row(row)).collect();
        assert_eq!(rows, [&['a', 'b'][..], &[], &['c', 'd', 'c'], &[]]);
        assert_eq!((csr.starts, csr.items.len()), (vec![0, 2, 2, 5, 5], 5));
    }

    #[test]
    fn nothing_is_no_rows_or_empty_ones() {
        assert_eq!(Csr::<u32>::new(0, std::iter::empty()).len(), 0);
        assert_eq!(Csr::<u32>::new(2, std::iter::empty()).row(1), [0; 0]);
        assert!(Csr::<u32>::default().is_empty());
    }

    #[test]
    fn a_particle_has_the_constraints_that_name_it() {
        let csr = Csr::incidence(3, (0..).zip(&[[0, 1], [2, 1], [0, 2]]));
        assert_eq!([0, 1, 2].map(|particle| csr.row(particle)), [[0, 2], [0, 1], [1, 2]]);
    }
}
