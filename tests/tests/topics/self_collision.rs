//! Cloth against cloth: the broad phase misses no pair, nothing passes through, sheets that cross are taken apart, and the
//! same bits on any number of threads.

use std::collections::BTreeSet;
use weft_core::state::col;
use weft_core::statistics::largest;

use glam::{DVec3, Vec3};
use sim::self_collision::{Form, advance};
use tests::{
    crossings,
    fixture::{Fixture, solvers, vector, with_solver},
    long, places,
    random::Random,
};

/// A held sheet and a turned one `apart` [m] above it, which falls on it.
fn two_sheets(solver: &str, n: u32, apart: f32) -> String {
    let own = "self_collision: (thickness: 0.01)";
    format!(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "{solver}"),
            cloths: [
                (id: "lower", at: (0.0, 0.5, 0.0), rotation: (-90.0, 0.0, 0.0), {own},
                    pins: [Corner(TopLeft), Corner(TopRight), Corner(BottomLeft), Corner(BottomRight)],
                    shape: Grid(columns: {n}, rows: {n}, width: 0.8, height: 0.8)),
                (id: "upper", at: (0.05, {}, 0.03), rotation: (-90.0, 30.0, 0.0), {own},
                    shape: Grid(columns: {n}, rows: {n}, width: 0.6, height: 0.6)),
            ])"#,
        0.5 + apart
    )
}

/// A crumpled heap: sheets in random places, every particle a little off.
fn heap(random: &mut Random, sheets: usize) -> Fixture {
    let cloth = |i: usize| {
        format!(
            r#"(id: "c{i}", shape: Grid(columns: {}, rows: {}, width: 0.5, height: 0.4),
                self_collision: (thickness: 0.01{}, pairs: 1000))"#,
            5 + 3 * i,
            4 + 2 * i,
            3 + i
        )
    };
    let cloths: Vec<String> = (0..sheets).map(cloth).collect();
    let mut fixture = Fixture::new(&format!(
        r#"(version: 1, gravity: (0.0, 0.0, 0.0), step: 0.002, wind: (coefficient: 0.0),
            solver: (name: "xpbd", params: {{"substeps": 1}}), cloths: [{}])"#,
        cloths.join(", ")
    ));
    for x in fixture.x_mut() {
        (0..3).for_each(|axis| x[axis] = 0.7 * x[axis] + 0.12 * random.signed());
    }
    for v in fixture.v_mut() {
        (0..3).for_each(|axis| v[axis] = 8.0 + random.signed());
    }
    fixture
}

fn gather<const N: usize>(column: &[[f32; 4]], idx: [u32; N]) -> [Vec3; N] {
    idx.map(|particle| Vec3::from_slice(&column[particle as usize]))
}

/// Sorted corners with the form, so that both orders of a pair are one.
fn key(form: u32, idx: [u32; 4]) -> (u32, [u32; 4]) {
    let [a, b, c, d] = idx;
    if form == 0 {
        let mut rest = [b, c, d];
        rest.sort_unstable();
        return (0, [a, rest[0], rest[1], rest[2]]);
    }
    let (e, f) = ([a.min(b), a.max(b)], [c.min(d), c.max(d)]);
    let (e, f) = (e.min(f), e.max(f));
    (1, [e[0], e[1], f[0], f[1]])
}

