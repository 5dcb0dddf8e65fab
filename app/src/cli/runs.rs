//! Several runs at once: `weft run --runs`, `weft poster`, `weft sweep`, `weft determinism`.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use weft_core::command::CommandError;
use weft_draw::Palette;
use weft_gpu::GpuOptions;
use weft_proof::{
    determinism::{self, DeterminismOptions},
    runs::{RunsOptions, Spec},
    sweep::{self, Against, Engine, Kind, Shard, SweepFile, SweepOptions},
};
use weft_session::Options;

use weft_window::{
    scenes,
    view::{Overlays, Quantity},
};

use super::{
    arguments::{parse_count, parse_positive, parse_set, parse_size, parse_threads},
    path::Path,
};
use crate::{
    headless,
    poster::{self, PosterOptions},
};

#[derive(Args)]
pub(super) struct Poster {
    scene: PathBuf,
    /// PNG to draw
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    /// Solvers, such as xpbd,vbd:iterations=20
    #[arg(long, value_name = "LIST", default_value = "all")]
    runs: String,
    /// Substeps, or iterations, such that each costs what the first one does over the first frames
    #[arg(long)]
    same_ms: bool,
    /// Frames to simulate
    #[arg(long, value_name = "N", default_value_t = 120)]
    frames: u64,
    /// Threads of the solvers; 0: one for each core
    #[arg(long, value_name = "T", default_value_t = 0, value_parser = parse_threads)]
    threads: usize,
    /// Set a field of the scene; may be given again
    #[arg(long, value_name = "PATH=VALUE", value_parser = parse_set)]
    set: Vec<(String, String)>,
    #[arg(long, value_parser = Quantity::named, default_value = Quantity::look().name)]
    #[arg(help = format!("What the pictures show on the cloth:{}", Quantity::list()))]
    view: &'static Quantity,
    #[arg(long, value_name = "LIST", value_parser = Overlays::named, default_value = "")]
    #[arg(hide_default_value = true, help = format!("Lines and dots over the pictures, apart by commas, or all:{}", Overlays::list()))]
    overlay: Overlays,
    /// Size of the whole picture
    #[arg(long, value_name = "WxH", default_value = "1920x1280", value_parser = parse_size)]
    size: (u32, u32),
}

#[derive(Args)]
pub(super) struct Sweep {
    /// Scenes, or one file that lists `scenes`, and what else is said here
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Solvers [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    solvers: Vec<String>,
    /// Values that a field or parameter takes in turn, such as solver.substeps=5,10,20; may be given again; the value
    /// `default` leaves it alone. `resolution`: particles along the longer side of each grid; `seed`: starts moved by a
    /// thousandth of an edge
    #[arg(long, value_name = "PATH=VALUES", value_parser = parse_axis)]
    set: Vec<(String, Vec<String>)>,
    /// Frames of a run [default: 120]
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Threads of the solvers; 0: one for each core [default: 1]
    #[arg(long, value_name = "T", value_parser = parse_threads)]
    threads: Option<usize>,
    /// A run that takes longer is a row that says so
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    limit: Option<f64>,
    /// Run again what failed before, such as after a mend
    #[arg(long)]
    retry: bool,
    /// Table, beside it the same as .parquet [default: sweep.csv, or named as the file]
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Draw the error against the time of a step, with the runs that nothing beats (.png or .svg)
    #[arg(long, value_name = "FILE")]
    pareto: Option<PathBuf>,
    /// What counts as the error, in the figure and in what is printed
    #[arg(long, value_enum, default_value_t)]
    against: Against,
    /// Who does the runs [default: this process, one after the other]
    #[arg(long, value_enum)]
    engine: Option<Kind>,
    /// With --engine local: processes at a time [default: as many as have cores of their own]
    #[arg(long, value_name = "J", requires = "engine", value_parser = parse_count)]
    jobs: Option<usize>,
    /// With --engine: parts that are handed out
    #[arg(long, value_name = "N", requires = "engine", value_parser = parse_count)]
    shards: Option<usize>,
    /// With --engine: print what would be submitted, such as Slurm's script, and submit nothing
    #[arg(long, requires = "engine")]
    print: bool,
    /// Run a part of a plan: what the workers of an engine are started with
    #[arg(long, value_name = "I/N", hide = true)]
    shard: Option<Shard>,
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide = true)]
    cores: Vec<usize>,
}

