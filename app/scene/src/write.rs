//! A checked scene as text again, for another process to go on with: what `parse` reads back is equal.

use super::{Scene, parse};

/// RON text of a scene, in which every field is written. Meshes are named, not contained.
pub fn write(scene: &Scene) -> String {
    // The types hold nothing that RON has no word for; numbers are written so that they read back to the same bits.
    let text = parse::options().to_string_pretty(scene, ron::ser::PrettyConfig::new().struct_names(true));
    text.unwrap_or_default()
}
