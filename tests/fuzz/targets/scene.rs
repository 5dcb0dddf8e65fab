//! The text of a scene → checked scene → tables → two frames of a solver that the text chooses. Errors are right; panics, also
//! in the solver, and writes outside of the tables are not.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use weft_scene::Vocabulary;

static KNOWN: LazyLock<Vocabulary> = LazyLock::new(weft_fuzz::known);

fuzz_target!(init: weft_fuzz::one_thread(), |text: &str| {
    match weft_scene::parse_text("fuzz.ron", text, None, &KNOWN) {
        Ok(loaded) if weft_fuzz::is_small(&loaded.scene) => {
            let sum: usize = text.bytes().map(usize::from).sum();
            let mut run = weft_fuzz::run_of(&loaded.scene, sum);
            weft_fuzz::two_frames(&loaded.scene, &mut run);
        }
        Ok(_) => {}
        Err(errors) => assert!(!errors.to_string().is_empty()),
    }
});
