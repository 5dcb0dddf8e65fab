//! What solvers are made of, as a crate of its own beside the solvers: tables, lanes, constraints, contact
//! and the driver of a step. `lib.rs` says how they go together, and the rules that hold here as well.
//!
//! The compiler reads a crate as a whole in every rebuild. With the solvers apart, a save of one of them costs half; a save
//! of a file of this crate costs a little more than it would in one crate, for both are read.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests need not be fast"))]

pub mod coarse;
pub mod collide;
pub mod constraints;
mod damping;
pub mod describe;
pub mod elastic;
pub mod forces;
pub mod gas;
pub mod implicit;
pub mod lanes;
pub mod momentum;
pub mod normals;
pub mod outcome;
pub mod projection;
pub mod self_collision;
pub mod sim;
pub mod state;
pub mod strands;
pub mod substep;
pub mod tear;
