//! A run on the device: columns there, a list of passes, and the way back.

mod bring;
mod edit;
mod feed;
mod guard;
mod submit;

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{
    Gpu,
    buffers::Buffers,
    choice::{self, Situation},
    columns::Columns,
    frame::{Recorder, Score, TableRows},
    links::Neighbours,
    passes::{Condition, List, Passes, Sources},
    program::Program,
    readback::Readback,
    timing::Timer,
    values::{self, Moment, Value},
};
use crate::{
    draw::ShaderError,
    record::Summary,
    run::{Run, StepError, StepInput},
};

pub use bring::Bring;
use guard::Guard;

/// Columns of this table are written by the host before each frame.
const COLLIDER: &str = "collider";

pub struct GpuRun {
    pub gpu: Gpu,
    /// The list of passes in use.
    pub list: List,
    /// All lists of the folder.
    passes: Passes,
    sources: Sources,
    columns: Columns,
    buffers: Buffers,
    program: Program,
    /// Columns of the device that passes bind.
    used: Vec<usize>,
    /// Those that the state follows: written by a pass, and lasting or to be looked at.
    followed: Vec<usize>,
    tables: HashMap<String, TableRows>,
    recorder: Recorder,
    timer: Option<Timer>,
    guard: Guard,
    readback: Readback,
    held: Vec<u32>,
    /// Conditions that hold as long as the tables stay.
    lasting: Vec<Condition>,
    /// Columns in which the device is ahead of the state.
    stale: Vec<usize>,
    /// Somebody looks at forces, stresses and accelerations after the next frames.
    pub looked: bool,
    /// Times each dispatch of the next frames, not only the whole.
    pub profile: bool,
    /// The device's time of the last frame [ms]; `None` without timestamps.
    pub frame_ms: Option<f32>,
    /// Of the last profiled frame, by file [ms].
    pub pass_ms: BTreeMap<String, f32>,
    /// Frames since the columns went there, and the slowest of them.
    frames: u64,
    slowest: Duration,
}

/// How the GPU path is asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GpuOptions {
    /// Part of the adapter's name; left out: the fastest kind.
    pub adapter: Option<String>,
    /// Name of a list of passes; left out: the first that fits.
    pub passes: Option<String>,
}

impl GpuRun {
    /// Opens an adapter and brings a run's state there, with the passes of the source tree.
    pub fn open(options: &GpuOptions, run: &Run, input: &StepInput) -> Result<Self, String> {
        let gpu = Gpu::open(options.adapter.as_deref())?;
        Self::new(gpu, Sources::find()?, run, input, options.passes.as_deref())
    }

    /// Brings a run's state to the device. `wanted` names a list of passes; left out: the first that fits.
    pub fn new(
        gpu: Gpu,
        sources: Sources,
        run: &Run,
        input: &StepInput,
        wanted: Option<&str>,
    ) -> Result<Self, String> {
        Self::make(gpu, sources, run, input, wanted, None).map_err(|fault| fault.to_string())
    }

