//! The gate before the file that `LibReloader` watches. That crate closes the old library before it loads the new
//! one and a file that is cut short kills the process at load, so nothing unproven may stand on the watched path.

use std::{
    fs,
    path::{Path, PathBuf},
};

use sim_api::Api;

use super::{Generation, Project, Refusal};

/// Loads each finished build once from a file of its own and reads its contract, before anything is published.
pub struct Gate {
    folder: PathBuf,
    /// Names the files apart: the system's loader hands out a library that is still loaded under a known name.
    checked: u32,
}

impl Gate {
    pub fn new(project: &Project) -> Self {
        Self { folder: project.live_folder(), checked: 0 }
    }

    /// Checks a finished build and returns its bytes.
    pub fn check(&mut self, library: &Path) -> Result<Vec<u8>, Refusal> {
        let broken = |what: &str, path: &Path, e: std::io::Error| {
            Refusal::Broken(format!("cannot {what} {}: {e}", path.display()))
        };
        let bytes = fs::read(library).map_err(|e| broken("read the built library", library, e))?;
        check_complete(&bytes).map_err(|why| Refusal::Broken(why.into()))?;
        self.checked += 1;
        let aside = self.folder.join(format!("gate-{}{}", self.checked, std::env::consts::DLL_SUFFIX));
        fs::write(&aside, &bytes).map_err(|e| broken("write", &aside, e))?;
        let verdict = check_contract(&aside, bytes.len() as u64);
        let _ = fs::remove_file(&aside);
        verdict.map(|()| bytes)
    }
}

fn check_contract(path: &Path, bytes: u64) -> Result<(), Refusal> {
    // SAFETY: a complete library built from `sim`; it has no initialisers and starts no threads.
    let library = unsafe { libloading::Library::new(path) }
        .map_err(|e| Refusal::Broken(format!("the built library does not load: {e}")))?;
    // SAFETY: this is the type of the export in every version of the contract.
    let entry = unsafe { library.get::<unsafe extern "C" fn() -> *const Api>(sim_api::entry_name()) }
        .map_err(|_| {
            Refusal::Broken("the built library exports no `sim_api` (sim-dylib/src/lib.rs)".into())
        })?;
    // SAFETY: what is made from the pointer is dropped here, while the library is still loaded.
    unsafe { Generation::from_api(entry(), 0, bytes) }.map(|_| ())
}

/// Whether a library file is whole: a linker, a full disk or a copy in progress can cut it short.
pub fn check_complete(bytes: &[u8]) -> Result<(), &'static str> {
    if cfg!(target_os = "linux") { check_elf(bytes) } else { check_not_empty(bytes) }
}

fn check_not_empty(bytes: &[u8]) -> Result<(), &'static str> {
    if bytes.len() < 4096 { Err("the built library is cut short") } else { Ok(()) }
}

/// An ELF file ends with its section header table; a file that holds all of it is whole.
fn check_elf(bytes: &[u8]) -> Result<(), &'static str> {
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return Err("the built library is not a 64-bit ELF file");
    }
    let read = |offset: usize, size: usize| -> u64 {
        let field = bytes.get(offset..offset + size).unwrap_or_default();
        field.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    };
    let (table, entry_size, entries) = (read(0x28, 8), read(0x3a, 2), read(0x3c, 2));
    let end = table.saturating_add(entry_size * entries);
    if table == 0 || entries == 0 || end > bytes.len() as u64 {
        return Err("the built library is cut short");
    }
    Ok(())
}