#[test]
fn the_broad_phase_finds_what_brute_force_finds() {
    let mut random = Random(7);
    for trial in 0..12 {
        let mut fixture = heap(&mut random, 1 + trial % 3);
        fixture.frames(1);
        let state = &fixture.run.state;
        let (seen, thickness) =
            (state.get(col::layer::position_at_broad_phase), state.get(col::layer::thickness));
        let (corners, form) = (state.get(col::pair::corners), state.get(col::pair::form));
        let (first, listed) = (state.get(col::batch::first), state.get(col::batch::listed));
        let mut rows = Vec::new();
        for (&first, &listed) in first.iter().zip(listed) {
            let range = first as usize..(first + listed) as usize;
            rows.extend(range.map(|row| key(form[row], corners[row])));
        }
        let found: BTreeSet<_> = rows.iter().copied().collect();
        assert_eq!(found.len(), rows.len(), "no pair twice");
        // The heap crosses itself more often than there is room for; of the pairs none is left out.
        assert_eq!(state.get(col::batch::found), listed);
        let triangles = crossings::of_scene(&fixture.scene);
        let edges = crossings::edges(&triangles);
        let (mut expected, mut checked) = (0, 0);
        let margin = |particle: u32| seen[particle as usize][3];
        let mut look = |form: Form, idx: [u32; 4]| {
            checked += 1;
            // The worst that may happen: both primitives go towards each other as far as their corners may.
            let nearest = form.nearest(gather(seen, idx));
            let towards = nearest.way / nearest.distance();
            let first = if form == Form::PointTriangle { 1 } else { 2 };
            let mut moved = gather(seen, idx);
            for (corner, x) in moved.iter_mut().enumerate() {
                let side = if corner < first { -1.0 } else { 1.0 };
                *x += towards * side * margin(idx[corner]).min(0.5 * nearest.distance());
            }
            let limit = 0.5 * (thickness[idx[0] as usize] + thickness[idx[3] as usize]);
            let listed = found.contains(&key(form as u32, idx));
            if form.nearest(moved).distance() < limit - 1e-5 {
                expected += 1;
                assert!(listed, "trial {trial} {form:?} {idx:?}: {} m apart", nearest.distance());
            }
            let widest = largest(idx.iter().map(|&i| margin(i))) as f32;
            assert!(
                !listed || nearest.distance() < limit + 2.0 * widest + 1e-5,
                "trial {trial} {idx:?}: too far"
            );
        };
        for p in 0..seen.len() as u32 {
            for &[a, b, c] in triangles.iter().filter(|corners| !corners.contains(&p)) {
                look(Form::PointTriangle, [p, a, b, c]);
            }
        }
        for (i, &[a, b]) in edges.iter().enumerate() {
            for &[c, d] in edges[i + 1..].iter().filter(|other| !other.contains(&a) && !other.contains(&b)) {
                look(Form::EdgeEdge, [a, b, c, d]);
            }
        }
        assert!(expected > 50 && checked > expected + 100, "trial {trial}: {expected} of {checked}");
    }
}

/// Whether the pair changes sides between `from` and `to`: in double precision, in small steps.
fn changes_sides(form: Form, from: [Vec3; 4], to: [Vec3; 4]) -> bool {
    const STEPS: u32 = 4000;
    let at = |step: u32| -> [DVec3; 4] {
        let share = f64::from(step) / f64::from(STEPS);
        std::array::from_fn(|i| from[i].as_dvec3().lerp(to[i].as_dvec3(), share))
    };
    let volume = |x: [DVec3; 4]| (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);
    let mut before = at(0);
    for step in 1..=STEPS {
        let now = at(step);
        if (volume(before) > 0.0) != (volume(now) > 0.0) {
            // Coplanar between the two: nearest points as good as touch there.
            let middle: [Vec3; 4] = std::array::from_fn(|i| (before[i] + now[i]).as_vec3() * 0.5);
            if form.nearest(middle).distance() < 2e-4 {
                return true;
            }
        }
        before = now;
    }
    false
}

#[test]
fn conservative_advancement_steps_over_nothing() {
    let mut random = Random(3);
    let (mut through, mut hits) = (0, 0);
    let trials = if long() { 20_000 } else { 8_000 };
    for trial in 0..trials {
        let form = if trial % 2 == 0 { Form::PointTriangle } else { Form::EdgeEdge };
        let mut point = |size: f32| Vec3::new(random.signed(), random.signed(), random.signed()) * size;
        let from: [Vec3; 4] = std::array::from_fn(|_| point(1.0));
        if form.nearest(from).distance() < 0.02 {
            continue;
        }
        let common = point(10.0);
        let to: [Vec3; 4] = std::array::from_fn(|i| from[i] + common + point(1.5));
        let hit = advance(form, from, to);
        hits += usize::from(hit.is_some());
        if changes_sides(form, from, to) {
            through += 1;
            let hit = hit.unwrap_or_else(|| panic!("trial {trial}: {form:?} {from:?} {to:?}"));
            let start = form.nearest(from).distance();
            assert!(hit.nearest.distance() > 0.05 * start, "trial {trial}: {hit:?}, {start} m at the start");
        }
    }
    assert!(through > trials / 20 && hits < 3 * through, "{through} pass through, {hits} hits");
}

