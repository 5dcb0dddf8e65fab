//! How long a save takes until the new code has stepped: 50 edits of different size in the open window.
//!
//! ```text
//! cargo build --release --workspace
//! xvfb-run -a target/release/reload_latency        (or on a real display)
//! ```
//! Writes `tests/results/reload_latency.csv` and prints p50 and p95. Run it on a quiet machine.

use std::fmt::Write as _;

use tests::{
    edit_copy::{EditCopy, longer},
    places,
    process::Running,
};
use weft_core::statistics::quantile;

const XPBD: &str = "sim-dylib/src/solvers/xpbd.rs";
const EDITS: usize = 50;

fn main() {
    let copy = EditCopy::fresh();
    let mut program = Running::weft(&copy.root, &["scenes/flag.ron"]);
    program.wait_for(&["[first step] generation 1 "]);
    let before = copy.read(XPBD);
    let mut rows: Vec<[f32; 4]> = Vec::new();
    for edit in 1..=EDITS {
        copy.write(XPBD, &longer(&before, "let iterations = sim.count(&ITERATIONS);", edit));
        let line = program.wait_for(&["[first step] generation"]);
        rows.push(times(&line).unwrap_or_else(|| panic!("{line}")));
    }
    drop(program);
    copy.restore();

    let mut csv = String::from(
        "edit,save_to_cargo_end_ms,save_to_probed_ms,save_to_published_ms,save_to_first_step_ms\n",
    );
    for (edit, [built, probed, published, stepped]) in (1..).zip(&rows) {
        let _ = writeln!(csv, "{edit},{built},{probed},{published},{stepped}");
    }
    let folder = places::root().join("tests/results");
    std::fs::create_dir_all(&folder).expect("tests/results");
    let file = folder.join("reload_latency.csv");
    std::fs::write(&file, csv).expect("tests/results is writable");
    for (column, name) in ["save to cargo's end", "save to probed", "save to published", "save to first step"]
        .iter()
        .enumerate()
    {
        let mut values: Vec<f32> = rows.iter().map(|row| row[column]).collect();
        values.sort_by(f32::total_cmp);
        println!("{name:20} p50 {:.0} ms  p95 {:.0} ms", quantile(&values, 0.5), quantile(&values, 0.95));
    }
    println!("{}", file.display());
}

/// Built, probed, published, stepped [ms] of `… stepped 412 ms after the save (built 360, probed 390, published 396)`.
fn times(line: &str) -> Option<[f32; 4]> {
    let after = |word: &str| -> Option<f32> {
        let tail = line.split(word).nth(1)?.trim_start();
        tail.split([' ', ',', ')']).next()?.parse().ok()
    };
    Some([after("built ")?, after("probed ")?, after("published ")?, after("stepped ")?])
}
