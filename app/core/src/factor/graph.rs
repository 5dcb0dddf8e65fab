//! Which particles share a row: the pattern of the matrix.

use sim_api::Squares;

/// Neighbours of each particle, ascending, itself left out.
pub struct Graph {
    starts: Vec<usize>,
    neighbors: Vec<u32>,
}

impl Graph {
    pub fn of(particles: usize, squares: &[Squares]) -> Self {
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
        let mut starts = vec![0; particles + 1];
        for &(a, _) in &pairs {
            starts[a as usize + 1] += 1;
        }
        for i in 0..particles {
            starts[i + 1] += starts[i];
        }
        Self { starts, neighbors: pairs.into_iter().map(|(_, b)| b).collect() }
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn of_vertex(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.neighbors[self.starts[vertex]..self.starts[vertex + 1]]
    }
}
