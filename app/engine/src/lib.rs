//! One run: a state, the code that moves it, and what can be said about how it moves.

pub mod elastic;
pub mod generation;
pub mod guard;
mod idle;
pub mod left_out;
pub mod run;
pub mod stability;
pub mod threads;

pub use idle::idle;
