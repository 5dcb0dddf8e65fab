//! Materials as rows: stiffness in real units at any resolution, hinges, membranes, presets, stretch of triangles.

use glam::{DMat2, DVec2, DVec3};
use tests::cloths::{bending, close, disc, grid, of_text, point};
use weft_scene::{
    Bending, Cloth, ClothMesh, Kind, Membrane, Pin, Shape, Sheet,
    mesh::{edges, hinges},
};

#[test]
fn a_hinge_reads_its_angle() {
    let fold = |angle: f64| {
        let flat = [
            DVec3::new(0.0, 0.0, 0.0),
            DVec3::new(0.9, 0.1, 0.0),
            DVec3::new(0.3, 0.7, 0.0),
            DVec3::new(0.5, -0.4, 0.0),
        ];
        let axis = (flat[1] - flat[0]).normalize();
        // Lifts x3 to the front: a valley.
        [flat[0], flat[1], flat[2], glam::DQuat::from_axis_angle(axis, -angle) * flat[3]]
    };
    let weights = hinges::weights(fold(0.0));
    let sum = |x: [DVec3; 4]| (0..4).map(|i| x[i] * weights[i]).sum::<DVec3>();
    assert!(sum(fold(0.0)).length() < 1e-12 && hinges::angle(fold(0.0)) == 0.0);
    for angle in [0.01, -0.01] {
        close(sum(fold(angle)).length(), 0.01, 1e-4);
        close(hinges::angle(fold(angle)), angle, 1e-9);
        let turn = glam::DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -1.1, 2.0);
        let moved = fold(angle).map(|x| turn * x + DVec3::new(3.0, -2.0, 1.0));
        close(hinges::angle(moved), angle, 1e-9);
        close(sum(moved).length(), 0.01, 1e-4);
    }
    close(hinges::angle(fold(2.0)), 2.0, 1e-9);
}

/// Energy [J] of all hinges with every particle lifted to `height` [m], a small one.
fn energy(mesh: &ClothMesh, height: impl Fn(DVec3) -> f64) -> f64 {
    let of = |hinge: &weft_scene::Hinge| {
        let bend: f64 =
            hinge.idx.iter().zip(hinge.weights).map(|(i, w)| height(point(mesh, *i)) * f64::from(w)).sum();
        0.5 * f64::from(hinge.stiffness) * bend * bend
    };
    mesh.hinges.iter().map(of).sum()
}

/// The same with every second particle of an `n` x `n` grid as high as it likes: no diagonals that fold to either side in turn
/// take part of a bend.
fn relaxed(mesh: &ClothMesh, n: u32, height: impl Fn(DVec3) -> f64) -> f64 {
    let cells = f64::from(n - 1);
    let parity = |x: DVec3| ((x.x + x.y + 1.0) * cells).round().rem_euclid(2.0);
    let [less, same, more] = [-1e-6, 0.0, 1e-6].map(|lift| energy(mesh, |x| height(x) + lift * parity(x)));
    // The lowest point of the parabola through the three.
    same - (more - less).powi(2) / (8.0 * (more + less - 2.0 * same))
}

#[test]
fn bending_energy_is_that_of_the_sheet_at_any_resolution() {
    let bend = 3e-5;
    // Cylinders along and across, a saddle, a bowl: half B times the squared curvatures, per area.
    type Surface = (fn(DVec3) -> f64, f64);
    let surfaces: [Surface; 4] = [
        (|x| 0.5e-3 * x.x * x.x, 1.0),
        (|x| 0.5e-3 * x.y * x.y, 1.0),
        (|x| 1e-3 * x.x * x.y, 2.0),
        (|x| 0.5e-3 * (x.x * x.x + x.y * x.y), 2.0),
    ];
    for (height, squares) in surfaces {
        let per_area = 0.5 * f64::from(bend) * squares * 1e-6;
        for n in [41, 121] {
            let cloth = Cloth::new("sheet", Shape::grid(n, n, 1.0, 1.0));
            let mesh = weft_scene::build(&bending(cloth, bend, Bending::Auto));
            // Hinges on the border are missing: the energy grows to the whole with 1/n.
            close(relaxed(&mesh, n, height), per_area, 4.0 / f64::from(n));
        }
    }
    // Equilateral triangles: cylinders are exact, bowls and saddles are so in the mean. Rings are a little uneven.
    let mesh = weft_scene::build(&bending(disc(60), bend, Bending::Auto));
    let area: f64 = mesh.membrane.iter().map(|row| f64::from(row.area)).sum();
    let ratio = surfaces
        .map(|(height, squares)| energy(&mesh, height) / (0.5 * f64::from(bend) * squares * 1e-6 * area));
    println!("cylinders, saddle, bowl: {ratio:?}");
    close(ratio[0], 1.0, 0.15);
    close(ratio[1], 1.0, 0.15);
    close(0.5 * (ratio[2] + ratio[3]), 1.0, 0.15);
}

