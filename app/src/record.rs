//! Frame timings: a ring for the panel, a recorder for files, percentiles for tables.

mod csv;
mod energy;
mod ring;
mod stages;
mod statistics;
mod stretch;

pub use csv::Recorder;
pub use energy::Energy;
pub use ring::{FrameTimes, RING, Ring, STAGES, Stage};
pub use stages::StageClock;
pub use statistics::{Summary, percentile};
pub use stretch::{Stretch, StretchMeter};
