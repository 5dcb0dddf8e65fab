//! Hot code that was swapped in while it was recorded: the library itself, packed. A replay on the same machine runs it as it
//! ran then, at once and to the bit.
//!
//! Rejected: the sources of `sim-dylib`, a quarter of the size (0.2 MB against 0.9): they need the same compiler, its flags and
//! half a minute for each generation, and what cargo builds of them has a chance to be the same code, not the certainty.

use std::sync::Arc;

use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::{Deserialize, Serialize};
use sim_api::FINGERPRINT;
use weft_engine::generation::Generation;
use xxhash_rust::xxh3::xxh3_64;

use super::packing::{LEVEL, unpack};
use crate::seal::Key;

/// What stands before the bytes of a library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CodeHead {
    /// Of its generation.
    pub number: u32,
    /// xxh3-64 of the library.
    pub hash: u64,
    /// Of the contract, the compiler and the processor's features that it was built for.
    pub fingerprint: u64,
    /// Processor and system, such as `x86_64-linux`.
    pub target: String,
    /// Of the library, by who recorded it; `None`: no key was to be had.
    pub seal: Option<u64>,
}

/// A library on its way into the file.
pub struct PackedCode {
    pub head: CodeHead,
    pub bytes: Vec<u8>,
}

impl PackedCode {
    /// Reads and packs the library of a generation.
    pub(super) fn new(code: &Generation) -> Result<Self, String> {
        let failed = |why: &str| format!("generation {} is not kept in the recording: {why}", code.number);
        let file = code.file.as_ref().ok_or_else(|| failed("there is no copy of its library"))?;
        let library =
            std::fs::read(&file.0).map_err(|why| failed(&format!("{}: {why}", file.0.display())))?;
        if xxh3_64(&library) != code.hash {
            return Err(failed(&format!("{} has changed since", file.0.display())));
        }
        let head = CodeHead {
            number: code.number,
            hash: code.hash,
            fingerprint: FINGERPRINT,
            target: target(),
            seal: Key::make().map(|key| key.seal(&library)),
        };
        Ok(Self { head, bytes: compress_to_vec_zlib(&library, LEVEL) })
    }
}

fn target() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

impl CodeHead {
    /// The library that `packed` holds, if this program may run it: `Err` says why not. `trusted`: whoever recorded it.
    pub fn library(&self, packed: &[u8], trusted: bool) -> Result<Vec<u8>, String> {
        if self.target != target() {
            return Err(format!("it was built for {}, and this is {}", self.target, target()));
        }
        if self.fingerprint != FINGERPRINT {
            return Err(
                "it was built against another sim_api, by another compiler or for another processor".into()
            );
        }
        let library = unpack(packed)?;
        if xxh3_64(&library) != self.hash {
            return Err("its library is damaged".into());
        }
        let sealed = || self.seal.zip(Key::find()).is_some_and(|(seal, key)| key.seal(&library) == seal);
        if !trusted && !sealed() {
            return Err(
                "it was not recorded by you on this machine, and native code does what it likes: `weft replay --trust` runs it"
                    .into(),
            );
        }
        Ok(library)
    }
}

/// Code that a tape names.
pub(crate) type Code = Arc<Generation>;
