//! Roots on the surface of a mesh: on its faces, on those alone that look the way, and with it wherever it goes.

use std::path::{Path, PathBuf};

use glam::{DVec3, Quat, Vec3};
use tests::{
    fixture::{reading, vector},
    places,
};
use weft_core::state::col;
use weft_scene::{Fate, Scene, Vocabulary, diff, fate, parse_text};
use weft_session::{Options, Session};

/// A block of 2 x 1 x 0.5 units, and its faces outwards.
const BLOCK: &str = "v -1 -0.5 -0.25\nv 1 -0.5 -0.25\nv 1 0.5 -0.25\nv -1 0.5 -0.25\n\
    v -1 -0.5 0.25\nv 1 -0.5 0.25\nv 1 0.5 0.25\nv -1 0.5 0.25\n\
    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n";

fn folder(name: &str) -> PathBuf {
    let folder = places::temporary(name);
    std::fs::write(folder.join("block.obj"), BLOCK).expect("a file");
    folder
}

fn text(roots: &str, seat: &str) -> String {
    format!(
        "(version: 1, wind: (coefficient: 0), solver: (name: \"strand_newton\", params: {{\"substeps\": 4}}),
          strands: [(id: \"fur\", {seat}, length: 0.02, particles: 8, roots: {roots})],
          colliders: [(id: \"block\", shape: Mesh(file: \"block.obj\", scale: 0.1), at: (0, 1, 0), thickness: 0.001,
                       motion: Spin(axis: (0, 0, 1), period: 2)), (id: \"ball\", shape: Sphere(radius: 0.1), at: (3, 0, 0))])"
    )
}

fn scene(folder: &Path, roots: &str) -> Scene {
    let text = text(roots, "seat: Collider(\"block\")");
    parse_text("fur.ron", &text, Some(folder), &Vocabulary::default()).unwrap_or_else(|e| panic!("{e}")).scene
}

/// How far a place is outside of the block [m].
fn outside(x: Vec3) -> f32 {
    let over = x.abs() - Vec3::new(0.1, 0.05, 0.025);
    over.max(Vec3::ZERO).length() + over.max_element().min(0.0)
}

#[test]
fn roots_lie_evenly_on_the_faces_that_look_the_way() {
    let folder = folder("fur-roots");
    let all = weft_scene::strands::build::build(
        &scene(&folder, "Surface(count: 700)").strands[0],
        &scene(&folder, "Surface(count: 700)"),
    );
    assert_eq!(all.len(), 700);
    assert!(all.iter().all(|strand| outside(strand.root).abs() < 1e-6));
    // Areas of the faces, by that of all.
    for (axis, share) in [(Vec3::X, 0.5 / 3.5 / 2.0), (Vec3::Y, 1.0 / 3.5 / 2.0), (Vec3::Z, 2.0 / 3.5 / 2.0)]
    {
        let half = axis.dot(Vec3::new(0.1, 0.05, 0.025));
        for side in [axis, -axis] {
            let on = all.iter().filter(|strand| (strand.root.dot(side) - half).abs() < 1e-6).count();
            assert!((on as f32 - 700.0 * share).abs() <= 2.0, "{on} roots on {side}");
        }
    }
    let up = scene(&folder, "Surface(axis: (0, 1, 0), angle: 60, count: 90)");
    let up = weft_scene::strands::build::build(&up.strands[0], &up);
    assert!(up.iter().all(|strand| (strand.root.y - 0.05).abs() < 1e-6 && strand.direction.y > 0.3));
    let quarter = up.iter().filter(|strand| strand.root.x > 0.0 && strand.root.z > 0.0).count();
    assert!((18..=27).contains(&quarter), "{quarter} of 90 in a quarter");
}

/// Segments shorter than what their seat keeps off begin there, on stubs that stand on the skin and are drawn; no segment is
/// stretched then.
#[test]
fn short_hair_begins_where_its_seat_keeps_it() {
    let folder = folder("fur-short");
    let on_block = |particles: u32, thickness: &str| {
        text("Surface(count: 60)", "seat: Collider(\"block\")")
            .replace("particles: 8", &format!("particles: {particles}"))
            .replace("thickness: 0.001", &format!("thickness: {thickness}"))
    };
    let on_ball = |particles: u32, shape: &str| {
        format!(
            "(version: 1, wind: (coefficient: 0), solver: (name: \"strand_newton\", params: {{\"substeps\": 4}}),
              strands: [(id: \"fur\", seat: Collider(\"ball\"), length: 0.05, particles: {particles}, roots: Cap(axis: (0, 1, 0), angle: 60, count: 60), shape: {shape})],
              colliders: [(id: \"ball\", shape: Sphere(radius: 0.1), at: (0, 1, 0))])"
        )
    };
    let curl = "Curl(radius: 0.003, pitch: 0.01)";
    for (case, text, above) in [
        ("block", on_block(16, "0.003"), 0.003),
        ("long on the block", on_block(8, "0.001"), 0.0),
        ("ball", on_ball(32, "Straight"), 0.004),
        ("curls", on_ball(32, curl), 0.004),
        ("long on the ball", on_ball(8, curl), 0.0),
    ] {
        let scene = parse_text("fur.ron", &text, Some(&folder), &Vocabulary::default())
            .unwrap_or_else(|e| panic!("{e}"));
        let skin = |x: Vec3| if case.contains("block") { outside(x) } else { x.length() - 0.1 };
        let fur = &scene.scene.strands[0];
        let all = weft_scene::strands::build::build(fur, &scene.scene);
        for strand in &all {
            // Over a face that is it, and where the way out leans over a corner it is more.
            let high = skin(strand.root) - above;
            assert!((-1e-6..0.75 * above + 1e-6).contains(&high), "{case}: {high} off");
            let (stub, first) = (strand.place(2, 0), strand.place(2, 2).distance(strand.root));
            let below = if above > 0.0 { strand.above } else { strand.segment };
            assert!(((strand.root - strand.direction * below) - stub).length() < 1e-6, "{case}");
            assert!((first / strand.segment - 1.0).abs() < 1e-3, "{case}: {first}");
        }
        let drawn = fur.guides(&all)[0].span[2];
        assert_eq!(drawn, fur.particles - u32::from(above == 0.0), "{case}");
        let file = folder.join("fur.ron");
        std::fs::write(&file, text).expect("a scene");
        let mut session = Session::open(Options { scene: file, threads: 1, ..Options::default() })
            .unwrap_or_else(|e| panic!("{e}"));
        for frame in 0..30 {
            session.step().unwrap_or_else(|e| panic!("{e}"));
            session.measure();
            let stretch = reading(&session, "strand_stretch");
            assert!(stretch < 0.01, "{case}, frame {frame}: {stretch}");
        }
    }
}

#[test]
fn fur_goes_with_its_mesh() {
    let folder = folder("fur-goes");
    let file = folder.join("fur.ron");
    std::fs::write(&file, text("Surface(count: 60)", "seat: Collider(\"block\")")).expect("a scene");
    let options = Options { scene: file, threads: 1, ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    let held: Vec<usize> =
        (0..session.positions().len()).filter(|row| session.positions()[*row][3] == 0.0).collect();
    assert_eq!(held.len(), 120);
    let start = session.positions().to_vec();
    for _ in 0..45 {
        session.step().unwrap_or_else(|e| panic!("{e}"));
    }
    let state = &session.run().state;
    let (at, turn) = (state.get(col::collider::position)[0], state.get(col::collider::rotation)[0]);
    let (at, turn) = (vector(at), Quat::from_array(turn).as_dquat());
    assert!(turn.to_axis_angle().1 > 1.0, "it turns");
    for row in held {
        let [before, now] = [&start[..], session.positions()].map(|x| vector(x[row]));
        let carried: DVec3 = at + turn * (before - at);
        assert!((carried - now).length() < 1e-5, "particle {row}");
    }
}

/// What was saved is another mesh: its fur grows anew.
#[test]
fn a_mesh_that_was_saved_has_fur_of_its_own() {
    let folder = folder("fur-saved");
    let roots = "Surface(count: 60)";
    let before = scene(&folder, roots);
    assert_eq!(fate(&before, &scene(&folder, roots), "fur"), Fate::Kept);
    std::fs::write(folder.join("block.obj"), BLOCK.replace("v 1 0.5 0.25", "v 1 0.7 0.25")).expect("a file");
    let after = scene(&folder, roots);
    assert_eq!(fate(&before, &after, "fur"), Fate::Reset);
    let changes = diff(&before, &after);
    assert!(changes.iter().any(|change| change.path == "strands.fur.roots"), "{changes:?}");
}

#[test]
fn seats_without_room_for_roots_are_told() {
    let folder = folder("fur-mistakes");
    let told = |roots: &str, seat: &str, wanted: &str, help: &str| {
        let found = parse_text("fur.ron", &text(roots, seat), Some(&folder), &Vocabulary::default());
        let errors = found.expect_err(wanted).to_string();
        assert!(
            errors.contains(wanted) && errors.contains(help) && errors.contains("fur.ron:2:"),
            "{errors}"
        );
    };
    let block = "seat: Collider(\"block\")";
    told(
        "Surface(axis: (1, 1, 0), angle: 20, count: 9)",
        block,
        "no face looks within 20 degrees",
        "a wider `angle`",
    );
    told("Surface(axis: (0, 0, 0), count: 9)", block, "no direction", "any length above zero");
    told("Surface(count: 9)", "seat: Collider(\"ball\")", "the seat is not one", "Cap(...)");
    told("Surface(count: 9)", "seat: World", "the seat is the world", "Collider");
    told(
        "Surface(count: 9)",
        "seat: Collider(\"blok\")",
        "there is no collider \"blok\"",
        "did you mean \"block\"?",
    );
    told("Surface(count: 0)", block, "`count` is 0", "number of strands");
    told(
        "Surface(count: 9)",
        &format!("{block}, closed: true, root: Free"),
        "places that are given",
        "Points",
    );
}
