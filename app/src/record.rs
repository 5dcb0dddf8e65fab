//! Frame timings: a ring for the panel, a recorder for files, percentiles for tables.

mod csv;
mod ring;
mod stages;
mod statistics;

pub use csv::Recorder;
pub use ring::{FrameTimes, RING, Ring, STAGES, Stage};
pub use stages::StageClock;
pub use statistics::{Summary, percentile};
