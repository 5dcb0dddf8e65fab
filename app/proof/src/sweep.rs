//! `weft sweep`: scenes x solvers x values, each cell a run with its cost and its error; a table that goes on where it was
//! interrupted, and the figure of cost against error with the solvers that nothing beats.

mod plot;
mod table;

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use weft_core::{
    clock::Instant,
    say,
    state::StateHash,
    statistics::{Summary, largest},
};
use weft_engine::generation::Generation;
use weft_session::{Options, Session, readings};

pub use table::Row;

/// Frames that are not counted: caches and processor clocks settle.
const WARM: u64 = 10;

pub struct SweepOptions {
    pub scenes: Vec<PathBuf>,
    /// Empty: all.
    pub solvers: Vec<String>,
    /// A field or parameter with the values that it takes in turn.
    pub axes: Vec<(String, Vec<String>)>,
    pub frames: u64,
    pub threads: usize,
    /// Rows go there, one after each run; those that are there already are not run again.
    pub out: PathBuf,
    /// Cost against error, .png or .svg.
    pub pareto: Option<PathBuf>,
}

/// What a run is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub scene: PathBuf,
    pub solver: String,
    /// A value for each axis.
    pub set: Vec<(String, String)>,
}

/// All of them: the last axis turns fastest.
pub fn cells(options: &SweepOptions) -> Vec<Cell> {
    let names = || Generation::built_in().solvers().iter().map(|solver| solver.name.to_string()).collect();
    let solvers: Vec<String> = if options.solvers.is_empty() { names() } else { options.solvers.clone() };
    let mut cells: Vec<Cell> = Vec::new();
    for scene in &options.scenes {
        for solver in &solvers {
            cells.push(Cell { scene: scene.clone(), solver: solver.clone(), set: Vec::new() });
        }
    }
    for (path, values) in &options.axes {
        let with = |cell: &Cell, value: &String| {
            let mut cell = cell.clone();
            cell.set.push((path.clone(), value.clone()));
            cell
        };
        cells = cells.iter().flat_map(|cell| values.iter().map(move |value| with(cell, value))).collect();
    }
    cells
}

/// Runs what is not in the table yet. Returns all rows of this sweep; a cell that cannot run is a row with the reason.
pub fn run(options: &SweepOptions) -> Result<Vec<Row>, String> {
    if let Some(path) = &options.pareto {
        plot::check(path)?;
    }
    let axes: Vec<&str> = options.axes.iter().map(|axis| axis.0.as_str()).collect();
    let mut table = table::Table::open(&options.out, &axes)?;
    let cells = cells(options);
    let progress = ProgressBar::new(cells.len() as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} runs  {eta}  {msg}");
    progress.set_style(style.map_err(|e| e.to_string())?);
    let mut rows = Vec::new();
    for cell in &cells {
        progress.set_message(cell.solver.clone());
        let known = table.find(cell, options.frames, options.threads);
        let is_new = known.is_none();
        let row = known.unwrap_or_else(|| one(options, cell));
        if is_new {
            table.add(&row)?;
        }
        rows.push(row);
        progress.inc(1);
    }
    progress.finish_and_clear();
    if let Some(path) = &options.pareto {
        plot::draw(path, &rows)?;
    }
    Ok(rows)
}

/// One run: the median time of a step, and the errors of the second half.
fn one(options: &SweepOptions, cell: &Cell) -> Row {
    let mut row = Row::new(cell, options.frames, options.threads);
    match measure(options, cell, &mut row) {
        Ok(()) => {}
        Err(why) => row.failure = why.lines().next().unwrap_or_default().to_string(),
    }
    row
}

fn measure(options: &SweepOptions, cell: &Cell, row: &mut Row) -> Result<(), String> {
    let (scene, solver) = (cell.scene.clone(), Some(cell.solver.clone()));
    let session =
        Options { scene, solver, set: cell.set.clone(), threads: options.threads, ..Options::default() };
    let mut session = Session::open(session)?;
    (row.particles, row.constraints) = session.sizes();
    let (mut times, mut typical, mut worst) = (Vec::new(), Vec::new(), Vec::new());
    for frame in 0..options.frames {
        let start = Instant::now();
        let stepped = session.step();
        let ms = start.elapsed().as_secs_f32() * 1e3;
        stepped.map_err(|why| format!("frame {frame}: {why}"))?;
        if frame >= WARM.min(options.frames / 2) {
            times.push(ms);
        }
        if 2 * frame >= options.frames {
            session.measure();
            let reading = |name: &str| {
                let found = readings::find(&session.run().generation, name)?;
                found.of(&session.readings())
            };
            typical.extend(reading("stretch_p95"));
            worst.extend(reading("stretch_max"));
        }
    }
    let summary = Summary::of(times).ok_or("no frame was timed: more --frames")?;
    (row.ms_p50, row.ms_p95) = (f64::from(summary.p50), f64::from(summary.p95));
    row.residual = session.run().readings.get("residual").copied().map_or(f64::NAN, f64::from);
    row.energy = session.report().measured().total_energy();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    row.stretch_p95 = if typical.is_empty() { f64::NAN } else { 100.0 * mean(&typical) };
    row.stretch_max = 100.0 * largest(worst);
    row.hash = StateHash::of(&session.run().state).to_string();
    Ok(())
}

/// Prints the rows that nothing beats, scene by scene, and what failed.
pub fn print(options: &SweepOptions, rows: &[Row]) {
    for scene in &options.scenes {
        let mine: Vec<&Row> = rows.iter().filter(|row| row.scene == scene.display().to_string()).collect();
        let front = plot::front(&mine);
        say::say(format_args!("{}: of {} runs nothing beats these", scene.display(), mine.len()));
        for row in front {
            say::say(format_args!(
                "  {:9.3} ms  stretch p95 {:8.3} %  max {:8.2} %  {}",
                row.ms_p50,
                row.stretch_p95,
                row.stretch_max,
                row.name()
            ));
        }
        for row in mine.iter().filter(|row| !row.failure.is_empty()) {
            say::say(format_args!("  failed: {}: {}", row.name(), row.failure));
        }
    }
    say::say(format_args!("rows in {}", options.out.display()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_all_combinations_in_order() {
        let options = SweepOptions {
            scenes: vec!["a.ron".into(), "b.ron".into()],
            solvers: vec!["xpbd".into(), "vbd".into()],
            axes: vec![
                ("solver.substeps".into(), vec!["5".into(), "10".into()]),
                ("wind.gust".into(), vec!["0".into(), "1".into(), "2".into()]),
            ],
            frames: 1,
            threads: 1,
            out: PathBuf::new(),
            pareto: None,
        };
        let cells = cells(&options);
        assert_eq!(cells.len(), 2 * 2 * 2 * 3);
        let set = |cell: &Cell| cell.set.iter().map(|set| set.1.clone()).collect::<Vec<_>>().join(" ");
        let first: Vec<String> = cells[..4].iter().map(set).collect();
        assert_eq!(first, ["5 0", "5 1", "5 2", "10 0"]);
        assert_eq!(
            (cells[23].scene.display().to_string(), cells[6].solver.as_str()),
            ("b.ron".into(), "vbd")
        );
    }
}
