//! The panel over the picture, and egui's way to the window.

pub mod backend;
mod beside;
#[cfg(not(target_arch = "wasm32"))]
mod browser;
#[cfg(target_arch = "wasm32")]
#[path = "ui/browser_web.rs"]
mod browser;
mod changes;
mod code;
mod fields;
mod flame;
#[cfg(any(target_arch = "wasm32", test))]
mod fonts;
mod help;
mod inspect;
mod overlays;
mod panel;
mod path;
mod plot;
mod plots;
mod problems;
mod reading;
mod readings;
mod scale;
mod section;
mod solver;
mod states;
mod theme;
mod time_line;

pub use backend::Backend;
pub(crate) use beside::try_another;
pub use beside::{Pane, free, panes};
pub(crate) use panel::NOTICE_TIME;
pub use panel::{Action, Panel, PanelInput, Speed};
pub(crate) use section::{opened, set_opened};
pub use time_line::Place;
