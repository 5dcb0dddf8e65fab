//! Vertex block descent: the minimum of the implicit step, against gradients in double precision.

use glam::DVec2;
use sim::{
    constraints::{
        Energy, area::Area, attachment::Attachment, distance::Spring, hinge::Dihedral,
        neo_hookean::NeoHookean, quadratic_bend::QuadraticBend, st_venant_kirchhoff::StVenantKirchhoff,
        tether::Tether,
    },
    lanes::V3,
};
use sim_api::Key;
use tests::{
    fixture::{Fixture, small, with_solver},
    grid,
    random::Random,
    rows::{self, TABLES, acting},
};
use weft_core::state::State;
use weft_core::state::col;

#[test]
fn accelerated_iterations_have_the_same_bits_on_any_number_of_threads() {
    let hash = |threads| {
        let scene = with_solver(small("drape_on_sphere.ron", 37, 29), "vbd");
        let fixture = Fixture::of(scene).threads(threads).set("substeps", 4.0).set("iterations", 6.0);
        let mut fixture = fixture.set("rho", 0.9);
        fixture.frames(20);
        (fixture.hash(), fixture.run.readings["residual"].to_bits())
    };
    let one = hash(1);
    for threads in [2, 3, 8] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
}

type Point = V3<f64>;

fn point(x: [f32; 4]) -> Point {
    V3::new(x[0].into(), x[1].into(), x[2].into())
}

/// dE/dx of all rows in double precision [N].
fn gradient(state: &State, x: &[Point]) -> Vec<Point> {
    let mut sum = vec![V3::zero(); x.len()];
    let f32s = |table: &'static str, column: &'static str| state.get(Key::<f32>::new(table, column)).to_vec();
    let f32x4 =
        |table: &'static str, column: &'static str| state.get(Key::<[f32; 4]>::new(table, column)).to_vec();
    let model = |table: &'static str, row: usize| state.get(Key::<u32>::new(table, "model"))[row];
    for name in TABLES {
        for (row, ends) in acting(state, name).into_iter().enumerate() {
            let at = |corner: usize| x[ends[corner] as usize];
            let number = |column: &'static str| f64::from(f32s(name, column)[row]);
            let numbers = |column: &'static str| f32x4(name, column)[row].map(f64::from);
            let k = || 1.0 / number("compliance");
            let gradients: Vec<Point> = match (name, ends.len()) {
                (_, 0) => vec![],
                ("distance", _) => Spring { rest: number("rest"), k: k() }.gradient(&[at(0), at(1)]).into(),
                ("triangle", _) => {
                    let x = [at(0), at(1), at(2)];
                    let (inverse_rest, area) = (numbers("inverse_rest"), number("area"));
                    let (mu, lame) = (number("mu"), number("lame"));
                    match model(name, row) {
                        1 => StVenantKirchhoff { inverse_rest, area, mu, lame }.gradient(&x).into(),
                        2 => NeoHookean { inverse_rest, area, mu, lame }.gradient(&x).into(),
                        _ => Area { area, k: mu }.gradient(&x).into(),
                    }
                }
                ("hinge", _) => {
                    let (x, k) = ([at(0), at(1), at(2), at(3)], number("stiffness"));
                    match model(name, row) {
                        0 => QuadraticBend { weights: numbers("weights"), k }.gradient(&x).into(),
                        _ => Dihedral { rest_angle: number("rest_angle"), k }.gradient(&x).into(),
                    }
                }
                ("tether", _) => {
                    let anchor = x[state.get(Key::<u32>::new(name, "anchor"))[row] as usize];
                    Tether { anchor, rest: number("rest"), k: k() }.gradient(&[at(0)]).into()
                }
                _ => {
                    let [px, py, pz, _] = numbers("target");
                    Attachment { target: V3::new(px, py, pz), k: k() }.gradient(&[at(0)]).into()
                }
            };
            for (end, gradient) in ends.iter().zip(gradients) {
                sum[*end as usize] = sum[*end as usize] + gradient;
            }
        }
    }
    sum
}

/// |M (x - x~) + h² dE/dx| after one frame of one substep, as a share of the same at x~, in double precision.
fn residual(fixture: &mut Fixture) -> f64 {
    let h = f64::from(fixture.scene.step);
    let g = fixture.scene.gravity.map(f64::from);
    let free: Vec<bool> = fixture.x().iter().map(|x| x[3] > 0.0).collect();
    let start = fixture.x().iter().zip(fixture.v()).zip(&free);
    let fall = V3::new(g[0], g[1], g[2]) * h;
    let inertial: Vec<Point> = start
        .map(|((x, v), free)| if *free { point(*x) + (point(*v) + fall) * h } else { point(*x) })
        .collect();
    fixture.frames(1);
    let mass: Vec<f64> = fixture.mass().iter().map(|m| f64::from(*m)).collect();
    let norm = |x: &[Point]| {
        let all = gradient(&fixture.run.state, x).into_iter().enumerate();
        let squares = all.filter(|(i, _)| free[*i]).map(|(i, gradient)| {
            let r = (x[i] - inertial[i]) * mass[i] + gradient * (h * h);
            r.dot(r)
        });
        squares.sum::<f64>().sqrt()
    };
    let end: Vec<Point> = fixture.x().iter().map(|x| point(*x)).collect();
    norm(&end) / norm(&inertial)
}

