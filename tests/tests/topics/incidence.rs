//! The derived tables `vertex` and `incident`: colours of particles, and who touches whom.

use std::collections::BTreeSet;
use weft_core::state::col;

use tests::{
    fixture::{Fixture, small, with_solver},
    grid,
    random::Random,
    rows::{TABLES, acting, ends, table},
};
use weft_core::state::{Blueprint, Data, State};
use weft_engine::generation::Generation;

const PADDING: u32 = u32::MAX;

/// Brute force: colours keep neighbours apart, and `incident` names every corner of every row once.
fn assert_derived(state: &State, what: &str) -> Vec<u32> {
    let vertex = state.get(col::vertex::particle);
    let colored = &state.table("vertex").unwrap().coloring.ends;
    let count = state.table("particle").unwrap().rows;
    let mut sorted = vertex.to_vec();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..count as u32), "{what}: every particle once");
    let mut colors = vec![usize::MAX; count];
    let mut start = 0;
    for (color, &end) in colored.iter().enumerate() {
        for &particle in &vertex[start..end as usize] {
            colors[particle as usize] = color;
        }
        start = end as usize;
    }
    for name in TABLES {
        for ends in acting(state, name) {
            for (i, &a) in ends.iter().enumerate() {
                for &b in ends[..i].iter().filter(|&&b| b != a) {
                    let (a, b) = (colors[a as usize], colors[b as usize]);
                    assert!(a != b || a == usize::MAX, "{what}: {name} {ends:?} has colour {a} twice");
                }
            }
        }
    }

    let (number, row) = (state.get(col::incident::table), state.get(col::incident::row));
    let other = state.get(col::incident::other);
    let (springs, others) = (state.get(col::vertex::springs), state.get(col::vertex::others));
    let tables = TABLES.map(|name| ends(state, name));
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
            let expected = state.get(col::distance::rest)[row[at] as usize];
            assert_eq!(state.get(col::incident::rest)[at], expected, "{what}");
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
    let corners = |name: &&'static str| acting(state, name).iter().map(Vec::len).sum::<usize>();
    assert_eq!(seen.len(), TABLES.iter().map(corners).sum::<usize>(), "{what}: no corner is missing");
    colored.clone()
}

#[test]
fn particles_of_one_colour_share_no_row_on_grids() {
    for (columns, rows) in [(37, 29), (2, 2), (9, 8), (3, 17)] {
        let mut run = Fixture::of(small("flag.ron", columns, rows)).run;
        run.state.update_topology(&run.blueprint, true);
        let ends = assert_derived(&run.state, &format!("{columns} x {rows}"));
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

/// A state whose derived tables were asked for.
fn derived(blueprint: &Blueprint) -> State {
    let mut state = State::build(&Generation::built_in().schema, blueprint).unwrap();
    assert_eq!(state.table("incident").unwrap().rows, 0, "nobody asked for them yet");
    state.update_topology(blueprint, true);
    state
}

#[test]
fn particles_of_one_colour_share_no_row_of_any_table() {
    let mut random = Random(5);
    for case in 0..20 {
        let blueprint = random_tables(&mut random, 12 + 5 * case);
        assert_derived(&derived(&blueprint), &format!("case {case}"));
    }
}

#[test]
fn a_crowd_leaves_a_serial_tail() {
    // 70 particles, each tied to each: 64 colours of one particle, and 6 that find none.
    let places = vec![([0.0, 0.0, 0.0], 1.0); 70];
    let springs: Vec<_> = (0..70).flat_map(|a| (0..a).map(move |b| (a, b, 1.0, 0.0))).collect();
    let blueprint = grid::particles(&places, &springs);
    let ends = assert_derived(&derived(&blueprint), "crowd");
    assert!(ends.into_iter().eq(1..=64));
}

#[test]
fn new_values_and_new_models_reach_the_derived_tables() {
    let mut random = Random(9);
    let before = random_tables(&mut random, 30);
    let mut after = before.clone();
    for (name, data) in after.tables.iter_mut().flat_map(|table| &mut table.columns) {
        match data {
            Data::F32(values) if *name == "rest" => {
                values.iter_mut().for_each(|value| *value += 0.25);
            }
            Data::U32(models) if *name == "model" => models.iter_mut().for_each(|model| *model = 1),
            _ => {}
        }
    }
    let mut state = derived(&before);
    state.get_mut(col::particle::position)[3] = [9.0, 8.0, 7.0, 1.0];
    let (motion, entries) =
        (state.get(col::particle::position).to_vec(), state.table("incident").unwrap().rows);
    state.refresh(&after);
    state.update_topology(&after, true);
    assert_derived(&state, "refreshed");
    assert!(state.table("incident").unwrap().rows > entries, "triangles that were only drawn now count");
    assert_eq!(state.get(col::particle::position), motion);
}

#[test]
fn a_live_swap_keeps_motion_and_derived_tables() {
    let mut fixture = Fixture::of(with_solver(small("flag.ron", 23, 19), "vbd"));
    fixture.frames(12);
    let bytes = |fixture: &Fixture| -> Vec<u8> {
        let kept = |column: &&weft_core::state::Column| column.class != sim_api::Class::Scratch;
        let columns = fixture.run.state.tables.iter().flat_map(|table| table.columns.iter().filter(kept));
        columns.flat_map(|column| column.bytes().to_vec()).collect()
    };
    let before = bytes(&fixture);
    fixture.run.swap(Generation::built_in()).unwrap();
    assert!(bytes(&fixture) == before);
    assert_derived(&fixture.run.state, "swapped");
    let mut other = Fixture::of(with_solver(small("flag.ron", 23, 19), "vbd"));
    other.frames(13);
    fixture.frames(1);
    assert_eq!(fixture.hash(), other.hash(), "the swap leaves no trace");
}
