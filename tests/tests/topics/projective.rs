//! Projective dynamics: it solves its own equation, and factors no more often than it must.

use glam::DVec3;
use sim_api::Hold;
use tests::{
    fixture::{Fixture, vector},
    grid,
};
use weft_core::state::col;
use weft_core::statistics::{largest, least};
use weft_engine::run::{StepError, StepInput};
use weft_scene::assemble;
use weft_scene::workload;
use weft_session::readings::RowsMeter;

/// W(n) of `weft bench`.
fn workload(n: u32) -> Fixture {
    let mut scene = workload::workload(n).unwrap();
    scene.solver.name = "projective_dynamics".into();
    let assembly = workload::assembly(&scene);
    Fixture::from_tables(scene, assembly.blueprint)
}

fn cloth(pins: &str) -> Fixture {
    Fixture::new(&format!(
        r#"(version: 1, solver: (name: "projective_dynamics"), air_damping: 0.0,
            wind: (coefficient: 0.0), cloths: [(id: "a", shape: Grid(columns: 17, rows: 13, width: 0.8, height: 0.6), rotation: (60.0, 10.0, 0.0),
                pins: [{pins}], material: (compliance: (structural: 1e-3, shear: 1e-2, bend: 1.0)))])"#
    ))
}

#[test]
fn many_iterations_reach_the_minimum_of_implicit_euler() {
    // One substep a frame, no row stiffer than `stiffest`: the gradient of |x - x~|²_M / 2h² + E, worked out here in f64.
    for (acceleration, iterations, most) in [(0.0, 5.0, 1.0), (0.0, 400.0, 2e-3), (1.0, 400.0, 2e-2)] {
        let mut fixture = cloth("Corner(TopLeft), Corner(TopRight)");
        fixture = fixture
            .set("stiffest", 1e6)
            .set("substeps", 1.0)
            .set("iterations", iterations)
            .set("acceleration", acceleration);
        fixture.frames(9);
        let (from, speed) = (fixture.x().to_vec(), fixture.v().to_vec());
        fixture.frames(1);
        let h = f64::from(fixture.scene.step);
        let free = |x: &[f32; 4]| x[3] > 0.0;
        let inertial: Vec<DVec3> = from
            .iter()
            .zip(&speed)
            .map(|(x, v)| {
                vector(*x) + if free(x) { (vector(*v) - DVec3::Y * 9.81 * h) * h } else { DVec3::ZERO }
            })
            .collect();
        let gradient = |x: &[DVec3]| {
            let mut sum: Vec<DVec3> =
                (0..x.len()).map(|i| (x[i] - inertial[i]) * f64::from(fixture.mass()[i]) / (h * h)).collect();
            let idx = fixture.run.state.get(col::distance::idx);
            let rest = fixture.run.state.get(col::distance::rest);
            let compliance = fixture.run.state.get(col::distance::compliance);
            for ((idx, rest), compliance) in idx.iter().zip(rest).zip(compliance) {
                let [a, b] = idx.map(|i| i as usize);
                let d = x[b] - x[a];
                let pull = d.normalize() * ((d.length() - f64::from(*rest)) / f64::from(*compliance));
                sum[a] -= pull;
                sum[b] += pull;
            }
            let rows = sum.iter().zip(&from).filter(|(_, x)| free(x));
            rows.map(|(g, _)| g.length_squared()).sum::<f64>().sqrt()
        };
        let x: Vec<DVec3> = fixture.x().iter().map(|x| vector(*x)).collect();
        let left = gradient(&x) / gradient(&inertial);
        assert!(left < most, "{iterations} iterations, acceleration {acceleration}: {left}");
        // What the solver says is the same number, in single precision.
        let said = f64::from(fixture.run.readings["residual"]);
        assert!((said - left).abs() < 0.1 * left + 1e-4, "{said} is read, {left} is true");
        assert_eq!(fixture.run.readings["iterations"], iterations);
    }
}

#[test]
fn acceleration_needs_fewer_iterations() {
    let residual = |acceleration: f32, iterations: f32| {
        let mut fixture = workload(20).set("iterations", iterations).set("acceleration", acceleration);
        fixture.frames(30);
        fixture.run.readings["residual"]
    };
    let (plain, fast) = (residual(1.0, 30.0), residual(0.0, 15.0));
    assert!(fast < plain, "{fast} after 15 accelerated, {plain} after 30 plain iterations");
}

