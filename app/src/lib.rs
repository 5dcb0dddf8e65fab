//! Weft, the host: it owns everything that outlives a reload and calls the hot code (`sim`) once a frame.
pub mod draw;
pub mod live;
pub mod record;
pub mod run;
pub mod scene;
pub mod state;
pub mod threads;
pub mod ui;
