//! Scenes as data: the shipped ones load, fields can be set and classified, meshes have the right
//! counts and masses, places in tricky text are found.

use std::path::{Path, PathBuf};

use tests::{fixture::Fixture, places};
use weft_scene::{Address, Class, Fate, Kind, Pin, Scene, Slot, locate::Located};
use weft_session::{Options, Session};

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
        .collect();
    files.sort();
    files
}

fn read(name: &str) -> (Scene, String) {
    let file = shipped().into_iter().find(|path| path.ends_with(name)).unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let loaded = weft_scene::parse_text(name, &text, None, &weft_scene::Vocabulary::default())
        .unwrap_or_else(|errors| panic!("{errors}"));
    (loaded.scene, text)
}

/// Path, written value and class of every field.
fn fields(scene: &Scene) -> Vec<(String, String, Class)> {
    let mut fields = Vec::new();
    weft_scene::visit(&mut scene.clone(), Address::Id, &mut |field| {
        fields.push((field.path.clone(), field.slot.written(), field.row.class));
    });
    fields
}

/// Real hair needs a solver that carries its weight along it.
#[test]
fn scenes_with_strands_that_name_no_solver_have_one_for_strands() {
    let name = |text: &str| {
        let scene =
            weft_scene::parse_text("start", text, None, &weft_scene::Vocabulary::default()).unwrap().scene;
        (scene.solver.name, scene.solver.params.len())
    };
    let strands = "strands: [(id: \"a\", length: 0.2, roots: Points(at: [(0, 2, 0)]))]";
    let newton = |params| ("strand_newton".to_string(), params);
    assert_eq!(name(&format!("(version: 1, {strands})")), newton(0));
    let cloth = "cloths: [(id: \"b\", shape: Grid(columns: 3, rows: 3, width: 1, height: 1))]";
    assert_eq!(name(&format!("(version: 1, {strands}, {cloth})")), newton(0));
    assert_eq!(name(&format!("(version: 1, solver: (params: {{\"substeps\": 4}}), {strands})")), newton(1));
    assert_eq!(name(&format!("(version: 1, solver: (name: \"xpbd\"), {strands})")), ("xpbd".to_string(), 0));
    assert_eq!(name(&format!("(version: 1, {cloth})")), ("xpbd".to_string(), 0));
}

#[test]
fn shipped_scenes_load() {
    let files = shipped();
    assert!(files.len() >= 4);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let loaded = weft_scene::parse_text(
            &file.display().to_string(),
            &text,
            None,
            &weft_scene::Vocabulary::default(),
        );
        let scene = loaded.unwrap_or_else(|errors| panic!("{errors}")).scene;
        assert!(!scene.title.is_empty() && !scene.doc.is_empty(), "{}", file.display());
    }
}

#[test]
fn schema_paths_are_unique_and_documented() {
    let rows = weft_scene::schema();
    assert!(rows.len() > 55, "{}", rows.len());
    for (index, (path, row)) in rows.iter().enumerate() {
        assert!(!row.doc.is_empty() && row.min <= row.max, "{path}");
        assert!(rows[..index].iter().all(|(other, _)| other != path), "{path}");
    }
}

#[test]
fn set_reaches_every_field_and_the_change_has_its_class() {
    for name in ["curtain_pair.ron", "flag.ron"] {
        let (scene, _) = read(name);
        for (path, written, class) in fields(&scene) {
            let mut same = scene.clone();
            weft_scene::set(&mut same, &path, &written).unwrap();
            assert_eq!(same, scene, "{path} = {written}");

            let mut edited = scene.clone();
            weft_scene::visit(&mut edited, Address::Id, &mut |field| {
                if field.path == path {
                    nudge(field.slot, &field.row);
                }
            });
            let value = fields(&edited).into_iter().find(|(other, ..)| *other == path).unwrap().1;
            weft_scene::set(&mut same, &path, &value).unwrap();
            assert_eq!(same, edited, "{path} = {value}");
            let changes = weft_scene::diff(&scene, &edited);
            assert_eq!(changes.len(), 1, "{path}: {changes:?}");
            // The list of expectations is told as a whole.
            let told = if path.starts_with("expect[") { "expect" } else { &path };
            assert_eq!((changes[0].path.as_str(), changes[0].class), (told, class));
            let kept = |id: &str| weft_scene::fate(&scene, &edited, id) == Fate::Kept;
            for cloth in &scene.cloths {
                let touched =
                    class == Class::Retopology && path.starts_with(&format!("cloths.{}.", cloth.id));
                assert_eq!(kept(&cloth.id), !touched, "{path}");
            }
        }
    }
}