/// Cloth that is held on one side of a hinge bends on the other alone.
#[test]
fn a_clamp_has_half_a_hinge() {
    let build = |pins: &[Pin]| {
        let mut cloth = grid(6, 5);
        cloth.pins = pins.to_vec();
        weft_scene::build(&bending(cloth, 1e-5, Bending::Quadratic)).hinges
    };
    let column = |column| (0..5).map(move |row| Pin::Particle { column, row });
    let free = build(&[]);
    let edge: Vec<Pin> = column(0).collect();
    assert_eq!(build(&edge), free, "a hem has none");
    let clamp: Vec<Pin> = column(0).chain(column(1)).collect();
    for (held, free) in build(&clamp).iter().zip(&free) {
        let [from, to, ..] = held.idx;
        let begins = from % 6 == 1 && to % 6 == 1;
        assert_eq!(held.stiffness, if begins { 2.0 } else { 1.0 } * free.stiffness, "{:?}", held.idx);
    }
}

#[test]
fn bending_models_choose_the_rows() {
    let count = |bend: f32, model: Bending| {
        let mesh = weft_scene::build(&bending(grid(5, 4), bend, model));
        let skip_one = mesh.distances.iter().filter(|row| row.kind == Kind::Bend).count();
        (skip_one, mesh.hinges.len(), mesh.hinges.first().map(|hinge| hinge.model))
    };
    // Along 3·4, across 5·2, 12 diagonals.
    assert_eq!(count(0.0, Bending::Auto), (3 * 4 + 2 * 5, 0, None));
    assert_eq!(count(1e-5, Bending::SkipOne), (3 * 4 + 2 * 5, 0, None));
    assert_eq!(count(1e-5, Bending::Auto), (0, 34, Some(0)));
    assert_eq!(count(1e-5, Bending::Quadratic), (0, 34, Some(0)));
    assert_eq!(count(1e-5, Bending::Dihedral), (0, 34, Some(1)));
    assert_eq!(count(0.0, Bending::Dihedral), (0, 0, None));
    let mesh = weft_scene::build(&disc(5));
    let of = |kind| mesh.distances.iter().filter(|row| row.kind == kind).count();
    let edges = edges::edges(&mesh.triangles);
    assert_eq!((of(Kind::Structural), of(Kind::Shear)), (edges.len(), 0));
    assert_eq!(of(Kind::Bend), edges.iter().filter(|edge| edge.hinge().is_some()).count());
}

/// Energy [J] of all springs under a small strain of the plane.
fn stretched(mesh: &ClothMesh, strain: DMat2) -> f64 {
    let of = |row: &weft_scene::Distance| {
        let e = point(mesh, row.b) - point(mesh, row.a);
        let e = DVec2::new(e.x, e.y);
        let longer = e.normalize().dot(strain * e);
        0.5 * longer * longer / f64::from(row.compliance)
    };
    mesh.distances.iter().filter(|row| row.kind != Kind::Bend).map(of).sum()
}

#[test]
fn springs_of_a_grid_are_as_stiff_as_the_sheet_at_any_resolution() {
    let strain = 1e-3;
    for (columns, rows) in [(13, 9), (49, 33), (20, 33)] {
        let mut cloth = grid(columns, rows);
        cloth.material.sheet = Sheet { stretch: 2000.0, shear: 50.0, ..Sheet::default() };
        cloth.material.compliance.structural = 1.0;
        let mesh = weft_scene::build(&cloth);
        let shear = DMat2::from_cols(DVec2::new(0.0, 0.0), DVec2::new(strain, 0.0));
        close(stretched(&mesh, shear), 0.5 * 50.0 * strain * strain * 0.96, 1e-4);
        cloth.material.sheet.shear = 0.0;
        cloth.material.compliance.shear = 1e30;
        let mesh = weft_scene::build(&cloth);
        for pull in [DVec2::new(strain, 0.0), DVec2::new(0.0, strain)] {
            let energy = stretched(&mesh, DMat2::from_diagonal(pull));
            close(energy, 0.5 * 2000.0 * strain * strain * 0.96, 1e-4);
        }
        // The force over a cut across a strip: k times rest, row by row.
        let cut: f64 = mesh
            .distances
            .iter()
            .filter(|row| {
                row.kind == Kind::Structural && row.b == row.a + 1 && row.a % columns == columns / 2
            })
            .map(|row| f64::from(row.rest) / f64::from(row.compliance))
            .sum();
        close(cut, 2000.0 * 0.8, 1e-5);
    }
}

