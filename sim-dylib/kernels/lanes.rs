//! Constraint rows, several at a time: lane `l` belongs to row `start + l` of the group at hand.
//!
//! ```text
//!  position column   row a0: x y z w        lanes   x: a0 a1 a2 a3
//!  (array of rows)   row a1: x y z w   →            y: a0 a1 a2 a3
//!                    row a2: x y z w  4x4           z: a0 a1 a2 a3
//!                    row a3: x y z w transpose      w: a0 a1 a2 a3
//! ```
//! Eight lanes on x86-64 with AVX2 (sixteen with AVX-512, where rows lie in strides), four (glam's `Vec4`: NEON, wasm) elsewhere, one for the rows that are left over.
//! Each lane does exactly the scalar operations in the scalar order (`+ - * / sqrt`, no fused multiply-add, no
//! approximate reciprocals), so the result has the same bits for every width and on every machine.
//! Hardware gather and scatter were measured slower than these transposes.

#![allow(clippy::needless_range_loop, reason = "iterator adaptors are not inlined into loops for AVX2")]

mod along;
mod axis;
mod columns;
#[cfg(target_arch = "x86_64")]
mod eight;
#[cfg(any(test, not(target_arch = "x86_64")))]
mod four;
mod group;
pub mod lost;
mod octet;
mod one;
mod pattern;
mod pull;
mod race;
mod real;
mod reduce;
#[cfg(target_arch = "x86_64")]
mod sixteen;
mod strip;
mod sweep;
pub mod vertex;

#[cfg(target_arch = "x86_64")]
pub(crate) use eight::Eight;
pub(crate) use one::One;

pub use axis::{Axes, Axis, RowsFrom};
pub use columns::{Before, Columns, Particles, RowShare, add_at_ends, pull_at};
pub use group::{Point, Rows, RowsMut, split};
pub use octet::{EIGHT, Octet, octet};
pub use pull::{Pull, Pulled};
pub use real::{Lanes, Real, RowsAt, RowsAtMut, V3};
pub use reduce::{RowValue, sum_at, sum_of_squares, total};
pub use strip::{Strip, strip, strips};
pub use sweep::{Kernel, project, project_at};
