//! What history costs a step: the hanging cloth with 128 x 128 particles, without it and with 256 MB, in turns.
//!
//! ```text
//! cargo run --release -p tests --bin history_cost [gpu]
//! ```
//! Prints the medians of 300 steps with the ring full; `gpu`: on the GPU path, on the fastest kind of adapter, as a window
//! draws it. Run it on a quiet machine.

use std::time::Instant;

use tests::places;
use weft_core::statistics::quantile;
use weft_gpu::{GpuOptions, ReadbackScope};
use weft_session::{Options, Session};

/// Steps until the ring is full, and steps that count.
const STEPS: usize = 300;

fn main() {
    let gpu = std::env::args().nth(1).is_some_and(|path| path == "gpu");
    let mut sessions: Vec<Session> = [0, 256].into_iter().map(|megabytes| open(megabytes, gpu)).collect();
    let mut times = [Vec::new(), Vec::new()];
    for turn in 0..2 * STEPS {
        for i in [turn % 2, 1 - turn % 2] {
            let start = Instant::now();
            sessions[i].step().unwrap_or_else(|e| panic!("{e}"));
            times[i].push(start.elapsed().as_secs_f32() * 1e3);
        }
    }
    let [without, with] = times.map(|mut times| {
        times.drain(..STEPS);
        times.sort_by(f32::total_cmp);
        quantile(&times, 0.5)
    });
    let kept = sessions[1].history().moments().len();
    println!("a step without history {without:.3} ms, with {with:.3} ms; {kept} moments");
}

fn open(megabytes: usize, gpu: bool) -> Session {
    let set = ["columns", "rows"].map(|side| (format!("cloths[0].shape.{side}"), "128".to_string()));
    let options =
        Options { scene: places::scene("hanging.ron"), threads: 1, set: set.into(), ..Options::default() };
    let mut session = Session::open(options).unwrap_or_else(|e| panic!("{e}"));
    session.set_history_budget(megabytes);
    if gpu {
        session.set_readback(ReadbackScope::Positions);
        session.use_gpu(&GpuOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    }
    session
}
