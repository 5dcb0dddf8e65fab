//! What strands show of themselves as colours: the numbers at the scale against closed forms.

use tests::{left_out, picture::Picture, places, process};
use weft_core::statistics::largest;

/// Ends of scales that begin at 0, as the command says them.
fn top(view: &str, scene: &str, frames: &str) -> Option<f64> {
    let [bottom, top] = ends(view, scene, frames)?;
    assert_eq!(bottom, 0.0, "{view}");
    Some(top)
}

/// Both ends.
fn ends(view: &str, scene: &str, frames: &str) -> Option<[f64; 2]> {
    let folder = places::temporary(&format!("strand_views_{view}"));
    let (file, png) = (folder.join("scene.ron"), folder.join("picture.png"));
    std::fs::write(&file, scene).expect("a scene");
    let [file, shot] = [&file, &png].map(|path| path.to_str().expect("a plain path"));
    let arguments = ["run", file, "--frames", frames, "--size", "320x200", "--shot", shot, "--view", view];
    let output = process::weft(&places::root(), &arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let picture = Picture::png(&png);
    assert!(picture.pixels.iter().any(|pixel| *pixel != picture.pixels[0]), "{view}: something is drawn");
    let (_, line) = said
        .lines()
        .find_map(|line| line.split_once(&format!("{view} ")).filter(|(_, line)| line.contains(" to ")))?;
    let (bottom, line) = line.split_once(" to ")?;
    Some([bottom.parse().ok()?, line.split(' ').next()?.parse().ok()?])
}

/// Twisted rings of which all joints are alike: moments are E I / R and G J twist / length, and nothing is stretched.
#[test]
fn moments_of_twisted_rings_are_those_of_the_book() {
    let test = "moments_of_twisted_rings_are_those_of_the_book";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let scene = "(version: 1, gravity: (0, 0, 0), wind: (coefficient: 0), solver: (name: \"strand_newton\"),
        strands: [(id: \"rings\", closed: true, root: Free, twist: 90, length: 0.6, particles: 64,
            roots: Row(from: (0, 1, 0), to: (0, 1.2, 0), count: 5, direction: (0, 0, 1)),
            material: (young: 2e7, shear: 8e6, radius: (0.004, 0.004), density: 900), look: (spread: 0.01))],
        camera: (target: (0, 1.1, 0), distance: 1))";
    let pi = std::f64::consts::PI;
    let section = pi * 0.004_f64.powi(4);
    for (view, wanted) in [
        ("bend_moment", 2e7 * section / 4.0 * 2.0 * pi / 0.6),
        ("twist_moment", 8e6 * section / 2.0 * 0.5 * pi / 0.6),
        ("strand", 4.0),
        ("strand_guides", 4.0),
    ] {
        let top = top(view, scene, "1").unwrap_or_else(|| panic!("{view} has no scale"));
        // A polygon's angle is 2 sin(x/2) to its moment, and the scale says four digits.
        assert!((top / wanted - 1.0).abs() < 3e-3, "{view}: {top}, not {wanted}");
    }
    let stretch = top("strand_stretch", scene, "1").expect("a scale");
    assert!(stretch < 1e-3, "{stretch}");
}

/// Tufts of sixty hairs, of which each is the strand alone.
#[test]
fn guides_are_drawn_without_the_hairs_between_them() {
    let test = "guides_are_drawn_without_the_hairs_between_them";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let scene = "(version: 1, gravity: (0, 0, 0), wind: (coefficient: 0), solver: (name: \"strand_newton\"),
        strands: [(id: \"tufts\", length: 0.5, particles: 9,
            roots: Row(from: (-0.25, 1, 0), to: (0.25, 1, 0), count: 6, direction: (0, -1, 0)),
            look: (children: 60, spread: 0.03, width: 0.002))], camera: (target: (0, 0.8, 0), distance: 1.2))";
    let [hairs, guides] = ["strand", "strand_guides"].map(|view| {
        assert_eq!(top(view, scene, "1"), Some(5.0), "{view}");
        let picture =
            Picture::png(&places::build().join(format!("test-files/strand_views_{view}/picture.png")));
        let is_colored = |[r, g, b]: [u8; 3]| r.max(g).max(b) - r.min(g).min(b) > 40;
        picture.pixels.iter().filter(|pixel| is_colored(**pixel)).count()
    });
    // The scale has as many in both.
    assert!(guides > 100 && 3 * guides < hairs, "{guides} and {hairs} pixels");
}

/// Strands side by side whose mass fills cells: what the first of the frame felt is the mass by the volume.
#[test]
fn the_density_of_hair_is_its_mass_by_its_volume() {
    let test = "the_density_of_hair_is_its_mass_by_its_volume";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let scene = "(version: 1, gravity: (0, 0, 0), wind: (coefficient: 0), solver: (name: \"strand_newton\"),
        strands: [(id: \"row\", length: 0.32, particles: 33, root: Free,
            roots: Row(from: (-0.16, 1, 0), to: (0.155, 1, 0), count: 64),
            material: (radius: (1e-4, 1e-4), density: 1000), between: (cell: 0.04, friction: 0, pressure: 0))],
        camera: (target: (0, 0.9, 0), distance: 1))";
    // In a plane at a node of the cells: a sheet of so many strands a metre, half of which a row of cells has, felt by half again.
    let sheet = 1000.0 * std::f64::consts::PI * 1e-8 / 0.005;
    let wanted = sheet / 0.04 / 2.0;
    let density = top("strand_density", scene, "1").expect("a scale");
    assert!((density / wanted - 1.0).abs() < 0.05, "{density}, not {wanted}");
    // Eight strands lie beside each other in a cell, 4 cm of them, 1 cm from particle to particle.
    let cell = top("strand_grid", scene, "1").expect("a scale");
    assert!((32.0..=40.0).contains(&cell), "{cell} particles in a cell");
}

/// Straight strands with a weight at each tip that is far heavier than they are: all of their segments bear it, hanging or standing.
#[test]
fn the_tension_of_strands_is_the_weight_at_their_tips() {
    let test = "the_tension_of_strands_is_the_weight_at_their_tips";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    let weight = 0.02 * 9.81;
    for (way, wanted) in [(-1, [0.0, weight]), (1, [-weight, weight])] {
        let scene = format!(
            "(version: 1, gravity: (0, -9.81, 0), wind: (coefficient: 0),
            solver: (name: \"strand_newton\", params: {{\"substeps\": 20}}),
            strands: [(id: \"rods\", length: 0.1, particles: 16,
                roots: Row(from: (0, 0, 0), to: (0, 0, 0.1), count: 5, direction: (0, {way}, 0)),
                material: (young: 1e7, shear: 4e6, radius: (0.004, 0.004), density: 30, tip_mass: 0.02))],
            camera: (target: (0, 0, 0.05), distance: 0.6))"
        );
        let ends = ends("tension", &scene, "30").unwrap_or_else(|| panic!("it has no scale"));
        let off = largest(ends.iter().zip(wanted).map(|(end, wanted)| (end - wanted).abs()));
        assert!(off < 0.02 * weight, "{ends:?}, not {wanted:?}");
    }
}
