//! Constraint rows, four at a time: lane `l` of a `Vec4` belongs to row `rows.start + l`.
//!
//! ```text
//!  position column   row a0: x y z w        lanes   x: a0 a1 a2 a3
//!  (array of rows)   row a1: x y z w   →            y: a0 a1 a2 a3
//!                    row a2: x y z w  4x4           z: a0 a1 a2 a3
//!                    row a3: x y z w transpose      w: a0 a1 a2 a3
//! ```
//! Each lane does exactly the scalar operations in the scalar order (`+ - * / sqrt`), so results do not depend on the
//! lane width, and a colour's last rows (fewer than four) run through the same code with idle lanes.
//! Hardware gather and scatter were measured slower than these transposes.

mod pairs;
mod real;
mod rows;

pub use pairs::{Pair, accumulate, project};
pub use real::{Real, V3};
pub use rows::{RowLanes, RowsMut};
