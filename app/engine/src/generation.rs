//! One loaded copy of the hot code. Function pointers of a library live here and nowhere else.

use std::{fmt, path::PathBuf, sync::Arc};

use sim_api::{Api, FINGERPRINT, SolverDesc};

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
        Ok(Self { number, schema, bytes, hash: 0, file: None, api })
    }

    pub fn solvers(&self) -> &'static [SolverDesc] {
        self.api.solvers.as_slice()
    }

    /// Index of a solver by name.
    pub fn solver(&self, name: &str) -> Option<usize> {
        self.solvers().iter().position(|solver| solver.name.as_str() == name)
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
        for param in solver.params.as_slice() {
            if param.clamp(param.default) != param.default {
                let text = format!("solver `{name}`: the default of `{}` is outside its range", param.name);
                return Err(Misfit::Broken(text));
            }
        }
    }
    Ok(())
}
