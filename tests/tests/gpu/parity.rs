//! The GPU path on the software adapter: the same physics as the CPU, and every mistake named before a dispatch.

use sim_api::Key;
use std::collections::BTreeSet;
use tests::{
    device::{Order, Twins},
    fixture::{self, Fixture, with_solver},
    left_out, long,
    state_points::{self, xyz},
};
use weft_core::state::col;
use weft_core::statistics::largest;

use weft_scene::Scene;

const NEEDS: &str = "a Vulkan adapter such as llvmpipe (mesa-vulkan-drivers, libvulkan1)";

/// Rest lengths that the two paths may be apart after 20 substeps.
pub(crate) const TOLERANCE: f64 = 1e-3;

/// Coloured Gauss-Seidel, Jacobi; one iteration and several.
const ORDERS: [Order; 16] = [
    ("xpbd", "xpbd_tiled_sweep", &[("order", 0.0)]),
    ("xpbd", "xpbd_coloured", &[("order", 0.0)]),
    ("xpbd", "xpbd_coloured", &[("order", 0.0), ("iterations", 4.0)]),
    ("xpbd", "xpbd_jacobi", &[("order", 1.0)]),
    ("xpbd", "xpbd_jacobi", &[("order", 1.0), ("iterations", 4.0)]),
    ("explicit", "explicit_fused", &[]),
    ("explicit", "explicit_fused_links", &[]),
    ("explicit", "explicit_pair", &[]),
    ("pbd_jacobi", "pbd_jacobi", &[]),
    ("pbd_sor", "pbd_sor", &[("iterations", 3.0), ("stiffness", 0.7)]),
    ("verlet", "verlet", &[("iterations", 4.0)]),
    ("implicit_jacobi", "implicit_jacobi", &[]),
    ("implicit_chebyshev", "implicit_chebyshev", &[("stiffest", 100.0)]),
    ("implicit_chebyshev", "implicit_chebyshev", &[("rho", 0.9), ("stiffest", 100.0)]),
    ("vbd", "vbd", &[]),
    ("vbd", "vbd", &[("iterations", 5.0), ("stiffest", 100.0)]),
];

/// Those that take all tables. Of one bit at the start 20 stiff substeps of accelerated iterations make 1e-2 rest lengths
/// where cloth buckles, on the CPU as well: those take fewer and softer ones.
const ALL_TABLES: [Order; 7] = [
    ("xpbd", "xpbd_coloured", &[("damping", 0.0)]),
    ("xpbd", "xpbd_coloured", &[("damping", 0.0), ("iterations", 3.0)]),
    ("pbd_jacobi", "pbd_jacobi", &[("iterations", 3.0), ("bend", 0.6)]),
    ("pbd_sor", "pbd_sor", &[("iterations", 3.0), ("stiffness", 0.7), ("bend", 0.6)]),
    ("implicit_jacobi", "implicit_jacobi", &[("substeps", 5.0), ("stiffest", 30.0)]),
    ("implicit_chebyshev", "implicit_chebyshev", &[("substeps", 5.0), ("stiffest", 30.0)]),
    ("vbd", "vbd", &[("iterations", 3.0)]),
];

fn scene(file: &str, solver: &str) -> Scene {
    with_solver(fixture::small(file, 20, 17), solver)
}

/// The scene with damped springs.
fn damped(mut scene: Scene) -> Scene {
    scene.cloths[0].material.spring_damping = 2e-3;
    scene
}

