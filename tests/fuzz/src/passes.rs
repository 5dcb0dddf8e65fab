//! The text of `passes.ron`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weft_gpu::{Sources, passes::Passes};

fuzz_target!(|text: &str| {
    let mut sources = Sources::built_in();
    sources.set("shaders/sim/passes.ron", text);
    let _ = Passes::read(&sources);
});
