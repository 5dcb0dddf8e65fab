//! One loaded copy of the hot code. Function pointers of a library live here and nowhere else.

use std::{cmp::Ordering, fmt, path::PathBuf, sync::Arc};

use sim_api::{Api, FINGERPRINT, ReadingDesc, SolverDesc};

use crate::left_out;
use weft_core::{provided::check_schema, state::Schema};

/// A library that passed the checks. It stays mapped for the life of the process: no pointer into it ever dangles.
pub struct Generation {
    /// 0 is the code linked into the program.
    pub number: u32,
    pub schema: Schema,
    /// Size of the library file [bytes]; 0 for generation 0.
    pub bytes: u64,
    /// xxh3-64 of the library file; 0 for generation 0.
    pub hash: u64,
    /// A copy of the library file, as long as the generation may run again.
    pub file: Option<KeptFile>,
    api: &'static Api,
}

/// A file that is removed when nobody needs it any more.
pub struct KeptFile(pub PathBuf);

impl Drop for KeptFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Why a library does not fit this program.
#[derive(Clone, Debug, PartialEq)]
pub enum Misfit {
    /// Built against another `sim_api`, by another compiler or for another processor.
    Contract,
    /// Anything else, in words.
    Broken(String),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Contract => f.write_str("the library was built against another sim_api"),
            Self::Broken(why) => f.write_str(why),
        }
    }
}

impl Generation {
    /// The code this program was linked with.
    pub fn built_in() -> Arc<Self> {
        // SAFETY: `sim` is linked into this program and built against the same `sim_api`.
        let generation = unsafe { Self::from_api(sim::sim_api(), 0, 0) };
        Arc::new(generation.expect("the linked library fits the program it is linked into"))
    }

    /// Checks what a library exports.
    ///
    /// # Safety
    /// `api` is null or comes from a `sim_api()` whose library is never unmapped.
    pub unsafe fn from_api(api: *const Api, number: u32, bytes: u64) -> Result<Self, Misfit> {
        if api.is_null() {
            return Err(Misfit::Broken("sim_api() returned null".into()));
        }
        // SAFETY: `fingerprint` and `size` are the first two fields in every version of the contract.
        let (fingerprint, size) = unsafe { ((*api).fingerprint, (*api).size) };
        if fingerprint != FINGERPRINT || size != size_of::<Api>() {
            return Err(Misfit::Contract);
        }
        // SAFETY: the fingerprint covers the layout of everything behind the pointer; the caller keeps it mapped.
        let api: &'static Api = unsafe { &*api };
        let schema = Schema::read(api.tables.as_slice()).map_err(Misfit::Broken)?;
        check_schema(&schema).map_err(Misfit::Broken)?;
        check_solvers(api.solvers.as_slice())?;
        check_readings(api)?;
        Ok(Self { number, schema, bytes, hash: 0, file: None, api })
    }

    pub fn solvers(&self) -> &'static [SolverDesc] {
        self.api.solvers.as_slice()
    }

    /// Index of a solver by name.
    pub fn solver(&self, name: &str) -> Option<usize> {
        self.solvers().iter().position(|solver| solver.name.as_str() == name)
    }

    /// What a solver says of itself.
    pub fn description(&self, name: &str) -> Option<&'static SolverDesc> {
        self.solvers().iter().find(|solver| solver.name.as_str() == name)
    }

    /// Every reading that the code declares, each once: of its solvers in their order, then of the driver.
    pub fn readings(&self) -> impl Iterator<Item = &'static ReadingDesc> {
        declared(self.api)
    }

    /// The declared reading of a name.
    pub fn reading(&self, name: &str) -> Option<&'static ReadingDesc> {
        self.readings().find(|reading| reading.name.as_str() == name)
    }

    /// Runs one frame of the hot code.
    ///
    /// # Safety
    /// `frame` is filled for this generation's schema and its pointers are valid.
    pub unsafe fn step(&self, frame: &mut sim_api::Frame) -> sim_api::Status {
        // SAFETY: vouched for by the caller.
        unsafe { (self.api.step)(frame) }
    }
}

