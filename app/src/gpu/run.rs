//! A run on the device: columns there, a list of passes, and the way back.

mod feed;
mod submit;

use std::collections::{BTreeMap, HashMap};

use sim_api::Class;

use super::{
    Gpu,
    buffers::Buffers,
    choice::{self, Situation},
    columns::{Columns, Origin},
    frame::{Recorder, Score, TableRows},
    links::Neighbours,
    passes::{Condition, List, Passes, Sources},
    program::Program,
    timing::Timer,
    values::{self, Moment, Value},
};
use crate::{
    record::Summary,
    run::{Run, StepError, StepInput},
};

/// Scratch columns that a step leaves for others to look at; all `state` columns come back as well.
const OUTCOME: [(&str, &str); 3] =
    [("particle", "acceleration"), ("particle", "stress"), ("distance", "stress")];

/// Columns of this table are written by the host before each frame.
const COLLIDER: &str = "collider";

pub struct GpuRun {
    pub gpu: Gpu,
    /// The list of passes in use.
    pub list: List,
    sources: Sources,
    columns: Columns,
    buffers: Buffers,
    program: Program,
    /// Written by a pass.
    written: Vec<usize>,
    tables: HashMap<String, TableRows>,
    recorder: Recorder,
    timer: Option<Timer>,
    held: Vec<u32>,
    /// Conditions that hold as long as the tables stay.
    lasting: Vec<Condition>,
    /// The device is ahead of the state.
    stale: bool,
    /// Somebody looks at forces, stresses and accelerations after the next frames.
    pub looked: bool,
    /// Times each dispatch of the next frames, not only the whole.
    pub profile: bool,
    /// The device's time of the last frame [ms]; `None` without timestamps.
    pub frame_ms: Option<f32>,
    /// Of the last profiled frame, by file [ms].
    pub pass_ms: BTreeMap<String, f32>,
}

