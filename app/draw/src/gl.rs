//! The link `InContextGl`: wgpu on the OpenGL context that draws, so that passes write what is drawn where it is drawn from.
//!
//! ```text
//! miniquad's turn   [ load textures, draw, ui ]          [ … ]
//! wgpu's turn                                   [ step ]       [ step, paint ]
//!                   ^ state as it was left      ^ a vertex array of its own
//! ```
//! Both keep the state of one context in caches of their own. [`turns`] puts miniquad's back whenever its turn comes; all
//! that is not a [`Turn`] is wgpu's. The rejected way: a second context that shares buffers, with a switch and a barrier for
//! each turn; a switch costs more than these few calls, and drivers differ in what it flushes.
//!
//! Not here: bounds checks (wgpu leaves them out of GLSL, so a pass that writes behind the end of a column is the driver's to
//! stop), and news of a lost device (OpenGL tells none to a context that did not ask).

mod clock;
mod loader;
mod share;
mod turns;

pub use clock::Clock;
pub use share::GlShare;
pub use turns::{Gl, Turn};
