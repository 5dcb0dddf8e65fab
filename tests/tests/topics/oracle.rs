//! The reference solution in double precision: closed forms, convergence, and solvers that approach it.

use glam::DVec3;
use tests::{
    fixture::{Fixture, small, with_solver},
    grid,
    random::Random,
};
use weft_core::state::col;
use weft_core::state::{Data, State, TableRows};
use weft_core::statistics::largest;
use weft_engine::elastic::{Hessian, Limit, System};
use weft_proof::oracle::{self, Place, Solution, Step, Stop};
use weft_scene::assemble;

const TOLERANCE: f64 = 1e-10;
/// No row is limited.
const EVERYTHING: Limit = Limit::Stiffest(1e12);

fn step_of(fixture: &Fixture) -> Step {
    let world = assemble::world(&fixture.scene);
    Step::new(&fixture.run.state, &world, fixture.scene.step, fixture.run.time as f32, EVERYTHING)
        .expect("a step")
}

fn solve(step: &Step) -> Solution {
    let solution = step.solve(TOLERANCE, 200).expect("a solution");
    assert_eq!(solution.stop, Stop::Converged, "{:?}", solution.history);
    assert!(solution.residual <= TOLERANCE);
    solution
}

/// No gravity, no air; xpbd with one substep a frame.
fn rig_of(particles: &[([f32; 3], f32)], springs: &[(u32, u32, f32, f32)], extra: &str) -> Fixture {
    let text = format!(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), {extra}
            cloths: [(id: "a", shape: Grid(columns: 2, rows: 2, width: 1.0, height: 1.0))])"#
    );
    let scene = weft_scene::parse_text("test", &text, None, &weft_scene::Vocabulary::default())
        .expect("a good scene")
        .scene;
    Fixture::from_tables(scene, grid::particles(particles, springs)).set("substeps", 1.0)
}

/// V2: particle 0 pinned, rest 1 m, start 1.5 m, compliance 1e-3 m/N, 1 kg. One step has the closed form
/// x - rest = (x0 - rest) / (1 + omega² h²) along the spring.
#[test]
fn an_oscillator_takes_the_step_of_the_closed_form() {
    let fixture =
        rig_of(&[([0.0; 3], 0.0), ([1.5, 0.0, 0.0], 1.0)], &[(0, 1, 1.0, 1e-3)], "gravity: (0.0, 0.0, 0.0),");
    let step = step_of(&fixture);
    let (h, k) = (f64::from(fixture.scene.step), 1.0 / f64::from(1e-3_f32));
    let expected = 1.0 + 0.5 / (1.0 + k * h * h);
    let solution = solve(&step);
    assert!((solution.place.x[1].x - expected).abs() < 1e-12, "{} against {expected}", solution.place.x[1].x);
    assert_eq!(solution.place.x[0], DVec3::ZERO);
    // XPBD on one row is the same equation; what is left is single precision.
    let mut fixture = fixture.set("iterations", 1.0);
    fixture.frames(1);
    assert!((f64::from(fixture.x()[1][0]) - expected).abs() < 2e-7);
    assert!(step.residual(&Place::of(&fixture.run.state)) < 1e-6);
}

/// Two particles of 1 kg and 3 kg, nothing pinned: the mass term alone keeps it well posed.
#[test]
fn a_free_pair_keeps_its_centre_and_falls() {
    let fixture = rig_of(&[([0.0; 3], 1.0), ([0.0, 0.0, 2.0], 3.0)], &[(0, 1, 1.0, 0.01)], "");
    let step = step_of(&fixture);
    let solution = solve(&step);
    let (h, k) = (f64::from(fixture.scene.step), 1.0 / f64::from(0.01_f32));
    let centre = (solution.place.x[0] + solution.place.x[1] * 3.0) / 4.0;
    let expected = DVec3::new(0.0, -f64::from(9.81_f32) * h * h, 1.5);
    // w = 1/3 is rounded to single precision in the state.
    assert!((centre - expected).length() < 1e-7, "{centre}");
    let stretch = (solution.place.x[1] - solution.place.x[0]).length() - 1.0;
    let reduced = 1.0 + 1.0 / 3.0;
    assert!((stretch - 1.0 / (1.0 + k * reduced * h * h)).abs() < 1e-7, "{stretch}");
}