#[test]
fn springs_of_a_mesh_follow_van_gelder() {
    // Equilateral triangles: E = 2 k / sqrt(3), Poisson's ratio 1/3. A hexagon's energy under a pull that it may narrow.
    for rings in [6, 24] {
        let mut cloth = disc(rings);
        cloth.material.sheet.stretch = 900.0;
        let mesh = weft_scene::build(&cloth);
        let area: f64 = mesh.membrane.iter().map(|row| f64::from(row.area)).sum();
        let energy = stretched(&mesh, DMat2::from_diagonal(DVec2::new(1e-3, -1e-3 / 3.0)));
        close(energy, 0.5 * 900.0 * 1e-6 * area, 0.12);
    }
    let mut cloth = of_text("v 0 0 0\nv 2 0 0\nv 1 1.7320508 0\nf 1 2 3\n");
    cloth.material.sheet.stretch = 900.0;
    cloth.material.sheet.damping = 0.5;
    for row in weft_scene::build(&cloth).distances {
        // k = E area / e² = 900 sqrt(3) / 4.
        close(1.0 / f64::from(row.compliance), 900.0 * 3_f64.sqrt() / 4.0, 1e-6);
        close(f64::from(row.damping), 450.0 * 3_f64.sqrt() / 4.0, 1e-6);
    }
}

#[test]
fn membranes_have_the_inverse_of_their_rest_edges_and_the_lame_numbers() {
    let sheet = Sheet { stretch: 1000.0, poisson: 0.25, ..Sheet::default() };
    for (model, number) in [(Membrane::StVK, 1), (Membrane::NeoHookean, 2), (Membrane::Area, 3)] {
        let mut tilted = of_text("v 0 0 0\nv 0.3 0.1 0.2\nv -0.1 0.4 0.3\nv 0.5 0.6 0.7\nf 1 2 3\nf 2 4 3\n");
        tilted.rotation = [20.0, 30.0, 40.0];
        for mut cloth in [grid(4, 3), disc(3), tilted] {
            (cloth.material.sheet, cloth.material.membrane) = (sheet, model);
            let mesh = weft_scene::build(&cloth);
            assert_eq!(mesh.membrane.len(), mesh.triangles.len());
            assert_eq!(mesh.distances.iter().any(|row| row.kind != Kind::Bend), number == 3);
            for (row, triangle) in mesh.membrane.iter().zip(&mesh.triangles) {
                let [a, b, c] = triangle.map(|corner| point(&mesh, corner));
                let inverse = row.inverse_rest.map(f64::from);
                // Edges times inverse: two orthonormal columns at rest.
                let x = (b - a) * inverse[0] + (c - a) * inverse[1];
                let y = (b - a) * inverse[2] + (c - a) * inverse[3];
                assert!((x.length() - 1.0).abs() < 1e-5 && (y.length() - 1.0).abs() < 1e-5, "{x} {y}");
                assert!(x.dot(y).abs() < 1e-5 && x.cross(y).dot((b - a).cross(c - a)) > 0.0);
                close(row.area.into(), 0.5 * (b - a).cross(c - a).length(), 1e-5);
                assert_eq!(row.model, number);
                let expected = if number == 3 { [1000.0, 0.0] } else { [400.0, 1000.0 * 0.25 / 0.9375] };
                close(row.mu.into(), expected[0], 1e-6);
                close(row.lame.into(), expected[1], 1e-6);
            }
        }
    }
}

#[test]
fn presets_are_bases_that_the_file_overrides() {
    let material = |text: &str| {
        let text = format!(
            "Scene(version: 1, cloths: [Cloth(id: \"a\", shape: Disc(radius: 0.2, rings: 2), material: {text})])"
        );
        weft_scene::parse_text("m", &text, None, &weft_scene::Vocabulary::default())
            .unwrap_or_else(|e| panic!("{e}"))
            .scene
            .cloths[0]
            .material
            .clone()
    };
    let denim = material("(preset: \"denim\")");
    assert_eq!((denim.density, denim.sheet.stretch, denim.bending()), (0.324, 1060.0, Bending::Quadratic));
    let mine = material("(preset: \"denim\", density: 0.5, sheet: (bend: 2e-4))");
    assert_eq!((mine.density, mine.sheet.bend, mine.sheet.stretch), (0.5, 2e-4, 1060.0));
    let friction = |text: &str| material(text).friction;
    assert_eq!((friction("()"), friction("(preset: \"cotton\")")), (1.0, 1.0));
    assert!(friction("(preset: \"silk\")") < 1.0 && friction("(preset: \"wool\")") > 1.0);
    assert_eq!(friction("(preset: \"silk\", friction: 2.5)"), 2.5);
    assert_eq!(material("()"), weft_scene::Material::default());
    // Bending length of ASTM D1388, c³ = B / w [m].
    for (name, low, high) in
        [("silk", 0.012, 0.018), ("cotton", 0.022, 0.028), ("wool", 0.016, 0.022), ("denim", 0.028, 0.036)]
    {
        let fabric = weft_scene::preset::material(name).unwrap();
        let c = (f64::from(fabric.sheet.bend) / (9.81 * f64::from(fabric.density))).cbrt();
        assert!((low..high).contains(&c), "{name}: {c} m");
    }
    assert_eq!(weft_scene::preset::names().count(), 5);
    let mut scene = weft_scene::parse_text(
        "s",
        "Scene(version: 1, cloths: [Cloth(id: \"a\", shape: Disc(radius: 0.2, rings: 2))])",
        None,
        &weft_scene::Vocabulary::default(),
    )
    .unwrap()
    .scene;
    weft_scene::set(&mut scene, "cloths.a.material.preset", "wool").unwrap();
    assert_eq!(scene.cloths[0].material, weft_scene::preset::material("wool").unwrap());
    weft_scene::set(&mut scene, "cloths[0].material.bending", "Dihedral").unwrap();
    assert_eq!(scene.cloths[0].material.bending(), Bending::Dihedral);
    assert!(weft_scene::set(&mut scene, "cloths.a.material.bending", "Dihedrl").is_err());
    assert!(weft_scene::set(&mut scene, "cloths.a.material.preset", "felt").is_err());
}

