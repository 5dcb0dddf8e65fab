//! Threads that break on the device: the host takes the rows that lie over them out of all tables (`state/torn.rs`), and the
//! device follows.
//!
//! A frame says how many have broken (`step/tear_break.wgsl`), and where none has, that is all that tearing costs. Else the state
//! comes back, and all rows go there again in their new order: the same tables as on the CPU, so no pass knows of tearing.

use super::{
    super::{choice, columns::Columns, links::Adjacency, passes::Condition},
    GpuRun, make,
};
use weft_core::state::Tearing;
use weft_engine::run::{Run, StepInput};

/// Table and column of that number; it takes so many bytes.
pub(super) const COUNT: (&str, &str) = ("torn", "count");
const COUNT_BYTES: usize = 4;

impl GpuRun {
    /// Whether threads can break.
    pub(super) fn tears(&self) -> bool {
        self.lasting.contains(&Condition::Rows("thread".to_string()))
    }

    /// Takes the number of threads that broke off the end of what came back.
    pub(super) fn torn(&self, returned: &mut Vec<u8>) -> u32 {
        if !self.tears() || returned.len() < COUNT_BYTES {
            return 0;
        }
        bytemuck::pod_read_unaligned(&returned.split_off(returned.len() - COUNT_BYTES))
    }

    /// Threads broke in the frame that was just done: the state comes back and its tables follow.
    pub(super) fn tear(&mut self, run: &mut Run) -> Result<(), String> {
        self.fetch(run)?;
        run.state.compact();
        Ok(())
    }

    /// Before a frame: the tables as the host has laid them out for the broken threads, if the device has others. Whoever
    /// broke threads on the host had all of the state there.
    pub(super) fn update_topology(&mut self, run: &mut Run, input: &StepInput) -> Result<(), String> {
        let marks = run.state.torn.as_ref().map_or(&[][..], Tearing::marks);
        if marks == self.laid {
            return Ok(());
        }
        let marks = marks.to_vec();
        self.fetch(run)?;
        run.state.update_topology(&run.blueprint, true);
        let neighbours = Adjacency::of(&run.state)?;
        let lasting = choice::lasting(run, &neighbours, self.tiled);
        if lasting.iter().all(|condition| self.lasting.contains(condition)) {
            self.columns =
                Columns::of(&run.state, &neighbours.columns(), &self.sources, self.gpu.most_bytes())
                    .map_err(|error| error.report)?;
            self.tables = make::tables(run, &self.columns);
            self.apart = neighbours.keeps_apart();
            self.held.clear();
            let all = self.used.clone();
            self.upload(run, Some(&neighbours), &all)?;
        } else {
            // Rows came back for which no pass was compiled.
            let passes = self.list.name.clone();
            self.renew(run, input, Some(&passes)).map_err(|fault| fault.to_string())?;
        }
        self.laid = marks;
        Ok(())
    }
}