#[test]
fn two_crossed_sheets_never_pass_through_each_other() {
    for solver in solvers() {
        let mut fixture = Fixture::new(&two_sheets(solver, 17, 0.05));
        for second in 1..=if long() { 4 } else { 2 } {
            fixture.frames(30);
            let (passed, count) = (fixture.run.readings["self_passed_through"], crossings::of(&fixture));
            assert_eq!((passed, count), (0.0, 0), "{solver} after {} frames", 30 * second);
            assert_eq!(fixture.run.readings["self_overflow"], 0.0, "{solver}");
        }
        let upper = &fixture.x()[17 * 17..];
        let held = upper.iter().filter(|x| x[1] > 0.1).count();
        assert!(held > 200, "{solver}: the lower sheet bears the upper one, {held} particles");
        assert!(fixture.run.readings["self_contacts"] > 20.0, "{solver}");
        // Without, they do pass through each other.
        if solver == "xpbd" {
            let off = two_sheets(solver, 17, 0.05).replace("self_collision: (thickness: 0.01),", "");
            let mut fixture = Fixture::new(&off);
            fixture.frames(60);
            assert!(crossings::of(&fixture) + usize::from(fixture.x()[17 * 17][1] < 0.0) > 0);
        }
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let all: &[usize] = if long() { &[2, 3, 8] } else { &[] };
    for (solver, others) in [("xpbd", &[3]), ("explicit", &[8])] {
        let hash = |threads: usize| {
            let file = places::root().join("tests/two_layers.ron");
            let mut scene =
                weft_scene::load(file, &weft_scene::Vocabulary::default()).expect("a good scene").scene;
            for cloth in &mut scene.cloths {
                cloth.shape = weft_scene::Shape::grid(40, 40, 0.69, 0.69);
            }
            let mut fixture = Fixture::of(with_solver(scene, solver)).threads(threads);
            fixture.frames(8);
            assert!(fixture.run.readings["self_contacts"] > 1000.0, "{solver}: they touch");
            fixture.hash()
        };
        let one = hash(1);
        for &threads in if long() { all } else { others } {
            assert_eq!(hash(threads), one, "{solver}, {threads} threads");
        }
    }
}

#[test]
fn momentum_stays() {
    let mut random = Random(11);
    let text = two_sheets("xpbd", 13, 0.012)
        .replace("pins: [Corner(TopLeft), Corner(TopRight), Corner(BottomLeft), Corner(BottomRight)],", "");
    let mut fixture =
        Fixture::new(&text.replace("version: 1,", "version: 1, gravity: (0.0, 0.0, 0.0), air_damping: 0.0,"));
    for (i, v) in fixture.v_mut().iter_mut().enumerate() {
        let down = if i < 169 { 1.0 } else { -1.0 };
        *v = [0.1 * random.signed(), down + 0.1 * random.signed(), 0.1 * random.signed(), 0.0];
    }
    let before = fixture.momentum();
    fixture.frames(30);
    let change = (fixture.momentum() - before).length();
    assert!(change < 1e-3 * fixture.momentum_scale(), "{change} of {}", fixture.momentum_scale());
    let parts = [0..169, 169..338].map(|range| {
        let v = fixture.v()[range].iter().map(|v| vector(*v).y).sum::<f64>();
        v / 169.0
    });
    assert!(parts[0] < parts[1] + 0.1, "they met: {parts:?}");
}

/// All pairs that the broad phase came upon, in the list or not.
fn come_upon(fixture: &Fixture) -> usize {
    fixture.run.state.get(col::batch::found).iter().map(|&found| found as usize).sum()
}

#[test]
fn cloth_that_flies_to_pieces_costs_no_more_than_its_list_and_is_told() {
    let mut fixture = Fixture::new(
        r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "xpbd", params: {"substeps": 1}),
            cloths: [(id: "c", self_collision: (thickness: 0.004, pairs: 20),
                shape: Grid(columns: 41, rows: 43, width: 0.4, height: 0.42))])"#,
    );
    let mut random = Random(5);
    for v in fixture.v_mut() {
        *v = [1e3 * random.signed(), 1e3 * random.signed(), 1e3 * random.signed(), 0.0];
    }
    // In one step each particle passes all others: 13 million pairs.
    fixture.frames(1);
    let rows = fixture.run.state.table("pair").expect("a table").rows;
    assert!(come_upon(&fixture) < 20 * rows, "{} for {rows} rows", come_upon(&fixture));
    assert!(fixture.run.readings["self_too_fast"] > 1000.0, "{:?}", fixture.run.readings);
    // Slow cloth is followed.
    fixture.v_mut().fill([0.0; 4]);
    let flat: Vec<[f32; 4]> = fixture.run.state.get(col::layer::start).to_vec();
    for (x, flat) in fixture.x_mut().iter_mut().zip(flat) {
        x[..3].copy_from_slice(&flat[..3]);
    }
    fixture.frames(2);
    assert_eq!(fixture.run.readings["self_too_fast"], 0.0);
    assert_eq!(fixture.run.readings["self_overflow"], 0.0);
}

