//! Weft: the small host on top of a row of libraries. Each crate uses only those above it.
//!
//! | crate | folder | what |
//! |---|---|---|
//! | `sim_api` | `sim-dylib/api` | the contract with the hot code, and the model: every column that a scene fills |
//! | `sim_kernels`, `sim` | `sim-dylib` | the hot code: tables, lanes, constraints, contact; the solvers |
//! | `weft_core` | `app/core` | the state: tables, reconciling, colouring, snapshots, hashes, tearing; small things for all |
//! | `weft_timings` | `app/timings` | recordings of frame timings: files, statistics, reports, comparisons |
//! | `weft_scene` | `app/scene` | RON to a checked scene, meshes, and the tables they become |
//! | `weft_draw` | `app/draw` | the renderer; it knows positions, not solvers |
//! | `weft_engine` | `app/engine` | one loaded library, one step of one state, the largest stable step |
//! | `weft_gpu` | `app/gpu` | the same step on a device: passes of `shaders/sim` on the columns of the state |
//! | `weft_session` | `app/session` | a scene that runs while code, shaders and values change; history, recovery, readings |
//! | `weft_window` | `app/window` | picture, panel, pointer and keys over a session; in a browser the page's part of them |
//! | `weft_proof` | `app/proof` | validation, oracle, convergence, benchmarks, random edits |
//! | `weft` | `app/src` | the command line: this crate; `app/web` is the page instead |
//!
//! One frame: `App::advance` (`app/window`) drains what was saved (`Session::poll`: code, scene, shaders), applies pointer and keys, and as
//! often as the clock has it calls `Session::step`, which moves colliders and hand, has the engine advance the state (a
//! call of the hot code, or one submit to the device) and keeps the moment before. `Session::measure` takes the readings;
//! the renderer draws the positions between the last two steps; the panel is laid over; the ring closes the frame's times.

pub mod cli;
mod fmt;
pub mod headless;
mod legend;
mod link;
mod mesh_files;
mod new;
mod outputs;
mod poster;
mod shot;
mod web;
