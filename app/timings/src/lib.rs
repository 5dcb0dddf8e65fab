//! Recordings of frame timings, and what can be said of them. It knows files and numbers, no sessions.
//!
//! | module | what |
//! |---|---|
//! | [`recording`] | the model: head, columns, frames, events |
//! | `machine` | what a recording says of the machine and the build |
//! | `writer` | three formats behind one trait, by the file's extension, and [`Log`], which collects a frame's values |
//! | `reader` | `.weft`, `.csv`, and the CSV of before |
//! | [`statistics`] | percentiles, the three "1 % low", stutter, time below a rate |
//! | [`bootstrap`], [`student`] | intervals: of percentiles of autocorrelated frames, of means of few runs |
//! | [`compare`] | two sets of recordings: ratio of each stage, its interval, a verdict |
//! | `report` | one recording as a table, JSON or a page with plots |
//! | [`ab`] | runs of two variants in turns, ABBA |
//! | [`bisect`] | the first commit that replays a recording to other bits |
//! | `revision` | the program of another commit |

#[cfg(not(target_arch = "wasm32"))]
pub mod ab;
#[cfg(not(target_arch = "wasm32"))]
pub mod bisect;
pub mod bootstrap;
pub mod compare;
mod format;
mod machine;
mod reader;
pub mod recording;
#[cfg(not(target_arch = "wasm32"))]
mod report;
#[cfg(not(target_arch = "wasm32"))]
mod revision;
pub mod statistics;
pub mod student;
mod writer;

pub use format::MAGIC;
pub use reader::{read, without_session};
pub use recording::{Build, Column, Event, Frame, Head, Kind, Machine, Recording, thread_name};
#[cfg(not(target_arch = "wasm32"))]
pub use report::{html, json, text};
pub use writer::Log;
