//! Panels beside the picture and what lies over it, and egui's way to the window.

pub mod backend;
mod beside;
#[cfg(not(target_arch = "wasm32"))]
mod browser;
#[cfg(target_arch = "wasm32")]
#[path = "ui/browser_web.rs"]
mod browser;
mod changes;
mod clipboard;
mod code;
mod dock;
mod fields;
mod flame;
#[cfg(any(target_arch = "wasm32", test))]
mod fonts;
mod help;
mod inspect;
mod menu;
mod notices;
mod number;
mod overlays;
mod panel;
mod path;
mod plot;
mod plots;
mod problems;
mod reading;
mod readings;
mod run;
mod scale;
mod section;
mod solver;
mod states;
mod stop;
mod theme;
mod tile;
mod time_line;

pub use backend::Backend;
pub(crate) use beside::try_another;
pub use beside::{LABEL, Pane, free, panes};
pub(crate) use notices::NOTICE_TIME;
pub use panel::{Action, Panel, PanelInput, Speed};
pub(crate) use section::{opened, set_opened};
pub use tile::Tile;
pub use time_line::Place;
