//! The window, or the part of a page that stands for it: picture, panel, pointer and keys over a running session.
//!
//! | module | job |
//! |---|---|
//! | `app` | the frame, top to bottom; pointer, keys, clock, recording |
//! | `view` | what of a session is drawn: cloths, strands, colliders, quantities as colours |
//! | `ui` | panels as tiles, what lies over the picture, and egui on miniquad |
//! | `film` | pictures one after the other as a GIF |
//! | `settings` | what is kept between runs |
//! | `scenes` | the scenes beside the one that runs |
//! | `thumbnails` | small pictures of scenes, made one after the other |
//! | `page` | in a browser: what the page around it asks for and is told |

pub mod app;
pub mod film;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod scenes;
pub mod settings;
#[cfg(not(target_arch = "wasm32"))]
pub mod thumbnails;
pub mod ui;
pub mod view;
