//! The window and the command line of Weft.
pub mod app;
pub mod cli;
pub mod headless;
pub mod scenes;
pub mod ui;
pub mod view;
