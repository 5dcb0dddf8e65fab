//! A part of a sweep, run by a process of its own, anywhere that sees the folder: each shard has a table there, and a note of
//! the run that it is at, so that one which ends the process is tried once more and then a row with the reason.
//!
//! `OUT.csv.shards/` holds `sweep.ron` (what is run), `12.csv` (rows of shard 12), `12.at` (the run begun last) and the logs of
//! an engine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    str::FromStr,
    thread,
    time::Duration,
};

use weft_core::{child::ends_with_us, clock::Instant, files};

use super::{Cell, Row, SweepOptions, cells, cores, definition::SweepFile, measure, table::Table};

/// The file in the folder of shards that says what is run.
pub(super) const PLAN: &str = "sweep.ron";
/// Set for the process that does the runs of a shard: how the one before it ended.
const CHILD: &str = "WEFT_SWEEP_CHILD";
/// How often a run is begun before it counts as one that ends the process.
const TRIES: usize = 2;
/// Processes that end before they begin a run, in a row.
const FRUITLESS: usize = 3;

/// `3/16`: the runs 3, 19, 35 and so on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shard {
    pub index: usize,
    pub of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((index, of)) if index < of => Ok(Self { index, of }),
            _ => Err(format!("`{text}` is no shard: write INDEX/COUNT, such as 0/16")),
        }
    }
}

/// The folder of the shards of a table.
pub(super) fn folder(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".shards");
    name.into()
}

pub(super) fn axes(options: &SweepOptions) -> Vec<&str> {
    options.axes.iter().map(|axis| axis.0.as_str()).collect()
}

/// Runs a shard in processes of its own until it is whole. `on`: the cores that it may use, any if empty.
pub(super) fn run(plan: &Path, options: &SweepOptions, shard: Shard, on: &[usize]) -> Result<(), String> {
    if let Ok(before) = std::env::var(CHILD) {
        return child(options, shard, &before);
    }
    let exe = std::env::current_exe().map_err(|why| format!("this program's file: {why}"))?;
    let at = folder(&options.out).join(format!("{}.at", shard.index));
    // Runs that end a process are counted by whoever watches it: a machine that went down, or Ctrl-C, is no fault of theirs.
    let _ = fs::remove_file(&at);
    let (mut before, mut fruitless) = (String::new(), 0);
    while fruitless < FRUITLESS {
        let begun = fs::read(&at).unwrap_or_default();
        let mut command = Command::new(&exe);
        command.arg("sweep").arg(plan).arg("--shard").arg(format!("{}/{}", shard.index, shard.of));
        let on: Vec<String> = on.iter().map(ToString::to_string).collect();
        if !on.is_empty() {
            command.arg("--cores").arg(on.join(","));
        }
        let log =
            fs::File::create(at.with_extension("log")).map_err(|why| format!("{}: {why}", at.display()))?;
        command.env(CHILD, &before).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let status = wait(&mut command, options.limit, &at)?;
        if status.success() {
            return Ok(());
        }
        before = ended(status);
        fruitless = if fs::read(&at).unwrap_or_default() == begun { fruitless + 1 } else { 0 };
    }
    let log = fs::read_to_string(at.with_extension("log")).unwrap_or_default();
    Err(format!("shard {}: {before}: {}", shard.index, log.lines().last().unwrap_or("it said nothing")))
}

/// Waits for a process; one that is far behind its limit, in a step that does not end, is killed.
fn wait(command: &mut Command, limit: Option<f64>, at: &Path) -> Result<ExitStatus, String> {
    let failed = |why: std::io::Error| format!("{command:?}: {why}", command = "weft sweep --shard");
    let mut child = ends_with_us(command).spawn().map_err(failed)?;
    let Some(limit) = limit else { return child.wait().map_err(failed) };
    // Since when it is at the same run, by a clock that nobody sets.
    let (mut run, mut since) = (files::stamp(at), Instant::now());
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(status);
        }
        let now = files::stamp(at);
        if now != run {
            (run, since) = (now, Instant::now());
        }
        if run.is_some() && since.elapsed().as_secs_f64() > 2.0 * limit + 10.0 {
            child.kill().map_err(failed)?;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// How a process ended, in words.
fn ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = match signal {
            libc::SIGKILL => Some("SIGKILL: killed, or out of memory"),
            _ => weft_session::rescue::signal_name(signal),
        };
        let name = name.map_or_else(String::new, |name| format!(" ({name})"));
        return format!("the process ended by signal {signal}{name}");
    }
    format!("the process ended with {status}")
}

/// The runs of a shard, one after the other.
fn child(options: &SweepOptions, shard: Shard, before: &str) -> Result<(), String> {
    let (axes, parent) = (axes(options), parent());
    let at = folder(&options.out).join(format!("{}.at", shard.index));
    let mut table = Table::open(&at.with_extension("csv"), &axes)?;
    let whole = if options.out.exists() { Some(Table::read(&options.out, &axes)?) } else { None };
    let known = |table: &Table, cell: &Cell| table.find(cell, options.frames, options.threads).is_some();
    // The run at which the process before this one ended; those behind it are new.
    let tried = fs::read_to_string(&at).unwrap_or_default();
    for (index, cell) in cells(options).iter().enumerate().skip(shard.index).step_by(shard.of) {
        if known(&table, cell) || whole.as_ref().is_some_and(|whole| known(whole, cell)) {
            continue;
        }
        let tries =
            tried.strip_prefix(&format!("{index} ")).and_then(|tries| tries.trim().parse().ok()).unwrap_or(0);
        let row = if tries < TRIES {
            fs::write(&at, format!("{index} {}\n", tries + 1))
                .map_err(|why| format!("{}: {why}", at.display()))?;
            measure::one(options, cell)
        } else {
            let why = if before.is_empty() { "the process ended in it" } else { before };
            Row {
                failure: format!("{why}, {TRIES} times"),
                ..Row::new(cell, options.frames, options.threads)
            }
        };
        table.add(row)?;
        // Whoever started this process is gone: so is who would take the rows.
        if self::parent() != parent {
            return Err("its parent ended".into());
        }
    }
    Ok(())
}

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

/// Reads a plan and runs a shard of it: what a worker of an engine is started with.
pub fn worker(plan: &Path, shard: Shard, on: &[usize]) -> Result<(), String> {
    cores::pin(on)?;
    let options = SweepFile::read(plan)?.options(plan);
    run(plan, &options, shard, on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_and_mistakes_said() {
        assert_eq!("3/16".parse(), Ok(Shard { index: 3, of: 16 }));
        for text in ["", "3", "16/16", "-1/2", "a/b", "0/0"] {
            assert!(text.parse::<Shard>().is_err_and(|why| why.contains("INDEX/COUNT")), "{text}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_run_is_not_ended_because_the_clock_was_set() {
        let at = std::env::temp_dir().join(format!("weft-shard-{}.at", std::process::id()));
        let yesterday = std::time::SystemTime::now() - Duration::from_hours(24);
        fs::File::create(&at).and_then(|file| file.set_modified(yesterday)).expect("a file");
        let status = wait(Command::new("sleep").arg("0.1"), Some(1.0), &at).expect("it runs");
        assert!(status.success(), "{status}");
        fs::remove_file(at).expect("removed");
    }
}
