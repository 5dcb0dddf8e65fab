//! Weft's host: it owns everything that outlives a reload.

pub mod draw;
pub mod ui;
