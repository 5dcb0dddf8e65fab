//! Discs and OBJ files as rows: counts, masses, what a bad file is told, pins and tethers, the tables.

use std::collections::BTreeSet;
use weft_core::state::col;
use weft_core::statistics::{largest, least};

use glam::DVec3;
use tests::cloths::{bending, close, disc, grid, of_text, point};
use weft_core::state::{Data, State};
use weft_scene::{Bending, Cloth, Pin, Shape, Tethers, assemble, mesh::edges, obj};

#[test]
fn a_disc_has_the_counts_of_its_rings_and_even_triangles() {
    for rings in [1, 2, 3, 10, 31] {
        let mesh = weft_scene::build(&disc(rings));
        let r = rings as usize;
        assert_eq!(mesh.positions.len(), 1 + 3 * r * (r + 1));
        assert_eq!(mesh.triangles.len(), 6 * r * r);
        let edges = edges::edges(&mesh.triangles);
        // Euler: V - E + F = 1.
        assert_eq!(edges.len() + 1, mesh.positions.len() + mesh.triangles.len());
        assert_eq!(edges.iter().filter(|edge| edge.faces == 1).count(), 6 * r);
        assert!(edges.iter().all(|edge| (edge.faces == 1) == edge.hinge().is_none()));
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|corner| point(&mesh, corner));
            assert!((b - a).cross(c - a).z > 0.0);
            let sides = [a.distance(b), b.distance(c), c.distance(a)];
            let ratio = largest(sides) / least(sides);
            assert!(ratio < 1.5, "{ratio}");
        }
        let rim: Vec<f64> = mesh.positions.iter().map(|x| f64::from(x[0]).hypot(x[1].into())).collect();
        close(largest(rim.iter().copied()), 0.15, 1e-6);
    }
}

#[test]
fn mass_is_density_times_area_at_any_resolution() {
    let mut cube = of_text(CUBE);
    cube.material.density = 0.3;
    for (cloth, area) in [(grid(7, 5), 0.96), (grid(31, 22), 0.96), (cube, 6.0)] {
        let mesh = weft_scene::build(&cloth);
        let mass: f64 = mesh.mass.iter().copied().map(f64::from).sum();
        close(mass, area * f64::from(cloth.material.density), 1e-6);
    }
    for rings in [4, 40] {
        // A polygon of n = 6 rings corners.
        let n = 6.0 * f64::from(rings);
        let area = 0.5 * n * 0.15 * 0.15 * (std::f64::consts::TAU / n).sin();
        let mass: f64 = weft_scene::build(&disc(rings)).mass.iter().copied().map(f64::from).sum();
        close(mass, area * 0.15, 1e-6);
    }
}

/// The surface of a unit cube, 12 triangles, as quads.
const CUBE: &str = "o cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng top\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nusemtl red\n\
    f 1 4 3 2\nf 5 6 7 8\ng sides\nf 1 2 6 5\nf 2 3 7 6\nusemtl blue\nf -6 -5 -1 -2\nf 4 1 5 8\n";

#[test]
fn a_closed_mesh_of_groups_and_polygons_is_one_cloth() {
    let model = |model| weft_scene::build(&bending(of_text(CUBE), 1e-5, model)).hinges[0].model;
    assert_eq!(
        [Bending::Auto, Bending::Quadratic].map(model),
        [1, 0],
        "a bent rest shape is no quadratic one"
    );
    let mesh = weft_scene::build(&bending(of_text(CUBE), 1e-5, Bending::Dihedral));
    assert_eq!((mesh.positions.len(), mesh.triangles.len(), mesh.hinges.len()), (8, 12, 18));
    assert_eq!(mesh.distances.len(), 18, "edges once, no skip-one rows, no shear");
    // The front is outside: edges of the cube are ridges, diagonals of its sides are flat.
    let angles: Vec<f64> = mesh.hinges.iter().map(|hinge| hinge.rest_angle.into()).collect();
    assert_eq!(
        angles.iter().filter(|angle| (**angle + std::f64::consts::FRAC_PI_2).abs() < 1e-6).count(),
        12
    );
    assert_eq!(angles.iter().filter(|angle| **angle == 0.0).count(), 6);
    assert!(mesh.triangles.iter().all(|t| {
        let [a, b, c] = t.map(|corner| point(&mesh, corner));
        (b - a).cross(c - a).dot((a + b + c) / 3.0 - DVec3::splat(0.5)) > 0.0
    }));
}