/// A cloth of springs off its rest shape, moving.
fn shaken() -> Fixture {
    let mut fixture = Fixture::new(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "vbd"), cloths: [(id: "a",
            shape: Grid(columns: 11, rows: 9, width: 0.8, height: 0.6), pins: [Corner(TopLeft)],
            material: (compliance: (structural: 0.001, shear: 0.01, bend: 0.1)))])"#,
    )
    .set("substeps", 1.0)
    .set("stiffest", 1e6);
    let mut random = Random(3);
    for (x, _) in fixture.x_mut().iter_mut().zip(0..).filter(|(x, _)| x[3] > 0.0) {
        (0..3).for_each(|i| x[i] += 0.01 * random.signed());
    }
    fixture
}

#[test]
fn many_iterations_reach_the_minimum_of_the_implicit_step() {
    let few = residual(&mut shaken().set("iterations", 3.0));
    let mut fixture = shaken().set("iterations", 1000.0);
    let many = residual(&mut fixture);
    assert!(many < 1e-3 && many < 0.1 * few, "{many}, after three iterations {few}");
    let mut fixture = shaken().set("iterations", 3.0);
    let exact = residual(&mut fixture);
    let shown = f64::from(fixture.run.readings["residual"]);
    assert!((shown - exact).abs() < 0.02 * exact, "the reading says {shown}, it is {exact}");
    assert_eq!(fixture.run.readings["iterations"], 3.0);
}

#[test]
fn acceleration_converges_faster() {
    let plain = residual(&mut shaken().set("iterations", 40.0));
    let accelerated = residual(&mut shaken().set("iterations", 40.0).set("rho", 0.95));
    assert!(accelerated < 0.5 * plain, "{accelerated} against {plain}");
}

/// Two triangles on an edge, a hinge over it, a tether and a soft pin.
fn patch(membrane: u32, hinge: u32) -> Fixture {
    let places: Vec<([f32; 3], f32)> = vec![
        ([0.0, 0.0, 0.0], 0.1),
        ([1.1, 0.05, 0.0], 0.2),
        ([0.4, 0.9, 0.2], 0.15),
        ([0.5, -1.0, 0.3], 0.1),
        ([0.0, 0.5, 0.0], 0.0),
    ];
    let mut blueprint = grid::particles(&places, &[]);
    let at = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.9], [0.5, -0.9]].map(DVec2::from);
    let triangle = |corners| rows::Triangle { corners, model: membrane, mu: 60.0, lame: 40.0 };
    let hinge = rows::Hinge { corners: [0, 1, 2, 3], model: hinge, rest_angle: 0.1, stiffness: 5.0 };
    blueprint.tables.extend([
        rows::triangles(&at, &[triangle([0, 1, 2]), triangle([1, 0, 3])]),
        rows::hinges(&at, &[hinge]),
        rows::tethers(&[(3, 4, 1.4, 0.01)]),
        rows::attachments(&[(2, [0.4, 1.0, 0.0], 0.02)]),
    ]);
    let scene = shaken().scene;
    Fixture::from_tables(scene, blueprint).set("substeps", 1.0).set("stiffest", 1e6)
}

#[test]
fn every_table_and_model_reaches_the_minimum() {
    for membrane in 1..=3 {
        for hinge in 0..=1 {
            let mut fixture = patch(membrane, hinge).set("iterations", 300.0);
            let left = residual(&mut fixture);
            assert!(left < 1e-3, "membrane {membrane}, hinge {hinge}: {left}");
            assert!(fixture.run.readings["residual"] < 2e-3, "{}", fixture.run.readings["residual"]);
            let once = residual(&mut patch(membrane, hinge).set("iterations", 1.0));
            assert!(once > 10.0 * left, "one iteration is not enough: {once}");
        }
    }
}

#[test]
fn a_soft_pin_carries_the_weight() {
    let mut fixture = patch(1, 0);
    for table in &mut fixture.run.blueprint.tables {
        // Only the soft pin stays.
        if table.name != "particle" && table.name != "attachment" {
            *table = rows::table(table.name, 0, vec![]);
        }
    }
    let (scene, blueprint) = (fixture.scene, fixture.run.blueprint);
    let mut fixture = Fixture::from_tables(scene, blueprint).set("substeps", 4.0);
    fixture.scene.air_damping = 3.0;
    fixture.frames(900);
    // The air slows the fall; at rest it carries nothing.
    let expected = 1.0 - 0.02 * 0.15 * 9.81;
    assert!((fixture.x()[2][1] - expected).abs() < 1e-4, "{} for {expected}", fixture.x()[2][1]);
}

/// V12: W(32), 20 x 1, 10,000 substeps; |stretch| of the structural rows over the last 1,000 substeps.
#[test]
fn inextensible_cloth_stays_so() {
    let scene = weft_scene::workload::workload(32).unwrap();
    let blueprint = weft_scene::workload::assembly(&scene).blueprint;
    let mut fixture = Fixture::from_tables(with_solver(scene, "vbd"), blueprint)
        .set("substeps", 20.0)
        .set("iterations", 1.0);
    fixture.frames(450);
    let mut stretches = vec![];
    for _ in 0..50 {
        fixture.frames(1);
        let (idx, rest) =
            (fixture.run.state.get(col::distance::idx), fixture.run.state.get(col::distance::rest));
        let kind = fixture.run.state.get(col::distance::kind);
        for (row, &[a, b]) in idx.iter().enumerate().filter(|(row, _)| kind[*row] == 0) {
            let [a, b] = [a, b].map(|end| tests::fixture::vector(fixture.x()[end as usize]));
            stretches.push(((b - a).length() / f64::from(rest[row]) - 1.0).abs());
        }
    }
    stretches.sort_by(f64::total_cmp);
    let p95 = stretches[stretches.len() * 95 / 100];
    assert!(p95 <= 0.05, "{p95}");
}
