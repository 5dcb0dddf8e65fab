//! Sparse Cholesky factors for the hot code: A = L Lᵀ, kept as long as the matrix is the same.
//!
//! ```text
//! rows of the tables → graph.rs     which particles share a row
//!                      order.rs     nested dissection: an order with little fill and a balanced tree
//!                      symbolic.rs  pattern of L: supernodes, dense blocks of columns with equal rows
//!                      tasks.rs     subtrees that may run at the same time
//!                      numeric.rs   the values, multifrontal, in f64, kept in f32
//!                      solve.rs     L y = b, Lᵀ x = y for x, y, z at once
//!                      service.rs   which of these a call has to do again
//! ```
//! All of it is `+ - * / sqrt` in an order that the pattern alone fixes, so a factor and a solution have the same bits
//! on every machine and for every number of threads. The library `faer` picks its loops by what the processor has
//! (fused multiply-add among them) and would not: the tests use it as the reference instead. Its ordering and symbolic
//! part are integers alone, but other fronts add up in another order: not the pinned bits.

mod door;
mod graph;
mod numeric;
mod order;
mod service;
mod solve;
mod symbolic;
mod tasks;

pub use door::Context;
pub use service::Factorizations;

#[cfg(test)]
mod tests;
