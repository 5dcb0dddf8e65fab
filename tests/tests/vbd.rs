//! Vertex block descent: who touches whom, colours of particles, and the minimum of the implicit step.

use std::collections::BTreeSet;

use sim::{
    constraints::{
        Energy,
        attachment::Attachment,
        distance::Spring,
        hinge::Dihedral,
        membrane::{Area, NeoHookean, StVenantKirchhoff},
        quadratic_bend::QuadraticBend,
        tether::Tether,
    },
    lanes::V3,
};
use tests::{
    grid,
    random::Random,
    rig::{Rig, small, with_solver},
};
use weft::{
    live::Generation,
    state::{Blueprint, Data, State, TableRows},
};

const TABLES: [&str; 5] = ["distance", "triangle", "hinge", "tether", "attachment"];
const PADDING: u32 = u32::MAX;

fn table(name: &'static str, rows: usize, columns: Vec<(&'static str, Data)>) -> TableRows {
    TableRows { name, rows, columns }
}

/// The particles of each row, in the order of the table.
fn particles_of(state: &State, name: &str) -> Vec<Vec<u32>> {
    let idx = state.table(name).unwrap().column("idx").unwrap();
    let number = |bytes: &[u8]| u32::from_ne_bytes(bytes.try_into().unwrap());
    let rows = idx.bytes().chunks(idx.element.size());
    rows.map(|row| row.chunks(4).map(number).collect()).collect()
}

/// The same, but nothing for triangles that are only drawn.
fn rows(state: &State, name: &str) -> Vec<Vec<u32>> {
    let mut rows = particles_of(state, name);
    if name == "triangle" {
        for (ends, _) in rows.iter_mut().zip(state.column::<u32>(name, "model")).filter(|(_, m)| **m == 0) {
            ends.clear();
        }
    }
    rows
}

/// Brute force: colours keep neighbours apart, and `incident` names every corner of every row once.
fn assert_derived(state: &State, what: &str) -> Vec<u32> {
    let vertex = state.column::<u32>("vertex", "particle");
    let ends = &state.table("vertex").unwrap().coloring.ends;
    let count = state.table("particle").unwrap().rows;
    let mut sorted = vertex.to_vec();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..count as u32), "{what}: every particle once");
    let mut colors = vec![usize::MAX; count];
    let mut start = 0;
    for (color, &end) in ends.iter().enumerate() {
        for &particle in &vertex[start..end as usize] {
            colors[particle as usize] = color;
        }
        start = end as usize;
    }
    for name in TABLES {
        for ends in rows(state, name) {
            for (i, &a) in ends.iter().enumerate() {
                for &b in ends[..i].iter().filter(|&&b| b != a) {
                    let (a, b) = (colors[a as usize], colors[b as usize]);
                    assert!(a != b || a == usize::MAX, "{what}: {name} {ends:?} has colour {a} twice");
                }
            }
        }
    }

    let (number, row) = (state.column::<u32>("incident", "table"), state.column::<u32>("incident", "row"));
    let other = state.column::<u32>("incident", "other");
    let (springs, others) =
        (state.column::<[u32; 2]>("vertex", "springs"), state.column::<[u32; 2]>("vertex", "others"));
    let tables = TABLES.map(|name| particles_of(state, name));
    let mut seen = BTreeSet::new();
    let mut used = BTreeSet::new();
    for (place, &particle) in vertex.iter().enumerate() {
        let [first, count] = springs[place];
        for at in (0..count).map(|i| (first + 8 * i) as usize) {
            assert!(used.insert(at), "{what}: entry {at} belongs to one particle");
            if number[at] == PADDING {
                assert!((other[at], row[at]) == (particle, PADDING), "{what}: padding leads nowhere");
                continue;
            }
            let ends = &tables[0][row[at] as usize];
            assert!(*ends == [particle, other[at]] || *ends == [other[at], particle], "{what}: {ends:?}");
            for column in ["rest", "compliance"] {
                let expected = state.column::<f32>("distance", column)[row[at] as usize];
                assert_eq!(state.column::<f32>("incident", column)[at], expected, "{what}: {column}");
            }
            assert!(seen.insert((0, row[at], particle)));
        }
        let [first, count] = others[place];
        for at in first as usize..(first + count) as usize {
            assert!(used.insert(at), "{what}: entry {at} belongs to one particle");
            let ends = &tables[number[at] as usize][row[at] as usize];
            assert_eq!(ends[other[at] as usize], particle, "{what}: the corner is this particle's");
            assert!(number[at] > 0 && seen.insert((number[at], row[at], particle)));
        }
    }
    let corners = |name: &&str| rows(state, name).iter().map(Vec::len).sum::<usize>();
    assert_eq!(seen.len(), TABLES.iter().map(corners).sum::<usize>(), "{what}: no corner is missing");
    ends.clone()
}