#[test]
fn margins_give_way_where_the_list_is_nearly_full() {
    let lists = |pairs: u32| {
        let own = format!("self_collision: (thickness: 0.008, pairs: {pairs})");
        let sheet = |id: &str, y: f32, turn: f32| {
            format!(
                r#"(id: "{id}", at: (0.0, {y}, 0.0), rotation: (-90.0, {turn}, 0.0), {own},
                    shape: Grid(columns: 31, rows: 31, width: 0.3, height: 0.3))"#
            )
        };
        let mut fixture = Fixture::new(&format!(
            r#"(version: 1, wind: (coefficient: 0.0), solver: (name: "xpbd", params: {{"substeps": 20}}),
                cloths: [{}, {}], colliders: [(id: "floor", shape: Plane, thickness: 0.004)])"#,
            sheet("lower", 0.005, 0.0),
            sheet("upper", 0.02, 7.0),
        ));
        fixture.frames(20);
        let overflow = fixture.run.readings["self_overflow"];
        (
            fixture.run.readings["self_pairs"] / fixture.x().len() as f32,
            fixture.run.readings["self_broad_phases"],
            overflow,
        )
    };
    let (wide, narrow) = (lists(100), lists(24));
    assert!(wide.0 > 24.0, "{wide:?}: the widest margins do not fit into the other list");
    assert_eq!((wide.2, narrow.2), (0.0, 0.0), "{wide:?} {narrow:?}");
    assert!(narrow.1 < 10.0, "{narrow:?}: the list stands for some substeps");
}

/// How far a sheet slides on another that the floor holds, from 0.5 m/s [m], and how fast it is then.
fn slid(friction: f32) -> (f64, f64) {
    let own = format!(
        "self_collision: (thickness: 0.004, friction: (static: {}, dynamic: {friction}))",
        1.2 * friction
    );
    let mut fixture = Fixture::new(&format!(
        r#"(version: 1, wind: (coefficient: 0.0), air_damping: 0.0, solver: (name: "xpbd", params: {{"substeps": 20}}),
            cloths: [
                (id: "lower", at: (0.0, 0.004, 0.0), rotation: (-90.0, 0.0, 0.0), {own}, pins: [Edge(Left), Edge(Right)],
                    shape: Grid(columns: 33, rows: 17, width: 0.8, height: 0.4)),
                (id: "upper", at: (-0.1, 0.008, 0.0), rotation: (-90.0, 7.0, 0.0), {own},
                    shape: Grid(columns: 13, rows: 13, width: 0.3, height: 0.3)),
            ],
            colliders: [(id: "floor", shape: Plane, thickness: 0.004, friction: (static: 1.0, dynamic: 1.0))])"#
    ));
    let upper = 33 * 17..33 * 17 + 169;
    fixture.v_mut()[upper.clone()].fill([0.5, 0.0, 0.0, 0.0]);
    let mean = |rows: &[[f32; 4]]| rows.iter().map(|row| f64::from(row[0])).sum::<f64>() / 169.0;
    let before = mean(&fixture.x()[upper.clone()]);
    fixture.frames(24);
    (mean(&fixture.x()[upper.clone()]) - before, mean(&fixture.v()[upper]))
}

#[test]
fn sheets_rub_on_each_other_as_coulomb_has_it() {
    let (way, speed) = slid(0.4);
    let expected = 0.5 * 0.5 / (2.0 * 0.4 * 9.81);
    assert!(
        (way / expected - 1.0).abs() < 0.15 && speed.abs() < 1e-3,
        "{way} m, not {expected}; {speed} m/s"
    );
    let (way, speed) = slid(0.0);
    assert!((way / 0.2 - 1.0).abs() < 0.02 && (speed / 0.5 - 1.0).abs() < 0.02, "{way} m, {speed} m/s");
}
