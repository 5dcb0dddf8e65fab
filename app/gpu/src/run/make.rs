//! A run on the device from a run on the host, and why there is none.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    time::Duration,
};

use super::{
    super::{
        Gpu, batches,
        buffers::Buffers,
        choice::{self, NotOffered, Situation},
        columns::Columns,
        compliances::Compliances,
        compose::Scope,
        frame::{Recorder, TableRows},
        links::Adjacency,
        passes::{Passes, Sources},
        places::Places,
        program::Program,
        readback::Readback,
        returns::Returns,
        ribbons,
        surface::{self, Surface},
        timing::Timer,
    },
    GpuOptions, GpuRun, Guard, bring, guard, present,
};
use weft_draw::ShaderError;
use weft_engine::run::{Run, StepError, StepInput};

/// Why there is no run on the device.
#[derive(Debug)]
pub enum Fault {
    /// A file of `shaders/sim` is to be mended.
    Shader(ShaderError),
    /// No list of passes does this.
    NotOffered(NotOffered),
    /// No room, no device, tables that cannot be brought there.
    Refused(String),
}

impl From<NotOffered> for Fault {
    fn from(refusal: NotOffered) -> Self {
        Self::NotOffered(refusal)
    }
}

/// A run that goes on there from its next step.
impl From<Fault> for StepError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::NotOffered(refusal) => Self::NotOffered(refusal.to_string()),
            fault => Self::Gpu(fault.to_string()),
        }
    }
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Shader(error) => f.write_str(&error.report),
            Self::NotOffered(refusal) => refusal.fmt(f),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

impl GpuRun {
    /// Opens an adapter and brings a run's state there, with the passes of the source tree.
    pub fn open(options: &GpuOptions, run: &mut Run, input: &StepInput) -> Result<Self, String> {
        let gpu = Gpu::open(options.adapter.as_deref())?;
        Self::new(gpu, Sources::find()?, run, input, options.passes.as_deref())
    }

    /// Whether any of the lists would run this on `gpu`; `None`: on an adapter that has room for all that they bind.
    pub fn offered(gpu: Option<&Gpu>, sources: &Sources, run: &Run, input: &StepInput) -> Result<(), Fault> {
        let neighbours = Adjacency::of(&run.state)?;
        let lasting = choice::lasting(run, &neighbours, gpu.is_none_or(|gpu| tiles_pay(gpu, run)));
        let most = gpu.map_or(u64::MAX, Gpu::most_bytes);
        let columns = Columns::of(&run.state, &neighbours.columns(), sources, most)?;
        let places = gpu.map(|gpu| Places { gpu, sources, columns: &columns, lasting: &lasting });
        let situation = Situation { run, present: present(&lasting, input, true), places };
        Ok(situation.choose(&Passes::read(sources)?, None).map(drop)?)
    }

    /// Brings a run's state to the device. `wanted` names a list of passes; left out: the first that fits.
    pub fn new(
        gpu: Gpu,
        sources: Sources,
        run: &mut Run,
        input: &StepInput,
        wanted: Option<&str>,
    ) -> Result<Self, String> {
        Self::make(gpu, sources, run, input, wanted, None).map_err(|fault| fault.to_string())
    }

    /// As [`GpuRun::new`]; `program` is one that was compiled for the list of that name and the same schema.
    pub fn make(
        gpu: Gpu,
        mut sources: Sources,
        run: &mut Run,
        input: &StepInput,
        wanted: Option<&str>,
        program: Option<&Program>,
    ) -> Result<Self, Fault> {
        let own = [guard::ENERGY, guard::FINITE, surface::FILE].into_iter().chain(ribbons::FILES);
        own.for_each(|file| sources.complete(file));
        let passes = Passes::read(&sources)?;
        run.state.update_topology(&run.blueprint, true);
        let run = &*run;
        let neighbours = Adjacency::of(&run.state)?;
        let tiled = wanted.is_some() || tiles_pay(&gpu, run);
        let lasting = choice::lasting(run, &neighbours, tiled);
        let derived = neighbours.columns();
        let columns = Columns::of(&run.state, &derived, &sources, gpu.most_bytes())?;
        let places = Some(Places { gpu: &gpu, sources: &sources, columns: &columns, lasting: &lasting });
        let situation = Situation { run, present: present(&lasting, input, true), places };
        let mut list = situation.choose(&passes, wanted)?.clone();
        list.passes.extend(guard::passes());
        let params = situation.params();
        let places = gpu.places(&columns);
        let scope = Scope { sources: &sources, columns: &columns, params, features: &list.known, places };
        let program = match program {
            Some(program) => {
                let mut program = program.clone();
                program.complete(&gpu, scope, &lasting)?;
                program
            }
            None => Program::new(&gpu, scope, &list, &lasting)?,
        };
        let used = program.used(&lasting);
        let particles = columns.rows("particle").unwrap_or(0);
        let strands = columns.rows(batches::STRANDS).is_some_and(|rows| rows > 0);
        let surface = || Surface::new(&gpu, &sources, particles, strands);
        let surface = gpu.is_in_context().then(surface).transpose()?;
        let mut bound: Vec<usize> = used.iter().map(|used| used.0).collect();
        if surface.is_some() {
            bound
                .extend(surface::reads(&columns).filter(|column| !used.iter().any(|used| used.0 == *column)));
        }
        let buffers = Buffers::new(&gpu, &columns, bound.iter().copied())?;
        let tables = tables(run, &columns);
        let followed = bring::followed(&columns, &used);
        let timer = Timer::new(&gpu)?;
        let mut made = Self {
            guard: Guard::default(),
            readback: Readback::default(),
            returns: Returns::default(),
            laid: Vec::new(),
            used: bound,
            surface,
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
            compliances: Compliances::default(),
            lasting,
            tiled,
            apart: neighbours.keeps_apart(),
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
}

/// Rows and colours of all tables.
pub(super) fn tables(run: &Run, columns: &Columns) -> HashMap<String, TableRows> {
    let rows = |name: &String| {
        // Of a table of the state those that no broken thread took with it.
        let table = run.state.table(name);
        let rows = table.map_or_else(|| columns.rows(name).unwrap_or(0), |table| table.rows);
        let colours = || table.map_or(Vec::new(), |table| table.coloring.ends.clone());
        let ends = if name == batches::STRANDS { columns.batches.ends.clone() } else { colours() };
        TableRows { rows: rows as u32, ends }
    };
    columns.list.iter().map(|column| (column.table.clone(), rows(&column.table))).collect()
}

/// Whether a sweep in tiles is likely to be faster than one by colours. Tiles save dispatches and read their borders twice:
/// on an H200 they take half the time at 128 x 128 particles and 1.1 times as long at 1024 x 1024. A software adapter takes
/// ten times as long for the barriers of a workgroup as for a dispatch.
fn tiles_pay(gpu: &Gpu, run: &Run) -> bool {
    const MOST_PARTICLES: usize = 300_000;
    let particles = run.state.table("particle").map_or(0, |table| table.rows);
    gpu.info.device_type != wgpu::DeviceType::Cpu && particles <= MOST_PARTICLES
}
