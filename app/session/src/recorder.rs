//! A recording of a session: what [`weft_timings`] writes, collected after every frame, and what a replay needs.

mod taker;

use std::{path::Path, ptr, sync::Arc};

use weft_core::{clock::Instant, command::CommandError, files, say};
use weft_engine::generation::Generation;
use weft_gpu::GpuRun;
use weft_timings::{Build, Event, Frame, Head, Kind, Log, Machine, thread_name};

use taker::Taker;
pub(crate) use taker::device;

use crate::{
    readings::{self, AnyReading},
    ring::{FrameTimes, Ring, STAGES},
    session::{Notice, Session, Setup},
};

/// Collects the numbers of each frame: its stages, those inside the step, the device's, and every reading. Solvers may
/// change while it runs: what newer code names for the first time is a column from then on.
pub struct Recorder {
    log: Log,
    /// The code that [`Recorder::readings`] are of.
    code: Arc<Generation>,
    readings: Vec<AnyReading>,
    /// Names of the columns of threads, by stage inside the step and thread, with the stage that they are of.
    threads: Vec<(String, Vec<String>)>,
    /// What a replay needs, in the format that has a place for it.
    taker: Option<Taker>,
}

impl Recorder {
    /// Creates the file; its extension says the format.
    pub fn create(path: &Path, session: &mut Session) -> Result<Self, CommandError> {
        let code = session.run().generation.clone();
        let readings = readings::all(&code).collect();
        let log = Log::create(path, head(session))?;
        session.ask_threads();
        let taker = log.has_tape().then(|| Taker::new(session));
        Ok(Self { log, code, readings, threads: Vec::new(), taker })
    }

    /// Takes the readings of the frame at hand, after [`Session::measure`]. Some cost a pass over the cloth: it is part of
    /// the stage `readings`.
    pub fn collect(&mut self, session: &mut Session) {
        self.take(session, false);
        session.ask_threads();
        let (run, input, log) = (session.run(), session.readings(), &mut self.log);
        if !ptr::eq(&raw const *self.code, &raw const *run.generation) {
            self.code = run.generation.clone();
            self.readings = readings::all(&self.code).collect();
        }
        for reading in &self.readings {
            log.put(Kind::Reading, reading.name, reading.unit, reading.of(&input).unwrap_or(f64::NAN));
        }
        for (name, value) in readings::others(&input) {
            log.put(Kind::Reading, name, "1", value);
        }
    }

    /// What came in since the last frame. Where that fails the timings go on.
    fn take(&mut self, session: &mut Session, end: bool) {
        let Some(taker) = &mut self.taker else { return };
        if let Err(why) = taker.collect(session, &mut self.log, end) {
            self.taker = None;
            session.notify(Notice::bad("record", format!("{why}; from here on it cannot be replayed")));
        }
    }

    /// Writes the frame with what was collected for it.
    pub fn frame(&mut self, session: &Session, times: &FrameTimes) -> Result<(), String> {
        let (run, log) = (session.run(), &mut self.log);
        for (stage, name) in STAGES {
            log.put(Kind::Stage, name, "ms", times.stage_ms[stage as usize].into());
            log.put(Kind::Begin, name, "ms", times.begin_ms[stage as usize].into());
        }
        let inner = run.stages.iter().filter(|_| times.steps > 0);
        inner.for_each(|(name, time)| log.put(Kind::Inner, name, "ms", time.as_secs_f64() * 1e3));
        for (i, (name, times)) in run.stages.by_thread().enumerate().filter(|_| times.steps > 0) {
            if self.threads.get(i).is_none_or(|(of, names)| of != name || names.len() != times.len()) {
                self.threads.truncate(i);
                let names = (1..=times.len()).map(|thread| thread_name(name, thread));
                self.threads.push((name.to_string(), names.collect()));
            }
            for (column, time) in self.threads[i].1.iter().zip(times) {
                log.put(Kind::Thread, column, "ms", time.as_secs_f64() * 1e3);
            }
        }
        for (name, ms) in session.gpu().into_iter().flat_map(GpuRun::times) {
            log.put(Kind::Device, name.strip_suffix("_ms").unwrap_or(&name), "ms", ms.into());
        }
        let (particles, constraints) = session.sizes();
        log.frame(&Frame {
            number: run.frame,
            time_s: run.time,
            at_ms: times.at_ms,
            wall_ms: times.wall_ms.into(),
            particles: particles as u64,
            constraints: constraints as u64,
            values: Vec::new(),
        })
    }