/// The length that bends under its own weight, (E I / w)^(1/3) [m], tells a hair from a wire.
#[test]
fn rods_by_name_bend_as_what_they_are_named_for() {
    let scene = |material: &str| {
        let roots = "roots: Points(at: [(0, 1, 0)])";
        let text =
            format!("(version: 1, strands: [(id: \"a\", length: 3, {roots}, material: ({material}))])");
        let read = weft_scene::parse_text("s", &text, None, &weft_scene::Vocabulary::default());
        read.map(|read| read.scene).map_err(|errors| errors.to_string())
    };
    for (name, low, high) in
        [("hair", 0.045, 0.055), ("rope", 0.15, 0.25), ("wire", 0.3, 0.4), ("silk", 0.07, 0.09)]
    {
        let scene = scene(&format!("preset: \"{name}\"")).expect(name);
        let section = scene.strands[0].section(0.0);
        let length = (f64::from(section.bend) / (9.81 * f64::from(section.mass))).cbrt();
        assert!((low..high).contains(&length), "{name}: {length} m");
    }
    let rod = |text: &str| scene(text).expect(text).strands.remove(0).material;
    assert_eq!(weft_scene::Rod { preset: String::new(), ..rod("preset: \"hair\"") }, rod(""));
    let thick = rod("preset: \"wire\", radius: (0.001, 0.001)");
    assert_eq!((thick.young, thick.radius), (2e11, [0.001; 2]));
    let error = scene("preset: \"wier\"").expect_err("no such preset");
    assert!(error.contains("did you mean \"wire\"?") && error.contains("s:1:"), "{error}");
    let mut scene = scene("").expect("hair");
    weft_scene::set(&mut scene, "strands.a.material.preset", "rope").unwrap();
    assert_eq!(scene.strands[0].material, rod("preset: \"rope\""));
    let error = weft_scene::set(&mut scene, "strands.a.material.preset", "felt").unwrap_err();
    assert!(error.to_string().contains("hair, rope, wire, silk"), "{error}");
}

#[test]
fn stretch_is_read_from_triangles_where_no_rows_are() {
    let mut scene = weft_scene::parse_text(
        "s",
        "Scene(version: 1, cloths: [Cloth(id: \"a\", shape: Disc(radius: 0.2, rings: 6), rotation: (20, 30, 40),
            material: (sheet: (stretch: 1000, bend: 1e-5), membrane: NeoHookean))])",
        None,
        &weft_scene::Vocabulary::default(),
    )
    .unwrap()
    .scene;
    let read = |scene: &weft_scene::Scene, factor: f32| {
        let mut run = tests::fixture::Fixture::of(scene.clone());
        run.x_mut().iter_mut().for_each(|x| (0..3).for_each(|i| x[i] *= factor));
        weft_session::readings::RowsMeter::default().read(&run.run.state).stretch
    };
    assert!(read(&scene, 1.0).p95 < 1e-5);
    for stretch in [read(&scene, 1.25), read(&scene, 0.75)] {
        close(stretch.mean.abs().into(), 0.25, 1e-4);
        close(stretch.p95.into(), 0.25, 1e-4);
    }
    // A second cloth of springs is read beside it.
    let mut springs = scene.cloths[0].clone();
    springs.id = "b".into();
    springs.material.membrane = Membrane::Springs;
    scene.cloths.push(springs);
    close(read(&scene, 1.25).mean.into(), 0.25, 1e-4);
}