/// A small cloth that swings, wind and all; nothing is rigid.
fn swinging(solver: &str, frames: usize) -> Fixture {
    let mut scene = with_solver(small("hanging.ron", 11, 9), solver);
    scene.colliders.clear();
    let soft = &mut scene.cloths[0].material.compliance;
    (soft.structural, soft.shear, soft.bend) = (1e-2, 2e-2, 0.1);
    let mut fixture = Fixture::of(scene);
    fixture.run.params.insert("substeps".into(), 16.0);
    fixture.frames(frames);
    fixture.set("substeps", 1.0)
}

#[test]
fn newton_squares_its_error_and_finds_a_minimum() {
    for frames in [0, 7, 30] {
        let step = step_of(&swinging("xpbd", frames));
        let solution = solve(&step);
        println!("{frames} frames: {:?}", solution.history);
        assert!((step.residual(&step.target) - 1.0).abs() < 1e-12, "1 where it begins");
        assert!(solution.history.len() < 40, "{:?}", solution.history);
        let residuals = solution.history.iter().map(|iteration| iteration.residual);
        let residuals: Vec<f64> = residuals.chain([solution.residual]).collect();
        let near = residuals.windows(2).filter(|pair| (1e-7..1e-2).contains(&pair[0]));
        let near: Vec<&[f64]> = near.collect();
        assert!(
            !near.is_empty() && near.iter().all(|pair| pair[1] < pair[0].powf(1.4).max(TOLERANCE)),
            "{residuals:?}"
        );
        // Every way from the minimum leads up.
        let mut random = Random(11);
        let least = objective(&step, &solution.place.x);
        for _ in 0..20 {
            let mut x = solution.place.x.clone();
            for &i in &step.system.free_particles {
                let d = [random.signed(), random.signed(), random.signed()].map(f64::from);
                x[i as usize] += DVec3::from_array(d) * 1e-5;
            }
            assert!(objective(&step, &x) > least);
        }
    }
}

fn objective(step: &Step, x: &[DVec3]) -> f64 {
    let inertia =
        step.system.free_particles.iter().map(|&i| i as usize).map(|i| {
            step.system.mass[i] * (x[i] - step.target.x[i]).length_squared() / (2.0 * step.h * step.h)
        });
    inertia.sum::<f64>() + step.system.energy(x)
}

/// XPBD adds up projections along directions that turn with the iterations, and leaves the second-order term out
/// (Macklin 2016, section 4): it comes close to implicit Euler, the closer the less a row turns within a step.
#[test]
fn xpbd_with_many_iterations_comes_close() {
    // Distance to the oracle by the way from x~ to the oracle, and the residual.
    let reached = |divisor: f32, iterations: f32| {
        let mut fixture = swinging("xpbd", 12).set("iterations", iterations);
        fixture.scene.step /= divisor;
        let step = step_of(&fixture);
        let solution = solve(&step);
        fixture.frames(1);
        let place = Place::of(&fixture.run.state);
        let (x, solved) = (&place.x, &solution.place.x);
        let share = step.distance(x, solved).1 / step.distance(&step.target.x, solved).1;
        let residual = step.residual(&place);
        println!(
            "1/{divisor} of a frame, {iterations} iterations: residual {residual:.2e}, distance {share:.2e}"
        );
        (share, residual)
    };
    for divisor in [1.0, 8.0] {
        let shares = [1.0, 4.0, 300.0].map(|iterations| reached(divisor, iterations).0);
        assert!(shares[1] < 0.7 * shares[0] && shares[2] < 0.2 * shares[0], "{shares:?}");
    }
    let (long, short) = (reached(1.0, 300.0), reached(8.0, 300.0));
    assert!(long.0 < 0.2 && long.1 < 0.2, "{long:?}");
    assert!(short.0 < 1e-2 && short.1 < 1e-2, "{short:?}");
}

/// The prediction is that of the hot code: with rows too soft to matter, a step of xpbd is the oracle's.
#[test]
fn wind_and_damping_are_those_of_the_hot_code() {
    let mut scene = small("flag.ron", 13, 9);
    scene.colliders.clear();
    let mut fixture = Fixture::of(scene);
    fixture.frames(20);
    fixture.run.state.get_mut(col::distance::compliance).fill(1e9);
    fixture.run.params.insert("substeps".into(), 1.0);
    let step = step_of(&fixture);
    let start = oracle::positions(&fixture.run.state);
    fixture.frames(1);
    let x = oracle::positions(&fixture.run.state);
    let (error, _) = step.distance(&x, &step.target.x);
    let (way, _) = step.distance(&start, &step.target.x);
    assert!(error < 1e-5 * way, "{error} m of {way} m");
}