#[test]
fn vertices_keep_the_order_of_the_file_and_loose_ones_are_left_out() {
    let text = "v 9 9 9\nv 1 1 0\nvt 0.25 0.75\nv 0 0 0 0.5 0.5 0.5\nv 1 0 0\nf 3/1 4/1 2/1\n";
    let surface = obj::parse(text).unwrap();
    assert_eq!(surface.positions, [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(surface.triangles, [[1, 2, 0]]);
    assert_eq!(surface.particle_of, [obj::UNUSED, 0, 1, 2]);
    assert_eq!(surface.uvs, [[0.25, 0.25]; 3]);
    assert!(
        surface.notes.iter().any(|note| note.starts_with("1 vertex belongs to no face")),
        "{:?}",
        surface.notes
    );
    let mut cloth = of_text(text);
    cloth.pins = vec![Pin::Vertex(2)];
    let mesh = weft_scene::build(&cloth);
    assert_eq!((mesh.pinned, mesh.distances.len()), (vec![false, true, false], 3), "one triangle is a cloth");
}

#[test]
fn notes_tell_boundaries_crowded_edges_and_double_vertices() {
    let fins = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv -1 0 0\nv 0 0 1\nv 0 0 -0\nf 1 3 2\nf 1 2 4\nf 1 5 2\nf 6 3 5\n";
    let cloth = bending(of_text(fins), 1e-5, Bending::Quadratic);
    let Shape::Mesh { surface: Some(Ok(surface)), .. } = &cloth.shape else { panic!() };
    let notes = surface.notes.join("\n");
    assert!(notes.contains("6 particles, 4 triangles, 10 edges, 9 of them on the boundary"), "{notes}");
    assert!(
        notes.contains("1 edge(s) with more than two triangles") && notes.contains("vertices 0 and 1"),
        "{notes}"
    );
    assert!(notes.contains("1 vertex lies where another one does"), "{notes}");
    let mesh = weft_scene::build(&cloth);
    assert_eq!((mesh.hinges.len(), mesh.distances.len()), (0, 10));
}

#[test]
fn a_triangle_that_is_nearly_flat_is_noted_with_its_place() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.5 -0.001 0\nf 1 2 3\nf 2 1 4\n";
    let cloth = bending(of_text(text), 1e-5, Bending::Quadratic);
    let Shape::Mesh { surface: Some(Ok(surface)), .. } = &cloth.shape else { panic!() };
    let found: Vec<&String> = surface.notes.iter().filter(|note| note.contains("as long as high")).collect();
    assert!(found.len() == 1 && found[0].contains("1 triangle is"), "{:?}", surface.notes);
    assert!(found[0].contains("face 1 (line 6)"), "{found:?}");
}

#[test]
fn every_bad_file_is_named_with_line_and_help() {
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n";
    let bad = [
        ("", "no faces"),
        ("v 0 0 0\nv 1 0 0\n", "no faces"),
        ("v 0 0 0\nv 1 x 0\nv 0 1 0\nf 1 2 3\n", "line 2 is not a vertex: `v 1 x 0`"),
        ("v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", "line 2 is not a vertex"),
        ("#\nv 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n", "vertex 1 (line 3) is not finite"),
        ("v 0 0 0\nv 1 1e99 0\nv 0 1 0\nf 1 2 3\n", "vertex 1 (line 2) is not finite"),
        (
            "f 1 2 3\nf 1 2 5\nv 0 0 0\nv 1 0 0\nv 0 1 0\n",
            "line 2 names a vertex that is not there: `f 1 2 5`",
        ),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "line 4 names a vertex that is not there"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -9 1 2\n", "line 4 names a vertex that is not there"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2\n", "line 5: a face of 2 corner(s)"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 drei\n", "line 4 is not a face: `f 1 2 drei`"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/2\n", "line 5: there is no texture coordinate 2"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/-4 2 3\n", "line 4: there is no texture coordinate -4"),
        ("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "face 0 (line 4) has no area"),
        ("v 0 0 0\nv 0 0 0\nv 2 0 0\nf 1 2 3\n", "face 0 (line 4) has no area"),
        ("v 0 0 0\nv 1 0 0\nv 2 1 0\nf 1 2 3\nf 1 2 2\n", "face 1 (line 5) has no area"),
        (
            &format!("{corners}f 1 2 3\nf 2 3 4\n"),
            "face 0 (line 5) and face 1 (line 6) are wound opposite ways",
        ),
        (&format!("{corners}f 1 2 3\nf 2 3 1\n"), "face 1 (line 6) repeats face 0 (line 5)"),
    ];
    for (text, expected) in bad {
        let fault = obj::parse(text).expect_err(expected);
        assert!(fault.message.contains(expected), "{fault:?}, not {expected}");
        assert!(!fault.help.is_empty(), "{expected}");
    }
}

#[test]
fn lines_of_other_programs_are_lines_and_other_encodings_are_told() {
    let lf = obj::parse(CUBE).expect("a cube");
    assert_eq!(obj::parse(&CUBE.replace('\n', "\r")), Ok(lf));
    let folder = tests::places::temporary("meshes_encoded");
    let wide = |text: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(order).collect()
    };
    let path = folder.join("a.ron");
    for (use_of, part) in [
        ("cloths: [(id: \"a\", shape: Mesh(file: \"a.obj\"))]", "a.obj is UTF-16 text"),
        ("strands: [(id: \"a\", length: 1, roots: File(file: \"a.obj\"))]", "a.obj is UTF-16 text"),
    ] {
        std::fs::write(&path, format!("(version: 1, {use_of})")).expect("target/ is writable");
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            std::fs::write(folder.join("a.obj"), wide(CUBE, order)).expect("target/ is writable");
            let told = weft_scene::load(&path, &weft_scene::Vocabulary::default()).expect_err("UTF-16");
            let told = told.to_string();
            assert!(told.contains(part) && told.contains("help: save it as UTF-8"), "{told}");
        }
    }
}

