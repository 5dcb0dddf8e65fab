//! `weft sweep`: scenes x solvers x values, each cell a run with its cost and its error; a table that goes on where it was
//! interrupted, and the figure of cost against error with the solvers that nothing beats.
//!
//! One after the other in this process, or in shards on an [`Engine`], whose rows are gathered as they come.

mod axis;
mod cores;
mod definition;
mod engine;
mod lock;
mod measure;
mod mistake;
mod parquet;
mod plot;
mod shard;
mod table;

use std::{
    collections::HashMap,
    fs,
    io::{Read as _, Seek as _, SeekFrom},
    path::PathBuf,
};

use indicatif::{ProgressBar, ProgressStyle};
use weft_core::{command::CommandError, files, say};

pub use definition::{Cell, FRAMES, SweepFile, SweepOptions, cells};
pub use engine::{Engine, Kind};
pub use plot::Against;
pub use shard::{Shard, worker};
pub use table::Row;

use lock::Lock;
use table::Table;

/// Runs what is not in the table yet, on an engine or in this process. Returns all rows of this sweep; a cell that cannot run
/// is a row with the reason.
pub fn run(options: &SweepOptions, engine: Option<&Engine>) -> Result<Vec<Row>, CommandError> {
    options.check().map_err(|mistake| mistake.of_option())?;
    let (axes, cells) = (shard::axes(options), cells(options));
    let _alone = Lock::of(&options.out)?;
    let mut table = Table::open(&options.out, &axes)?;
    gather(options, &mut table)?;
    if options.retry {
        table.retry(&cells, options.frames, options.threads)?;
    }
    let progress = ProgressBar::new(cells.len() as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} runs  {eta}  {msg}");
    progress.set_style(style.map_err(|e| e.to_string())?);
    match engine {
        Some(engine) => spread(options, engine, &mut table, &cells, &progress)?,
        None => {
            for cell in &cells {
                progress.set_message(cell.solver.clone());
                if table.find(cell, options.frames, options.threads).is_none() {
                    table.add(measure::one(options, cell))?;
                }
                progress.inc(1);
            }
        }
    }
    progress.finish_and_clear();
    let rows: Vec<Row> =
        cells.iter().filter_map(|cell| table.find(cell, options.frames, options.threads).cloned()).collect();
    parquet::write(&options.out.with_extension("parquet"), &rows, &axes)?;
    if let Some(path) = &options.pareto {
        plot::draw(path, &rows, options.against)?;
    }
    Ok(rows)
}

/// What an engine would be given; the plan is in the folder of shards then.
pub fn print_plan(options: &SweepOptions, engine: &Engine) -> Result<(), CommandError> {
    options.check().map_err(|mistake| mistake.of_option())?;
    let _alone = Lock::of(&options.out)?;
    let mut table = Table::open(&options.out, &shard::axes(options))?;
    gather(options, &mut table)?;
    match prepare(options, engine, &table, &cells(options))? {
        Some((_, shards)) => say::say(engine.text(options, shards)?),
        None => say::say(format_args!("nothing is left to run: all rows are in {}", options.out.display())),
    }
    Ok(())
}

/// Writes the plan of what is left, if anything: how many runs, and in how many shards.
fn prepare(
    options: &SweepOptions,
    engine: &Engine,
    table: &Table,
    cells: &[Cell],
) -> Result<Option<(usize, usize)>, String> {
    let left = missing(options, table, cells);
    if left == 0 {
        return Ok(None);
    }
    let folder = shard::folder(&options.out);
    let written = files::make_folder(&folder);
    let plan = SweepFile::text(options)?;
    let written = written.and_then(|()| files::write(&folder.join(shard::PLAN), plan));
    written.map_err(|why| format!("{}: {why}", folder.display()))?;
    Ok(Some((left, engine.shards(left, options.threads))))
}

fn missing(options: &SweepOptions, table: &Table, cells: &[Cell]) -> usize {
    cells.iter().filter(|cell| table.find(cell, options.frames, options.threads).is_none()).count()
}

