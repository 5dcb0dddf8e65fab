//! What proves the numbers: known results, an oracle in double precision, benchmarks, random edits for hours.

pub mod bench;
pub mod convergence;
pub mod determinism;
pub mod expect;
pub mod gpu_bench;
pub mod gpu_draw;
pub mod letters;
pub mod oracle;
pub mod replay;
pub mod runs;
pub mod soak;
pub mod stability;
pub mod strand_bench;
pub mod sweep;
pub mod validate;