#[test]
fn gradients_and_matrices_are_derivatives() {
    let fixture = swinging("xpbd", 9);
    let system = System::of(&fixture.run.state, EVERYTHING).expect("a system");
    let mut random = Random(5);
    let mut way = vec![DVec3::ZERO; system.x.len()];
    for &i in &system.free_particles {
        way[i as usize] =
            DVec3::from_array([random.signed(), random.signed(), random.signed()].map(f64::from));
    }
    let at = |t: f64| -> Vec<DVec3> { system.x.iter().zip(&way).map(|(x, d)| *x + *d * t).collect() };
    let dot = |a: &[DVec3], b: &[DVec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum() };
    let e = 1e-6;
    let slope = (system.energy(&at(e)) - system.energy(&at(-e))) / (2.0 * e);
    let gradient = dot(&system.gradient(&system.x), &way);
    assert!((slope - gradient).abs() < 1e-5 * gradient.abs(), "{slope} against {gradient}");

    let free: Vec<DVec3> = system.free_particles.iter().map(|&i| way[i as usize]).collect();
    let times = |kind| {
        let (mut matrix, mut out) = (system.matrix(), vec![DVec3::ZERO; free.len()]);
        system.add_stiffness(&system.x, kind, &mut matrix);
        matrix.times(&free, &mut out);
        out
    };
    let (ahead, behind) = (system.gradient(&at(e)), system.gradient(&at(-e)));
    let exact = times(Hessian::Exact);
    let (mut error, mut size) = (0.0_f64, 0.0_f64);
    for (row, &i) in exact.iter().zip(&system.free_particles) {
        let expected = (ahead[i as usize] - behind[i as usize]) / (2.0 * e);
        error = largest([error, (*row - expected).length()]);
        size = largest([size, expected.length()]);
    }
    assert!(error < 1e-6 * size, "{error} of {size}");
    // Cutting off the negative part can only stiffen.
    assert!(dot(&times(Hessian::Projected), &free) > dot(&exact, &free));
}

#[test]
fn what_cannot_be_solved_is_said() {
    let world = assemble::world(&rig_of(&[([0.0; 3], 1.0), ([1.0; 3], 1.0)], &[], "").scene);
    let refused =
        |state: &State, h: f32| Step::new(state, &world, h, 0.0, EVERYTHING).err().expect("refused");
    let of = |particles: &[([f32; 3], f32)], springs: &[(u32, u32, f32, f32)]| {
        rig_of(particles, springs, "").run.state
    };
    let none = of(&[([0.0; 3], 1.0), ([1.0; 3], 1.0)], &[]);
    assert!(refused(&none, 0.01).contains("nothing is elastic"));
    let pinned = of(&[([0.0; 3], 0.0), ([1.0; 3], 0.0)], &[(0, 1, 1.0, 1e-3)]);
    assert!(refused(&pinned, 0.01).contains("all 2 particles are pinned"));
    let beside = of(&[([0.0; 3], 0.0), ([1.0; 3], 0.0), ([2.0; 3], 1.0)], &[(0, 1, 1.0, 1e-3)]);
    assert!(refused(&beside, 0.01).contains("between pinned"));
    assert!(refused(&State::default(), 0.01).contains("no particles"));
    let good = of(&[([0.0; 3], 0.0), ([1.0; 3], 1.0)], &[(0, 1, 1.0, 1e-3)]);
    assert!(refused(&good, 0.0).contains("step of 0"));
    assert!(refused(&good, f32::NAN).contains("step of NaN"));
}

/// At rest without forces there is nothing to solve, and nothing is divided by zero.
#[test]
fn a_state_at_rest_stays() {
    let fixture =
        rig_of(&[([0.0; 3], 0.0), ([1.0, 0.0, 0.0], 1.0)], &[(0, 1, 1.0, 1e-3)], "gravity: (0.0, 0.0, 0.0),");
    let step = step_of(&fixture);
    let solution = step.solve(TOLERANCE, 50).expect("a solution");
    assert!(step.distance(&solution.place.x, &step.system.x).0 < 1e-12);
}