/// What is left of a sweep, in shards; their rows come into the table, also those of an engine that failed half-way.
fn spread(
    options: &SweepOptions,
    engine: &Engine,
    table: &mut Table,
    cells: &[Cell],
    progress: &ProgressBar,
) -> Result<(), String> {
    let folder = shard::folder(&options.out);
    let Some((left, shards)) = prepare(options, engine, table, cells)? else {
        let gone = if folder.exists() { fs::remove_dir_all(&folder) } else { Ok(()) };
        return gone.map_err(|why| format!("{}: {why}", folder.display()));
    };
    let (mut sizes, mut rows) = (HashMap::new(), (cells.len() - left) as u64);
    progress.set_position(rows);
    progress.reset_eta();
    grown(&folder, &mut sizes);
    let done = engine.run(options, shards, &mut || {
        rows += grown(&folder, &mut sizes);
        progress.set_position(rows);
    });
    gather(options, table)?;
    table.sort(cells, options.frames, options.threads)?;
    match (missing(options, table, cells), done) {
        (0, _) => fs::remove_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display())),
        (left, done) => Err(format!(
            "{}{left} of {} runs are missing; the rows of the others are in {}, and the same command goes on from there",
            done.err().map_or_else(String::new, |why| format!("{why}\n")),
            cells.len(),
            options.out.display(),
        )),
    }
}

/// Takes in what shards have written.
fn gather(options: &SweepOptions, table: &mut Table) -> Result<(), String> {
    let Ok(files) = fs::read_dir(shard::folder(&options.out)) else { return Ok(()) };
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "csv"));
    files.sort();
    let (axes, mut new) = (shard::axes(options), false);
    for file in files {
        // That of another sweep into the same table, or one that was cut in its first line: nothing is lost but time.
        if let Ok(rows) = Table::read(&file, &axes) {
            new |= table.merge(rows);
        }
    }
    if new { table.write() } else { Ok(()) }
}

/// Lines that came into the shards' tables since the last look.
fn grown(folder: &std::path::Path, sizes: &mut HashMap<PathBuf, u64>) -> u64 {
    let Ok(files) = fs::read_dir(folder) else { return 0 };
    let mut lines = 0;
    for file in files
        .flatten()
        .map(|file| file.path())
        .filter(|file| file.extension().is_some_and(|end| end == "csv"))
    {
        let known = sizes.get(&file).copied().unwrap_or(0);
        if fs::metadata(&file).is_ok_and(|about| about.len() == known) {
            continue;
        }
        let mut new = Vec::new();
        let read = fs::File::open(&file).and_then(|mut open| {
            open.seek(SeekFrom::Start(known))?;
            open.read_to_end(&mut new)
        });
        if read.is_err() {
            continue;
        }
        // The first line is the head.
        let head = usize::from(known == 0);
        lines += (new.split(|byte| *byte == b'\n').count() - 1).saturating_sub(head) as u64;
        sizes.insert(file, known + new.len() as u64);
    }
    lines
}

/// Prints the rows that nothing beats, scene by scene, and what failed.
pub fn print(options: &SweepOptions, rows: &[Row]) {
    for scene in &options.scenes {
        let mine: Vec<&Row> = rows.iter().filter(|row| row.scene == scene.display().to_string()).collect();
        let front = plot::front(&mine, options.against);
        say::say(format_args!("{}: of {} runs nothing beats these", scene.display(), mine.len()));
        for row in front {
            // Not every solver has one.
            let residual = if row.residual.is_nan() { "-".into() } else { format!("{:.1e}", row.residual) };
            say::say(format_args!(
                "  {:9.3} ms  stretch p95 {:8.3} %  max {:8.2} %  residual {residual:>7}  {}",
                row.ms_p50,
                row.stretch_p95,
                row.stretch_max,
                row.name()
            ));
        }
        let mut failures: Vec<(&str, Vec<String>)> = Vec::new();
        for row in mine.iter().filter(|row| !row.failure.is_empty()) {
            match failures.iter_mut().find(|(why, _)| *why == row.failure) {
                Some((_, names)) => names.push(row.name()),
                None => failures.push((&row.failure, vec![row.name()])),
            }
        }
        for (why, names) in failures {
            let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
            say::say(format_args!("  failed: {}{more}: {why}", names[0]));
        }
    }
    let parquet = options.out.with_extension("parquet");
    say::say(format_args!("rows in {} and {}", options.out.display(), parquet.display()));
}

/// A sweep with runs that failed is an error, although their rows are written, too.
pub fn judge(rows: &[Row]) -> Result<(), CommandError> {
    let failed: Vec<&Row> = rows.iter().filter(|row| !row.failure.is_empty()).collect();
    let Some(first) = failed.first() else { return Ok(()) };
    let which = if failed.len() == rows.len() { "all".into() } else { format!("{} of", failed.len()) };
    let (all, why) = (rows.len(), &first.failure);
    Err(format!("{which} {all} runs failed, the first of them: {why}; `--retry` runs them again").into())
}
