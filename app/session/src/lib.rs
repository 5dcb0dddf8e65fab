//! A scene that runs while its code, shaders and values change under it.

pub mod history;
pub mod live;
pub mod readings;
pub mod recorder;
pub mod rescue;
pub mod ring;
pub mod session;

pub use session::{
    BlowUp, Capabilities, Notice, Options, Polled, Problems, Rejected, Session, announce, spacing,
};