/// Another value in range.
fn nudge(slot: Slot<'_>, row: &weft_scene::Row) {
    let other = |value: f32| {
        let near = value * 0.9 + 0.01;
        if near <= row.max && near >= row.min && near != value {
            near
        } else {
            row.min + 0.5 * (row.max - row.min).min(1.0)
        }
    };
    match slot {
        Slot::Float(value) => *value = other(*value),
        Slot::Int(value) => *value += 1,
        Slot::Vec2(value) => value[0] = other(value[0]),
        Slot::Vec3(value) => value[0] = other(value[0]),
        Slot::Flag(value) => *value = !*value,
        Slot::Text(value) => value.push('x'),
        Slot::Choice(value) => value.choose((value.chosen() + 1) % value.names().len()),
        Slot::Param(value) => *value = weft_scene::Value::Number(7.5),
    }
}

#[test]
fn set_takes_ids_numbers_and_short_names_and_explains() {
    let (mut scene, _) = read("flag.ron");
    weft_scene::set(&mut scene, "cloths[0].material.density", "0.5").unwrap();
    weft_scene::set(&mut scene, "cloths.0.shape.columns", "20").unwrap();
    weft_scene::set(&mut scene, "wind.velocity", "(3, 0, 0)").unwrap();
    weft_scene::set(&mut scene, "solver.name", "newton").unwrap();
    weft_scene::set(&mut scene, "solver.substeps", "20").unwrap();
    weft_scene::set(&mut scene, "solver.order", "wavefront").unwrap();
    assert_eq!(scene.cloths[0].material.density, 0.5);
    assert_eq!(scene.wind.velocity, [3.0, 0.0, 0.0]);
    assert_eq!(scene.solver.name, "newton");
    assert_eq!(scene.solver.params["substeps"], weft_scene::Value::Number(20.0));
    assert_eq!(scene.solver.params["order"], weft_scene::Value::Text("wavefront".to_owned()));
    let before = scene.clone();
    let error = weft_scene::set(&mut scene, "cloths.flag.material.densty", "1").unwrap_err();
    assert!(error.to_string().contains("did you mean `cloths.flag.material.density`"), "{error}");
    let error = weft_scene::set(&mut scene, "gravity", "down").unwrap_err();
    assert!(error.to_string().contains("three numbers"), "{error}");
    let error = weft_scene::set(&mut scene, "step", "NaN").unwrap_err();
    assert!(error.to_string().contains("not a number"), "{error}");
    assert_eq!(scene, before);
}

/// Solver, substeps and rho of a run.
fn running(session: &Session) -> (&str, Option<f32>, Option<f32>) {
    (&session.run().solver, session.run().param("substeps"), session.run().param("rho"))
}

