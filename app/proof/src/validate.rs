//! `weft validate`: what every solver must reproduce, and what each of them makes of it.
//!
//! A case is one file in `validate/`: it runs one solver and compares numbers with closed forms, with a converged run or
//! with the `expect` of scenes in `scenes/validate/`. A solver that is added to the list is taken into every case that
//! applies. What a method is known to miss is a known failure with its reason; one that does not fail is a failure.

pub mod capstan;
mod cases;
mod chain;
mod chebyshev;
pub mod closed_form;
mod crossed;
pub mod crossings;
mod curls;
mod device;
mod falls;
pub mod fixture;
pub mod fixtures;
mod held_ends;
mod incline;
mod inextensible;
pub mod invariants;
pub mod iterations;
mod jerked;
mod known;
mod loaded;
pub mod oscillator;
mod pace;
pub mod plate;
pub mod random;
mod record;
mod report;
mod rings;
mod rods;
mod scenes;
pub mod settings;
pub mod slivers;
mod stable_step;
mod strand_momentum;
mod stvk;
mod swings;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use rayon::prelude::*;
use sim_api::SolverDesc;

use weft_core::{command::CommandError, project::Project, say, suggest};

pub use weft_core::statistics::spread;
use weft_engine::{generation::Generation, run::StepError};
use weft_gpu::{Fault, GpuOptions};

use crate::expect::{Bounds, Status};
pub use cases::CASES;
use fixture::FailedFrame;

/// How often it is said how far it is.
const TOLD_EVERY: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, Default)]
pub struct ValidateOptions {
    /// `None`: [`ValidateOptions::folder`].
    pub out: Option<PathBuf>,
    /// Empty for all.
    pub cases: Vec<String>,
    /// Empty for all.
    pub solvers: Vec<String>,
    pub quick: bool,
    /// On the GPU path: the solvers that it offers, and the cases [`Case::on_device`].
    pub gpu: Option<GpuOptions>,
}

impl ValidateOptions {
    /// Where the tables go if nothing is said: with all cases and solvers into the results of the tree, otherwise beside its
    /// build, so that a part never stands where the whole did.
    pub fn folder(&self, root: &Path) -> PathBuf {
        let part = self.quick || !self.cases.is_empty() || !self.solvers.is_empty();
        let folder = root.join(if part { "target/validation" } else { "tests/results" });
        if self.gpu.is_some() { folder.join("gpu") } else { folder }
    }
}

/// One line of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub solver: String,
    pub case: &'static str,
    pub reading: String,
    pub bounds: Bounds,
    /// `None`: the run did not get there.
    pub measured: Option<f64>,
    pub status: Status,
    pub note: String,
}

/// A case.
pub struct Case {
    pub name: &'static str,
    pub doc: &'static str,
    /// Which solvers it says anything about, by what they say of themselves.
    applies: fn(&SolverDesc) -> bool,
    /// Why the other solvers are left out; empty if none is.
    pub omitted: &'static str,
    /// Whether the case is run on the GPU path as well.
    pub on_device: bool,
    run: fn(&mut Trial) -> Result<(), Miss>,
}

impl Case {
    /// Whether the case says anything about the solver of a name.
    pub fn applies_to(&self, solver: &str) -> bool {
        Generation::built_in().description(solver).is_some_and(self.applies)
    }
}

/// Why a case could not be run to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Miss {
    /// The GPU path has no passes for it.
    NotOffered(String),
    /// Anything else: a step that fails, a scene that is not there.
    Failed(String),
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (Self::NotOffered(why) | Self::Failed(why)) = self;
        f.write_str(why)
    }
}

impl From<String> for Miss {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

impl From<&str> for Miss {
    fn from(why: &str) -> Self {
        Self::Failed(why.to_string())
    }
}

impl From<CommandError> for Miss {
    fn from(error: CommandError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<FailedFrame> for Miss {
    fn from(failed: FailedFrame) -> Self {
        match failed.error {
            StepError::NotOffered(why) => Self::NotOffered(why),
            _ => Self::Failed(failed.to_string()),
        }
    }
}

impl From<Fault> for Miss {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::NotOffered(refusal) => Self::NotOffered(refusal.to_string()),
            fault => Self::Failed(fault.to_string()),
        }
    }
}

/// One solver in one case.
pub struct Trial<'a> {
    pub solver: &'a str,
    /// What that solver says of itself.
    pub about: &'static SolverDesc,
    pub quick: bool,
    device: Option<&'a device::Device>,
    case: &'static str,
    rows: Vec<Row>,
}

impl Trial<'_> {
    /// A number that the solver must reproduce.
    pub fn expect(&mut self, reading: String, bounds: Bounds, measured: f64) {
        self.judge(reading, bounds, measured, None);
    }

    /// As [`Trial::expect`]; `known` is why this solver is known to miss it.
    pub fn judge(&mut self, reading: String, bounds: Bounds, measured: f64, known: Option<&str>) {
        let status = Status::of(bounds.hold(measured), known.is_some());
        self.push(reading, bounds, Some(measured), status, known);
    }

    /// Why a row of this model does nothing under the solver, if it has no form of it.
    pub fn left_out(&self, table: &str, model: u32) -> Option<&'static str> {
        let left_out = !self.about.has_form_of(table, model);
        left_out.then_some("it has no form of these rows and leaves them out (`weft solvers`)")
    }

    /// `known` is why the solver is known to miss it: then the status is that of [`record::judge`].
    fn push(
        &mut self,
        reading: String,
        bounds: Bounds,
        measured: Option<f64>,
        status: Status,
        known: Option<&str>,
    ) {
        let (solver, case, note) =
            (self.solver.to_string(), self.case, known.unwrap_or_default().to_string());
        let mut row = Row { solver, case, reading, bounds, measured, status, note };
        if known.is_some() {
            let measured = record::Measured { quick: self.quick, on_device: self.device.is_some() };
            record::judge(&mut row, measured);
        }
        self.rows.push(row);
    }

    /// A row that failed before there was a number.
    fn fail(&mut self, reading: &str, note: String) {
        self.push(reading.to_string(), Bounds::at_most(0.0), None, Status::Fail, None);
        self.rows.last_mut().expect("it was pushed").note = note;
    }
}

