//! Which particles share a row: the pattern of the matrix.

use sim_api::Squares;

use crate::csr::Csr;

/// Adjacency of each particle, ascending, itself left out.
pub(super) fn graph(particles: usize, squares: &[Squares]) -> Csr {
    let mut pairs = Vec::new();
    for table in squares {
        for row in table.idx().chunks_exact(table.corners()) {
            for (i, &a) in row.iter().enumerate() {
                pairs.extend(row[i + 1..].iter().flat_map(|&b| [(a, b), (b, a)]));
            }
        }
    }
    pairs.retain(|(a, b)| a != b);
    pairs.sort_unstable();
    pairs.dedup();
    Csr::new(particles, pairs.iter().copied())
}
