//! What a slider under a cloth of 128 x 128 particles costs: from the value to the tables, here and on the device.
//!
//! ```text
//! cargo run --release -p tests --bin slider [gpu]
//! ```
//! A slider moves before each of [`EDITS`] steps; the median and the slowest tenth of the edits alone [ms], and the first
//! step after one against a step without. Rows of one path replace those of the same path in `tests/results/slider.csv`.

use std::{fmt::Write, time::Instant};

use tests::places;
use weft_core::statistics::quantile;
use weft_gpu::{GpuOptions, ReadbackScope};
use weft_scene::Edit;
use weft_session::{Options, Session};

/// Edits of each slider, and steps without one.
const EDITS: usize = 60;

/// Field of the cloth, and the ends between which it is moved.
const SLIDERS: [(&str, f32, f32); 6] = [
    ("look.sheen", 0.1, 0.9),
    ("material.density", 0.1, 0.4),
    ("material.compliance.structural", 1e-7, 1e-5),
    ("material.compliance.bend", 1e-4, 1e-2),
    ("material.friction", 0.2, 0.8),
    // This one assembles the scene, for comparison.
    ("shape.width", 1.0, 1.1),
];

fn main() {
    let gpu = std::env::args().nth(1).is_some_and(|path| path == "gpu");
    let path = if gpu { "gpu" } else { "cpu" };
    let mut session = open(gpu);
    let cloth = session.scene().cloths[0].id.clone();
    let adapter = session.gpu().map_or_else(|| "-".to_string(), |gpu| gpu.gpu.info.name.replace(',', " "));
    let mut csv = String::new();
    for (field, low, high) in SLIDERS {
        let name = format!("cloths.{cloth}.{field}");
        let (mut edits, mut after, mut without) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..EDITS {
            without.push(step(&mut session));
            let value = low + (high - low) * (i + 1) as f32 / EDITS as f32;
            let start = Instant::now();
            session.edit(&name, &Edit::Numbers(vec![value])).unwrap_or_else(|why| panic!("{name}: {why}"));
            edits.push(start.elapsed().as_secs_f32() * 1e3);
            after.push(step(&mut session));
        }
        let [edits, after, without] = [edits, after, without].map(|mut times| {
            times.sort_by(f32::total_cmp);
            times
        });
        let _ = writeln!(
            csv,
            "{path},{adapter},{field},{:.4},{:.4},{:.3},{:.3}",
            quantile(&edits, 0.5),
            quantile(&edits, 0.9),
            quantile(&after, 0.5),
            quantile(&without, 0.5)
        );
    }
    print!("{csv}");
    let file = places::root().join("tests/results/slider.csv");
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let others: String = old.split_inclusive('\n').skip(1).filter(|line| !line.starts_with(path)).collect();
    let head = "path,adapter,field,edit_ms_p50,edit_ms_p90,step_after_ms_p50,step_ms_p50\n";
    std::fs::write(&file, format!("{head}{others}{csv}")).expect("tests/results is writable");
}

fn step(session: &mut Session) -> f32 {
    let start = Instant::now();
    session.step().unwrap_or_else(|e| panic!("{e}"));
    start.elapsed().as_secs_f32() * 1e3
}

fn open(gpu: bool) -> Session {
    let set = ["columns", "rows"].map(|side| (format!("cloths[0].shape.{side}"), "128".to_string()));
    let options =
        Options { scene: places::scene("hanging.ron"), threads: 1, set: set.into(), ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    if gpu {
        session.set_readback(ReadbackScope::Positions);
        session.use_gpu(&GpuOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    }
    session
}
