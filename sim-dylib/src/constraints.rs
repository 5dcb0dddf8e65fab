//! Constraints: pure functions of positions, inverse masses and a row's data. Solvers call them through `lanes`.

pub mod distance;
