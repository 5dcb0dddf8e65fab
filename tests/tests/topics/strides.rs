//! The derived table `stride`: which rows of `distance` lie side by side.

use tests::{fixture::Fixture, left_out, places, process, random::Random};
use weft_core::state::{State, StateHash, col};

/// Rows that a pattern covers, after a look at each: all rows once, particles as the pattern says, what shares a particle in the
/// order of the colours, and jobs that run at once apart.
fn covered(state: &State, what: &str) -> usize {
    let (rows, ends) = (state.get(col::stride::rows), state.get(col::stride::ends));
    let (pattern, idx) = (state.get(col::stride::pattern), state.get(col::distance::idx));
    let colors = &state.table("distance").unwrap().coloring.ends;
    let jobs = &state.table("stride").unwrap().coloring.ends;
    if rows.is_empty() {
        return 0;
    }
    let particles = state.get(col::particle::position).len();
    let regions = jobs.len().div_ceil(2);
    // Of each particle, the last that came for it: 0 nothing, 1 its turn, then colours; and the job that it was.
    let (mut last, mut of_job) = (vec![0; particles], vec![usize::MAX; particles]);
    let (mut seen, mut covered, mut uniform) = (vec![false; idx.len()], 0, 0);
    for stride in 0..rows.len() {
        let job = jobs.partition_point(|&end| end as usize <= stride);
        assert!(job < jobs.len(), "{what}: no stride behind the jobs");
        let ([first, count], [a, b]) = (rows[stride].map(|n| n as usize), ends[stride]);
        let mut next = |particle: u32, time: usize| {
            let (last, of) = (&mut last[particle as usize], &mut of_job[particle as usize]);
            assert!(*last < time, "{what}: particle {particle} in colour {time} after {last}");
            let at_once = *of != job && *of != usize::MAX && (*of < regions) == (job < regions);
            assert!(!at_once, "{what}: jobs {of} and {job} run at once and share particle {particle}");
            (*last, *of) = (time, job);
        };
        if pattern[stride] == 4 {
            (first..first + count).for_each(|particle| next(particle as u32, 1));
            continue;
        }
        let color = colors.partition_point(|&end| end as usize <= first);
        assert!(first + count <= colors[color] as usize, "{what}: rows of one colour");
        let offset: fn(u32) -> u32 = match pattern[stride] {
            1 => |k| k,
            2 => |k| 2 * k,
            3 => |k| 4 * (k / 2) + k % 2,
            _ => |_| 0,
        };
        if pattern[stride] == 0 {
            assert_eq!((count, idx[first]), (1, [a, b]), "{what}: stride {stride}");
        } else {
            covered += count;
            assert!(pattern[stride] != 3 || count % 2 == 0, "{what}: pairs are whole");
            assert!(pattern[stride] == 1 || b == a + pattern[stride] - 1, "{what}: stride {stride}");
        }
        for k in 0..count {
            assert!(!std::mem::replace(&mut seen[first + k], true), "{what}: row {} twice", first + k);
            let ends = idx[first + k];
            assert_eq!(ends, [a, b].map(|end| end + offset(k as u32)), "{what}: row {k} of stride {stride}");
            ends.into_iter().for_each(|end| next(end, 2 + color));
        }
        let alike = state.get(col::stride::alike)[stride] as usize;
        if alike != u32::MAX as usize {
            let [rest, compliance] =
                [col::distance::rest, col::distance::compliance].map(|key| state.get(key));
            let same = (0..count)
                .all(|k| rest[first + k] == rest[alike] && compliance[first + k] == compliance[alike]);
            assert!(same, "{what}: rows of stride {stride} are not like row {alike}");
            uniform += count;
        }
    }
    assert!(seen.into_iter().all(|seen| seen), "{what}: each row is in a stride");
    assert!(last.into_iter().all(|last| last > 0), "{what}: each particle has its turn");
    assert!(uniform * 2 > covered, "{what}: {uniform} of {covered} rows are like those beside them");
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
fn a_long_cloth_has_regions_and_two_cloths_are_apart() {
    let regions = |cloths: &str, what: &str| {
        let scene = format!(r#"(version: 1, solver: (name: "xpbd"), cloths: [{cloths}])"#);
        let mut fixture = Fixture::new(&scene);
        fixture.try_step().expect("a step");
        covered(&fixture.run.state, what);
        fixture.run.state.table("stride").unwrap().coloring.ends.len().div_ceil(2)
    };
    let cloth = |id: &str, columns: u32, rows: u32| {
        format!(r#"(id: "{id}", shape: Grid(columns: {columns}, rows: {rows}, width: 1.0, height: 1.0)),"#)
    };
    assert_eq!(regions(&cloth("a", 32, 20), "short"), 1);
    assert!(regions(&cloth("a", 64, 64), "square") >= 2);
    assert!(regions(&cloth("a", 32, 300), "long") >= 4);
    assert!(regions(&[cloth("a", 64, 64), cloth("b", 33, 70)].concat(), "two") >= 2);
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
    // Rows, bytes of one, MiB, colours, tail, strides, rows by pattern, and regions.
    let distance = numbers(&line("distance ").replace(';', " "));
    assert_eq!(distance[0], distance[6..distance.len() - 1].iter().sum::<f64>(), "{said}");
    assert!((distance[0] * distance[1] / f64::from(1 << 20) - distance[2]).abs() < 0.01, "{said}");
    assert!(distance[5] < numbers(line("stride "))[0], "those of particles are counted there: {said}");
    let tables = said.lines().skip_while(|line| !line.starts_with("layout")).skip(1);
    let sum: f64 =
        tables.take_while(|line| !line.starts_with("all tables")).map(|line| numbers(line)[2]).sum();
    assert!((sum - numbers(line("all tables"))[0]).abs() < 0.1, "{said}");
    assert_eq!(run(&["--json"]).status.code(), Some(2), "a table has no place in one line of JSON");
}
