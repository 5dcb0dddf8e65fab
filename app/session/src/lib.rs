//! A scene that runs while its code, shaders and values change under it.

mod autosave;
pub mod beside;
mod drag;
pub mod export;
pub mod history;
pub mod layout;
pub mod live;
mod on_device;
mod places;
pub mod player;
pub mod readings;
pub mod recorder;
pub mod rescue;
pub mod ring;
mod seal;
pub mod session;
pub mod states;
pub mod tape;

pub use places::user as user_folder;
pub use recorder::announce;
pub use session::{BlowUp, Capabilities, Notice, Options, Polled, Problems, Rejected, Session, spacing};
