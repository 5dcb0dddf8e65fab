//! What a broken child may say to the program, and the program to it.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| weft_session::live::probe::read_all(bytes));
