//! A run on the device: columns there, a list of passes, and the way back.

mod bring;
mod edit;
mod feed;
mod guard;
mod make;
mod notes;
mod submit;
mod torn;

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{
    Gpu, LinkChoice, bodies,
    buffers::Buffers,
    choice::{self, NotOffered, Situation},
    columns::Columns,
    compliances::Compliances,
    frame::{FrameInputs, Recorder, TableRows},
    passes::{Condition, List, Passes, Sources},
    places::Places,
    program::{Pass, Program},
    readback::Readback,
    returns::Returns,
    ribbons::{self, StrandList},
    surface::{Painted, Sheet, Surface},
    timing::Timer,
    values::{self, DispatchContext, Value},
};
use weft_core::statistics::Summary;
use weft_draw::{RibbonJob, RibbonsDone};
use weft_engine::run::{Run, StepError, StepInput};

pub use bring::ReadbackScope;
use guard::Guard;
pub use make::Fault;

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
    /// Columns of the device that passes bind, or did before an edit.
    used: Vec<usize>,
    /// Those that the state follows: written by a pass, and lasting or to be looked at.
    followed: Vec<usize>,
    tables: HashMap<String, TableRows>,
    recorder: Recorder,
    timer: Option<Timer>,
    guard: Guard,
    readback: Readback,
    /// What each frame tells.
    returns: Returns,
    /// Marks of broken threads that the tables on the device are laid out for; none: nothing broke yet.
    laid: Vec<u32>,
    /// What is drawn, on the context of the picture.
    surface: Option<Surface>,
    held: Vec<u32>,
    /// Where derived columns have compliances from.
    compliances: Compliances,
    /// Conditions that hold as long as the tables stay.
    lasting: Vec<Condition>,
    /// Cloth may be swept in tiles.
    tiled: bool,
    /// Largest distance that particles keep where cloth collides with cloth [m]; 0: it does not.
    apart: f32,
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
    /// How a picture gets what is computed.
    pub link: LinkChoice,
}