#[test]
fn another_solver_runs_with_its_own_parameters_of_the_scene() {
    let text = r#"Scene(version: 1, cloths: [Cloth(id: "a", shape: Disc(radius: 0.2, rings: 2))],
        solver: (name: "xpbd", params: {"substeps": 7},
            others: {"vbd": {"substeps": 3, "rho": 0.5}, "explicit": {"substeps": 300}}))"#;
    let file = places::temporary("solver-choice").join("scene.ron");
    std::fs::write(&file, text).unwrap();
    let open = |solver: Option<&str>, set: &[(&str, &str)]| {
        let set = set.iter().map(|(path, value)| ((*path).to_string(), (*value).to_string())).collect();
        let solver = solver.map(str::to_string);
        Session::open(Options {
            scene: file.clone(),
            solver,
            threads: 1,
            set,
            live: false,
            ..Options::default()
        })
        .unwrap_or_else(|e| panic!("{e}"))
    };
    assert_eq!(running(&open(None, &[])), ("xpbd", Some(7.0), None));
    assert_eq!(running(&open(Some("xpbd"), &[])), ("xpbd", Some(7.0), None));
    assert_eq!(running(&open(Some("vbd"), &[])), ("vbd", Some(3.0), Some(0.5)));
    assert_eq!(running(&open(Some("explicit"), &[])), ("explicit", Some(300.0), None));
    assert_eq!(running(&open(Some("vbd"), &[("solver.substeps", "5")])), ("vbd", Some(5.0), Some(0.5)));

    // One that the scene does not name runs at its defaults, not with what another one was given.
    let session = open(Some("pbd_jacobi"), &[]);
    let substeps =
        session.solver().unwrap().params.as_slice().iter().find(|p| p.name.as_str() == "substeps").unwrap();
    assert!(substeps.default != 7.0 && session.scene().solver.params.is_empty());
    assert_eq!(running(&session), ("pbd_jacobi", Some(substeps.default), None));

    // There and back, in the window: each finds its own again.
    let mut session = open(None, &[]);
    let written = session.scene().clone();
    session.choose_solver("vbd");
    assert_eq!(running(&session), ("vbd", Some(3.0), Some(0.5)));
    session.choose_solver("xpbd");
    assert_eq!((running(&session), session.scene()), (("xpbd", Some(7.0), None), &written));
    let mut choice = written.solver.clone();
    for name in ["vbd", "pbd_sor", "explicit", "xpbd"] {
        choice.choose(name);
    }
    choice.others.remove("pbd_sor");
    assert_eq!(choice, written.solver);
}

#[test]
fn objects_are_matched_by_id_in_any_order() {
    let (old, _) = read("curtain_pair.ron");
    let mut new = old.clone();
    new.cloths.reverse();
    assert!(weft_scene::diff(&old, &new).is_empty());
    new.cloths[0].id = "silk".to_owned();
    new.cloths[1].pins.push(Pin::Particle { column: 3, row: 3 });
    let changes: Vec<(String, Class)> =
        weft_scene::diff(&old, &new).into_iter().map(|change| (change.path, change.class)).collect();
    let expected = [
        ("cloths.cotton", Class::Structural),
        ("cloths.denim.pins", Class::Rescale),
        ("cloths.silk", Class::Structural),
    ];
    assert_eq!(changes, expected.map(|(path, class)| (path.to_owned(), class)));
    assert_eq!(weft_scene::removed(&old, &new), ["cotton"]);
    assert_eq!(weft_scene::fate(&old, &new, "silk"), Fate::New);
    assert_eq!(weft_scene::fate(&old, &new, "denim"), Fate::Kept);
}

