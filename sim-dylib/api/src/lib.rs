//! The contract between the host (`weft`) and the hot code (`sim`): every type that both sides see.
//!
//! The host owns columns, threads, time, files and log; the hot code owns nothing across calls. One exported
//! function, `sim_api() -> *const Api`, hands over descriptions (tables, solvers, parameters) and one entry, `step`.
//! Everything is `#[repr(C)]`: plain numbers, pointers with a length, function pointers.
//!
//! | file | what |
//! |---|---|
//! | `api.rs` | [`Api`], [`Frame`]: what crosses the door, and the status codes |
//! | `column.rs` | [`columns!`]: one declaration gives a table's schema and its typed view |
//! | `factor.rs` | [`FactorService`]: sparse Cholesky factors, made and kept by the host |
//! | `layout.rs` | where the fields of all of that lie, for the fingerprint |
//! | `mapped.rs` | [`Mapped`], [`array_of`]: arrays of a few numbers, compiled into their caller |
//! | `model.rs` | [`model`]: the tables that a scene fills, and what their numbers mean |
//! | `tables.rs` | those tables, column by column |
//! | `panic_site.rs` | where a panic happened, for the message |
//! | `param.rs` | [`ParamDesc`]: a solver's parameters with unit, range and doc |
//! | `par.rs` | [`Par`]: the host's threads, lent; panics stay on the hot side |
//! | `reading.rs` | [`ReadingDesc`]: numbers about a step, with unit and meaning |
//! | `shared.rs` | [`SharedMut`]: a slice that rows of one colour write at the same time |
//! | `solver.rs` | [`SolverDesc`]: what a solver is, takes, bears and gives |
//! | `text.rs` | [`Str`], [`List`]: text and lists as pointer and length |
//!
//! A library is only trusted when its [`FINGERPRINT`] equals the host's.

#[macro_use]
mod layout;

mod api;
mod colors;
mod column;
mod factor;
#[macro_use]
mod key;
mod mapped;
pub mod model;
mod panic_site;
mod par;
mod param;
mod reading;
mod shared;
mod solver;
mod tables;
mod text;

pub use api::{Api, Frame, FrameParts, Hold, Status, Step, Wind, World, catch_step, entry_name};
pub use colors::Colors;
pub use column::{Class, Column, ColumnDesc, ColumnView, Element, Fill, TableDesc, TableView, joined};
pub use factor::{FactorService, Factored, Squares};
pub use key::Key;
pub use mapped::{Mapped, array_of};
pub use par::{BLOCK, Job, Par};
pub use param::{ParamDesc, ParamKind};
pub use reading::ReadingDesc;
pub use shared::{CHECKED, SharedMut};
pub use solver::{Kind, SolverDesc, Stiffness, Takes};
pub use text::{List, Str};

include!("../fingerprint.rs");

/// This crate's source file by file, the compiler and its target features, as this side was built. The host explains a
/// difference with it; a library does not carry it unless it uses it.
pub const CONTRACT: &str = include_str!(concat!(env!("OUT_DIR"), "/contract.txt"));

/// [`fingerprint`] of [`CONTRACT`].
pub const SOURCES: u64 = parse(env!("SIM_API_FINGERPRINT"));

/// The same with where every field of what crosses the door lies. Both sides carry their own.
pub const FINGERPRINT: u64 = layout::with_layouts(
    SOURCES,
    &[
        api::LAYOUT,
        column::LAYOUT,
        factor::LAYOUT,
        par::LAYOUT,
        param::LAYOUT,
        reading::LAYOUT,
        solver::LAYOUT,
        text::LAYOUT,
        &[
            size_of::<Element>(),
            size_of::<Class>(),
            size_of::<Fill>(),
            size_of::<Status>(),
            size_of::<Factored>(),
        ],
        &[size_of::<ParamKind>(), size_of::<Kind>(), size_of::<Stiffness>(), align_of::<Stiffness>()],
    ],
);

const fn parse(digits: &str) -> u64 {
    let (bytes, mut value, mut i) = (digits.as_bytes(), 0_u64, 0);
    while i < bytes.len() {
        value = value * 10 + (bytes[i] - b'0') as u64;
        i += 1;
    }
    value
}
