//! Folders. Files of a test are made under `target/` only.

use std::path::{Path, PathBuf};

/// Root of the source tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ is in the tree").to_path_buf()
}

/// `scenes/NAME` of the source tree.
pub fn scene(name: &str) -> PathBuf {
    root().join("scenes").join(name)
}

/// The profile's folder of the build that this program is part of, such as `target/checked`.
pub fn build() -> PathBuf {
    let exe = std::env::current_exe().expect("a program has a path");
    let folder = exe.parent().expect("and a folder");
    let folder = if folder.ends_with("deps") { folder.parent().expect("deps is inside") } else { folder };
    folder.to_path_buf()
}

/// The `weft` of the same build.
pub fn weft() -> PathBuf {
    build().join(format!("weft{}", std::env::consts::EXE_SUFFIX))
}

/// An empty folder of this name under `target/`.
pub fn temporary(name: &str) -> PathBuf {
    let folder = build().join("test-files").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("target/ is writable");
    folder
}

/// Writes a file of results: full counts into the tree, where they are committed, others beside the build.
pub fn keep(name: &str, text: &str) {
    let beside = || build().join("test-files/results");
    let folder = if crate::long() { root().join("tests/results") } else { beside() };
    std::fs::create_dir_all(&folder).expect("a folder for results");
    std::fs::write(folder.join(name), text).expect("a file of results");
}

/// The four scenes that come with the program.
pub const SCENES: [&str; 4] = ["flag.ron", "hanging.ron", "drape_on_sphere.ron", "curtain_pair.ron"];

/// Those about colliders: a mesh, speed, friction, bodies with a mass.
pub const CONTACT_SCENES: [&str; 4] =
    ["drape_on_mesh.ron", "fast_ball_through_curtain.ron", "incline_friction.ron", "ball_caught.ron"];
