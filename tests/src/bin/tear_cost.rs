//! What 1,000 threads that break in one frame cost: the frames after it beside those before, at 128 x 128 particles.
//!
//! ```text
//! cargo run --release -p tests --bin tear_cost
//! ```
//! Writes `tests/results/tear_cost.csv`: of each frame the shortest of several trials. Run it on a quiet machine.

use std::{fmt::Write as _, time::Instant};
use weft_core::state::col;

use tests::places;
use weft_session::{Options, Session};

const TRIALS: usize = 5;
/// Frames before the breaks, and after.
const BEFORE: usize = 3;
const AFTER: usize = 4;
/// Every so many threads one breaks.
const ONE_OF: usize = 48;

fn main() {
    let mut csv =
        "solver,broken_threads,usual_ms,first_ms,second_ms,third_ms,fourth_ms,late_frames\n".to_string();
    for solver in ["xpbd", "projective_dynamics", "vbd"] {
        let mut session = open(solver);
        let (mut usual, mut after, mut broken) = (f64::INFINITY, [f64::INFINITY; AFTER], 0);
        for _ in 0..TRIALS {
            session.reset().unwrap_or_else(|e| panic!("{e}"));
            for _ in 0..BEFORE {
                usual = usual.min(frame(&mut session));
            }
            broken = session.edit_run(|run| {
                let marks = run.state.get_mut(col::thread::broken);
                marks.iter_mut().step_by(ONE_OF).for_each(|mark| *mark = 1);
                marks.iter().filter(|mark| **mark == 1).count()
            });
            for least in &mut after {
                *least = frame(&mut session).min(*least);
            }
        }
        let late = after.iter().filter(|ms| **ms > usual + 1e3 / 60.0).count();
        let times = after.map(|ms| format!("{ms:.2}")).join(",");
        let _ = writeln!(csv, "{solver},{broken},{usual:.2},{times},{late}");
    }
    print!("{csv}");
    let file = places::root().join("tests/results/tear_cost.csv");
    std::fs::write(&file, csv).expect("tests/results is writable");
}

/// Time of a step with its readings [ms].
fn frame(session: &mut Session) -> f64 {
    let start = Instant::now();
    session.step().unwrap_or_else(|e| panic!("{e}"));
    session.measure();
    start.elapsed().as_secs_f64() * 1e3
}

/// A sheet that hangs by one edge.
fn open(solver: &str) -> Session {
    let file = places::temporary(&format!("tear-{solver}")).join("sheet.ron");
    let text = format!(
        r#"(version: 1, solver: (name: "{solver}"), cloths: [(id: "sheet", at: (0.0, 2.0, 0.0), pins: [Edge(Top)],
            shape: Grid(columns: 128, rows: 128, width: 1.4, height: 1.4), material: (tear: ()))])"#
    );
    std::fs::write(&file, text).expect("a scene");
    Session::open(Options { scene: file, threads: 1, ..Options::default() }).unwrap_or_else(|e| panic!("{e}"))
}
