//! Rows of what tears.

use super::super::super::tear::Tear;
use super::super::Class::Live;
use super::{Visitor, row};

/// What breaks, and how much one differs from another.
pub(super) const THREADS: [&str; 2] = [
    "strain above which a thread breaks; 0: only a cut breaks it",
    "how much threads differ: each breaks within strain (1 +- spread)",
];
pub(super) const SEGMENTS: [&str; 2] = [
    "strain above which a segment breaks; 0: only a cut breaks it",
    "how much segments differ: each breaks within strain (1 +- spread)",
];

pub(super) fn visit(at: &mut Visitor<'_>, tear: &mut Option<Tear>, [strain, spread]: [&'static str; 2]) {
    if let Some(tear) = tear {
        at.inside("tear", |at| {
            at.float("strain", &mut tear.strain, row("1", 0.0, 100.0, Live, strain).slider());
            at.float("spread", &mut tear.spread, row("1", 0.0, 1.0, Live, spread).slider());
        });
    }
}