#[test]
fn the_matrix_is_factored_when_it_changes_and_only_then() {
    let mut fixture = cloth("Edge(Top)");
    let counts = |fixture: &Fixture| (fixture.run.factor.analyses, fixture.run.factor.count);
    fixture.frames(10);
    assert_eq!(counts(&fixture), (1, 1));
    // Stiffness.
    let compliance = fixture.run.state.get_mut(col::distance::compliance);
    compliance.iter_mut().for_each(|compliance| *compliance *= 0.5);
    fixture.frames(5);
    assert_eq!(counts(&fixture), (1, 2));
    // Length of the substep.
    fixture = fixture.set("substeps", 7.0);
    fixture.frames(5);
    assert_eq!(counts(&fixture), (1, 3));
    // A pin that goes.
    let mass = fixture.mass()[3];
    fixture.x_mut()[3][3] = 1.0 / mass;
    fixture.frames(5);
    assert_eq!(counts(&fixture), (1, 4));
    // Nothing in the matrix.
    fixture = fixture.set("iterations", 9.0);
    fixture.scene.gravity = [0.0, -1.0, 3.0];
    fixture.frames(5);
    assert_eq!(counts(&fixture), (1, 4));
}

#[test]
fn a_softer_cloth_hangs_lower() {
    let lowest = |factor: f32| {
        let mut fixture = cloth("Edge(Top)");
        fixture.frames(5);
        let compliance = fixture.run.state.get_mut(col::distance::compliance);
        compliance.iter_mut().for_each(|compliance| *compliance *= factor);
        fixture.scene.air_damping = 5.0;
        fixture.frames(200);
        least(fixture.x().iter().map(|x| x[1]))
    };
    let (stiff, soft) = (lowest(1.0), lowest(500.0));
    assert!(soft < stiff - 0.03, "a live change of compliance is felt: {soft} against {stiff}");
}

#[test]
fn an_unpinned_cloth_falls_and_keeps_its_momentum() {
    let mut fixture = cloth("");
    fixture.scene.gravity = [0.0; 3];
    for (i, v) in fixture.v_mut().iter_mut().enumerate() {
        *v = [(i % 7) as f32 - 3.0, (i % 5) as f32 - 2.0, (i % 3) as f32, 0.0];
    }
    let (before, scale) = (fixture.momentum(), fixture.momentum_scale());
    fixture.frames(60);
    let drift = (fixture.momentum() - before).length() / scale;
    assert!(drift < 1e-4, "{drift}");
    fixture.scene.gravity = [0.0, -9.81, 0.0];
    let fall = fixture.mean_velocity().y;
    fixture.frames(30);
    assert!((fixture.mean_velocity().y - fall + 9.81 * 0.5).abs() < 1e-2);
}

#[test]
fn a_held_particle_goes_where_the_hand_goes_and_takes_the_cloth_along() {
    let mut fixture = cloth("Edge(Top)");
    fixture.frames(5);
    let (particle, w) = (200, fixture.x()[200][3]);
    let start = vector(fixture.x()[particle]);
    let aim = start + DVec3::new(0.05, 0.15, 0.1);
    let neighbor = vector(fixture.x()[particle + 1]);
    // The host takes the inverse mass away while the hand holds, and factors twice in all.
    let factored = fixture.run.factor.count;
    fixture.x_mut()[particle][3] = 0.0;
    for frame in 0..20 {
        let at = |frame: f64| start.lerp(aim, frame / 20.0).to_array().map(|x| x as f32);
        let hold =
            Hold { particle: particle as u32, begin: at(frame.into()), end: at(f64::from(frame) + 1.0) };
        let (dt, world) = (fixture.scene.step, assemble::world(&fixture.scene));
        let input = StepInput { dt, world, holds: &[hold], guarded: true };
        fixture.run.step(&fixture.threads, &input).unwrap();
    }
    assert!((vector(fixture.x()[particle]) - aim).length() < 1e-6);
    assert!((vector(fixture.x()[particle + 1]) - neighbor).y > 0.08, "the neighbour comes along");
    fixture.x_mut()[particle][3] = w;
    fixture.frames(30);
    assert!((vector(fixture.x()[particle]) - aim).length() > 0.02, "it is free again");
    assert_eq!(fixture.run.factor.count, factored + 2);
}