#[derive(Args)]
pub(super) struct Determinism {
    /// Left out: scenes/flag.ron of the source tree
    scene: Option<PathBuf>,
    /// Solver instead of the scene's
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    #[arg(long, value_name = "N", default_value_t = 100)]
    frames: u64,
    /// Numbers of threads, each compared with one
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,2,3,8", value_parser = parse_threads)]
    threads: Vec<usize>,
    /// Set a field of the scene; may be given again
    #[arg(long, value_name = "PATH=VALUE", value_parser = parse_set)]
    set: Vec<(String, String)>,
}

impl Poster {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let Self { scene, out, runs, same_ms, frames, threads, set, view, overlay, size } = self;
        let session = Options { scene, threads, set, ..Options::default() };
        let (specs, gpu) = (side_by_side(&runs, Path::Cpu)?, GpuOptions::default());
        let runs = RunsOptions { session, specs, gpu, frames, same_ms };
        let palette = Palette::default();
        let shot = Some(out);
        poster::run(&PosterOptions { runs, json: false, shot, option: "--out", view, overlay, palette, size })
    }
}

impl Sweep {
    pub(super) fn run(self) -> Result<(), CommandError> {
        if let Some(shard) = self.shard {
            return Ok(sweep::worker(&self.files[0], shard, &self.cores)?);
        }
        let engine = self.engine.map(|kind| Engine { kind, jobs: self.jobs, shards: self.shards });
        let print = self.print;
        let options = self.options()?;
        match engine {
            Some(engine) if print => sweep::print_plan(&options, &engine),
            engine => {
                let rows = sweep::run(&options, engine.as_ref())?;
                sweep::print(&options, &rows);
                sweep::judge(&rows)
            }
        }
    }

    /// What the file says, if there is one, and what the command line says instead.
    fn options(self) -> Result<SweepOptions, CommandError> {
        let Self { files, solvers, mut set, frames, threads, limit, retry, out, pareto, against, .. } = self;
        let mut options = match files.iter().find(|file| SweepFile::is_one(file)) {
            Some(path) if files.len() > 1 => {
                let text = format!("{} lists scenes itself: give it alone", path.display());
                return Err(CommandError::Usage(text));
            }
            Some(path) => SweepFile::checked(path)?,
            None => SweepOptions {
                scenes: files,
                frames: sweep::FRAMES,
                threads: 1,
                out: "sweep.csv".into(),
                ..SweepOptions::default()
            },
        };
        if !solvers.is_empty() {
            options.solvers = solvers;
        }
        options.axes.retain(|(name, _)| !set.iter().any(|(other, _)| other == name));
        options.axes.append(&mut set);
        options.frames = frames.unwrap_or(options.frames);
        options.threads = threads.unwrap_or(options.threads);
        options.out = out.unwrap_or(options.out);
        options.limit = limit.or(options.limit);
        options.pareto = pareto.or(options.pareto);
        Ok(SweepOptions { retry, against, ..options })
    }
}

impl Determinism {
    pub(super) fn run(self) -> Result<ExitCode, CommandError> {
        let Self { scene, solver, frames, threads, set } = self;
        let scene = scene.map_or_else(scenes::first_scene, Ok)?;
        let session = Options { scene, solver, set, ..Options::default() };
        let options = DeterminismOptions { session, frames, threads };
        let same = determinism::print(&options, &determinism::run(&options)?);
        Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(headless::UNMET) })
    }
}

/// The runs of a list; `path` is that of those that name none.
pub(super) fn side_by_side(list: &str, path: Path) -> Result<Vec<Spec>, CommandError> {
    let usage = |why| CommandError::Usage(format!("--runs `{list}`: {why}"));
    let mut specs = Spec::list(list).map_err(usage)?;
    specs.iter_mut().for_each(|spec| spec.gpu |= path == Path::Gpu);
    Ok(specs)
}

/// Values are parted by commas outside of brackets.
fn parse_axis(text: &str) -> Result<(String, Vec<String>), String> {
    let (path, values) =
        text.split_once('=').ok_or("write it as PATH=VALUES, such as solver.substeps=5,10,20")?;
    let (mut all, mut depth) = (vec![String::new()], 0);
    for letter in values.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        if letter == ',' && depth == 0 {
            all.push(String::new());
        } else if let Some(last) = all.last_mut() {
            last.push(letter);
        }
    }
    let all: Vec<String> = all.into_iter().map(|value| value.trim().to_string()).collect();
    if all.iter().any(String::is_empty) {
        return Err(format!("`{text}` has an empty value"));
    }
    Ok((path.trim().to_string(), all))
}