impl GpuRun {
    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.buffers.bytes() + self.guard.bytes() + self.surface.as_ref().map_or(0, Surface::bytes)
    }

    /// Bytes on the device for each particle.
    pub fn bytes_a_particle(&self) -> u64 {
        self.bytes() / self.rows("particle").max(1) as u64
    }

    /// Particles a side of the largest square grid that these passes can take here, and what bounds it.
    pub fn largest_grid(&self) -> (u64, &'static str) {
        self.gpu.largest_grid(Some(self.bytes_a_particle()))
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

    /// In how many batches strands take turns; 1: all at a time.
    pub fn batches(&self) -> usize {
        let turns = self.program.passes.iter().any(Pass::in_batches);
        if turns { self.columns.batches.ends.len() } else { 1 }
    }

    /// Name of the list of passes, and the batches where there are several.
    pub fn passes_text(&self) -> String {
        match self.batches() {
            1 => self.list.name.clone(),
            batches => format!("{} in {batches} batches of strands", self.list.name),
        }
    }

    /// Time that the state's columns took to come back after the last frame [ms], and how many bytes they were.
    pub fn readback(&self) -> (f32, u64) {
        (self.readback.ms, self.readback.bytes)
    }

    /// Times of the last frame [ms] by name, as far as they are known.
    pub fn times(&self) -> Vec<(String, f32)> {
        let mut times: Vec<(String, f32)> =
            self.frame_ms.iter().map(|ms| ("device_ms".to_string(), *ms)).collect();
        times.push(("readback_ms".to_string(), self.readback.ms));
        if self.profile {
            times.extend(self.pass_ms.iter().map(|(file, ms)| (format!("pass.{file}_ms"), *ms)));
        }
        times
    }

    /// Adapter, passes, memory and times for a line of JSON; `frames`: the device's time of each frame [ms].
    pub fn json(&self, frames: Option<Summary>) -> serde_json::Value {
        let frame = frames.map_or_else(
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
        self.update_topology(run, input).map_err(StepError::Gpu)?;
        self.advance(run, input).map_err(StepError::Gpu)?;
        let mut bodies = self.returns.take(&self.gpu).map_err(StepError::Gpu)?;
        let torn = self.torn(&mut bodies);
        if input.guarded
            && let Some(error) = self.not_finite(run).map_err(StepError::Gpu)?
        {
            return Err(error);
        }
        if let Some(lost) = self.guard.lost {
            run.readings.insert("self_overflow".into(), lost as f32);
        }
        bodies::put(&mut run.state, &bodies);
        if torn > 0 {
            self.tear(run).map_err(StepError::Gpu)?;
        }
        run.frame += 1;
        run.time += f64::from(input.dt);
        Ok(())
    }

    /// What keeps the passes from going on, if anything does.
    pub fn unmet(&self, run: &Run, input: &StepInput) -> Option<String> {
        let situation = Situation::new(run, present(&self.lasting, input, self.looked));
        let missing = situation.needs(&self.list);
        if run.solver != self.list.solver {
            return Some(format!("solver {}", self.list.solver));
        }
        (!missing.is_empty()).then(|| missing.join(", "))
    }

    /// Name of the list that would run, or why none does.
    pub fn offer(&self, run: &Run, input: &StepInput, wanted: Option<&str>) -> Result<&str, NotOffered> {
        let Self { gpu, sources, columns, lasting, .. } = self;
        let places = Some(Places { gpu, sources, columns, lasting });
        let situation = Situation { run, present: present(lasting, input, true), places };
        situation.choose(&self.passes, wanted).map(|list| list.name.as_str())
    }

    fn advance(&mut self, run: &mut Run, input: &StepInput) -> Result<(), String> {
        if let Some(needs) = self.unmet(run, input) {
            return Err(format!("the passes {} cannot go on: they need {needs}", self.list.name));
        }
        let situation = Situation::new(run, present(&self.lasting, input, self.looked));
        let params: Vec<Value> =
            situation.params().iter().map(|param| values::param(param, run.value(param))).collect();
        let count = |name: &str| run.param(name).map_or(1, |value| value as u32);
        let moment = DispatchContext {
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
        if let [.., energy, finite] = &mut runs[..] {
            // Those of the guard.
            (*energy, *finite) = (input.guarded && self.guard.wants_energy, input.guarded);
        }
        self.move_colliders(run)?;
        self.hold(run, input.holds)?;
        self.guard.keeps(input.guarded, &self.gpu, &self.columns, &self.buffers, &self.followed)?;
        self.listen(input.guarded)?;
        let position = self.columns.index("particle", "position").filter(|column| self.buffers.has(*column));
        if let (Some(surface), Some(position)) = (&mut self.surface, position) {
            surface.begin(self.buffers.place(position));
        }
        let score = FrameInputs {
            gpu: &self.gpu,
            program: &self.program,
            params: &params,
            tables: &self.tables,
            runs: &runs,
        };
        self.recorder.record(&score, &mut self.buffers, moment)?;
        // Bodies are back already.
        let back = bodies::COLUMNS.map(|key| self.columns.index(key.table, key.column));
        self.stale.clear();
        self.stale.extend(self.followed.iter().filter(|column| !back.contains(&Some(**column))));
        self.submit(run.frame)
    }

    /// Whether [`GpuRun::paint`] can be asked.
    pub fn paints(&self) -> bool {
        self.surface.is_some()
    }

    /// Whether pictures are shown between two frames as well: the positions before each are kept for it.
    pub fn show_between(&mut self, between: bool) {
        self.surface.iter_mut().for_each(|surface| surface.between = between);
    }

    /// Whether a list of strands with so many particles can be painted: an adapter that binds too little at once can not.
    pub fn paints_strands(&self, particles: usize) -> bool {
        let ribbons = self.surface.as_ref().is_some_and(|surface| surface.ribbons.is_some());
        ribbons && ribbons::largest(particles) <= self.gpu.most_bytes()
    }

    /// Writes the vertex buffers of `sheets`, a `share` of the way between the last two frames, and looks at `strands` there.
    pub fn paint(
        &mut self,
        (sheets, strands): (&[Sheet], &[StrandList]),
        share: f32,
    ) -> Result<Painted, String> {
        let Some(surface) = &mut self.surface else {
            return Err(format!("{} does not compute on the context of the picture", self.gpu.info.name));
        };
        surface.paint(&self.gpu, &self.columns, &self.buffers, (sheets, strands), share)
    }

    /// Writes what is drawn of strands that were painted.
    pub fn write_ribbons(&mut self, jobs: &[RibbonJob]) -> Result<Vec<RibbonsDone>, String> {
        let ribbons = self.surface.as_mut().and_then(|surface| surface.ribbons.as_mut());
        ribbons.map_or(Ok(Vec::new()), |ribbons| ribbons.write(&self.gpu, jobs))
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

/// Every condition without parameters that holds in a frame.
pub(super) fn present(lasting: &[Condition], input: &StepInput, looked: bool) -> Vec<Condition> {
    let now = [
        (Condition::Wind, input.world.wind.coefficient > 0.0),
        (Condition::Holds, !input.holds.is_empty()),
        (Condition::Diagnostics, looked),
    ];
    let now = now.into_iter().filter(|(_, holds)| *holds).map(|(condition, _)| condition);
    now.chain(lasting.iter().cloned()).collect()
}
