//! Scenes that start in a way which is no error but may not be meant: told with what, where and what comes of it.

use std::{fmt::Write as _, sync::Arc};
use weft_core::statistics::largest;

use tests::{fixture::Fixture, fixture::solvers, places, process};
use weft_scene::{ColliderShape, Scene};

const SHEET: &str = r"at: (0.0, 0.5, 0.0), rotation: (-90.0, 0.0, 0.0),
    shape: Grid(columns: 21, rows: 21, width: 0.8, height: 0.8)";

fn load(cloths: &str, colliders: &str) -> (Scene, String) {
    let text =
        format!("(version: 1, wind: (coefficient: 0.0), cloths: [{cloths}], colliders: [{colliders}])");
    let loaded = weft_scene::parse_text(
        "start",
        &text,
        Some(&places::root().join("scenes")),
        &weft_scene::Vocabulary::default(),
    );
    let loaded = loaded.unwrap_or_else(|e| panic!("{e}"));
    (loaded.scene, loaded.notes.join("\n"))
}

fn sheet(more: &str) -> String {
    format!(r#"(id: "sheet", {SHEET}{more})"#)
}

#[test]
fn cloth_in_a_collider_is_told_and_pushed_out() {
    // The disc of the sheet at 5 cm above the middle: particles 4 cm apart within 19.4 cm.
    let ball = r#"(id: "ball", shape: Sphere(radius: 0.2), at: (0.0, 0.45, 0.0))"#;
    let (scene, notes) = load(&sheet(""), ball);
    let inside = (-10..=10_i32).flat_map(|i| (-10..=10_i32).map(move |j| i * i + j * j));
    let inside =
        inside.filter(|square| f64::from(*square).sqrt() * 0.04 < (0.04_f64 - 0.0025).sqrt()).count();
    let expected =
        format!("cloths.sheet: {inside} of 441 free particles are inside colliders.ball at the start");
    assert!(notes.contains(&expected) && notes.contains("0.150 m deep at (0.000, 0.500, 0.000)"), "{notes}");
    for solver in solvers() {
        let mut fixture = Fixture::of(tests::fixture::with_solver(scene.clone(), solver));
        fixture.frames(30);
        for x in fixture.x() {
            let gap = (x[0] * x[0] + (x[1] - 0.45).powi(2) + x[2] * x[2]).sqrt() - 0.204;
            assert!(gap > -1e-4, "{solver}: {gap} m in the ball");
        }
        // Being pushed out adds no speed, but it stretches the cloth, which swings back.
        let fastest = largest(fixture.v().iter().map(|v| v[0].hypot(v[1]).hypot(v[2])));
        assert!(fastest < 60.0, "{solver}: {fastest} m/s");
    }
}

#[test]
fn every_kind_of_collider_knows_its_inside() {
    let inside = |shape: &str, at: &str| {
        let (_, notes) = load(&sheet(""), &format!(r#"(id: "c", shape: {shape}, at: {at})"#));
        notes.contains("free particles are inside colliders.c")
    };
    for (shape, near, far) in [
        ("Plane", "(0.0, 0.51, 0.0)", "(0.0, 0.49, 0.0)"),
        ("Sphere(radius: 0.2)", "(0.0, 0.31, 0.0)", "(0.0, 0.29, 0.0)"),
        ("Capsule(radius: 0.1, half_height: 0.2)", "(0.0, 0.21, 0.0)", "(0.0, 0.19, 0.0)"),
        ("Box(half: (0.1, 0.2, 0.1))", "(0.0, 0.31, 0.0)", "(0.0, 0.29, 0.0)"),
        // A ball with a radius of 0.125 m.
        (r#"Mesh(file: "meshes/ball.obj", scale: 0.5)"#, "(0.0, 0.4, 0.0)", "(0.0, 0.2, 0.0)"),
    ] {
        assert!(inside(shape, near), "{shape}");
        assert!(!inside(shape, far), "{shape}");
    }
    // Turned on its side the capsule does not reach as high.
    let turned = "Capsule(radius: 0.1, half_height: 0.2), rotation: (0.0, 0.0, 90.0)";
    assert!(!inside(turned, "(0.0, 0.39, 0.0)") && inside(turned, "(0.0, 0.41, 0.0)"));
}

#[test]
fn pins_in_a_collider_are_told_and_stay() {
    let ball = r#"(id: "ball", shape: Sphere(radius: 0.2), at: (-0.4, 0.45, -0.4))"#;
    let (scene, notes) = load(&sheet(", pins: [Corner(TopLeft), Corner(TopRight)]"), ball);
    assert!(
        notes.contains("cloths.sheet: 1 of 2 pinned particles are inside colliders.ball at the start")
            && notes.contains("pins stay where they are"),
        "{notes}"
    );
    for solver in solvers() {
        let mut fixture = Fixture::of(tests::fixture::with_solver(scene.clone(), solver));
        let pins: Vec<(usize, [f32; 4])> =
            fixture.x().iter().copied().enumerate().filter(|(_, x)| x[3] == 0.0).collect();
        fixture.frames(30);
        assert!(pins.len() == 2 && pins.iter().all(|(i, x)| fixture.x()[*i] == *x), "{solver}");
        assert!(fixture.x().iter().flatten().all(|x| x.abs() < 1e6), "{solver}");
    }
}

#[test]
fn cloth_through_cloth_is_told_and_taken_apart() {
    let own = "self_collision: (thickness: 0.01)";
    let upright = |own: &str| {
        format!(
            r#"{}, (id: "upright", at: (0.013, 0.56, 0.017), rotation: (0.0, 20.0, 0.0), {own}
                shape: Grid(columns: 15, rows: 15, width: 0.4, height: 0.4))"#,
            sheet(&format!(", {}", own.trim_end_matches(',')))
        )
    };
    let (scene, notes) = load(&upright(&format!("{own},")), "");
    let count = tests::crossings::of(&Fixture::of(scene));
    let expected = format!(
        "cloths.sheet passes through cloths.upright at the start, {count} edges through triangles, the first at ("
    );
    assert!(count > 5 && notes.contains(&expected), "{count}: {notes}");
    assert!(notes.contains("takes them apart while it runs"), "{notes}");
    let (_, notes) = load(&upright("self_collision: (thickness: 0.01, heal: false),"), "");
    assert!(notes.contains("they stay so, for `heal` is false"), "{notes}");
    // That it does: `self_collision.rs`. Cloth that passes through cloth anyway is nobody's matter.
    let (_, notes) = load(&upright("").replace(", ,", ","), "");
    assert_eq!(notes, "");
    let (_, notes) = load(&sheet(&format!(", {own}")), "");
    assert_eq!(notes, "");
}

#[test]
fn a_thickness_of_nothing_holds_cloth_on_a_solid() {
    let colliders = r#"(id: "ball", shape: Sphere(radius: 0.2), at: (0.0, 0.2, 0.0), thickness: 0.0),
        (id: "gourd", shape: Mesh(file: "meshes/ball.obj", scale: 0.3), at: (0.25, 0.2, 0.2), thickness: 0.0),
        (id: "board", shape: Box(half: (0.05, 0.1, 0.05)), at: (-0.3, 0.3, 0.0), thickness: 0.0),
        (id: "floor", shape: Plane, thickness: 0.0)"#;
    let (scene, _) = load(&sheet(""), colliders);
    for solver in solvers() {
        let mut fixture = Fixture::of(tests::fixture::with_solver(scene.clone(), solver));
        fixture.frames(60);
        for x in fixture.x() {
            let gap = (x[0] * x[0] + (x[1] - 0.2).powi(2) + x[2] * x[2]).sqrt() - 0.2;
            assert!(gap > -1e-4 && x[1] > -1e-4, "{solver}: {x:?}, {gap} m");
        }
    }
}

/// A ball of `n` times `2 n` quads, each as two triangles.
fn ball(n: usize) -> String {
    let mut text = String::from("v 0 0.5 0\n");
    for i in 1..n {
        let (height, round) = (std::f64::consts::PI * i as f64 / n as f64).sin_cos();
        for j in 0..2 * n {
            let (sin, cos) = (std::f64::consts::PI * j as f64 / n as f64).sin_cos();
            let _ =
                writeln!(text, "v {:.6} {:.6} {:.6}", 0.5 * height * cos, 0.5 * round, 0.5 * height * sin);
        }
    }
    text += "v 0 -0.5 0\n";
    let (at, last) = (|i: usize, j: usize| 2 + (i - 1) * 2 * n + j % (2 * n), 2 + (n - 1) * 2 * n);
    for j in 0..2 * n {
        let _ = writeln!(
            text,
            "f 1 {} {}\nf {} {} {last}",
            at(1, j + 1),
            at(1, j),
            at(n - 1, j),
            at(n - 1, j + 1)
        );
        for i in 1..n - 1 {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
            let _ = writeln!(text, "f {a} {b} {d}\nf {a} {d} {c}");
        }
    }
    text
}

#[test]
fn a_large_mesh_says_how_far_it_is_and_what_it_takes() {
    // Two million triangles, or 160,000 and lines of nothing: smaller files are not told of.
    let (n, nothing) = if tests::long() { (710, 0) } else { (200, 600_000) };
    let folder = places::temporary("starts-large");
    let text = ball(n) + &"# Nothing but length.\n".repeat(nothing);
    std::fs::write(folder.join("large.obj"), text).unwrap();
    let text = format!(
        r#"(version: 1, cloths: [{}], colliders: [(id: "stone", shape: Mesh(file: "large.obj"), at: (0.0, -0.2, 0.0))])"#,
        sheet("")
    );
    std::fs::write(folder.join("large.ron"), text).unwrap();
    let output = process::weft(&folder, &["run", "large.ron", "--frames", "20"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let count = 4 * n * (n - 1);
    for part in [
        "large.obj: reading ".to_string(),
        format!(" vertices, {count} triangles: a collider of 0."),
        " GB while it is made".to_string(),
        "large.obj: 50 %, building its tree".to_string(),
        "large.obj: 100 %, measuring distances".to_string(),
        format!("large.obj: {count} faces, ready after "),
    ] {
        assert!(told.contains(&part), "no {part:?} in {told}");
    }
}

#[test]
fn a_mesh_is_read_again_only_when_its_file_changed() {
    let folder = places::temporary("starts-kept");
    let text = format!(
        r#"(version: 1, cloths: [{}, (id: "b", shape: Mesh(file: "m.obj"))],
            colliders: [(id: "c", shape: Mesh(file: "m.obj"))])"#,
        sheet("")
    );
    let load = || {
        weft_scene::parse_text("kept", &text, Some(&folder), &weft_scene::Vocabulary::default())
            .unwrap_or_else(|e| panic!("{e}"))
            .scene
    };
    let solid = |scene: &Scene| match &scene.colliders[0].shape {
        ColliderShape::Mesh { solid: Some(Ok(solid)), .. } => Arc::clone(solid),
        other => panic!("{other:?}"),
    };
    let surface = |scene: &Scene| match &scene.cloths[1].shape {
        weft_scene::Shape::Mesh { surface: Some(Ok(surface)), .. } => Arc::clone(surface),
        other => panic!("{other:?}"),
    };
    std::fs::write(folder.join("m.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let (first, second) = (load(), load());
    assert!(Arc::ptr_eq(&solid(&first), &solid(&second)) && Arc::ptr_eq(&surface(&first), &surface(&second)));
    std::fs::write(folder.join("m.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 3 2 4\n").unwrap();
    let third = load();
    assert_eq!((solid(&third).corners.len(), surface(&third).triangles.len()), (2, 2));
    assert_eq!(solid(&second).corners.len(), 1);
}

#[test]
fn numbers_that_single_precision_does_not_bear_are_told() {
    let notes = |cloth: &str, solver: &str| {
        let text = format!("(version: 1, solver: ({solver}), cloths: [(id: \"a\", {cloth})])");
        let folder = places::temporary("numbers");
        // A square of 1 m with a vertex 1 mm off its diagonal.
        let mesh =
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.501 0.499 0\nf 1 5 3\nf 1 2 5\nf 2 3 5\nf 1 3 4\n";
        std::fs::write(folder.join("sliver.obj"), mesh).unwrap();
        let loaded = weft_scene::parse_text("a", &text, Some(&folder), &weft_scene::Vocabulary::default());
        loaded.unwrap_or_else(|e| panic!("{e}")).notes.join("\n")
    };
    let grid = "shape: Grid(columns: 64, rows: 64, width: 1.4, height: 1.4)";
    let substeps = |count: u32| format!("params: {{\"substeps\": {count}}}");
    assert_eq!(notes(grid, &substeps(40)), "");
    assert_eq!(notes(&format!("at: (10000, 0, 0), {grid}"), ""), "");
    let far = notes(&format!("at: (-10000, 0, 0), {grid}), (id: \"b\", at: (10000, 0, 0), {grid}"), "");
    assert!(far.contains("10001 m from the middle of all") && far.contains("wrong by up to 4.4 %"), "{far}");
    let short = notes(grid, &substeps(500));
    assert!(short.contains("fewer substeps are truer"), "{short}");
    let long = |structural: &str| {
        let sheet = "shape: Grid(columns: 21, rows: 2, width: 20, height: 1), material: (density: 2,";
        notes(&format!("{sheet} compliance: (structural: {structural}))"), "")
    };
    assert!(
        long("1e-8").contains("stretches one by 8.8e-7 m, and 10.0 m from the middle"),
        "{}",
        long("1e-8")
    );
    assert_eq!((long("1e-6"), long("0")), (String::new(), String::new()));
    let sliver = |bending: &str| {
        notes(
            &format!(r#"shape: Mesh(file: "sliver.obj"), material: (preset: "cotton", bending: {bending})"#),
            "",
        )
    };
    assert!(sliver("Auto").contains("a: 1 triangles are slivers"), "{}", sliver("Auto"));
    assert!(!sliver("SkipOne").contains("slivers"), "{}", sliver("SkipOne"));
}
