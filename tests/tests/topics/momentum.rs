//! Momentum of free cloth: no force inside of it may change it. That of a shaken cloth is V13.

use tests::{fixture::Fixture, places};
use weft_core::statistics::largest;
use weft_proof::validate::{fixture::solvers, fixtures::weightless, settings};

/// A sheet of 50 g that is laid double, without weight: it may swing, and stays where it is. Under `vbd` it flew off at 2.4 m/s once.
#[test]
fn a_folded_sheet_pushes_and_turns_nothing() {
    for solver in solvers().into_iter().filter(|solver| settings::gives_back(solver)) {
        let mut fixture = weightless(solver, 17, 11, "material: (density: 0.125)");
        for x in fixture.x_mut() {
            *x = [0.5 * x[0].abs(), x[1], 0.02 * x[0].signum() + 0.1 * x[1] * x[0], x[3]];
        }
        fixture.frames(1);
        let energetic = fixture.momentum_scale() / 0.05;
        fixture.frames(119);
        let speed = fixture.mean_velocity().length();
        let angular = fixture.angular_momentum().length() / (0.05 * 0.3 * 0.3);
        println!("{solver}: {speed:.1e} m/s, {angular:.1e} rad/s, {energetic:.1} m/s inside");
        assert!(energetic > 0.1, "{solver}: {energetic} m/s inside of it");
        assert!(speed < 1e-3 && angular < 2e-2, "{solver}: {speed} m/s, {angular} rad/s");
    }
}

/// Two sheets without weight that meet in flight. What conjugate gradients leave of the system of `baraff_witkin` was 70 % of it.
#[test]
fn sheets_that_meet_keep_what_they_have_together() {
    for solver in solvers() {
        let sheet =
            "shape: Grid(columns: 15, rows: 15, width: 0.5, height: 0.5), self_collision: (thickness: 0.01)";
        let mut fixture = Fixture::new(&format!(
            r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "{solver}"),
                cloths: [(id: "a", velocity: (0.0, 0.0, 1.0), {sheet}),
                    (id: "b", at: (0.1, 0.05, 0.1), rotation: (0.0, 20.0, 0.0), {sheet})])"#
        ));
        let before = fixture.momentum();
        fixture.frames(40);
        let lost = (fixture.momentum() - before).length() / before.length();
        println!("MOMENTUM {solver}: {lost:.1e}");
        assert!(lost < 1e-3, "{solver}: {lost}");
    }
}

/// What one of two islands of a mesh loses is not given to the other: it may rest while that one swings.
#[test]
fn islands_of_a_mesh_do_not_feel_each_other() {
    let folder = places::temporary("momentum-islands");
    let mut mesh = String::new();
    for (island, x) in [0.0, 2.0].into_iter().enumerate() {
        for i in 0..25 {
            // One of them is pressed together and lies in waves.
            let (squeeze, wave) = if island == 0 { (0.5, 0.01) } else { (1.0, 0.0) };
            let (column, row) = (f64::from(i % 5), f64::from(i / 5));
            mesh += &format!(
                "v {} {} {}\n",
                x + 0.1 * squeeze * column,
                0.1 * row,
                wave * (3.0 * column + row).sin()
            );
        }
        for i in (0..19).filter(|i| i % 5 < 4) {
            let at = 25 * island + i + 1;
            mesh += &format!("f {at} {} {}\nf {} {} {}\n", at + 1, at + 6, at, at + 6, at + 5);
        }
    }
    std::fs::write(folder.join("islands.obj"), mesh).unwrap();
    let text = r#"(version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "vbd"),
        cloths: [(id: "a", shape: Mesh(file: "islands.obj"))])"#;
    let scene = weft_scene::parse_text("islands", text, Some(&folder), &weft_scene::Vocabulary::default());
    let mut fixture = Fixture::of(scene.unwrap_or_else(|why| panic!("{why}")).scene);
    // At rest is what the mesh says: the first island is pulled apart.
    fixture.x_mut()[..25].iter_mut().for_each(|x| x[0] *= 1.5);
    fixture.frames(30);
    let speed = |of: &[[f32; 4]]| largest(of.iter().flat_map(|v| [v[0].abs(), v[1].abs(), v[2].abs()]));
    let (swings, rests) = (speed(&fixture.v()[..25]), speed(&fixture.v()[25..]));
    assert!(swings > 0.01 && rests < 1e-4, "{swings} m/s, and {rests}");
}