#[test]
fn particles_of_one_colour_share_no_row_on_grids() {
    for (columns, rows) in [(37, 29), (2, 2), (9, 8), (3, 17)] {
        let rig = Rig::of(small("flag.ron", columns, rows));
        let ends = assert_derived(&rig.run.state, &format!("{columns} x {rows}"));
        assert!(ends.len() <= 16, "{} colours", ends.len());
        assert_eq!(ends.last(), Some(&(columns * rows)), "no serial tail");
    }
}

/// Rows of all tables between random particles.
fn random_tables(random: &mut Random, particles: u32) -> Blueprint {
    let mut distinct = |count: usize| {
        let mut ends = vec![];
        while ends.len() < count {
            let end = random.below(particles);
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        ends
    };
    let springs: Vec<(u32, u32, f32, f32)> = (0..40)
        .map(|i| {
            let ends = distinct(2);
            (ends[0], ends[1], 0.1 + i as f32, 1e-3 * i as f32)
        })
        .collect();
    let triangles: Vec<[u32; 3]> = (0..20).map(|_| distinct(3).try_into().unwrap()).collect();
    let hinges: Vec<[u32; 4]> = (0..10).map(|_| distinct(4).try_into().unwrap()).collect();
    let tied: Vec<u32> = (0..7).map(|_| distinct(1)[0]).collect();
    let places: Vec<([f32; 3], f32)> = (0..particles).map(|i| ([i as f32, 0.0, 0.0], 1.0)).collect();
    let mut blueprint = grid::particles(&places, &springs);
    let models = (0..20).map(|row| row % 4).collect();
    blueprint.tables.push(table(
        "triangle",
        20,
        vec![("idx", Data::U32x3(triangles)), ("model", Data::U32(models))],
    ));
    blueprint.tables.push(table("hinge", 10, vec![("idx", Data::U32x4(hinges))]));
    blueprint.tables.push(table("attachment", 7, vec![("idx", Data::U32(tied))]));
    blueprint
}

#[test]
fn particles_of_one_colour_share_no_row_of_any_table() {
    let (schema, mut random) = (Generation::built_in().schema.clone(), Random(5));
    for case in 0..20 {
        let blueprint = random_tables(&mut random, 12 + 5 * case);
        let state = State::build(&schema, &blueprint).unwrap();
        assert_derived(&state, &format!("case {case}"));
    }
}

#[test]
fn a_crowd_leaves_a_serial_tail() {
    // 70 particles, each tied to each: 64 colours of one particle, and 6 that find none.
    let places = vec![([0.0, 0.0, 0.0], 1.0); 70];
    let springs: Vec<_> = (0..70).flat_map(|a| (0..a).map(move |b| (a, b, 1.0, 0.0))).collect();
    let blueprint = grid::particles(&places, &springs);
    let state = State::build(&Generation::built_in().schema, &blueprint).unwrap();
    let ends = assert_derived(&state, "crowd");
    assert!(ends.into_iter().eq(1..=64));
}

#[test]
fn new_values_and_new_models_reach_the_derived_tables() {
    let (schema, mut random) = (Generation::built_in().schema.clone(), Random(9));
    let before = random_tables(&mut random, 30);
    let mut after = before.clone();
    for (name, data) in after.tables.iter_mut().flat_map(|table| &mut table.columns) {
        match data {
            Data::F32(values) if ["rest", "compliance"].contains(name) => {
                values.iter_mut().for_each(|value| *value += 0.25);
            }
            Data::U32(models) if *name == "model" => models.iter_mut().for_each(|model| *model = 1),
            _ => {}
        }
    }
    let mut state = State::build(&schema, &before).unwrap();
    state.column_mut::<[f32; 4]>("particle", "position")[3] = [9.0, 8.0, 7.0, 1.0];
    let (motion, entries) =
        (state.column::<[f32; 4]>("particle", "position").to_vec(), state.table("incident").unwrap().rows);
    state.refresh(&after);
    assert_derived(&state, "refreshed");
    assert!(state.table("incident").unwrap().rows > entries, "triangles that were only drawn now count");
    assert_eq!(state.column::<[f32; 4]>("particle", "position"), motion);
}

#[test]
fn a_live_swap_keeps_motion_and_derived_tables() {
    let mut rig = Rig::of(with_solver(small("flag.ron", 23, 19), "vbd"));
    rig.frames(12);
    let bytes = |rig: &Rig| -> Vec<u8> {
        let kept = |column: &&weft::state::Column| column.class != sim_api::Class::Scratch;
        let columns = rig.run.state.tables.iter().flat_map(|table| table.columns.iter().filter(kept));
        columns.flat_map(|column| column.bytes().to_vec()).collect()
    };
    let before = bytes(&rig);
    rig.run.swap(Generation::built_in()).unwrap();
    assert!(bytes(&rig) == before);
    assert_derived(&rig.run.state, "swapped");
    let mut other = Rig::of(with_solver(small("flag.ron", 23, 19), "vbd"));
    other.frames(13);
    rig.frames(1);
    assert_eq!(rig.hash(), other.hash(), "the swap leaves no trace");
}

#[test]
fn accelerated_iterations_have_the_same_bits_on_any_number_of_threads() {
    let hash = |threads| {
        let scene = with_solver(small("drape_on_sphere.ron", 37, 29), "vbd");
        let rig = Rig::of(scene).threads(threads).set("substeps", 4.0).set("iterations", 6.0);
        let mut rig = rig.set("rho", 0.9);
        rig.frames(20);
        (rig.hash(), rig.run.readings["residual"].to_bits())
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
    let f32s = |table: &str, column: &str| state.column::<f32>(table, column).to_vec();
    let f32x4 = |table: &str, column: &str| state.column::<[f32; 4]>(table, column).to_vec();
    let model = |table: &str, row: usize| state.column::<u32>(table, "model")[row];
    for name in TABLES {
        for (row, ends) in rows(state, name).into_iter().enumerate() {
            let at = |corner: usize| x[ends[corner] as usize];
            let number = |column: &str| f64::from(f32s(name, column)[row]);
            let numbers = |column: &str| f32x4(name, column)[row].map(f64::from);
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
                    let anchor = x[state.column::<u32>(name, "anchor")[row] as usize];
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
fn residual(rig: &mut Rig) -> f64 {
    let h = f64::from(rig.scene.step);
    let g = rig.scene.gravity.map(f64::from);
    let free: Vec<bool> = rig.x().iter().map(|x| x[3] > 0.0).collect();
    let start = rig.x().iter().zip(rig.v()).zip(&free);
    let fall = V3::new(g[0], g[1], g[2]) * h;
    let inertial: Vec<Point> = start
        .map(|((x, v), free)| if *free { point(*x) + (point(*v) + fall) * h } else { point(*x) })
        .collect();
    rig.frames(1);
    let mass: Vec<f64> = rig.mass().iter().map(|m| f64::from(*m)).collect();
    let norm = |x: &[Point]| {
        let all = gradient(&rig.run.state, x).into_iter().enumerate();
        let squares = all.filter(|(i, _)| free[*i]).map(|(i, gradient)| {
            let r = (x[i] - inertial[i]) * mass[i] + gradient * (h * h);
            r.dot(r)
        });
        squares.sum::<f64>().sqrt()
    };
    let end: Vec<Point> = rig.x().iter().map(|x| point(*x)).collect();
    norm(&end) / norm(&inertial)
}

/// A cloth of springs off its rest shape, moving.
fn shaken() -> Rig {
    let mut rig = Rig::new(
        r#"(version: 1, air_damping: 0.0, wind: (coefficient: 0.0), solver: (name: "vbd"), cloths: [(id: "a",
            shape: Grid(columns: 11, rows: 9, width: 0.8, height: 0.6), pins: [Corner(TopLeft)],
            material: (compliance: (structural: 0.001, shear: 0.01, bend: 0.1)))])"#,
    )
    .set("substeps", 1.0)
    .set("stiffest", 1e6);
    let mut random = Random(3);
    for (x, _) in rig.x_mut().iter_mut().zip(0..).filter(|(x, _)| x[3] > 0.0) {
        (0..3).for_each(|i| x[i] += 0.01 * random.signed());
    }
    rig
}

#[test]
fn many_iterations_reach_the_minimum_of_the_implicit_step() {
    let few = residual(&mut shaken().set("iterations", 3.0));
    let mut rig = shaken().set("iterations", 1000.0);
    let many = residual(&mut rig);
    assert!(many < 1e-3 && many < 0.1 * few, "{many}, after three iterations {few}");
    let mut rig = shaken().set("iterations", 3.0);
    let exact = residual(&mut rig);
    let shown = f64::from(rig.run.readings["residual"]);
    assert!((shown - exact).abs() < 0.02 * exact, "the reading says {shown}, it is {exact}");
    assert_eq!(rig.run.readings["iterations"], 3.0);
}

#[test]
fn acceleration_converges_faster() {
    let plain = residual(&mut shaken().set("iterations", 40.0));
    let accelerated = residual(&mut shaken().set("iterations", 40.0).set("rho", 0.95));
    assert!(accelerated < 0.5 * plain, "{accelerated} against {plain}");
}

/// Two triangles on an edge, a hinge over it, a tether and a soft pin.
fn patch(membrane: u32, hinge: u32) -> Rig {
    let places: Vec<([f32; 3], f32)> = vec![
        ([0.0, 0.0, 0.0], 0.1),
        ([1.1, 0.05, 0.0], 0.2),
        ([0.4, 0.9, 0.2], 0.15),
        ([0.5, -1.0, 0.3], 0.1),
        ([0.0, 0.5, 0.0], 0.0),
    ];
    let mut blueprint = grid::particles(&places, &[]);
    // The rest shape of each: edges (1, 0) and (0.5, 0.9).
    let inverse = [1.0, 0.0, -0.5 / 0.9, 1.0 / 0.9];
    let rows = |value: f32| Data::F32(vec![value; 2]);
    blueprint.tables.push(table(
        "triangle",
        2,
        vec![
            ("idx", Data::U32x3(vec![[0, 1, 2], [1, 0, 3]])),
            ("object", Data::U32(vec![0; 2])),
            ("model", Data::U32(vec![membrane; 2])),
            ("inverse_rest", Data::F32x4(vec![inverse; 2])),
            ("area", rows(0.45)),
            ("mu", rows(60.0)),
            ("lame", rows(40.0)),
        ],
    ));
    let one = |value: f32| Data::F32(vec![value]);
    blueprint.tables.push(table(
        "hinge",
        1,
        vec![
            ("idx", Data::U32x4(vec![[0, 1, 2, 3]])),
            ("object", Data::U32(vec![0])),
            ("model", Data::U32(vec![hinge])),
            ("weights", Data::F32x4(vec![[-0.9, -1.1, 1.0, 1.0]])),
            ("rest_angle", one(0.1)),
            ("stiffness", one(5.0)),
        ],
    ));
    blueprint.tables.push(table(
        "tether",
        1,
        vec![
            ("idx", Data::U32(vec![3])),
            ("anchor", Data::U32(vec![4])),
            ("rest", one(1.4)),
            ("compliance", one(0.01)),
            ("object", Data::U32(vec![0])),
        ],
    ));
    blueprint.tables.push(table(
        "attachment",
        1,
        vec![
            ("idx", Data::U32(vec![2])),
            ("target", Data::F32x4(vec![[0.4, 1.0, 0.0, 0.0]])),
            ("compliance", one(0.02)),
            ("object", Data::U32(vec![0])),
        ],
    ));
    let scene = shaken().scene;
    Rig::made(scene, blueprint).set("substeps", 1.0).set("stiffest", 1e6)
}

#[test]
fn every_table_and_model_reaches_the_minimum() {
    for membrane in 1..=3 {
        for hinge in 0..=1 {
            let mut rig = patch(membrane, hinge).set("iterations", 300.0);
            let left = residual(&mut rig);
            assert!(left < 1e-3, "membrane {membrane}, hinge {hinge}: {left}");
            assert!(rig.run.readings["residual"] < 2e-3, "{}", rig.run.readings["residual"]);
            let once = residual(&mut patch(membrane, hinge).set("iterations", 1.0));
            assert!(once > 10.0 * left, "one iteration is not enough: {once}");
        }
    }
}

#[test]
fn a_soft_pin_carries_the_weight() {
    let mut rig = patch(1, 0);
    for table in &mut rig.run.blueprint.tables {
        // Only the soft pin stays.
        if table.name != "particle" && table.name != "attachment" {
            *table = self::table(table.name, 0, vec![]);
        }
    }
    let (scene, blueprint) = (rig.scene, rig.run.blueprint);
    let mut rig = Rig::made(scene, blueprint).set("substeps", 4.0);
    rig.scene.air_damping = 3.0;
    rig.frames(900);
    // The air slows the fall; at rest it carries nothing.
    let expected = 1.0 - 0.02 * 0.15 * 9.81;
    assert!((rig.x()[2][1] - expected).abs() < 1e-4, "{} for {expected}", rig.x()[2][1]);
}

#[test]
fn momentum_is_kept_as_far_as_it_converges() {
    let drift = |iterations: f32| {
        let mut rig = shaken().set("iterations", iterations).set("substeps", 4.0);
        rig.scene.gravity = [0.0; 3];
        rig.x_mut()[0][3] = rig.x()[1][3];
        let mut random = Random(11);
        rig.v_mut().iter_mut().for_each(|v| (0..3).for_each(|i| v[i] = 0.3 * random.signed()));
        let (before, scale) = (rig.momentum(), rig.momentum_scale());
        rig.frames(10);
        (rig.momentum() - before).length() / scale
    };
    let (few, many) = (drift(2.0), drift(1000.0));
    assert!(many < 5e-4 && few > 5.0 * many, "{few} with two iterations, {many} with a thousand");
}

/// V12: W(32), 20 x 1, 10,000 substeps; |stretch| of the structural rows over the last 1,000 substeps.
#[test]
fn inextensible_cloth_stays_so() {
    let scene = weft::bench::workload(32).unwrap();
    let blueprint = weft::bench::assembly(&scene).blueprint;
    let mut rig =
        Rig::made(with_solver(scene, "vbd"), blueprint).set("substeps", 20.0).set("iterations", 1.0);
    rig.frames(450);
    let mut stretches = vec![];
    for _ in 0..50 {
        rig.frames(1);
        let (idx, rest) = (
            rig.run.state.column::<[u32; 2]>("distance", "idx"),
            rig.run.state.column::<f32>("distance", "rest"),
        );
        let kind = rig.run.state.column::<u32>("distance", "kind");
        for (row, &[a, b]) in idx.iter().enumerate().filter(|(row, _)| kind[*row] == 0) {
            let [a, b] = [a, b].map(|end| tests::rig::vector(rig.x()[end as usize]));
            stretches.push(((b - a).length() / f64::from(rest[row]) - 1.0).abs());
        }
    }
    stretches.sort_by(f64::total_cmp);
    let p95 = stretches[stretches.len() * 95 / 100];
    assert!(p95 <= 0.05, "{p95}");
}
