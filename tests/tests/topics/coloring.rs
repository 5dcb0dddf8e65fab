//! Rows of one colour share no particle; grids come out by parity; what finds no colour is the serial tail.

use tests::random::Random;
use weft_core::state::{Coloring, MAX_COLORS, color};
use weft_scene::{Cloth, Shape};

/// Brute force: each pair of rows of one colour.
fn assert_disjoint(coloring: &Coloring, idx: &[u32], arity: usize, what: &str) {
    let mut start = 0;
    for &end in &coloring.ends {
        let rows: Vec<&[u32]> =
            coloring.order[start..end as usize].iter().map(|&row| chunk(idx, arity, row)).collect();
        for (i, a) in rows.iter().enumerate() {
            for b in &rows[..i] {
                assert!(a.iter().all(|particle| !b.contains(particle)), "{what}: {a:?} and {b:?}");
            }
        }
        start = end as usize;
    }
}

fn chunk(idx: &[u32], arity: usize, row: u32) -> &[u32] {
    &idx[row as usize * arity..][..arity]
}

fn sorted(coloring: &Coloring, idx: &[u32], arity: usize) -> Vec<u32> {
    coloring.order.iter().flat_map(|&row| chunk(idx, arity, row)).copied().collect()
}

/// Each row once, by colour and then by its lowest particle.
fn assert_order(coloring: &Coloring, idx: &[u32], arity: usize) {
    let mut rows = coloring.order.clone();
    rows.sort_unstable();
    assert!(rows.iter().copied().eq(0..(idx.len() / arity) as u32), "each row once");
    let mut start = 0;
    for &end in coloring.ends.iter().chain([&(rows.len() as u32)]) {
        let lowest: Vec<u32> = coloring.order[start..end as usize]
            .iter()
            .map(|&row| *chunk(idx, arity, row).iter().min().unwrap())
            .collect();
        assert!(lowest.is_sorted(), "{lowest:?}");
        start = end as usize;
    }
}

/// Rows of the four structural colours. Right: every other row by its number, line after line. Down: every other line.
fn structural_counts(columns: u32, rows: u32) -> [u32; 4] {
    let right = (0..columns * rows).filter(|a| (a + 1) % columns != 0);
    let even = right.clone().filter(|a| a % 2 == 0).count() as u32;
    let down = (rows - 1).div_ceil(2);
    [even, right.count() as u32 - even, down * columns, (rows - 1 - down) * columns]
}

#[test]
fn a_grid_is_twelve_colours_by_parity() {
    for (columns, rows) in [(37, 23), (9, 7), (16, 64), (41, 37), (8, 9), (72, 48)] {
        let mesh = weft_scene::build(&Cloth::new("sheet", Shape::grid(columns, rows, 1.0, 1.0)));
        let idx: Vec<u32> = mesh.distances.iter().flat_map(|row| [row.a, row.b]).collect();
        let kinds: Vec<u32> = mesh.distances.iter().map(|row| row.kind as u32).collect();
        let coloring = color(&idx, 2, &kinds, mesh.positions.len());
        let starts = std::iter::once(&0).chain(&coloring.ends);
        let counts: Vec<u32> = starts.clone().zip(&coloring.ends).map(|(start, end)| end - start).collect();
        assert_eq!(counts.len(), 12, "{columns} x {rows}");
        // Few rows stay as they come.
        if columns * rows > 300 {
            assert_eq!(counts[..4], structural_counts(columns, rows), "{columns} x {rows}");
        }
        assert_eq!(counts.iter().sum::<u32>() as usize, mesh.distances.len(), "no serial tail");
        assert_order(&coloring, &idx, 2);
        assert_eq!(coloring.check(&sorted(&coloring, &idx, 2), 2, mesh.positions.len()), Ok(()));
        for (color, (start, end)) in starts.zip(&coloring.ends).enumerate() {
            let rows_of = &coloring.order[*start as usize..*end as usize];
            assert!(
                rows_of.iter().all(|&row| kinds[row as usize] as usize == color / 4),
                "one kind a colour"
            );
        }
    }
}

#[test]
fn random_tables_are_colored_right() {
    let mut random = Random(1);
    for case in 0..60 {
        let (arity, particles) = (2 + case % 3, 8 + random.below(60));
        let rows = random.below(200);
        let mut idx = Vec::new();
        for _ in 0..rows {
            let first = random.below(particles);
            idx.extend((0..arity as u32).map(|i| (first + i * (1 + first % 2)) % particles));
        }
        let coloring = color(&idx, arity, &[], particles as usize);
        assert_disjoint(&coloring, &idx, arity, &format!("case {case}"));
        assert_order(&coloring, &idx, arity);
        assert_eq!(coloring.check(&sorted(&coloring, &idx, arity), arity, particles as usize), Ok(()));
        assert_eq!(coloring, color(&idx, arity, &[], particles as usize), "the same each time");
    }
}

#[test]
fn a_star_leaves_a_serial_tail() {
    let idx: Vec<u32> = (1..=100).flat_map(|spoke| [0, spoke]).collect();
    let coloring = color(&idx, 2, &[], 101);
    assert!(coloring.ends.iter().copied().eq(1..=MAX_COLORS as u32), "one row a colour");
    assert!(coloring.order.iter().copied().eq(0..100), "the tail follows, lowest first");
    assert_eq!(coloring.check(&sorted(&coloring, &idx, 2), 2, 101), Ok(()));
}

#[test]
fn an_empty_table_has_no_colours() {
    assert_eq!(color(&[], 2, &[], 10), Coloring::default());
}

#[test]
fn check_finds_bad_colourings() {
    let bad = Coloring { order: vec![0, 1], ends: vec![2] };
    assert_eq!(bad.check(&[0, 1, 1, 2], 2, 3), Err("colour 0 holds particle 1 twice".into()));
    assert_eq!(bad.check(&[0, 1, 2, 3], 2, 4), Ok(()));
    assert_eq!(bad.check(&[0, 1, 2, 9], 2, 4), Err("row 1 names particle 9 of 4".into()));
    let tail = Coloring { order: vec![0, 1], ends: vec![1] };
    assert_eq!(tail.check(&[0, 1, 0, 9], 2, 4), Err("the serial tail names particle 9 of 4".into()));
}
