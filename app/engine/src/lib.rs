//! One run: a state, the code that moves it, and what can be said about how it moves.

pub mod elastic;
pub mod generation;
pub mod guard;
pub mod left_out;
pub mod run;
pub mod stability;
pub mod threads;
