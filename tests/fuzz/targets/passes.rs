//! The text of `passes.ron`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weft_gpu::{
    Sources,
    passes::{PASSES, Passes},
};

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    sources.set(PASSES, text);
    if let Err(error) = Passes::read(&sources) {
        assert!(!error.message.is_empty());
    }
    let _ = sources.columns();
});
