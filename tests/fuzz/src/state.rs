//! Bytes as the image of a state, as an autosave has it behind its checksum → tables → one step.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weft_core::state::image;
use weft_session::autosave::Autosave;

fuzz_target!(|bytes: &[u8]| {
    // The content of an autosave with a head that fits it, and the bytes as the image alone.
    if let Ok(autosave) = Autosave::from_bytes(&Autosave::sealed(bytes)) {
        let _ = image::read(&autosave.run.state);
    }
    if let Ok((state, blueprint)) = image::read(bytes) {
        let again = image::write(&state, &blueprint);
        assert!(image::read(&again).is_ok());
    }
});