#[test]
fn every_list_of_passes_moves_cloth_as_its_twin_does() {
    if left_out("every_list_of_passes_moves_cloth_as_its_twin_does", NEEDS) {
        return;
    }
    // Frames before: the cloth is on the sphere, and the flag at the pole. In the ordinary run these thirds of the lists.
    let all: [(_, _, &[usize]); 3] =
        [("hanging.ron", 20, &[1]), ("flag.ron", 30, &[0]), ("drape_on_sphere.ron", 45, &[0, 2])];
    for (file, warm, thirds) in all {
        let stands = |(index, _): &(usize, &Order)| long() || thirds.contains(&(index % 3));
        for (_, (solver, passes, params)) in ORDERS.iter().enumerate().filter(stands) {
            // Damped rows everywhere in the long run.
            let damps = file == "flag.ron" || long();
            let damped = damps.then(|| damped(scene(file, solver)));
            for scene in [scene(file, solver)].into_iter().chain(damped) {
                let params = [*params, &[("substeps", 20.0)]].concat();
                let mut twins = Twins::new(&scene, &params, warm, Some(passes));
                twins.same_frame(&format!("{file} {passes} {params:?}"), 1e-4);
                twins.same_outcome(passes);
            }
        }
    }
}

#[test]
fn hinges_tethers_and_soft_pins_move_cloth_as_their_twins_do() {
    if left_out("hinges_tethers_and_soft_pins_move_cloth_as_their_twins_do", NEEDS) {
        return;
    }
    // 0 quadratic, 1 dihedral.
    const CASES: [(&str, u32); 6] = [
        ("sail.ron", 0),
        ("poncho.ron", 1),
        ("validate/cantilever_10.ron", 0),
        ("sail.ron", 1),
        ("poncho.ron", 0),
        ("validate/cantilever_10.ron", 1),
    ];
    let mut tables = BTreeSet::new();
    // In the ordinary run each scene with one model, and two of three lists of passes where sails or ponchos are.
    for (number, (file, model)) in CASES.into_iter().enumerate().take(if long() { 6 } else { 3 }) {
        // Hinges of 5 mm are too stiff for few Jacobi iterations, on the CPU as well.
        let stands = |(index, order): &(usize, &Order)| {
            if file.contains("cantilever") {
                ["xpbd", "vbd"].contains(&order.0)
            } else {
                long() || (index + number).is_multiple_of(3)
            }
        };
        for (_, (solver, passes, params)) in ALL_TABLES.iter().enumerate().filter(stands) {
            let mut scene = with_solver(fixture::small(file, 17, 14), solver);
            // Where cloth sticks and slips on shoulders, the last bit of a height decides more than the tolerance, on
            // the CPU as well: the poncho hangs by its first particles instead.
            let hangs = file == "poncho.ron";
            if hangs {
                scene.colliders.clear();
            }
            let params = [&[("substeps", 20.0)], *params].concat();
            let mut twins = Twins::with(&scene, &params, 30, Some(passes), &|fixture: &mut Fixture| {
                fixture.run.state.get_mut(col::hinge::model).fill(model);
                fixture.x_mut().iter_mut().take(if hangs { 8 } else { 0 }).for_each(|x| x[3] = 0.0);
            });
            twins.same_frame(&format!("{file} model {model} {passes} {params:?}"), 1e-5);
            tables
                .extend(twins.fixture.run.state.tables.iter().filter(|t| t.rows > 0).map(|t| t.name.clone()));
        }
    }
    for table in ["hinge", "tether", "attachment"] {
        assert!(tables.contains(table), "no scene has rows of {table}");
    }
}