    /// Something that happened before the next frame: a reload, a scene, a shader; what of these was refused swapped nothing.
    fn event(&mut self, notice: &Notice, frame: u64, at_ms: f64) -> Result<(), String> {
        let refused = !notice.good && Event::SAVED.contains(&notice.kind);
        let kind = if refused { format!("{} refused", notice.kind) } else { notice.kind.to_string() };
        let text = notice.text.clone();
        self.log.event(&Event { kind, text, frame, at_ms })
    }

    pub fn path(&self) -> &Path {
        self.log.file()
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.log.frames()
    }

    /// Writes out what is buffered.
    pub fn flush(&mut self) -> Result<(), String> {
        self.log.flush()
    }

    /// Ends the file, with the state as it is.
    pub fn finish(&mut self, session: &mut Session) -> Result<(), String> {
        session.read_all();
        self.take(session, true);
        self.taker = None;
        self.log.finish()
    }
}

/// What the recording says of the run.
fn head(session: &Session) -> Head {
    let (setup, run) = (session.setup(), session.run());
    let overrides = setup.overrides().iter().map(|(path, value)| format!("{path}={value}"));
    Head {
        machine: Machine { gpu: device(session), ..Machine::here() },
        build: Build::own(),
        scene: setup.path().display().to_string(),
        scene_text: setup.text().to_string(),
        reads: Some(setup.reads().map(|file| (file.display().to_string(), hash_of(setup, &file))).collect()),
        overrides: overrides.collect(),
        solver: session.scene().solver.name.clone(),
        params: params(session).into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
        threads: session.engine().threads().count(),
        path: if session.gpu().is_some() { "gpu" } else { "cpu" }.to_string(),
        generation: run.generation.number,
        library_hash: match run.generation.hash {
            0 => String::new(),
            hash => format!("{hash:016x}"),
        },
        ..Head::default()
    }
}

/// xxh3-64 of a file of the scene, in hex; empty if it cannot be read.
fn hash_of(setup: &Setup, file: &Path) -> String {
    let bytes = files::read(&setup.folder().join(file));
    bytes.map_or_else(|_| String::new(), |bytes| format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes)))
}

/// Parameters of the present solver with their values, a choice by its name.
pub fn params(session: &Session) -> Vec<(&'static str, String)> {
    let params = session.solver().map_or(&[][..], |solver| solver.params.as_slice());
    let shown = |param: &'static sim_api::ParamDesc| {
        let value = session.run().value(param);
        let choice = weft_scene::assemble::choices(param).nth(value as usize);
        (param.name.as_str(), choice.map_or_else(|| value.to_string(), str::to_string))
    };
    params.iter().map(shown).collect()
}

/// Prints notices, `apart` from what the standard output is for, and writes them to the recording.
pub fn announce(
    session: &Session,
    ring: &Ring,
    recorder: Option<&mut Recorder>,
    notices: &[Notice],
    apart: bool,
) -> Result<(), String> {
    for notice in notices {
        let gap = if notice.more.is_empty() { "" } else { "\n" };
        let line = format_args!("[{}] {}{gap}{}", notice.kind, notice.text, notice.more);
        if apart { say::warn(line) } else { say::say(line) }
    }
    let Some(recorder) = recorder else { return Ok(()) };
    for notice in notices {
        recorder.event(notice, session.run().frame, ring.elapsed_ms(Instant::now()))?;
    }
    Ok(())
}
