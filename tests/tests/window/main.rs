//! The real window, on a virtual display.

mod beside;
mod desk;
mod gpu;
mod hostile_edits;
mod mistakes;
mod replays;
mod self_collision;
#[cfg(unix)]
mod survival;
