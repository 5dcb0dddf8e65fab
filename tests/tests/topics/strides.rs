//! The derived table `stride`: which rows of `distance` lie side by side.

use tests::{fixture::Fixture, left_out, places, process, random::Random};
use weft_core::state::{State, StateHash, col};

/// Rows that a pattern covers, after a look at each: all rows of a colour once and in order, particles as the pattern says.
fn covered(state: &State, what: &str) -> usize {
    let (rows, ends) = (state.get(col::stride::rows), state.get(col::stride::ends));
    let (pattern, idx) = (state.get(col::stride::pattern), state.get(col::distance::idx));
    let colors = &state.table("distance").unwrap().coloring.ends;
    let of_strides = &state.table("stride").unwrap().coloring.ends;
    if rows.is_empty() {
        return 0;
    }
    assert_eq!(colors.len(), of_strides.len(), "{what}: a colour of strides for each of rows");
    let (mut next, mut stride, mut covered) = (0, 0, 0);
    for (&end, &of_strides) in colors.iter().zip(of_strides) {
        while stride < of_strides as usize {
            let ([first, count], [a, b]) = (rows[stride], ends[stride]);
            assert_eq!(first, next, "{what}: one stride after the other");
            let offset: fn(u32) -> u32 = match pattern[stride] {
                1 => |k| k,
                2 => |k| 2 * k,
                3 => |k| 4 * (k / 2) + k % 2,
                _ => |_| 0,
            };
            if pattern[stride] == 0 {
                assert_eq!(idx[first as usize], [a, b], "{what}: stride {stride}");
            } else {
                covered += count as usize;
                assert!(pattern[stride] != 3 || count % 2 == 0, "{what}: pairs are whole");
                assert!(pattern[stride] == 1 || b == a + pattern[stride] - 1, "{what}: stride {stride}");
                for k in 0..count {
                    let at = idx[(first + k) as usize];
                    assert_eq!(at, [a + offset(k), b + offset(k)], "{what}: row {k} of stride {stride}");
                }
            }
            (next, stride) = (first + count, stride + 1);
        }
        assert_eq!(next, end, "{what}: a colour's strides are all of its rows");
    }
    assert_eq!(stride, rows.len(), "{what}: no stride behind the colours");
    covered
}

fn grid(columns: u32, rows: u32, more: &str) -> Fixture {
    Fixture::new(&format!(
        r#"(version: 1, solver: (name: "xpbd"), cloths: [(id: "a", pins: [Edge(Top)], {more}
            shape: Grid(columns: {columns}, rows: {rows}, width: 1.0, height: 1.0))])"#
    ))
}

#[test]
fn rows_of_a_grid_lie_in_strides() {
    for (columns, rows) in [(64, 64), (33, 20), (20, 31), (65, 9), (40, 13)] {
        let mut fixture = grid(columns, rows, "");
        fixture.try_step().expect("a step");
        let all = fixture.run.state.get(col::distance::idx).len();
        let covered = covered(&fixture.run.state, &format!("{columns} x {rows}"));
        assert!(covered * 100 >= all * 90, "{columns} x {rows}: {covered} of {all}");
    }
}

#[test]
fn narrow_cloth_has_none() {
    let mut fixture = grid(6, 80, "");
    fixture.try_step().expect("a step");
    assert_eq!(covered(&fixture.run.state, "6 x 80"), 0);
}

#[test]
fn strides_follow_what_tears() {
    let mut fixture = grid(40, 30, "material: (tear: ()),");
    fixture.try_step().expect("a step");
    let whole = covered(&fixture.run.state, "whole");
    let mut random = Random(5);
    for broken in [1, 3, 10, 40] {
        let marks = fixture.run.state.get_mut(col::thread::broken);
        (0..broken).for_each(|_| marks[random.below(marks.len() as u32) as usize] = 1);
        fixture.try_step().expect("a step");
        let left = covered(&fixture.run.state, &format!("{broken} threads"));
        assert!(left < whole, "{left} of {whole} rows are left");
    }
}

/// A state that was read from bytes makes its own.
#[test]
fn strides_of_an_image_are_made_anew() {
    let mut fixture = grid(40, 13, "");
    fixture.try_step().expect("a step");
    let bytes = weft_core::state::image::write(&fixture.run.state, &fixture.run.blueprint);
    let mut crafted = weft_core::state::image::read(&bytes).expect("its own image").0;
    crafted.get_mut(col::stride::ends).iter_mut().for_each(|ends| *ends = [u32::MAX - 9; 2]);
    let mut expected = grid(40, 13, "");
    (0..2).for_each(|_| expected.try_step().expect("a step"));
    fixture.run.state = crafted;
    fixture.try_step().expect("a step");
    assert_eq!(StateHash::of(&fixture.run.state), StateHash::of(&expected.run.state));
}

#[test]
fn a_run_shows_how_the_tables_lie() {
    if !places::weft().exists() && left_out("a_run_shows_how_the_tables_lie", "the program (cargo build)") {
        return;
    }
    let scene = places::scene("flag.ron");
    let scene = scene.to_str().expect("a plain path");
    let run = |more: &[&str]| {
        process::weft(&places::root(), &[&["run", "-v", scene, "--frames", "2"], more].concat())
    };
    let said = String::from_utf8(run(&[]).stdout).expect("text");
    let line =
        |name: &str| said.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{said}"));
    let numbers = |line: &str| -> Vec<f64> {
        line.split(|c: char| c.is_whitespace() || c == ',').filter_map(|word| word.parse().ok()).collect()
    };
    // Rows, bytes of one, MiB, colours, tail, strides, and rows by pattern.
    let distance = numbers(line("distance "));
    assert_eq!(distance[0], distance[6..].iter().sum::<f64>(), "{said}");
    assert!((distance[0] * distance[1] / f64::from(1 << 20) - distance[2]).abs() < 0.01, "{said}");
    assert_eq!(distance[5], numbers(line("stride "))[0], "{said}");
    let tables = said.lines().skip_while(|line| !line.starts_with("layout")).skip(1);
    let sum: f64 =
        tables.take_while(|line| !line.starts_with("all tables")).map(|line| numbers(line)[2]).sum();
    assert!((sum - numbers(line("all tables"))[0]).abs() < 0.1, "{said}");
    assert_eq!(run(&["--json"]).status.code(), Some(2), "a table has no place in one line of JSON");
}
