//! The real window, on a virtual display.

mod beside;
mod desk;
mod gpu;
mod haircut;
mod hostile_edits;
mod kept;
mod mistakes;
mod panels;
mod replays;
mod scenes;
mod self_collision;
mod session;
#[cfg(unix)]
mod survival;
mod walk;