#[test]
fn membranes_move_cloth_as_their_twins_do() {
    if left_out("membranes_move_cloth_as_their_twins_do", NEEDS) {
        return;
    }
    for (number, membrane) in ["StVK", "NeoHookean", "Area"].into_iter().enumerate() {
        // In the ordinary run each list with one of them.
        let stands = |(index, _): &(usize, &Order)| long() || (index + number).is_multiple_of(3);
        for (_, (solver, passes, params)) in ALL_TABLES.iter().enumerate().filter(stands) {
            let text = format!(
                r#"(version: 1, wind: (velocity: (1.0, 0.0, -2.0), coefficient: 0.5), solver: (name: "{solver}"),
                    cloths: [(id: "a", shape: Grid(columns: 17, rows: 14, width: 0.6, height: 0.5),
                        rotation: (60.0, 0.0, 10.0), pins: [Corner(TopLeft), Corner(TopRight)],
                        material: (density: 0.2, sheet: (stretch: 60.0, shear: 20.0, bend: 1e-4),
                            membrane: {membrane}, bending: Dihedral))])"#
            );
            let scene = weft_scene::parse_text("membrane", &text, None, &weft_scene::Vocabulary::default())
                .unwrap()
                .scene;
            let params = [&[("substeps", 20.0)], *params].concat();
            let mut twins = Twins::new(&scene, &params, 20, Some(passes));
            let model = twins.cpu.run.state.get(col::triangle::model)[0];
            assert_ne!(model, 0, "{membrane}: the triangles resist");
            let before = twins.cpu.x().to_vec();
            twins.frame();
            // Without springs there are no rest lengths: by the spacing of the grid.
            let apart = state_points::apart(twins.cpu.x(), twins.fixture.x()) / (0.6 / 16.0);
            println!("PARITY {membrane} {passes} {params:?}: {apart:.2e} rest lengths");
            assert!(apart <= TOLERANCE, "{membrane} {passes} {params:?}: {apart} rest lengths");
            let moved = state_points::apart(&before, twins.cpu.x());
            assert!(moved > 1e-3, "{membrane} {passes}: nothing moved");
            let [a, b] =
                [&twins.cpu, &twins.fixture].map(|fixture| fixture.run.state.get(col::particle::stress));
            let scale = largest(a.iter().map(|value| value.abs()));
            let apart = largest(a.iter().zip(b).map(|(a, b)| (a - b).abs()));
            assert!(scale > 0.0 && apart <= 2e-2 * scale, "{membrane} {passes}: stress {apart} of {scale}");
        }
    }
}

#[test]
fn the_spectral_radius_is_that_of_the_cpu() {
    if left_out("the_spectral_radius_is_that_of_the_cpu", NEEDS) {
        return;
    }
    // The more iterations, the larger a radius is of use; soft rows have one below that.
    const ITERATIONS: [(f32, f32); 4] = [(4.0, 500.0), (200.0, 30.0), (40.0, 2.0), (60.0, 500.0)];
    for (file, warm) in [("hanging.ron", 10), ("sail.ron", 10), ("drape_on_sphere.ron", 45)] {
        // In the ordinary run the many are for one scene alone.
        let many = if long() { 4 } else { 1 + usize::from(file == "sail.ron") };
        for (iterations, stiffest) in ITERATIONS.into_iter().take(many) {
            let params = [("substeps", 4.0), ("iterations", iterations), ("stiffest", stiffest)];
            let scene = with_solver(fixture::small(file, 33, 31), "implicit_chebyshev");
            let mut twins = Twins::new(&scene, &params, warm, None);
            twins.frame();
            let there = twins.gpu.read("spectrum", "rho").unwrap().unwrap();
            let there = f32::from_ne_bytes(there.try_into().unwrap());
            let here = twins.cpu.run.readings["rho"];
            println!("RHO {file} {iterations} iterations, stiffest {stiffest}: {there} there, {here} here");
            assert!(here > 0.5 && (here - there).abs() < 1e-4, "{file} {iterations}: {there} for {here}");
        }
    }
}

#[test]
fn a_fused_substep_is_predict_project_velocity() {
    if left_out("a_fused_substep_is_predict_project_velocity", NEEDS) {
        return;
    }
    for file in ["hanging.ron", "flag.ron"] {
        let mut scene = scene(file, "xpbd");
        scene.colliders.clear();
        let params = [("order", 1.0), ("substeps", 20.0)];
        for (wanted, passes) in [(None, "xpbd_fused"), (Some("xpbd_fused_links"), "xpbd_fused_links")] {
            let mut twins = Twins::new(&scene, &params, 20, wanted);
            assert_eq!(twins.gpu.list.name, passes);
            twins.frame();
            let apart = twins.apart();
            println!("PARITY {file} {passes}: {apart:.2e} rest lengths");
            assert!(apart <= TOLERANCE, "{file} {passes}: {apart} rest lengths");
            twins.same_outcome(passes);
        }
    }
}