/// Runs the cases and returns their rows, by case and solver.
pub fn validate(options: &ValidateOptions) -> Result<Vec<Row>, CommandError> {
    validate_and(options, &|_| {})
}

/// The same, with what is said of each case and solver that is done.
fn validate_and(options: &ValidateOptions, say: &(dyn Fn(&str) + Sync)) -> Result<Vec<Row>, CommandError> {
    let solvers = chosen(&options.solvers, "solver", &fixture::all_solvers())?;
    let cases = chosen(&options.cases, "case", &CASES.iter().map(|case| case.name).collect::<Vec<_>>())?;
    let device = options.gpu.as_ref().map(device::Device::open).transpose()?;
    let device = device.as_ref();
    let solvers: Vec<&str> = match device {
        None => solvers,
        Some(device) => {
            let (there, missing): (Vec<&str>, _) =
                solvers.into_iter().partition(|solver| device.offers(solver));
            if there.is_empty() {
                let missing = missing.join(", ");
                return Err(CommandError::Usage(format!("the GPU path does not offer {missing}")));
            }
            there
        }
    };
    let cases = CASES.iter().filter(|case| cases.contains(&case.name));
    let cases = cases.filter(|case| device.is_none() || case.on_device);
    let trials: Vec<(&Case, &str)> = cases
        .flat_map(|case| {
            solvers.iter().filter(|solver| case.applies_to(solver)).map(move |solver| (case, *solver))
        })
        .collect();
    let (all, done) = (trials.len(), AtomicUsize::new(0));
    let one = |(case, solver): (&Case, &str)| {
        let rows = one(case, solver, options.quick, device);
        say(&format!("{} of {all}: {} {solver}", done.fetch_add(1, Ordering::Relaxed) + 1, case.name));
        rows
    };
    if device.is_some() {
        // One device answers one thread at a time.
        return Ok(trials.into_iter().flat_map(one).collect());
    }
    let mut rows = trials.into_par_iter().flat_map_iter(one).collect();
    scenes::agree(&mut rows, options.quick);
    Ok(rows)
}

fn one(case: &Case, solver: &str, quick: bool, device: Option<&device::Device>) -> Vec<Row> {
    let Some(about) = Generation::built_in().description(solver) else { return Vec::new() };
    let mut trial = Trial { solver, about, quick, device, case: case.name, rows: Vec::new() };
    match (case.run)(&mut trial) {
        // On a device a case may have fewer variants.
        Ok(()) if device.is_some() => {}
        Ok(()) => {
            for reading in record::left(&trial.rows, case.name, solver, quick) {
                trial.fail("the list of known failures", record::stale(reading));
            }
        }
        Err(Miss::NotOffered(why)) => say::warn(format_args!("{} {solver} is left out: {why}", case.name)),
        Err(Miss::Failed(why)) => trial.fail("the case itself", why),
    }
    trial.rows
}

/// The names that were asked for, in the order of `known`; all for none.
fn chosen<'a>(asked: &[String], what: &str, known: &[&'a str]) -> Result<Vec<&'a str>, CommandError> {
    let same = |asked: &str, known: &str| asked.eq_ignore_ascii_case(known);
    if let Some(stranger) = asked.iter().find(|asked| !known.iter().any(|known| same(asked, known))) {
        return Err(CommandError::Usage(suggest::unknown(what, stranger, known)));
    }
    let wanted = |known: &&&str| asked.is_empty() || asked.iter().any(|asked| same(asked, known));
    Ok(known.iter().filter(wanted).copied().collect())
}

/// Runs the cases, writes both tables, and fails if a row does.
pub fn command(options: &ValidateOptions) -> Result<(), CommandError> {
    let folder = match &options.out {
        Some(folder) => folder.clone(),
        None => {
            options.folder(&Project::find().ok_or("no source tree here to write to; try --out DIR")?.root)
        }
    };
    report::may_write(&folder)?;
    let told = Mutex::new(Instant::now());
    let rows = validate_and(options, &|text| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() > TOLD_EVERY {
            *told = Instant::now();
            say::warn(text);
        }
    })?;
    if rows.is_empty() {
        return Err("no number was worked out: these cases have none for these solvers here".into());
    }
    report::write(&folder, &rows, options)?;
    for row in rows.iter().filter(|row| row.status == Status::Fail) {
        say::say(report::line(row));
    }
    let count = |status| rows.iter().filter(|row| row.status == status).count();
    let failed = count(Status::Fail);
    say::say(format_args!(
        "{} passed, {} known failures, {failed} failed; see {}",
        count(Status::Pass),
        count(Status::KnownFailure),
        folder.join("validation.md").display()
    ));
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} numbers are wrong", rows.len()).into()) }
}
