//! `weft bench --strands`: hair with the solvers made for it, on the CPU path or, with `--path gpu`, on a device with its picture.

use std::path::PathBuf;

use serde_json::Value;
use weft_core::{command::CommandError, say};
use weft_gpu::GpuOptions;

use crate::{
    bench::{BenchOptions, bench, kind::Kind, table::keep},
    gpu_bench,
    gpu_draw::{self, DrawOptions},
};

pub struct StrandOptions {
    pub threads: usize,
    pub frames: usize,
    /// Stop a row after this many seconds.
    pub budget_secs: f64,
    /// On the GPU path.
    pub on: Option<GpuOptions>,
    /// CSV file for the rows.
    pub out: Option<PathBuf>,
}

/// A solver with its substeps and other parameters.
type Settings = (&'static str, u32, &'static [(&'static str, f32)]);

const NEWTON: Settings = ("strand_newton", 4, &[("strand_iterations", 2.0)]);
const LEADER: Settings = ("follow_the_leader", 10, &[]);

/// Strands, and how many.
const CPU: [(Kind, u32, Settings); 4] = [
    (Kind::Strands, 1_000, NEWTON),
    (Kind::Hair, 1_000, NEWTON),
    (Kind::HairGrid, 1_000, NEWTON),
    (Kind::Strands, 1_000, LEADER),
];
const GPU: [(Kind, u32, Settings); 4] = [
    (Kind::HairGrid, 10_000, NEWTON),
    (Kind::Hair, 10_000, NEWTON),
    (Kind::Strands, 100_000, NEWTON),
    (Kind::Strands, 100_000, LEADER),
];
/// Guides of the picture of 100,000 hairs, and its size.
const DRAWN: (Kind, u32, Settings) = (Kind::Hair, 1_000, NEWTON);
const SIZE: (u32, u32) = (1280, 720);

const HEADER: &str = "path,kind,n,solver,settings,frames,ms_p50,stretch_max";

/// Runs all rows and prints them; writes them as CSV if asked to.
pub fn table(options: &StrandOptions) -> Result<(), CommandError> {
    let mut lines = vec![HEADER.to_string()];
    say::say(format_args!("{:9} {:>7} {:18} {:34} {:>9}", "kind", "n", "solver", "settings", "ms p50"));
    for row in if options.on.is_some() { GPU } else { CPU } {
        let options_of_row = options.of(row);
        let told = match &options.on {
            Some(on) => gpu_bench::bench(&options_of_row, on)?,
            None => bench(&options_of_row)?,
        };
        lines.push(said(row, &told, ("ms_med", ""), options));
    }
    if let Some(on) = &options.on {
        let told = gpu_draw::bench(&options.of(DRAWN), on, &DrawOptions { size: SIZE, shot: None })?;
        lines.push(said(DRAWN, &told, ("draw_device_ms", " drawn 1280x720"), options));
    }
    keep(options.out.as_deref(), &lines)
}

impl StrandOptions {
    fn of(&self, (kind, n, (solver, substeps, params)): (Kind, u32, Settings)) -> BenchOptions {
        BenchOptions {
            n,
            kind,
            substeps,
            iterations: 1,
            threads: self.threads,
            budget_secs: self.budget_secs,
            frames: self.frames,
            solver: solver.to_string(),
            order: None,
            params: params.iter().map(|(name, value)| (name.to_string(), *value)).collect(),
        }
    }
}

/// Prints a row by what its benchmark says, and returns it for the CSV. `time`: its number, and what is measured.
fn said(
    (kind, n, (solver, substeps, params)): (Kind, u32, Settings),
    told: &Value,
    time: (&str, &str),
    options: &StrandOptions,
) -> String {
    let number = |name: &str| told[name].as_f64().map_or(String::new(), |number| format!("{number:.4}"));
    let mut settings = format!("substeps {substeps}");
    params.iter().for_each(|(name, value)| settings += &format!(" {name} {value}"));
    settings += time.1;
    let kind = clap::ValueEnum::to_possible_value(&kind).map_or(String::new(), |kind| kind.get_name().into());
    let ms = number(time.0);
    say::say(format_args!("{kind:9} {n:>7} {solver:18} {settings:34} {ms:>9}"));
    let path = if options.on.is_some() { "gpu" } else { "cpu" };
    let frames = told["frames"].as_u64().unwrap_or_default();
    format!("{path},{kind},{n},{solver},{settings},{frames},{ms},{}", number("stretch_max"))
}
