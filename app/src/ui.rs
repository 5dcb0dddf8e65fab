//! The user interface.

pub mod backend;