#[test]
fn random_edits_of_a_mesh_never_panic() {
    let mut random = tests::random::Random(7);
    let mut good = 0;
    for _ in 0..3000 {
        let mut text: Vec<u8> = CUBE.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len() as u32) as usize;
            text[at] = b"0123456789-/ .\nvfe"[random.below(18) as usize];
        }
        let Ok(surface) = obj::parse(&String::from_utf8_lossy(&text)) else { continue };
        good += 1;
        let shape = Shape::Mesh { file: "x.obj".into(), scale: 1.0, surface: Some(Ok(surface.into())) };
        let mesh = weft_scene::build(&bending(Cloth::new("mesh", shape), 1e-5, Bending::Dihedral));
        assert!(mesh.mass.iter().all(|mass| *mass > 0.0) && mesh.distances.iter().all(|row| row.rest > 0.0));
        assert!(mesh.hinges.iter().all(|hinge| hinge.stiffness.is_finite() && hinge.rest_angle.is_finite()));
    }
    assert!(good > 200, "{good}");
}

#[test]
fn tethers_go_along_the_threads_to_the_nearest_pin() {
    let mut cloth = grid(7, 5);
    cloth.pins = vec![Pin::Particle { column: 0, row: 0 }, Pin::Particle { column: 6, row: 0 }];
    cloth.tethers = Some(Tethers { slack: 0.1, compliance: 1e-4 });
    for soft in [0.0, 0.01] {
        cloth.pin_compliance = soft;
        let mesh = weft_scene::build(&cloth);
        assert_eq!(mesh.tethers.len(), 33);
        for row in &mesh.tethers {
            let (column, down) = (f64::from(row.particle % 7), f64::from(row.particle / 7));
            let across = column.min(6.0 - column);
            close(row.rest.into(), 1.1 * 0.2 * (across + down), 1e-5);
            assert_eq!(row.anchor, if column > 3.0 { 6 } else { 0 });
            assert_eq!(row.compliance, 1e-4);
        }
        let hard = mesh.pinned.iter().filter(|held| **held).count();
        assert_eq!((hard, mesh.attachments.clone()), if soft > 0.0 { (0, vec![0, 6]) } else { (2, vec![]) });
    }
    // Two pieces, one pinned: the other has no way to it.
    let mut pieces = of_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 2 3\nf 4 5 6\n");
    (pieces.pins, pieces.tethers) = (vec![Pin::Vertex(0)], Some(Tethers::default()));
    let tied: Vec<u32> = weft_scene::build(&pieces).tethers.iter().map(|row| row.particle).collect();
    assert_eq!(tied, [1, 2]);
}

