//! What all of the host stands on: the tables of state, and the small things that every crate needs.

pub mod child;
#[cfg(not(target_arch = "wasm32"))]
pub mod clients;
pub mod clock;
pub mod command;
pub mod csr;
pub mod csv;
pub mod energy;
pub mod factor;
pub mod files;
pub mod memory;
pub mod project;
pub mod provided;
pub mod pulse;
pub mod ray;
pub mod say;
pub mod stages;
pub mod state;
pub mod statistics;
pub mod suggest;
pub mod text;
pub mod wgsl;