#[test]
fn tiles_have_the_result_of_the_colours() {
    if left_out("tiles_have_the_result_of_the_colours", NEEDS) {
        return;
    }
    // Three by four tiles; sizes that neither they nor their colours divide.
    let mut scene = with_solver(fixture::small("hanging.ron", 67, 75), "xpbd");
    scene.colliders.clear();
    for scene in [scene.clone(), damped(scene)] {
        let mut runs = ["xpbd_tiled", "xpbd_tiled_sweep", "xpbd_coloured"]
            .into_iter()
            .filter(|passes| *passes != "xpbd_tiled" || scene.cloths[0].material.spring_damping == 0.0)
            .map(|passes| Twins::new(&scene, &[("substeps", 20.0)], 3, Some(passes)));
        let mut first = runs.next().unwrap();
        first.frame();
        println!("PARITY {}: {:.2e} rest lengths", first.gpu.list.name, first.apart());
        assert!(first.apart() <= TOLERANCE, "{}", first.apart());
        first.same_outcome("xpbd_tiled");
        for mut other in runs {
            other.frame();
            let apart = first.rest_lengths(other.fixture.x()) - first.apart();
            println!("{} against {}: {apart:.2e} rest lengths", other.gpu.list.name, first.gpu.list.name);
            assert!(other.apart() <= TOLERANCE, "{}", other.apart());
        }
    }
}

/// What the two agree in.
pub(crate) trait Outcome {
    /// A frame moves some particle farther than `least` [m], and those of both to the same places.
    fn same_frame(&mut self, what: &str, least: f64);

    /// Forces, stresses and accelerations.
    fn same_outcome(&self, what: &str);
}

impl Outcome for Twins {
    fn same_frame(&mut self, what: &str, least: f64) {
        let before = self.cpu.x().to_vec();
        self.frame();
        let apart = self.apart();
        println!("PARITY {what}: {apart:.2e} rest lengths");
        assert!(apart <= TOLERANCE, "{what}: {apart} rest lengths");
        let moved = state_points::apart(&before, self.cpu.x());
        assert!(moved > least, "{what}: nothing moved");
    }

    fn same_outcome(&self, what: &str) {
        for (table, column) in [("distance", "force"), ("distance", "stress"), ("particle", "stress")] {
            let [a, b] = [&self.cpu, &self.fixture]
                .map(|fixture| fixture.run.state.get(Key::<f32>::new(table, column)));
            let scale = largest(a.iter().map(|value| f64::from(value.abs())));
            let apart = largest(a.iter().zip(b).map(|(a, b)| f64::from((a - b).abs())));
            // On a ball a particle that the last bit lets touch or not pulls at its rows: 3.2 % with `xpbd_tiled_sweep`.
            assert!(scale > 0.0 && apart <= 5e-2 * scale, "{what}: {table}.{column} {apart} of {scale}");
        }
        for column in ["acceleration", "velocity", "predicted"] {
            let [a, b] = [&self.cpu, &self.fixture]
                .map(|fixture| fixture.run.state.get(Key::<[f32; 4]>::new("particle", column)));
            let scale = largest(a.iter().map(|row| xyz(*row).length()));
            let apart = state_points::apart(a, b);
            // Of a position's rounding an implicit step makes a force k times as large, and k is large there. On a ball the last
            // bit says whether a particle touches, and with Jacobi whether friction counts every iteration.
            let share = 5e-2;
            assert!(scale > 0.0 && apart <= share * scale, "{what}: particle.{column} {apart} of {scale}");
        }
    }
}