#[test]
fn a_ball_pins_what_is_inside_it_in_the_world() {
    let mut cloth = grid(7, 5);
    (cloth.at, cloth.rotation) = ([1.0, 2.0, 3.0], [-90.0, 0.0, 0.0]);
    cloth.pins = vec![Pin::Within { at: [1.0, 2.0, 3.0], radius: 0.21 }];
    let mesh = weft_scene::build(&cloth);
    let held: Vec<usize> = (0..35).filter(|i| mesh.pinned[*i]).collect();
    assert_eq!(held, [10, 16, 17, 18, 24]);
    cloth.pins.push(Pin::Within { at: [0.0; 3], radius: 0.1 });
    assert_eq!(weft_scene::mesh::held_by_pins(&cloth), [5, 0]);
}

#[test]
fn tables_hold_the_rows_of_all_cloths() {
    let text = "Scene(version: 1, cloths: [
        Cloth(id: \"a\", shape: Grid(columns: 4, rows: 3, width: 1, height: 1), pins: [Corner(TopLeft)], pin_compliance: 0.01,
            tethers: (slack: 0.0), material: (preset: \"silk\", membrane: StVK)),
        Cloth(id: \"b\", shape: Disc(radius: 0.2, rings: 2), at: (0, 2, 0), pins: [Vertex(0)], pin_compliance: 0.02,
            tethers: (), material: (sheet: (bend: 1e-5), bending: Dihedral)),
    ])";
    let scene = weft_scene::parse_text("two", text, None, &weft_scene::Vocabulary::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .scene;
    let assembly = assemble::assemble(&scene);
    let built =
        State::build(&weft_engine::generation::Generation::built_in().schema, &assembly.blueprint).unwrap();
    for (table, rows) in
        [("particle", 31), ("hinge", 16 + 30), ("tether", 29), ("attachment", 2), ("triangle", 36)]
    {
        assert_eq!(built.table(table).unwrap().rows, rows, "{table}");
        let ranges: Vec<_> = assembly.objects.iter().map(|object| object.rows(table).unwrap()).collect();
        assert_eq!((ranges[0].start, ranges[0].end, ranges[1].end), (0, ranges[1].start, rows), "{table}");
    }
    // The second cloth's rows name its own particles only, and each particle but the pin is tied once.
    let Some(Data::U32(tied)) = assembly.blueprint.table("tether").unwrap().column("idx") else { panic!() };
    let tied: BTreeSet<u32> = tied.iter().copied().collect();
    assert!(tied.iter().copied().eq((1..12).chain(13..31)));
    assert_eq!(built.get(col::attachment::idx), [0, 12]);
    assert_eq!(built.get(col::attachment::compliance), [0.01, 0.02]);
    assert_eq!(built.get(col::attachment::target)[1], [0.0, 2.0, 0.0, 0.0]);
    assert!(built.get(col::particle::position).iter().all(|x| x[3] > 0.0), "soft pins keep their mass");
    let hinges = built.get(col::hinge::idx).iter();
    for (idx, (object, model)) in
        hinges.zip(built.get(col::hinge::object).iter().zip(built.get(col::hinge::model)))
    {
        assert!(idx.iter().all(|i| (*i >= 12) == (*object == 1)) && model == object);
    }
}
