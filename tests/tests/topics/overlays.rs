//! Overlays: each shows what it says, on what it says, and nothing else changes.

use std::path::Path;

use tests::{left_out, picture::Picture, places, process};

/// A dark cloth, pinned at two corners, that lies on a ball above a floor.
const SCENE: &str = r#"(version: 1, wind: (coefficient: 0.0),
    cloths: [(id: "a", at: (0.0, 1.02, 0.0), rotation: (-90.0, 0.0, 0.0),
        shape: Grid(columns: 21, rows: 21, width: 1.0, height: 1.0),
        pins: [Corner(TopLeft)], tethers: (slack: 0.05),
        look: (front: (0.01, 0.01, 0.01), back: (0.01, 0.01, 0.01), sheen: 0.0))],
    colliders: [(id: "ball", shape: Sphere(radius: 0.3), at: (0.0, 0.7, 0.0)), (id: "floor", shape: Plane)],
    camera: (target: (0.0, 0.8, 0.0), distance: 2.4, yaw: 20.0, pitch: 35.0))"#;

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn shot(folder: &Path, overlay: &str) -> Picture {
    let (scene, png) = (folder.join("scene.ron"), folder.join("picture.png"));
    let arguments = ["run", text(&scene), "--frames", "30", "--size", "640x400", "--shot", text(&png)];
    let output = process::weft(&places::root(), &[&arguments[..], &["--overlay", overlay]].concat());
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{overlay}: {err}");
    Picture::png(&png)
}

/// Pixels near to a colour.
fn count(picture: &Picture, color: [u8; 3]) -> usize {
    let near = |pixel: &&[u8; 3]| (0..3).all(|i| pixel[i].abs_diff(color[i]) < 48);
    picture.pixels.iter().filter(near).count()
}

#[test]
fn each_overlay_shows_its_colours_and_only_while_it_is_on() {
    let test = "each_overlay_shows_its_colours_and_only_while_it_is_on";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let folder = places::temporary("overlays");
    std::fs::write(folder.join("scene.ron"), SCENE).expect("a file");
    let plain = shot(&folder, "");
    // What it is called, a colour of it, and how many pixels at least.
    for (name, color, least) in [
        ("wireframe", [0x4f, 0xa3, 0xff], 300),
        ("particles", [0x9f, 0xe8, 0xff], 400),
        ("pins", [0xff, 0x3b, 0x30], 20),
        ("normals", [0x3d, 0xe0, 0xd0], 300),
        ("contacts", [0x3d, 0xff, 0x5a], 100),
        ("colors", [0xff, 0x26, 0x26], 100),
        ("tethers", [0x70, 0x7a, 0x86], 50),
        ("skins", [0xff, 0xb8, 0x4d], 100),
    ] {
        let with = shot(&folder, name);
        let (before, now) = (count(&plain, color), count(&with, color));
        assert!(now >= before + least, "{name}: {now} pixels of its colour, {before} without it");
        let moved = plain.pixels.iter().zip(&with.pixels).filter(|(a, b)| a != b).count();
        assert!(moved * 2 < plain.pixels.len(), "{name} covers the picture: {moved} pixels");
    }
    let again = shot(&folder, "");
    assert!(plain.pixels == again.pixels, "nothing of an overlay stays");
}

#[test]
fn a_name_that_is_none_is_told_with_what_is_near() {
    let test = "a_name_that_is_none_is_told_with_what_is_near";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let scene = places::scene("flag.ron");
    let arguments = ["run", text(&scene), "--shot", "x.png", "--overlay", "pins,norms"];
    let output = process::weft(&places::root(), &arguments);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && err.contains("did you mean `normals`?"), "{err}");
}

/// A level hair of G = 10, which was let go, a curl without weight, and a rope between two pins: theory in three colours. Under a
/// solver that is right the curves lie on the strands, so that next to nothing is left to see of a thick one behind them.
#[test]
fn theory_is_drawn_for_each_kind_of_strand() {
    let test = "theory_is_drawn_for_each_kind_of_strand";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let folder = places::temporary("overlays_theory");
    let look =
        "look: (root: (0.0, 0.0, 1.0), tip: (0.0, 0.0, 1.0), spread: 0.001, children: 4, width: 0.001)";
    let scene = format!(
        "(version: 1, wind: (coefficient: 0), air_damping: 8, solver: (name: \"strand_newton\"),
        strands: [(id: \"hair\", length: 0.1065, particles: 33, {look},
                   roots: Points(at: [(-0.15, 1.05, 0)], direction: (1, 0, 0))),
                  (id: \"curl\", length: 0.15, particles: 48, shape: Curl(radius: 0.01, pitch: 0.03), {look},
                   roots: Points(at: [(-0.02, 1.05, 0)]), material: (young: 9e11, shear: 4e11)),
                  (id: \"rope\", length: 0.3, particles: 40, root: Pinned, tip: Pinned, shape: Arc(angle: -180), {look},
                   roots: Points(at: [(0.03, 1.05, 0)], direction: (0, -1, 0)), material: (young: 1e7, shear: 4e6))],
        camera: (target: (0.02, 1.0, 0), distance: 0.6, yaw: 0, pitch: 0))"
    );
    std::fs::write(folder.join("scene.ron"), scene).expect("a file");
    let (plain, with) = (shot(&folder, ""), shot(&folder, "closed_form"));
    for (name, color) in
        [("elastica", [0x36, 0xf0, 0x6a]), ("rest", [0xff, 0xd2, 0x3f]), ("catenary", [0xff, 0x4f, 0xd8])]
    {
        let (before, now) = (count(&plain, color), count(&with, color));
        assert!(now >= before + 100, "{name}: {now} pixels of its colour, {before} without it");
    }
}