    /// As [`GpuRun::new`]; `program` is one that was compiled for the list of that name and the same schema.
    pub fn make(
        gpu: Gpu,
        mut sources: Sources,
        run: &Run,
        input: &StepInput,
        wanted: Option<&str>,
        program: Option<&Program>,
    ) -> Result<Self, Fault> {
        sources.complete(guard::FILE);
        let passes = Passes::read(&sources)?;
        let neighbours = Neighbours::of(&run.state)?;
        let lasting = choice::lasting(run, neighbours.stencils.is_some());
        let situation = Situation { run, present: present(&lasting, input, true) };
        let mut list = situation.choose(&passes, wanted)?.clone();
        list.passes.push(guard::pass());
        let derived = neighbours.columns();
        let columns = Columns::of(&run.state, &derived, &passes.columns)?;
        let program = match program {
            Some(program) => program.clone(),
            None => Program::new(&gpu, &sources, &list, &columns, situation.params())?,
        };
        let used = program.used();
        let buffers = Buffers::new(&gpu, &columns, used.iter().map(|used| used.0))?;
        let colors =
            |table: &str| run.state.table(table).map_or(Vec::new(), |table| table.coloring.ends.clone());
        let tables = columns.list.iter().map(|column| &column.table);
        let rows =
            |table: &String| TableRows { rows: columns.rows(table).unwrap_or(0) as u32, ends: colors(table) };
        let tables = tables.map(|table| (table.clone(), rows(table))).collect();
        let followed = bring::followed(&columns, &used);
        let timer = Timer::new(&gpu)?;
        let mut made = Self {
            guard: Guard::default(),
            readback: Readback::default(),
            used: used.into_iter().map(|used| used.0).collect(),
            gpu,
            list,
            passes,
            sources,
            columns,
            buffers,
            program,
            followed,
            tables,
            recorder: Recorder::default(),
            timer,
            held: Vec::new(),
            lasting,
            looked: true,
            stale: Vec::new(),
            profile: false,
            frame_ms: None,
            pass_ms: BTreeMap::new(),
            frames: 0,
            slowest: Duration::ZERO,
        };
        let all = made.used.clone();
        made.upload(run, Some(&neighbours), &all)?;
        Ok(made)
    }

    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.buffers.bytes() + self.guard.bytes()
    }

    /// Bytes on the device for each particle.
    pub fn bytes_a_particle(&self) -> u64 {
        self.bytes() / self.rows("particle").max(1) as u64
    }

    /// Files of the passes, each once.
    pub fn pass_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.program.passes.iter().map(|pass| pass.file.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Dispatches of the last frame.
    pub fn dispatches(&self) -> usize {
        self.recorder.commands.len()
    }

    /// Time that the state's columns took to come back after the last frame [ms], and how many bytes they were.
    pub fn readback(&self) -> (f32, u64) {
        (self.readback.ms, self.readback.bytes)
    }

    /// Adapter, passes, memory and times for a line of JSON; `frames`: the device's time of each frame [ms].
    pub fn json(&self, frames: &[f32]) -> serde_json::Value {
        let frame = Summary::of(frames.iter().copied()).map_or_else(
            || "n/a".into(),
            |s| serde_json::json!({ "p50": s.p50, "p95": s.p95, "p99": s.p99, "max": s.max }),
        );
        let passes = if self.pass_ms.is_empty() { "n/a".into() } else { serde_json::json!(self.pass_ms) };
        serde_json::json!({
            "adapter": self.gpu.info.name,
            "driver": format!("{} {}", self.gpu.info.driver, self.gpu.info.driver_info),
            "passes": self.list.name,
            "dispatches": self.dispatches(),
            "bytes": self.bytes(),
            "bytes_a_particle": self.bytes_a_particle(),
            "frame_ms": frame,
            "pass_ms": passes,
        })
    }

    /// Rows of a table on the device.
    pub fn rows(&self, table: &str) -> usize {
        self.columns.rows(table).unwrap_or(0)
    }

    /// Advances by one frame on the device; the state follows at the next [`GpuRun::bring`]. After a frame that ends in
    /// NaN the device is as it was before, if the step is guarded.
    pub fn step(&mut self, run: &mut Run, input: &StepInput) -> Result<(), StepError> {
        self.advance(run, input).map_err(StepError::Gpu)?;
        if input.guarded
            && let Some(error) = self.not_finite(run).map_err(StepError::Gpu)?
        {
            return Err(error);
        }
        run.frame += 1;
        run.time += f64::from(input.dt);
        Ok(())
    }

    /// What keeps the passes from going on, if anything does.
    pub fn unmet(&self, run: &Run, input: &StepInput) -> Option<String> {
        let situation = Situation { run, present: present(&self.lasting, input, self.looked) };
        let missing = situation.needs(&self.list);
        if run.solver != self.list.solver {
            return Some(format!("solver {}", self.list.solver));
        }
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    /// Name of the list that would run, or why none does.
    pub fn offer(&self, run: &Run, input: &StepInput, wanted: Option<&str>) -> Result<&str, String> {
        let situation = Situation { run, present: present(&self.lasting, input, true) };
        situation.choose(&self.passes, wanted).map(|list| list.name.as_str())
    }

    fn advance(&mut self, run: &mut Run, input: &StepInput) -> Result<(), String> {
        if let Some(needs) = self.unmet(run, input) {
            return Err(format!("the passes {} cannot go on: they need {needs}", self.list.name));
        }
        let situation = Situation { run, present: present(&self.lasting, input, self.looked) };
        let params: Vec<Value> = situation
            .params()
            .iter()
            .map(|param| values::param(param, run.param(param.name.as_str()).unwrap_or(param.default)))
            .collect();
        let count = |name: &str| run.param(name).map_or(1, |value| value as u32);
        let moment = Moment {
            dt: input.dt,
            time: run.time as f32,
            world: input.world,
            colliders: self.tables.get(COLLIDER).map_or(0, |table| table.rows),
            damped: self.lasting.contains(&Condition::Damping),
            substeps: count("substeps"),
            substep: 0,
            iterations: count("iterations"),
            iteration: 0,
            first: 0,
            end: 0,
            line: 0,
        };
        let mut runs: Vec<bool> = (self.program.passes.iter())
            .map(|pass| pass.when.iter().all(|condition| situation.unmet(condition).is_none()))
            .collect();
        if let Some(last) = runs.last_mut() {
            // That of the guard.
            *last = input.guarded;
        }
        self.move_colliders(run)?;
        self.hold(run, input.holds)?;
        self.guard.keeps(input.guarded, &self.gpu, &self.columns, &self.buffers, &self.followed)?;
        let score = Score {
            gpu: &self.gpu,
            program: &self.program,
            params: &params,
            tables: &self.tables,
            runs: &runs,
        };
        self.recorder.record(&score, &mut self.buffers, moment)?;
        self.stale.clone_from(&self.followed);
        self.submit()
    }

    /// Rows of a column as they are on the device now; `None` if it is not there.
    pub fn read(&self, table: &str, column: &str) -> Result<Option<Vec<u8>>, String> {
        let found = self.columns.index(table, column).filter(|column| self.buffers.has(*column));
        let Some(column) = found else { return Ok(None) };
        let mut bytes = vec![0; self.columns.list[column].bytes() as usize];
        self.buffers.read(&self.gpu, column, &mut bytes)?;
        Ok(Some(bytes))
    }
}

/// Why there is no run on the device.
#[derive(Debug)]
pub enum Fault {
    /// A file of `shaders/sim` is to be mended.
    Shader(ShaderError),
    /// Not offered, or no room.
    Refused(String),
}

impl From<ShaderError> for Fault {
    fn from(error: ShaderError) -> Self {
        Self::Shader(error)
    }
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self::Refused(why)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Shader(error) => f.write_str(&error.report),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

/// Every condition without parameters that holds in a frame.
pub(super) fn present(lasting: &[Condition], input: &StepInput, looked: bool) -> Vec<Condition> {
    let now = [
        (Condition::Wind, input.world.wind.coefficient > 0.0),
        (Condition::Holds, !input.holds.is_empty()),
        (Condition::Looked, looked),
    ];
    let now = now.into_iter().filter(|(_, holds)| *holds).map(|(condition, _)| condition);
    now.chain(lasting.iter().cloned()).collect()
}
