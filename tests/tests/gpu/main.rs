//! The GPU path, on the software adapter.

mod batches;
mod beside;
mod bodies;
mod coarse;
mod contact;
#[cfg(target_os = "linux")]
mod context;
#[cfg(target_os = "linux")]
mod context_strands;
mod devices;
mod edits;
mod hair;
mod hair_between;
mod hair_levels;
mod hair_light;
mod history;
mod live;
mod mistakes;
mod mounts;
mod parity;
#[cfg(target_os = "linux")]
mod places;
mod ropes;
mod slivers;
mod state;
mod strand_limit;
mod strand_numbers;
mod strands;
mod tearing;
