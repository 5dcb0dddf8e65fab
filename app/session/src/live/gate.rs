//! The gate before a library is loaded anywhere: a file that is cut short kills the process that loads it. The host
//! looks at the bytes alone; what is in them is first loaded and read by the children of the probe.

use std::{fs, path::Path};

use sim_api::Api;

use super::Refusal;
use weft_engine::generation::Generation;

/// The bytes of a finished build, if it is whole.
pub fn read(library: &Path) -> Result<Vec<u8>, Refusal> {
    let broken = |e| Refusal::Broken(format!("cannot read the built library {}: {e}", library.display()));
    let bytes = fs::read(library).map_err(broken)?;
    check_complete(&bytes).map_err(|why| Refusal::Broken(why.into()))?;
    Ok(bytes)
}

/// A page loads no libraries.
///
/// # Safety
/// None is needed.
#[cfg(target_arch = "wasm32")]
pub unsafe fn load(_: &Path) -> Result<Generation, Refusal> {
    Err(Refusal::Broken("a page loads no libraries".into()))
}

/// Loads a library and reads its contract.
///
/// # Safety
/// Whatever is in the file runs in this process from here on, its initialisers first.
#[cfg(not(target_arch = "wasm32"))]
pub unsafe fn load(path: &Path) -> Result<Generation, Refusal> {
    // SAFETY: vouched for by the caller.
    let library = unsafe { libloading::Library::new(path) }
        .map_err(|e| Refusal::Broken(format!("the built library does not load: {e}")))?;
    // SAFETY: this is the type of the export in every version of the contract.
    let entry = unsafe { library.get::<unsafe extern "C" fn() -> *const Api>(sim_api::entry_name()) }
        .map_err(|_| {
            Refusal::Broken("the built library exports no `sim_api` (sim-dylib/src/lib.rs)".into())
        })?;
    // SAFETY: vouched for by the caller.
    let api = unsafe { entry() };
    std::mem::forget(library);
    // SAFETY: the library was leaked just above.
    unsafe { Generation::from_api(api, 0, 0) }.map_err(Refusal::from)
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
