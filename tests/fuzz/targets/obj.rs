//! The text of an OBJ file → triangles → a collider with its tree and its grid → distances from it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weft_scene::{
    ReadWork,
    obj::{self, Progress, solid::Solid},
};

fuzz_target!(init: weft_fuzz::one_thread(), |text: &str| {
    let Ok(surface) = obj::parse(text) else { return };
    let Ok(solid) = Solid::new(&surface, &mut Progress::silent(&ReadWork::default())) else { return };
    for point in [[0.0, 0.0, 0.0], [1.0, -2.0, 0.5], [1e6, 0.0, -1e-6]] {
        assert!(!solid.distance(point.into()).is_nan());
    }
});