fn check_solvers(solvers: &[SolverDesc]) -> Result<(), Misfit> {
    if solvers.is_empty() {
        return Err(Misfit::Broken("the library lists no solver (sim-dylib/src/solvers.rs)".into()));
    }
    for (i, solver) in solvers.iter().enumerate() {
        let name = solver.name.as_str();
        if solvers[..i].iter().any(|other| other.name.as_str() == name) {
            return Err(Misfit::Broken(format!("two solvers are called `{name}`")));
        }
        check_name("a solver", name)?;
        let params = solver.params.as_slice();
        for (i, param) in params.iter().enumerate() {
            check_name(&format!("a parameter of solver `{name}`"), param.name.as_str())?;
            if params[..i].iter().any(|other| other.name.as_str() == param.name.as_str()) {
                return Err(Misfit::Broken(format!("solver `{name}` lists `{}` twice", param.name)));
            }
            // A bound that is no number makes no range either, and no slider has an end far away.
            let ordered = matches!(param.min.partial_cmp(&param.max), Some(Ordering::Less | Ordering::Equal));
            if !ordered || !param.min.is_finite() || !param.max.is_finite() {
                let [min, max] = [param.min, param.max];
                let text =
                    format!("solver `{name}`: `{}` goes from {min} to {max}, which is no range", param.name);
                return Err(Misfit::Broken(text));
            }
            if [param.default, param.with_strands].iter().any(|default| param.clamp(*default) != *default) {
                let text = format!("solver `{name}`: the default of `{}` is outside its range", param.name);
                return Err(Misfit::Broken(text));
            }
        }
        if let Some(limit) = solver.stiffness.parameter().filter(|limit| solver.param(limit).is_none()) {
            let text =
                format!("solver `{name}`: its stiffness is limited by `{limit}`, no parameter of its own");
            return Err(Misfit::Broken(text));
        }
        let mut tables = solver.takes.as_slice().iter().map(|takes| takes.table.as_str());
        if let Some(table) = tables.find(|table| !left_out::TABLES.iter().any(|(known, _)| known == table)) {
            let known = left_out::TABLES.map(|(table, _)| table).join(", ");
            let text = format!(
                "solver `{name}` takes `{table}`, which is no table of constraints (they are {known})"
            );
            return Err(Misfit::Broken(text));
        }
    }
    Ok(())
}

/// Names stand in scenes, in `--set` and in tables.
fn check_name(what: &str, name: &str) -> Result<(), Misfit> {
    if name.is_empty() || name.chars().any(|c| !c.is_ascii_graphic() || matches!(c, '=' | ',' | ':' | '.')) {
        let text = format!("{what} is called {name:?}: letters, digits and `_` alone make a name");
        return Err(Misfit::Broken(text));
    }
    Ok(())
}

/// Declarations of readings in order, those that repeat a name included.
fn declarations(api: &'static Api) -> impl Iterator<Item = &'static ReadingDesc> {
    let of_solvers = api.solvers.as_slice().iter().flat_map(|solver| solver.readings.as_slice());
    of_solvers.chain(api.readings.as_slice())
}

/// The first declaration of each name.
fn declared(api: &'static Api) -> impl Iterator<Item = &'static ReadingDesc> {
    let first = move |(i, reading): &(usize, &ReadingDesc)| {
        declarations(api).take(*i).all(|before| before.name.as_str() != reading.name.as_str())
    };
    declarations(api).enumerate().filter(first).map(|(_, reading)| reading)
}

/// Solvers share a name only for the same kind of number.
fn check_readings(api: &'static Api) -> Result<(), Misfit> {
    for reading in declarations(api) {
        check_name("a reading", reading.name.as_str())?;
        let mut others = declared(api).filter(|other| other.name.as_str() == reading.name.as_str());
        if let Some(other) = others.find(|other| other.unit.as_str() != reading.unit.as_str()) {
            let [name, unit, other] = [reading.name, reading.unit, other.unit];
            let text = format!("two solvers give the reading `{name}`, one in `{other}`, one in `{unit}`");
            return Err(Misfit::Broken(text));
        }
    }
    Ok(())
}