/// A row of every table, none at rest: what the system says of them is one energy and its derivatives.
#[test]
fn every_table_stores_energy() {
    let particles: Vec<_> = [[0.0, 0.0, 0.0], [1.1, 0.1, 0.0], [0.3, 0.9, 0.2], [0.6, -0.8, 0.3]]
        .into_iter()
        .zip([1.0, 2.0, 0.5, 0.0])
        .collect();
    let flat = [1.0, 0.0, -0.4, 1.1_f32];
    let table = |name, rows, columns| TableRows { name, rows, columns };
    let tables: [(&str, TableRows); 7] = [
        (
            "spring",
            table(
                "distance",
                1,
                vec![
                    ("idx", Data::U32x2(vec![[0, 1]])),
                    ("rest", Data::F32(vec![0.8])),
                    ("compliance", Data::F32(vec![0.02])),
                ],
            ),
        ),
        (
            "tether",
            table(
                "tether",
                1,
                vec![
                    ("idx", Data::U32(vec![0])),
                    ("anchor", Data::U32(vec![3])),
                    ("rest", Data::F32(vec![0.5])),
                    ("compliance", Data::F32(vec![0.02])),
                ],
            ),
        ),
        (
            "soft pin",
            table(
                "attachment",
                1,
                vec![
                    ("idx", Data::U32(vec![2])),
                    ("target", Data::F32x4(vec![[0.1, 0.2, 0.3, 0.0]])),
                    ("compliance", Data::F32(vec![0.02])),
                ],
            ),
        ),
        ("stvk", triangle(1, flat)),
        ("neo-hookean", triangle(2, flat)),
        ("area", triangle(3, flat)),
        (
            "hinge",
            table(
                "hinge",
                2,
                vec![
                    ("idx", Data::U32x4(vec![[0, 1, 2, 3]; 2])),
                    ("model", Data::U32(vec![0, 1])),
                    ("weights", Data::F32x4(vec![[-0.8, -1.0, 0.9, 0.9]; 2])),
                    ("rest_angle", Data::F32(vec![0.0, 0.1])),
                    ("stiffness", Data::F32(vec![30.0; 2])),
                ],
            ),
        ),
    ];
    for (name, rows) in tables {
        let mut blueprint = grid::particles(&particles, &[]);
        blueprint.tables.retain(|table| table.name == "particle");
        let count = rows.rows;
        blueprint.tables.push(rows);
        let fixture = rig_of(&[([0.0; 3], 1.0)], &[], "");
        let fixture = Fixture::from_tables(fixture.scene, blueprint);
        let system = System::of(&fixture.run.state, EVERYTHING).expect("a system");
        assert_eq!(system.rows(), count, "{name}");
        let x = system.x.clone();
        assert!(system.energy(&x) > 1e-3, "{name}: {}", system.energy(&x));
        let (gradient, e) = (system.gradient(&x), 1e-6);
        let (mut exact, mut projected) = (system.matrix(), system.matrix());
        system.add_stiffness(&x, Hessian::Exact, &mut exact);
        system.add_stiffness(&x, Hessian::Projected, &mut projected);
        let size = largest(gradient.iter().map(|g| g.length()));
        for &i in &system.free_particles {
            for axis in DVec3::AXES {
                let moved = |t: f64| {
                    let mut x = x.clone();
                    x[i as usize] += axis * t;
                    x
                };
                let slope = (system.energy(&moved(e)) - system.energy(&moved(-e))) / (2.0 * e);
                assert!(
                    (slope - gradient[i as usize].dot(axis)).abs() < 1e-5 * size,
                    "{name}, particle {i}: {slope}"
                );
                let mut d = vec![DVec3::ZERO; 3];
                d[i as usize] = axis;
                let (mut column, mut positive) = (d.clone(), d.clone());
                exact.times(&d, &mut column);
                projected.times(&d, &mut positive);
                let (ahead, behind) = (system.gradient(&moved(e)), system.gradient(&moved(-e)));
                for (row, &j) in column.iter().zip(&system.free_particles) {
                    let expected = (ahead[j as usize] - behind[j as usize]) / (2.0 * e);
                    assert!(
                        (*row - expected).length() < 1e-4 * size.max(1.0),
                        "{name}: {row} against {expected}"
                    );
                }
                assert!(positive[i as usize].dot(axis) >= -1e-9 * size, "{name}: not positive");
            }
        }
        // And a step with it has a solution.
        let solution = step_of(&fixture).solve(TOLERANCE, 200).expect("a solution");
        assert!(solution.residual < 1e-9, "{name}: {:?}", solution.history);
    }
}

fn triangle(model: u32, inverse_rest: [f32; 4]) -> TableRows {
    let columns = vec![
        ("idx", Data::U32x3(vec![[0, 1, 2]])),
        ("model", Data::U32(vec![model])),
        ("inverse_rest", Data::F32x4(vec![inverse_rest])),
        ("area", Data::F32(vec![0.4])),
        ("mu", Data::F32(vec![40.0])),
        ("lame", Data::F32(vec![25.0])),
    ];
    TableRows { name: "triangle", rows: 1, columns }
}