/// How the GPU path is asked for.
#[derive(Clone, Debug, Default)]
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
        let passes = Passes::read(&sources).map_err(|error| error.report)?;
        let neighbours = Neighbours::of(&run.state)?;
        let mut lasting = choice::lasting(run, &neighbours);
        if gpu.info.device_type == wgpu::DeviceType::Cpu && wanted.is_none() {
            // A software adapter takes ten times as long for the barriers of a workgroup as for a dispatch.
            lasting.retain(|condition| *condition != Condition::Tiles);
        }
        let situation = Situation { run, present: present(&lasting, input, true) };
        let list = situation.choose(&passes, wanted)?.clone();
        let derived = neighbours.columns();
        let columns = Columns::of(&run.state, &derived, &passes.columns)?;
        let program =
            Program::new(&gpu, &sources, &list, &columns, situation.params()).map_err(|e| e.report)?;
        let used = program.used();
        let mut buffers = Buffers::new(&gpu, &columns, used.iter().map(|used| used.0))?;
        let upload = |buffers: &mut Buffers, column: usize, bytes: &[u8]| {
            buffers.upload(&gpu, column, &columns.list[column].variable(), bytes).map(|_| ())
        };
        for &(column, _) in &used {
            let info = &columns.list[column];
            if let Origin::State(class) = info.origin
                && class != Class::Scratch
                && let Some(rows) = run.state.table(&info.table).and_then(|table| table.column(&info.name))
            {
                upload(&mut buffers, column, rows.bytes())?;
            }
        }
        for made in &derived {
            let column = columns.index(made.table, made.column).filter(|column| buffers.has(*column));
            if let Some(column) = column {
                upload(&mut buffers, column, &neighbours.fill(made.table, made.column))?;
            }
        }
        let colors =
            |table: &str| run.state.table(table).map_or(Vec::new(), |table| table.coloring.ends.clone());
        let tables = columns.list.iter().map(|column| &column.table);
        let rows =
            |table: &String| TableRows { rows: columns.rows(table).unwrap_or(0) as u32, ends: colors(table) };
        let tables = tables.map(|table| (table.clone(), rows(table))).collect();
        let written = used.iter().filter(|used| used.1).map(|used| used.0).collect();
        let timer = Timer::new(&gpu)?;
        gpu.wait()?;
        Ok(Self {
            gpu,
            list,
            sources,
            columns,
            buffers,
            program,
            written,
            tables,
            recorder: Recorder::default(),
            timer,
            held: Vec::new(),
            lasting,
            looked: true,
            stale: false,
            profile: false,
            frame_ms: None,
            pass_ms: BTreeMap::new(),
        })
    }

    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.buffers.bytes()
    }

    /// Adapter, passes, memory and times for a line of JSON; `frames`: the device's time of each frame [ms].
    pub fn json(&self, frames: &[f32]) -> serde_json::Value {
        let particles = self.columns.rows("particle").unwrap_or(0).max(1);
        let frame = Summary::of(frames.iter().copied()).map_or_else(
            || "n/a".into(),
            |s| serde_json::json!({ "p50": s.p50, "p95": s.p95, "p99": s.p99, "max": s.max }),
        );
        let passes = if self.pass_ms.is_empty() { "n/a".into() } else { serde_json::json!(self.pass_ms) };
        serde_json::json!({
            "adapter": self.gpu.info.name,
            "driver": format!("{} {}", self.gpu.info.driver, self.gpu.info.driver_info),
            "passes": self.list.name,
            "dispatches": self.recorder.commands.len(),
            "bytes": self.bytes(),
            "bytes_a_particle": self.bytes() / particles as u64,
            "frame_ms": frame,
            "pass_ms": passes,
        })
    }

    /// Rows of a table on the device.
    pub fn rows(&self, table: &str) -> usize {
        self.columns.rows(table).unwrap_or(0)
    }

    /// Advances by one frame on the device; the state follows at the next [`GpuRun::fetch`].
    pub fn step(&mut self, run: &mut Run, input: &StepInput) -> Result<(), StepError> {
        self.advance(run, input).map_err(StepError::Gpu)?;
        run.frame += 1;
        run.time += f64::from(input.dt);
        Ok(())
    }

    fn advance(&mut self, run: &mut Run, input: &StepInput) -> Result<(), String> {
        let situation = Situation { run, present: present(&self.lasting, input, self.looked) };
        let missing = situation.needs(&self.list);
        if run.solver != self.list.solver || !missing.is_empty() {
            let needs =
                if missing.is_empty() { format!("solver {}", self.list.solver) } else { missing.join(", ") };
            return Err(format!("the passes {} cannot go on: they need {needs}", self.list.name));
        }
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
        let runs: Vec<bool> = (self.program.passes.iter())
            .map(|pass| pass.when.iter().all(|condition| situation.unmet(condition).is_none()))
            .collect();
        self.move_colliders(run)?;
        self.hold(run, input.holds)?;
        let score = Score {
            gpu: &self.gpu,
            program: &self.program,
            params: &params,
            tables: &self.tables,
            runs: &runs,
        };
        self.recorder.record(&score, &mut self.buffers, moment)?;
        self.stale = true;
        self.submit()
    }

    /// Reads back into the state what the passes wrote. Costs nothing if nothing ran since.
    pub fn fetch(&mut self, run: &mut Run) -> Result<(), String> {
        if !self.stale {
            return Ok(());
        }
        for &column in &self.written {
            let info = &self.columns.list[column];
            let outcome = OUTCOME.contains(&(info.table.as_str(), info.name.as_str()));
            if !(info.origin == Origin::State(Class::State) || outcome) {
                continue;
            }
            let rows = run.state.table_mut(&info.table).and_then(|table| table.column_mut(&info.name));
            if let Some(rows) = rows {
                self.buffers.read(&self.gpu, column, rows.bytes_mut())?;
            }
        }
        self.stale = false;
        Ok(())
    }

    /// Rows of a column as they are on the device now; `None` if it is not there.
    pub fn read(&self, table: &str, column: &str) -> Result<Option<Vec<u8>>, String> {
        let found = self.columns.index(table, column).filter(|column| self.buffers.has(*column));
        let Some(column) = found else { return Ok(None) };
        let mut bytes = vec![0; self.columns.list[column].bytes() as usize];
        self.buffers.read(&self.gpu, column, &mut bytes)?;
        Ok(Some(bytes))
    }

    /// Goes on with a saved file of `shaders/sim`. On an error everything stays as it was.
    /// Returns how many passes were compiled anew.
    pub fn edit(&mut self, run: &Run, file: &str, text: &str) -> Result<usize, crate::draw::ShaderError> {
        let mut sources = self.sources.clone();
        sources.set(file, text);
        let solver =
            run.generation.solver(&run.solver).and_then(|solver| run.generation.solvers().get(solver));
        let params = solver.map_or(&[][..], |solver| solver.params.as_slice());
        let count = self.program.reload(&self.gpu, &sources, file, &self.columns, params)?;
        self.sources = sources;
        self.recorder.forget();
        Ok(count)
    }
}

/// Every condition without parameters that holds in a frame.
fn present(lasting: &[Condition], input: &StepInput, looked: bool) -> Vec<Condition> {
    let now = [
        (Condition::Wind, input.world.wind.coefficient > 0.0),
        (Condition::Holds, !input.holds.is_empty()),
        (Condition::Looked, looked),
    ];
    let now = now.into_iter().filter(|(_, holds)| *holds).map(|(condition, _)| condition);
    now.chain(lasting.iter().cloned()).collect()
}
