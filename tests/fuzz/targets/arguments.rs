//! Command lines: those that are taken are taken again by the process that goes on after a crash.

#![no_main]

use std::ffi::OsString;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let given: Vec<OsString> = std::iter::once("weft").chain(text.split('\n')).map(OsString::from).collect();
    if weft::cli::read(&given).is_ok_and(|is_live| is_live) {
        let next = weft_session::rescue::arguments(given.iter().cloned(), "/a/7.weft".as_ref()).concat();
        let taken = weft::cli::read(&next);
        assert!(matches!(taken, Ok(true)), "{given:?} is taken, {next:?} is not: {taken:?}");
    }
});