#[test]
fn without_a_factor_there_is_a_message_and_the_state_stays() {
    let ends = [([0.0, 0.0, 0.0], 1.0), ([0.0, -1.0, 0.0], 1.0)];
    let mut fixture = Fixture::from_tables(workload(2).scene, grid::particles(&ends, &[(0, 1, 1.0, 1e-3)]));
    fixture.run.state.get_mut(col::distance::compliance)[0] = f32::NAN;
    // A compliance that is no number counts as rigid; a particle without a finite mass is refused.
    fixture.frames(1);
    fixture.x_mut()[1][3] = f32::MIN_POSITIVE / 4.0;
    let before = fixture.hash();
    let error = fixture.try_step().unwrap_err();
    assert!(matches!(error, StepError::NotFactored { .. }), "{error}");
    assert!(error.to_string().contains("on the diagonal of particle 1"), "{error}");
    assert_eq!(fixture.hash(), before);
}

#[test]
fn tethers_attachments_and_flat_hinges_pull() {
    use weft_core::state::{Data, TableRows};
    // One particle on a tether, one on a soft pin, four in a folded hinge without gravity.
    let scene = || {
        let mut scene = workload(2).scene;
        scene.solver.params.clear();
        scene.air_damping = 4.0;
        scene
    };
    let mut blueprint = grid::particles(
        &[([0.0, 0.0, 0.0], 0.0), ([0.5, 0.0, 0.0], 0.1), ([2.0, 0.0, 0.0], 0.1)],
        &[(1, 2, 1.5, 1e9)],
    );
    blueprint.tables.push(TableRows {
        name: "tether",
        rows: 1,
        columns: vec![
            ("idx", Data::U32(vec![1])),
            ("anchor", Data::U32(vec![0])),
            ("rest", Data::F32(vec![0.7])),
            ("compliance", Data::F32(vec![0.0])),
        ],
    });
    blueprint.tables.push(TableRows {
        name: "attachment",
        rows: 1,
        columns: vec![
            ("idx", Data::U32(vec![2])),
            ("target", Data::F32x4(vec![[2.0, 0.5, 0.0, 0.0]])),
            ("compliance", Data::F32(vec![0.1])),
        ],
    });
    let mut fixture = Fixture::from_tables(scene(), blueprint);
    fixture.frames(600);
    let (tethered, pinned) = (vector(fixture.x()[1]), vector(fixture.x()[2]));
    assert!((tethered.length() - 0.7).abs() < 2e-3, "{tethered} hangs on its tether");
    assert!(tethered.y < -0.6);
    let sag = 0.1 * 0.1 * 9.81;
    assert!((pinned - DVec3::new(2.0, 0.5 - sag, 0.0)).length() < 2e-3, "{pinned} hangs {sag} below its pin");

    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.4, 0.9], [0.5, 0.4, -0.9]];
    let mut blueprint = grid::particles(&corners.map(|x| (x, 0.1)), &[(0, 1, 1.0, 1e-3)]);
    blueprint.tables.push(TableRows {
        name: "hinge",
        rows: 1,
        columns: vec![
            ("model", Data::U32(vec![0])),
            ("weights", Data::F32x4(vec![[-1.0, -1.0, 1.0, 1.0]])),
            ("stiffness", Data::F32(vec![5.0])),
        ],
    });
    let mut scene = scene();
    scene.gravity = [0.0; 3];
    let mut fixture = Fixture::from_tables(scene, blueprint);
    fixture.run.state.get_mut(col::hinge::idx)[0] = [0, 1, 2, 3];
    let bend = |fixture: &Fixture| {
        let x: Vec<DVec3> = fixture.x().iter().map(|x| vector(*x)).collect();
        (x[2] + x[3] - x[0] - x[1]).length()
    };
    let folded = bend(&fixture);
    fixture.frames(200);
    assert!(folded > 0.7 && bend(&fixture) < 0.02, "{folded} at the start, {} at the end", bend(&fixture));
}

#[test]
fn cloth_under_its_weight_hardly_stretches() {
    // V12 of the validation: 10,000 substeps take long; the worst of 150 frames here.
    let mut fixture = workload(32);
    let (mut p95, mut max) = (0.0, 0.0);
    for _ in 0..150 {
        fixture.frames(1);
        let stretch = RowsMeter::default().read(&fixture.run.state).stretch;
        (p95, max) = (largest([p95, stretch.p95.into()]), largest([max, stretch.max.into()]));
    }
    assert!(p95 <= 0.01 && max <= 0.03, "p95 {p95}, max {max}");
}

#[test]
fn every_number_of_threads_gives_the_same_bits_on_a_cloth_of_many_tasks() {
    let hash = |threads| {
        let mut fixture = workload(70).threads(threads);
        fixture.frames(4);
        fixture.hash()
    };
    let one = hash(1);
    for threads in [2, 3, 8] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
}
