//! Weft, the host: it owns everything that outlives a reload and calls the hot code (`sim`) once a frame.
pub mod app;
pub mod assemble;
pub mod bench;
pub mod cli;
pub mod draw;
pub mod headless;
pub mod lab;
pub mod live;
pub mod readings;
pub mod record;
pub mod run;
pub mod say;
pub mod scene;
pub mod state;
pub mod threads;
pub mod ui;
pub mod view;