#[test]
fn a_run_repeats_bit_for_bit() {
    if left_out("a_run_repeats_bit_for_bit", NEEDS) {
        return;
    }
    for (solver, passes, params) in
        ORDERS.into_iter().skip(usize::from(!long())).step_by(if long() { 1 } else { 2 })
    {
        let [first, second] = [0, 1].map(|_| {
            let mut twins = Twins::new(&scene("drape_on_sphere.ron", solver), params, 0, Some(passes));
            for _ in 0..if long() { 1000 } else { 4 } {
                twins.step(&[]).unwrap();
            }
            twins.gpu.fetch(&mut twins.fixture.run).unwrap();
            (twins.fixture.hash(), twins.fixture.x().to_vec())
        });
        assert_eq!(first.0, second.0, "{passes}");
        assert!(first.1.iter().flatten().all(|value| value.is_finite()), "{passes}");
    }
}

#[test]
fn a_free_sheet_falls_as_its_substeps_say() {
    if left_out("a_free_sheet_falls_as_its_substeps_say", NEEDS) {
        return;
    }
    let text = r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0),
        cloths: [(id: "a", shape: Grid(columns: 9, rows: 8, width: 0.5, height: 0.4))])"#;
    // In the ordinary run every second list; the others move cloth as their twins do.
    for (solver, passes, params) in ORDERS.into_iter().step_by(if long() { 1 } else { 2 }) {
        let base =
            weft_scene::parse_text("fall", text, None, &weft_scene::Vocabulary::default()).unwrap().scene;
        let params = [params, &[("substeps", 10.0)]].concat();
        let mut twins = Twins::new(&with_solver(base, solver), &params, 0, Some(passes));
        let start = twins.fixture.x().to_vec();
        for _ in 0..30 {
            twins.step(&[]).unwrap();
        }
        twins.gpu.fetch(&mut twins.fixture.run).unwrap();
        // Symplectic Euler in n steps of h falls g h² n (n + 1) / 2.
        let (h, n) = (f64::from(twins.fixture.scene.step) / 10.0, 300.0);
        let want = -9.81 * h * h * n * (n + 1.0) / 2.0;
        for (from, to) in start.iter().zip(twins.fixture.x()) {
            let fell = xyz(*to) - xyz(*from);
            assert!((fell.y - want).abs() < 3e-4 && fell.x.abs() + fell.z.abs() < 1e-4, "{passes}: {fell}");
        }
    }
}

#[test]
fn what_the_hand_holds_goes_its_way() {
    if left_out("what_the_hand_holds_goes_its_way", NEEDS) {
        return;
    }
    let fused: [Order; 2] = [("xpbd", "xpbd_tiled", &[]), ("xpbd", "xpbd_fused", &[("order", 1.0)])];
    for (solver, passes, params) in ORDERS.into_iter().step_by(if long() { 1 } else { 2 }).chain(fused) {
        let mut hanging = scene("hanging.ron", solver);
        hanging.colliders.clear();
        let mut twins = Twins::new(&hanging, params, 0, Some(passes));
        let particle = 200_u32;
        let at = twins.fixture.x()[particle as usize];
        let begin = [at[0], at[1], at[2]];
        let end = [at[0] + 0.02, at[1] + 0.01, at[2]];
        twins.step(&[sim_api::Hold { particle, begin, end }]).unwrap();
        twins.gpu.fetch(&mut twins.fixture.run).unwrap();
        let held = twins.fixture.x()[particle as usize];
        let way: f32 = (0..3).map(|i| (held[i] - end[i]).abs()).sum();
        assert!(way < 1e-5 && held[3] == 0.0, "{passes}: {held:?} is not at {end:?}");
        // Let go, it has its mass again and falls; the test puts it back as the host does.
        twins.fixture.x_mut()[particle as usize][3] = at[3];
        for _ in 0..3 {
            twins.step(&[]).unwrap();
        }
        twins.gpu.fetch(&mut twins.fixture.run).unwrap();
        let free = twins.fixture.x()[particle as usize];
        assert!(free[3] == at[3] && free[1] < end[1], "{passes}: {free:?}");
    }
}
