//! What closes a ring: its last node is coupled to the first, so that its system has an arrow's last row.
//!
//! ```text
//! | A0  B0ᵀ         V0ᵀ |      V_i = V_i L_i⁻ᵀ       V_i+1 = -V_i W_iᵀ        joins B of the node before the last
//! | B0  A1  B1ᵀ     ... |      A_last -= V_i V_iᵀ     r_last -= V_i y_i
//! |     B1  A2  ...     |      z_i = L_i⁻ᵀ (y_i - W_iᵀ z_i+1 - V_iᵀ z_last)
//! | V0  ...     B   A   |
//! ```
//! A chain that ends where it began is no tree, but one row of fill away from it: twice the work of an open strand.

#![allow(clippy::needless_range_loop, reason = "rows and columns of small matrices, and loops for AVX2")]

use super::{Group, Nodes, Solver, at};
use crate::{
    lanes::Lanes,
    strands::{
        block::{Coupling, Node},
        nodes::RING_NUMBERS,
    },
};

/// What the nodes that were taken out leave for the last one.
pub(super) struct Ring<L> {
    /// Rows: unknowns of the last node; columns: of the present one.
    across: Coupling<L>,
    last: Node<L>,
}

impl Solver<'_> {
    /// The segment from the last particle to the first and the joint behind it; `first` gets what they do to the first node.
    #[inline(always)]
    pub(super) fn close<L: Lanes>(&self, group: Group, nodes: &Nodes, first: &mut Node<L>) -> Ring<L> {
        let end = group.count - 1;
        let zero = L::from_f32(0.0);
        let (mut last, mut coupling) = (Node::zero(), [[zero; 6]; 6]);
        let way = nodes.vector::<L>(0, at::PLACE) - nodes.vector(end, at::PLACE);
        let masses = [nodes.get(end, at::MASS), nodes.get(0, at::MASS)];
        let (frame, behind) = (nodes.frame(end), nodes.frame(0));
        let row = |i: usize| group.particle(i) - self.base;
        self.stretch(row(end), way, frame, masses, &mut last, first, &mut coupling);
        self.bend(row(0), [frame, behind], &mut last, first, &mut coupling);
        let free = nodes.get::<L>(end, at::FREE);
        let mut across = [[zero; 6]; 6];
        for i in 0..6 {
            for j in 0..6 {
                across[i][j] = if i < 3 { coupling[j][i] * free } else { coupling[j][i] };
            }
        }
        Ring { across, last }
    }
}

impl<L: Lanes> Ring<L> {
    /// The node before the last is coupled to it both ways around; the last gets what all others left for it.
    #[inline(always)]
    pub(super) fn join(&mut self, i: usize, last: usize, node: &mut Node<L>, coupling: &mut Coupling<L>) {
        if i + 1 == last {
            let across = std::mem::replace(&mut self.across, [[L::from_f32(0.0); 6]; 6]);
            for a in 0..6 {
                for b in 0..6 {
                    coupling[a][b] = coupling[a][b] + across[a][b];
                }
            }
        } else if i == last {
            for a in 0..6 {
                for b in 0..=a {
                    node.a[a][b] = node.a[a][b] + self.last.a[a][b];
                }
                node.r[a] = node.r[a] + self.last.r[a];
            }
        }
    }

    /// The particle of the present node does not move where `free` is 0.
    #[inline(always)]
    pub(super) fn hold(&mut self, free: L) {
        for row in &mut self.across {
            for number in &mut row[..3] {
                *number = *number * free;
            }
        }
    }

    /// After a node was factored, with what couples it to the next.
    #[inline(always)]
    pub(super) fn take_out(
        &mut self,
        i: usize,
        node: &Node<L>,
        coupling: &Coupling<L>,
        nodes: &mut Nodes,
        count: usize,
    ) {
        node.couple(&mut self.across);
        for a in 0..6 {
            for b in 0..6 {
                nodes.set(count, RING_NUMBERS * i + a * 6 + b, self.across[a][b]);
            }
        }
        self.last.eliminate(&self.across, &node.r);
        let mut next = [[L::from_f32(0.0); 6]; 6];
        for a in 0..6 {
            for b in 0..6 {
                for k in 0..6 {
                    next[a][b] = next[a][b] - self.across[a][k] * coupling[b][k];
                }
            }
        }
        self.across = next;
    }
}

/// Takes the part of the last node out of the right-hand side of another one.
#[inline(always)]
pub(super) fn less_the_last<L: Lanes>(y: &mut [L; 6], nodes: &Nodes, count: usize, i: usize, last: &[L; 6]) {
    let across = nodes.all::<L, RING_NUMBERS>(count, RING_NUMBERS * i);
    for a in 0..6 {
        for b in 0..6 {
            y[a] = y[a] - across[b * 6 + a] * last[b];
        }
    }
}
