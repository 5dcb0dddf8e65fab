//! Solvers side by side without a window: one scene, a session for each run, a table of cost and error.
//!
//! The sessions step in turns, frame by frame, and who is first changes: what the machine does beside them meets all.

mod refused;
mod spec;
mod table;

use indicatif::{ProgressBar, ProgressStyle};
use weft_core::{
    clock::Instant,
    command::CommandError,
    say,
    state::{StateHash, col, farthest},
    statistics::Summary,
};
use weft_gpu::GpuOptions;
use weft_session::{Options, Session, readings};

pub use refused::refused;
pub use spec::Spec;

/// Frames of a trial when costs are made equal, and such trials.
const TRIAL_FRAMES: u64 = 12;
const TRIALS: usize = 6;
/// Costs that are this near to each other are taken for equal.
const NEAR: f32 = 0.03;

pub struct RunsOptions {
    /// Of all of them; its solver is that of runs that name none.
    pub session: Options,
    /// In the order of the table; the first is what the others are compared with.
    pub specs: Vec<Spec>,
    /// Adapter and passes of those on the GPU path.
    pub gpu: GpuOptions,
    pub frames: u64,
    /// Each solver takes as many substeps, or iterations, as the first has time for.
    pub same_ms: bool,
}

/// One of them, after its last frame.
pub struct Outcome {
    pub name: String,
    pub session: Session,
    /// Times of its steps [ms].
    pub ms: Option<Summary>,
    /// Frame and reason of a run that stopped, or did not begin.
    pub failure: Option<String>,
    /// Of a particle from where the first run has it: the largest now, and of all frames [m].
    pub apart: Option<(f64, f64)>,
}

impl Outcome {
    /// A reading of its last frame, by name.
    pub fn reading(&self, name: &str) -> Option<f64> {
        let known = readings::find(&self.session.run().generation, name);
        known.and_then(|reading| reading.of(&self.session.readings())).or_else(|| {
            let given = self.session.run().readings.get(name).copied().map(f64::from);
            given.filter(|value| value.is_finite())
        })
    }

    pub fn hash(&self) -> StateHash {
        StateHash::of(&self.session.run().state)
    }
}

struct Entry {
    name: String,
    session: Session,
    times: Vec<f32>,
    failure: Option<String>,
    apart: Option<(f64, f64)>,
}

impl Entry {
    fn open(options: &RunsOptions, spec: &Spec) -> Result<Self, CommandError> {
        let of_run = |error: CommandError| error.map(|why| format!("run `{spec}`: {why}"));
        let mut session = Session::open(spec.session(&options.session)).map_err(of_run)?;
        let begun = if spec.gpu { session.use_gpu(&options.gpu) } else { Ok(()) };
        let failure = match begun {
            Err(error @ CommandError::Usage(_)) => return Err(of_run(error)),
            // As in the window it stands, and the others run.
            begun => begun.err().map(|why| format!("before its first frame: {why}")),
        };
        Ok(Self { name: spec.to_string(), session, times: Vec::new(), failure, apart: None })
    }

    /// One frame; the state is back on the host after it, which counts as part of the step.
    fn step(&mut self) {
        if self.failure.is_some() {
            return;
        }
        let start = Instant::now();
        let stepped = self.session.step().and_then(|_| self.session.try_read());
        self.times.push(start.elapsed().as_secs_f32() * 1e3);
        self.failure = stepped.err().map(|why| format!("frame {}: {why}", self.session.run().frame));
    }

    fn compare(&mut self, first: &[[f32; 4]]) {
        if self.failure.is_none() {
            let now = farthest(first, self.session.run().state.get(col::particle::position)).1;
            self.apart = Some((now, self.apart.map_or(now, |(_, most)| most.max(now))));
        }
    }
}

/// Runs all of them. One that the GPU path refuses, or that stops, has its reason in the table. `may_begin` is asked about each
/// before the first frame of any.
///
/// # Errors
/// A run that cannot be opened or may not begin, and where none can.
pub fn run(
    options: &RunsOptions,
    may_begin: &dyn Fn(&Session) -> Result<(), String>,
) -> Result<Vec<Outcome>, CommandError> {
    let mut specs = options.specs.clone();
    if options.same_ms {
        match_costs(options, &mut specs)?;
    }
    let mut entries = specs.iter().map(|spec| Entry::open(options, spec)).collect::<Result<Vec<_>, _>>()?;
    entries.iter().try_for_each(|entry| may_begin(&entry.session))?;
    if let Some(why) =
        entries.iter().map(|entry| entry.failure.as_ref()).reduce(|all, one| one.and(all)).flatten()
    {
        return Err(why.clone().into());
    }
    let progress = ProgressBar::new(options.frames);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames  {eta}");
    progress.set_style(style.map_err(|e| e.to_string())?);
    for frame in 0..options.frames {
        let count = entries.len();
        for i in 0..count {
            entries[(i + frame as usize) % count].step();
        }
        if let Some((first, others)) = entries.split_first_mut()
            && first.failure.is_none()
        {
            let positions = first.session.run().state.get(col::particle::position);
            others.iter_mut().for_each(|entry| entry.compare(positions));
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let finish = |mut entry: Entry| {
        entry.session.measure();
        let ms = Summary::of(entry.times);
        Outcome { name: entry.name, session: entry.session, ms, failure: entry.failure, apart: entry.apart }
    };
    Ok(entries.into_iter().map(finish).collect())
}

/// Substeps, or iterations, of the others such that each costs what the first does.
fn match_costs(options: &RunsOptions, specs: &mut [Spec]) -> Result<(), CommandError> {
    let Some((first, others)) = specs.split_first_mut() else { return Ok(()) };
    let Some((_, wanted)) = trial(options, first)? else { return Ok(()) };
    for spec in others {
        for _ in 0..TRIALS {
            let Some((session, has)) = trial(options, spec)? else { break };
            let Some(param) = session
                .solver()
                .and_then(|solver| ["substeps", "iterations"].iter().find_map(|name| solver.param(name)))
            else {
                break;
            };
            let now = session.run().value(param);
            let better = param.clamp((now * wanted / has.max(1e-6)).round());
            if (has / wanted - 1.0).abs() < NEAR || better == now {
                break;
            }
            spec.set(param.name.as_str(), &better.to_string());
        }
    }
    Ok(())
}

/// The median time of a step [ms], in a session of its own; `None`: it does not begin.
fn trial(options: &RunsOptions, spec: &Spec) -> Result<Option<(Session, f32)>, CommandError> {
    let mut entry = Entry::open(options, spec)?;
    if entry.failure.is_some() {
        return Ok(None);
    }
    (0..TRIAL_FRAMES).for_each(|_| entry.step());
    if let Some(why) = entry.failure {
        return Err(format!("run `{spec}` stops while its cost is measured: {why}").into());
    }
    let ms = Summary::of(entry.times).map_or(0.0, |summary| summary.p50);
    Ok(Some((entry.session, ms)))
}

/// Prints the table, or one line of JSON.
pub fn print(outcomes: &[Outcome], json: bool) {
    if json {
        say::say(table::json(outcomes));
        return;
    }
    table::lines(outcomes).into_iter().for_each(say::say);
}

/// The numbers of a run as a few short lines, for its picture.
pub fn caption(outcome: &Outcome) -> [String; 2] {
    table::caption(outcome)
}
