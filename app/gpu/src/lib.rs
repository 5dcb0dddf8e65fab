//! The GPU path: the solvers of `shaders/sim` on the columns of a run.
//!
//! | module | what |
//! |---|---|
//! | [`adapter`] | adapters, their limits, and an opened device |
//! | [`passes`] | `passes.ron` and the WGSL texts |
//! | [`links`], [`stencils`], [`tiles`], [`coarse`] | tables for the device alone: neighbours in the order of the particles, what repeats, what a workgroup sweeps, coarse nodes |
//! | [`columns`], [`constants`] | everything that a pass may bind, and numbers that it shares with the host |
//! | [`compose`] | a pass out of its files: imports, conditions, bindings |
//! | [`module`], [`reflect`] | a pass parsed; what it binds |
//! | [`program`] | a compiled list of passes |
//! | [`buffers`] | columns on the device, there and back |
//! | [`batches`] | strands that take turns where what is kept of them would not fit |
//! | [`bodies`] | bodies with a mass |
//! | [`choice`], [`places`] | which list runs, and why not |
//! | [`frame`] | a frame as commands |
//! | [`memory`] | how much of it an adapter has |
//! | [`kept`] | columns as they were, for history and after a NaN |
//! | [`timing`] | timestamps |
//! | [`readback`], [`returns`] | the way back: what is asked for, and what each frame tells |
//! | [`link`], [`in_context`], [`surface`], [`ribbons`] | how a picture gets what is computed; on the context that draws; what is drawn of cloth, and of strands |
//! | [`parity`] | a small copy of the scene on both paths |
//! | [`bandwidth`] | what must be moved, against a copy |
//! | [`run`] | all of it together, beside [`weft_engine::run::Run`] |
//!
//! A frame is one encoder, one compute pass, one submit. State survives by column: it goes to the device once and comes
//! back when somebody looks.

pub mod adapter;
pub mod bandwidth;
mod batches;
mod bodies;
mod buffers;
pub mod choice;
mod coarse;
mod columns;
mod compliances;
mod compose;
mod constants;
mod frame;
#[cfg_attr(not(target_os = "linux"), path = "no_context.rs")]
mod in_context;
mod kept;
pub mod link;
mod links;
mod memory;
mod module;
pub mod parity;
mod parts;
pub mod passes;
mod places;
mod program;
mod readback;
mod reflect;
mod returns;
pub mod ribbons;
mod run;
mod shared;
mod solids;
mod spatial_hash;
mod stencils;
pub mod surface;
mod tiles;
mod timing;
mod values;

pub use adapter::Gpu;
pub use kept::Kept;
pub use link::{Link, LinkChoice};
pub use parity::Parity;
pub use passes::Sources;
pub use run::{Fault, GpuOptions, GpuRun, ReadbackScope};

use weft_core::say;

/// `weft adapters`: what could compute here.
pub fn print_adapters() {
    let adapters = adapter::list();
    if adapters.is_empty() {
        say::say(adapter::NO_ADAPTER);
    }
    for adapter in adapters {
        let (info, limits) = (&adapter.info, &adapter.limits);
        let (n, bound) = adapter.largest_grid();
        let has = |feature| if adapter.features.contains(feature) { "yes" } else { "no" };
        let mib = |bytes: u64| bytes >> 20;
        say::say(format_args!("{}", info.name));
        say::say(format_args!("    backend            {:?}, {:?}", info.backend, info.device_type));
        say::say(format_args!("    driver             {} {}", info.driver, info.driver_info));
        say::say(format_args!("    storage binding    {} MiB", mib(limits.max_storage_buffer_binding_size)));
        say::say(format_args!("    buffer             {} MiB", mib(limits.max_buffer_size)));
        say::say(format_args!("    buffers a pass     {}", limits.max_storage_buffers_per_shader_stage));
        say::say(format_args!(
            "    workgroup          {} threads",
            limits.max_compute_invocations_per_workgroup
        ));
        say::say(format_args!(
            "    timestamps         frame {}, pass {}",
            has(wgpu::Features::TIMESTAMP_QUERY),
            has(wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES)
        ));
        let memory = adapter.memory.map_or("n/a".to_string(), |bytes| format!("{} MiB", mib(bytes)));
        say::say(format_args!("    memory of its own  {memory}"));
        say::say(format_args!("    largest cloth      {n} x {n} particles, by {bound}"));
    }
}
