//! A scene that runs while its code, shaders and values change under it.

pub mod handles;
pub mod history;
pub mod lab;
pub mod live;
pub mod readings;
pub mod recorder;
pub mod rescue;
pub mod ring;
