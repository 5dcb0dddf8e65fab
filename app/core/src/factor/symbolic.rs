//! The pattern of L: supernodes, that is runs of columns with the same rows below them, kept as dense blocks.
//!
//! Elimination tree: Liu, The Role of Elimination Trees in Sparse Factorization, 1990. A supernode is joined to its
//! parent where that adds few zeros: fewer and larger blocks.

use super::order::nested_dissection;
use crate::csr::Csr;

const NONE: u32 = u32::MAX;
/// Share of zeros that a joined block may have.
const ZEROS: f64 = 0.12;
/// Blocks up to this width are always joined.
const NARROW: usize = 4;

/// Columns are numbered in the order of elimination.
pub(super) struct Symbolic {
    /// Particle of each column.
    pub order: Vec<u32>,
    /// Column of each particle.
    pub column: Vec<u32>,
    /// In postorder: children before their parent, subtrees in one run.
    pub supernodes: Vec<Supernode>,
}

pub(super) struct Supernode {
    pub first: usize,
    pub width: usize,
    /// Rows below the block's own columns, ascending.
    pub rows: Vec<u32>,
    /// The supernode of the first of `rows`.
    pub parent: Option<usize>,
}

impl Supernode {
    pub(super) fn end(&self) -> usize {
        self.first + self.width
    }

    /// Values in the block.
    pub(super) fn size(&self) -> usize {
        self.width * (self.width + 1) / 2 + self.width * self.rows.len()
    }
}

impl Symbolic {
    pub(super) fn of(graph: &Csr) -> Self {
        let (order, parent) = postordered(graph, &nested_dissection(graph));
        let column = inverse(&order);
        let mut supernodes = joined(runs(graph, &order, &column, &parent));
        link(&mut supernodes, order.len());
        Self { order, column, supernodes }
    }

    /// Values in L.
    pub(super) fn size(&self) -> usize {
        self.supernodes.iter().map(Supernode::size).sum()
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    for (i, &vertex) in (0..).zip(order) {
        place[vertex as usize] = i;
    }
    place
}

/// The order with every subtree of the elimination tree in one run, and each column's parent.
fn postordered(graph: &Csr, order: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let parent = elimination_tree(graph, order);
    let mut children = vec![Vec::new(); order.len() + 1];
    for (column, &parent) in (0..).zip(&parent) {
        children[if parent == NONE { order.len() } else { parent as usize }].push(column);
    }
    let (mut post, mut stack) = (Vec::with_capacity(order.len()), vec![(order.len(), 0)]);
    while let Some((column, next)) = stack.last_mut() {
        if let Some(&child) = children[*column].get(*next) {
            *next += 1;
            stack.push((child as usize, 0));
        } else {
            post.push(*column as u32);
            stack.pop();
        }
    }
    post.pop();
    let place = inverse(&post);
    let moved = |column: u32| if column == NONE { NONE } else { place[column as usize] };
    let parents = post.iter().map(|&column| moved(parent[column as usize])).collect();
    (post.iter().map(|&column| order[column as usize]).collect(), parents)
}

fn elimination_tree(graph: &Csr, order: &[u32]) -> Vec<u32> {
    let column = inverse(order);
    let (mut parent, mut ancestor) = (vec![NONE; order.len()], vec![NONE; order.len()]);
    for (row, &vertex) in (0..).zip(order) {
        for &neighbor in graph.row(vertex as usize) {
            let mut at = column[neighbor as usize];
            while at < row {
                let next = std::mem::replace(&mut ancestor[at as usize], row);
                if next == NONE {
                    parent[at as usize] = row;
                    break;
                }
                at = next;
            }
        }
    }
    parent
}

/// Columns whose rows are those of the column before, less one.
fn runs(graph: &Csr, order: &[u32], column: &[u32], parent: &[u32]) -> Vec<Supernode> {
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    let mut seen = vec![NONE; order.len()];
    let mut runs: Vec<Supernode> = Vec::new();
    for (at, &vertex) in order.iter().enumerate() {
        // What the children left here, and the matrix itself.
        let mut rows = std::mem::take(&mut below[at]);
        let neighbors = graph.row(vertex as usize).iter().map(|&neighbor| column[neighbor as usize]);
        rows.extend(neighbors);
        rows.retain(|&row| {
            row as usize > at && std::mem::replace(&mut seen[row as usize], at as u32) != at as u32
        });
        rows.sort_unstable();
        if parent[at] != NONE {
            let up = &mut below[parent[at] as usize];
            up.extend_from_slice(&rows[1..]);
        }
        match runs.last_mut() {
            Some(run) if run.rows.first() == Some(&(at as u32)) && run.rows.len() == rows.len() + 1 => {
                run.width += 1;
                run.rows = rows;
            }
            _ => runs.push(Supernode { first: at, width: 1, rows, parent: None }),
        }
    }
    runs
}

fn joined(runs: Vec<Supernode>) -> Vec<Supernode> {
    // Each with its number of values that are not zero.
    let mut done: Vec<(Supernode, usize)> = Vec::new();
    for mut run in runs {
        let mut values = run.size();
        while let Some((child, of_child)) = done.last() {
            if child.rows.first().is_none_or(|&row| row as usize >= run.end()) {
                break;
            }
            let both = Supernode { first: 0, width: child.width + run.width, rows: Vec::new(), parent: None };
            let size = both.size() + both.width * run.rows.len();
            let zeros = size - values - of_child;
            if zeros as f64 > ZEROS * size as f64 && both.width > NARROW {
                break;
            }
            (run.first, run.width) = (child.first, both.width);
            values += of_child;
            done.pop();
        }
        done.push((run, values));
    }
    done.into_iter().map(|(supernode, _)| supernode).collect()
}

fn link(supernodes: &mut [Supernode], columns: usize) {
    let mut of_column = vec![0; columns];
    for (i, supernode) in supernodes.iter().enumerate() {
        of_column[supernode.first..supernode.end()].fill(i);
    }
    for supernode in supernodes {
        supernode.parent = supernode.rows.first().map(|&row| of_column[row as usize]);
    }
}