#[test]
fn places_are_found_in_tricky_text() {
    let text = r##"#![enable(implicit_some)]
// Scene( [ {
Scene( /* ) /* ] */ */
    title: "a \" ) ] }", doc: r#"gravity: "(1, 2, 3)" "#,
    solver: Some((name: "x:y", params: {"sub(steps": 12, "b": '\''})),
    cloths: [
        (id: "a", at: (1, -2.5e-3, 3)), // ]
        Cloth(id: "b", shape: Grid(columns: 4), material: (compliance: (bend: 0.5))),
    ],
)
"##;
    let located = Located::new(text);
    let find = |path: &str| &text[located.find(path).span];
    assert_eq!(find("title"), r#""a \" ) ] }""#);
    assert_eq!(find("doc"), r##"r#"gravity: "(1, 2, 3)" "#"##);
    assert_eq!(find("solver.name"), "\"x:y\"");
    assert_eq!(find("solver.params.b"), r"'\''");
    assert_eq!(find("cloths[0].at[1]"), "-2.5e-3");
    assert_eq!(find("cloths.b.shape.columns"), "4");
    assert_eq!(find("cloths[1].material.compliance.bend"), "0.5");
    assert_eq!(find("cloths.b.look.texture"), "Cloth");
    assert!(!located.find("gravity").exact && located.find("cloths.a").exact);
    let at = text.find("0.5").unwrap();
    assert_eq!(located.path_at(at), "cloths[1].material.compliance.bend");
}

#[test]
fn every_field_of_a_scene_is_found_in_its_text() {
    let (mut scene, text) = read("curtain_pair.ron");
    let located = Located::new(&text);
    weft_scene::visit(&mut scene, Address::Index, &mut |field| {
        let place = located.find(&field.path);
        if place.exact
            && let Slot::Float(value) = field.slot
        {
            assert_eq!(text[place.span].parse::<f32>().unwrap(), *value, "{}", field.path);
        }
    });
}

#[test]
fn grids_have_the_counts_of_the_formula_and_the_mass_of_the_cloth() {
    let (mut scene, _) = read("drape_on_sphere.ron");
    for n in [2, 3, 4, 7, 80, 123] {
        let cloth = &mut scene.cloths[0];
        let weft_scene::Shape::Grid { columns, rows, width, height, .. } = &mut cloth.shape else { panic!() };
        (*columns, *rows) = (n, n);
        let area = *width * *height;
        let mesh = weft_scene::build(cloth);
        let (n, count) = (u64::from(n), mesh.distances.len() as u64);
        assert_eq!(count, 2 * n * (n - 1) + 2 * (n - 1) * (n - 1) + 2 * n * (n - 2));
        let of = |kind| mesh.distances.iter().filter(|row| row.kind == kind).count() as u64;
        assert_eq!((of(Kind::Structural), of(Kind::Shear)), (2 * n * (n - 1), 2 * (n - 1) * (n - 1)));
        assert_eq!(mesh.triangles.len() as u64, 2 * (n - 1) * (n - 1));
        assert_eq!(mesh.positions.len() as u64, n * n);
        let mass: f64 = mesh.mass.iter().copied().map(f64::from).sum();
        let expected = f64::from(area * cloth.material.density);
        assert!((mass / expected - 1.0).abs() < 1e-6, "{mass} {expected}");
        assert!(mesh.mass.iter().all(|&mass| mass > 0.0));
    }
}

#[test]
fn grids_are_wound_alike_and_start_at_rest() {
    let (scene, _) = read("flag.ron");
    let cloth = &scene.cloths[0];
    let mesh = weft_scene::build(&weft_scene::Cloth { rotation: [0.0; 3], ..cloth.clone() });
    let point = |index: u32| glam::Vec3::from(mesh.positions[index as usize]);
    for &[a, b, c] in &mesh.triangles {
        let normal = (point(b) - point(a)).cross(point(c) - point(a));
        assert!(normal.z > 0.0 && normal.truncate_is_zero());
    }
    for row in &mesh.distances {
        assert!((point(row.a).distance(point(row.b)) / row.rest - 1.0).abs() < 1e-4);
    }
    assert!((point(0) - glam::Vec3::new(-0.9, 2.6, 0.0)).length() < 1e-6);
    assert_eq!(mesh.pinned.iter().filter(|&&pinned| pinned).count(), 48);
    assert!(mesh.pinned[0] && mesh.pinned[72] && !mesh.pinned[1]);
}

trait Flat {
    fn truncate_is_zero(self) -> bool;
}

impl Flat for glam::Vec3 {
    fn truncate_is_zero(self) -> bool {
        self.x.abs() < 1e-6 && self.y.abs() < 1e-6
    }
}

#[test]
fn a_cloth_starts_as_thrown_and_as_heavy_as_it_says() {
    let text = |start: &str| {
        format!(
            r#"(version: 1, gravity: (0, 0, 0), air_damping: 0, wind: (coefficient: 0), cloths: [(id: "a", at: (1, 2, 3),
                shape: Grid(columns: 5, rows: 4, width: 1, height: 0.6), {start})])"#
        )
    };
    let thrown = "velocity: (1, 0, -2), spin: (0, 90, 0), pins: [Corner(TopLeft)],
        weights: [(on: [Edge(Bottom)], mass: 0.5), (on: [Corner(BottomLeft)], mass: 0.25)]";
    let [plain, thrown] = [text(""), text(thrown)].map(|text| Fixture::new(&text));
    for (i, (x, v)) in thrown.x().iter().zip(thrown.v()).enumerate() {
        // About y with a quarter of a turn a second: omega x (x - at).
        let (rate, [dx, dz]) = (std::f32::consts::FRAC_PI_2, [x[0] - 1.0, x[2] - 3.0]);
        let expected = if i == 0 { [0.0; 3] } else { [1.0 + rate * dz, 0.0, -2.0 - rate * dx] };
        assert!((0..3).all(|axis| (v[axis] - expected[axis]).abs() < 1e-6), "{i}: {v:?} for {expected:?}");
        let more = [0.0, 0.5, 0.75][usize::from(i >= 15) + usize::from(i == 15)];
        assert!((thrown.mass()[i] - plain.mass()[i] - more).abs() < 1e-6, "{i}");
        assert!(i == 0 || (x[3] * thrown.mass()[i] - 1.0).abs() < 1e-6, "{i}");
    }
    assert!(plain.v().iter().all(|v| v.map(f32::to_bits) == [0; 4]), "at rest, with the bits of zeros");
    let before = Fixture::new(&text("velocity: (1, 0, -2), spin: (0, 90, 0)"));
    let mut after = Fixture::new(&text("velocity: (1, 0, -2), spin: (0, 90, 0)"));
    after.frames(30);
    // But for the rounding of positions some metres out.
    assert!((after.momentum() - before.momentum()).length() < 1e-3, "{}", after.momentum());

    // Where it starts is another start; what it weighs is set in the tables as they stand.
    let scene = |text: &str| {
        weft_scene::parse_text("start", text, None, &weft_scene::Vocabulary::default()).unwrap().scene
    };
    let weight = |mass: f32| scene(&text(&format!("weights: [(on: [Edge(Bottom)], mass: {mass:?})]")));
    let class = |old: &Scene, new: &Scene| weft_scene::diff(old, new).pop().map(|change| change.class);
    assert_eq!(class(&weight(0.5), &weight(0.6)), Some(Class::Rescale));
    assert_eq!(weft_scene::fate(&weight(0.5), &weight(0.6), "a"), Fate::Kept);
    let spins = scene(&text("spin: (0, 90, 0)"));
    assert_eq!(class(&scene(&text("")), &spins), Some(Class::Retopology));
    assert_eq!(weft_scene::fate(&scene(&text("")), &spins, "a"), Fate::Reset);
    let outside = weft_scene::parse_text(
        "start",
        &text("weights: [(on: [Particle(column: 5, row: 0)], mass: 1)]"),
        None,
        &weft_scene::Vocabulary::default(),
    );
    assert!(outside.unwrap_err().to_string().contains("outside the grid of 5 columns"));
}

#[test]
fn folds_keep_the_length_of_the_cloth() {
    let (scene, _) = read("curtain_pair.ron");
    for cloth in &scene.cloths {
        let mesh = weft_scene::build(cloth);
        let point = |index: u32| glam::Vec3::from(mesh.positions[index as usize]);
        let along = mesh.distances.iter().filter(|row| row.kind == Kind::Structural);
        for row in along {
            let ratio = point(row.a).distance(point(row.b)) / row.rest;
            assert!((0.9..1.001).contains(&ratio), "{} {ratio}", cloth.id);
        }
        let (left, right) = (point(0), point(60));
        assert!((right.x - left.x - 1.3 * 0.8).abs() < 1e-4);
        assert_eq!(mesh.pinned.iter().filter(|&&pinned| pinned).count(), 11);
    }
}
