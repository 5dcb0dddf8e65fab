//! `weft bench --all`: every solver on W(n), in turns, with what it costs beside what it leaves.
//!
//! Solvers take [`TURN`] frames each, one after another, until all have done theirs: what else the machine does hits all
//! of them alike. The first half of a run is the fall; stretch is that of the second half.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use weft_core::{command::CommandError, files, say, state::Blueprint, statistics::quantile};
use weft_engine::{
    generation::Generation,
    run::{self, Run, StepInput},
    threads::Threads,
};
use weft_scene::{
    Scene,
    assemble::{self, Assembly},
    workload::{assembly, workload},
};
use weft_session::readings::RowsMeter;

/// Frames of one solver before the next has its turn.
const TURN: usize = 5;

pub struct TableOptions {
    /// Particles a side.
    pub sizes: Vec<u32>,
    pub threads: usize,
    pub frames: usize,
    /// Further rows, `solver:param=value,param=value`.
    pub rows: Vec<String>,
    pub out: Option<PathBuf>,
}

struct Row {
    n: u32,
    settings: String,
    run: Run,
    ms: Vec<f32>,
    residual: Option<f32>,
    /// Largest values of the second half.
    p95: f32,
    max: f32,
    failed: Option<String>,
}

const HEADER: &str = "solver,n,threads,settings,frames,ms_p50,ms_p95,residual,stretch_p95,stretch_max,note";

/// Runs all rows and prints them; writes them as CSV if asked to.
pub fn table(options: &TableOptions) -> Result<(), CommandError> {
    if options.frames < 2 {
        return Err(CommandError::Usage(format!("-f {}: at least 2 frames", options.frames)));
    }
    let threads = Threads::new(options.threads)?;
    let mut lines = vec![HEADER.to_string()];
    say::say(format_args!(
        "{:20} {:>4} {:>9} {:>9} {:>10} {:>10} {:>10}  settings",
        "solver", "n", "ms p50", "ms p95", "residual", "p95", "max"
    ));
    for &n in &options.sizes {
        let scene = workload(n)?;
        let input = StepInput { guarded: false, ..run::input(&scene, &[]) };
        let mut rows = rows_of(n, &scene, &options.rows).map_err(CommandError::Usage)?;
        for _ in (0..options.frames).step_by(TURN) {
            for row in &mut rows {
                row.turn(&threads, &input, options.frames);
            }
        }
        for row in &rows {
            say::say(format_args!("{}", row.text()));
            lines.push(row.csv(threads.count()));
        }
    }
    keep(options.out.as_deref(), &lines)
}

/// Writes the lines of a table to a file, if there is one, and says so.
pub(crate) fn keep(out: Option<&Path>, lines: &[String]) -> Result<(), CommandError> {
    if let Some(path) = out {
        files::write(path, lines.join("\n") + "\n").map_err(|e| format!("{}: {e}", path.display()))?;
        say::warn(format_args!("wrote {}", path.display()));
    }
    Ok(())
}

/// Every solver of cloth at its defaults, then the rows asked for.
fn rows_of(n: u32, scene: &Scene, asked: &[String]) -> Result<Vec<Row>, String> {
    let generation = Generation::built_in();
    let of_cloth = generation.solvers().iter().filter(|solver| solver.taken("distance").is_some());
    let all = of_cloth.map(|solver| solver.name.to_string());
    let Assembly { blueprint, .. } = assembly(scene);
    all.chain(asked.iter().cloned()).map(|text| Row::new(n, blueprint.clone(), &text)).collect()
}

impl Row {
    /// `solver` or `solver:param=value,...`.
    fn new(n: u32, blueprint: Blueprint, text: &str) -> Result<Self, String> {
        let (solver, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut run = Run::new(Generation::built_in(), blueprint, solver)?;
        let known = run.generation.solver(solver).ok_or_else(|| format!("there is no solver `{solver}`"))?;
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) =
                setting.split_once('=').ok_or_else(|| format!("`{setting}` is not param=value"))?;
            let params = run.generation.solvers()[known].params;
            let param = params.as_slice().iter().find(|param| param.name.as_str() == name);
            let param = param.ok_or_else(|| format!("the solver {solver} has no parameter `{name}`"))?;
            let value = match value.parse::<f32>() {
                Ok(number) if number == param.clamp(number) => number,
                Ok(_) => return Err(format!("{name}={value} is not in {} to {}", param.min, param.max)),
                Err(_) => assemble::choices(param)
                    .position(|choice| choice == value)
                    .ok_or_else(|| format!("{name} has no choice `{value}`"))?
                    as f32,
            };
            run.params.insert(name.to_string(), value);
        }
        let settings = settings.to_string();
        Ok(Self { n, settings, run, ms: Vec::new(), residual: None, p95: 0.0, max: 0.0, failed: None })
    }

    fn turn(&mut self, threads: &Threads, input: &StepInput, frames: usize) {
        let mut meter = RowsMeter::default();
        for _ in 0..TURN.min(frames - self.ms.len()) {
            if self.failed.is_some() {
                return;
            }
            let start = Instant::now();
            if let Err(error) = self.run.step(threads, input) {
                self.failed = Some(error.to_string());
                return;
            }
            self.ms.push(start.elapsed().as_secs_f32() * 1e3);
            if 2 * self.ms.len() > frames {
                let stretch = meter.read(&self.run.state).stretch;
                (self.p95, self.max) = (self.p95.max(stretch.p95), self.max.max(stretch.max));
            }
        }
        self.residual = self.run.readings.get("residual").copied().filter(|residual| !residual.is_nan());
    }

    /// Median and 95th percentile of the milliseconds of a frame.
    fn times(&self) -> [f64; 2] {
        let mut ms = self.ms.clone();
        ms.sort_by(f32::total_cmp);
        if ms.is_empty() { [0.0; 2] } else { [0.5, 0.95].map(|share| quantile(&ms, share)) }
    }

    fn text(&self) -> String {
        let [p50, p95] = self.times();
        let residual = self.residual.map_or_else(|| "-".to_string(), |residual| format!("{residual:.2e}"));
        let stretch = [self.p95, self.max].map(|share| format!("{:.2} %", share * 100.0));
        let failed = self.failed.as_ref().map_or_else(String::new, |failed| format!("  FAILED: {failed}"));
        format!(
            "{:20} {:>4} {p50:>9.2} {p95:>9.2} {residual:>10} {:>10} {:>10}  {}{failed}",
            self.run.solver, self.n, stretch[0], stretch[1], self.settings
        )
    }

    fn csv(&self, threads: usize) -> String {
        let [p50, p95] = self.times();
        let residual = self.residual.map_or_else(String::new, |residual| format!("{residual:.3e}"));
        format!(
            "{},{},{threads},{},{},{p50:.3},{p95:.3},{residual},{:.5},{:.5},{}",
            self.run.solver,
            self.n,
            self.settings.replace(',', " "),
            self.ms.len(),
            self.p95,
            self.max,
            self.failed.as_deref().unwrap_or_default().replace(',', ";")
        )
    }
}
