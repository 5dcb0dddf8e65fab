//! What may be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use weft_engine::threads::Threads;
use weft_proof::bench::kind::Kind;
use weft_session::{Options, history, rescue::Resume};

use super::{
    path::{Path, Where},
    replays::{Bisect, Replay},
    run::RunScene,
    runs::{Determinism, Poster, Sweep},
    timings::{Ab, Compare, Report},
};

const EXAMPLES: &str = "Examples:
  weft                                   the first scene, in a window
  weft scenes/drape_on_sphere.ron        another one
  weft run scenes/flag.ron --frames 600 --set wind.velocity='(12,0,0)' --shot flag.png
  weft run scenes/flag.ron --solver explicit --set solver.substeps=64 --record flag.weft
  weft run scenes/drape_on_sphere.ron --runs xpbd,vbd:iterations=20,explicit --shot sides.png
  weft report flag.weft --html flag.html  a recording (.weft, .csv) as table or page; .trace.json is for Perfetto
  weft compare old*.weft -- new*.weft    is it slower? Exit code 3 if so, 4 if that takes more runs
  weft ab scenes/flag.ron --a '--solver xpbd' --b '--solver vbd'   both in turns; --b-rev HEAD~1: another revision
  weft replay flag.weft                  the same bits again? Any .weft recording; weft bisect flag.weft -- v1..HEAD
  weft check scenes/*.ron                find every mistake in scene files

Exit codes: 0 good, 1 an error, such as a file that cannot be read, 2 a wrong command line or a value that an option cannot
have, 3 an expectation, an --until or a comparison that fails.

Keys in the window: space pause, . one step, comma one step back, r reset, 1-9 scenes, m all of them, tab next solver,
c camera back, v view, o overlays, t record, g CPU or GPU path, l loop, b before/after, n another solver beside, i inspect, p picture, f film, F5 rebuild, h help.";

/// A laboratory for cloth and hair solvers: edit solver code, shaders and scenes while the cloth runs.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub window: Window,
}

#[derive(Args)]
pub(super) struct Window {
    /// Scene file, a recording (.weft) to play, or a link that the page made; left out: scenes/flag.ron of the source tree
    pub scene: Option<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub on: Where,
    /// Record frame timings from the start (.weft, .csv or .trace.json)
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Close the window after this many drawn frames
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// Memory for frames to go back to [MB]; 0: none
    #[arg(long, value_name = "MB", default_value_t = history::DEFAULT_MB)]
    pub history: usize,
    /// Size of the window [default: that of the last run, 1280x720 at first]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub size: Option<(u32, u32)>,
    /// Start as at first: what is kept between runs (size, theme, panel, view) is neither read nor written
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub resume: Resume,
}

#[derive(Args)]
pub(super) struct Common {
    /// Solver instead of the scene's; `weft solvers` lists them
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Threads of the solver; 0: one for each core. The result does not depend on it
    #[arg(long, value_name = "T", default_value_t = 0, value_parser = parse_threads)]
    pub threads: usize,
    /// Set a field of the scene or a parameter of the solver; may be given again
    #[arg(long, value_name = "PATH=VALUE", value_parser = parse_set)]
    pub set: Vec<(String, String)>,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Run a scene without a window and print a table
    Run(RunScene),
    /// Draw solvers in a grid, with the cost and the error of each
    Poster(Poster),
    /// What recordings say: percentiles of each stage, the three "1 % low", stutter, before and after each swap
    Report(Report),
    /// Whether B takes longer than A: the ratio of each stage, its interval and a verdict
    ///
    /// Of each run one number a stage counts, the median of its frames without the first tenth (at least 10 frames). Exit
    /// code: 0 no difference or faster, 3 slower, 4 repeat needed, 2 a wrong question.
    Compare(Compare),
    /// Run two variants of a scene in turns, ABBA, and compare them as `compare` does
    Ab(Ab),
    Replay(Replay),
    Bisect(Bisect),
    /// Cross scenes, solvers and values into runs: a CSV table that goes on where it was interrupted, and cost against error.
    /// Exit code 1: a run failed, and its row says why
    Sweep(Sweep),
    /// A scene to begin with, commented, in scenes/; with --solver a solver in sim-dylib/src/solvers/, listed
    New {
        /// Small letters, digits and _
        name: String,
        #[arg(long)]
        solver: bool,
    },
    /// Whether a solver gives the same bits again: on 1, 2, 3 and 8 threads, and after going back in time
    Determinism(Determinism),
    /// Check scene files and report every mistake, and which of their `runs` the GPU path refuses on every adapter
    Check {
        /// Scene files, or folders of them
        #[arg(required = true)]
        scenes: Vec<PathBuf>,
    },
    /// Lay scene files out as those of Weft are; comments stay, and where lines break
    ///
    /// Brackets decide on indentation, spaces and commas; what is wider than 140 columns gets a line for each entry. Takes any
    /// RON. Exit code 0 they are, 1 one is not (--check), 2 one cannot be read.
    Fmt {
        /// Scene files, or folders of them
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write nothing, say which are in another layout
        #[arg(long)]
        check: bool,
    },
    /// Run every validation case with every solver; writes the table of numbers that a solver must reproduce
    Validate {
        /// Folder for validation.csv and validation.md [default: tests/results of the source tree; target/validation for
        /// some cases or solvers, or --quick]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// This case only, such as V2; may be given again
        #[arg(long, value_name = "CASE")]
        case: Vec<String>,
        /// This solver only; may be given again
        #[arg(long, value_name = "NAME")]
        solver: Vec<String>,
        /// Smaller sizes and shorter runs where the answer allows it
        #[arg(long)]
        quick: bool,
        /// Where the solvers run; gpu: those that it offers, and V1, V2, V4, V8, V13, V16, V18 to V22, V25 to V27 [default folder: gpu in those]
        #[arg(long, value_enum, default_value_t)]
        path: Path,
        /// With --path gpu: part of the name of an adapter
        #[arg(long, value_name = "NAME")]
        adapter: Option<String>,
    },
    /// Print every field of a scene file with unit, range, what counts where it is left out, and meaning
    Schema {
        /// As JSON Schema (2020-12), for editors and scripts
        #[arg(long)]
        json: bool,
    },
    /// List the readings: numbers about a run, as in JSON and CSV
    Readings,
    /// List the solvers: kind, the constraint tables each takes, its readings and parameters
    Solvers,
    /// List the adapters that the GPU path can run on, with their limits
    Adapters,
    /// Largest stable step of explicit schemes at a state, and how fast Jacobi and Chebyshev converge there
    Stability {
        scene: PathBuf,
        #[command(flatten)]
        common: Common,
        /// Frames before the state is looked at
        #[arg(long, value_name = "N", default_value_t = 0)]
        frames: u64,
    },
    /// Residual of one implicit step against iterations and time, for every solver: table, CSV and plot
    Convergence {
        scene: PathBuf,
        /// Frames of the scene's own solver before the step that is compared
        #[arg(long, value_name = "N", default_value_t = 0)]
        frames: u64,
        /// Numbers of iterations
        #[arg(
            long,
            value_name = "LIST",
            value_delimiter = ',',
            default_value = "1,2,5,10,20,50,100,200,500"
        )]
        iterations: Vec<u32>,
        /// Solvers to compare [default: all of cloth; those with an equation of their own are left out, which is said]
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        solver: Vec<String>,
        /// Folder for convergence.csv, .svg and .png
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Stiffest spring in units of m/h²: compliance 0 stores no energy, so rigid ones get this stiffness
        #[arg(long, value_name = "K", default_value_t = 1e4)]
        stiffest: f64,
        /// Timed repeats of each step; the median counts
        #[arg(long, value_name = "N", default_value_t = 5)]
        repeats: usize,
        /// Threads of the solver; 0: one for each core
        #[arg(long, value_name = "T", default_value_t = 1, value_parser = parse_threads)]
        threads: usize,
        /// Set a field of the scene; may be given again
        #[arg(long, value_name = "PATH=VALUE", value_parser = parse_set)]
        set: Vec<(String, String)>,
    },
    /// Save random edits, good and hostile, in a copy of the source tree while the program runs on it
    Soak {
        /// Counted from the first step of the live library; Ctrl-C ends it before, with the report
        #[arg(long, value_name = "M", default_value_t = 1.0, value_parser = parse_positive)]
        minutes: f64,
        /// Seconds from one save to the next, at least
        #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = parse_positive)]
        every: f64,
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Folder for soak.md and soak.csv
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// No window, even if there is a display
        #[arg(long)]
        headless: bool,
        /// Folder of the copy, a new one or that of an earlier soak; what was built there is used again [default: target/soak/tree]
        #[arg(long, value_name = "DIR")]
        tree: Option<PathBuf>,
    },
    /// Build the browser page: static files that any host can carry
    Web {
        /// Folder of the page
        #[arg(long, value_name = "DIR", default_value = "target/web/page")]
        out: PathBuf,
        /// Show it at 127.0.0.1 until Ctrl-C
        #[arg(long)]
        serve: bool,
        /// Port to serve at; 0: any that is free
        #[arg(long, value_name = "N", default_value_t = 8017)]
        port: u16,
    },
    /// Print what a shell needs to complete commands and options: source <(weft completions bash)
    Completions {
        shell: clap_complete::Shell,
    },
    /// Try a library for the program that started this one; see `live/probe.rs`
    #[command(hide = true)]
    Probe {
        #[arg(long)]
        threads: usize,
    },
    /// Measure the fixed workload W(n) and print one line of JSON
    Bench {
        /// Particles a side, or strands
        #[arg(short, default_value_t = 128)]
        n: u32,
        /// Constraints that the particles have
        #[arg(long, value_enum, default_value_t = Kind::Distance)]
        kind: Kind,
        /// Substeps a frame
        #[arg(short, default_value_t = 20)]
        substeps: u32,
        /// Iterations a substep
        #[arg(short, default_value_t = 1)]
        iterations: u32,
        #[arg(short, default_value_t = 1, value_parser = parse_threads)]
        threads: usize,
        /// Stop after this many seconds
        #[arg(short, default_value_t = 5.0, value_parser = parse_positive)]
        budget: f64,
        /// Stop after this many frames
        #[arg(short, default_value_t = 300)]
        frames: usize,
        #[arg(long, default_value = weft_scene::DEFAULT_SOLVER)]
        solver: String,
        #[command(flatten)]
        on: Where,
        /// With --path gpu: a whole frame, the picture drawn without a window, of strands 100,000 hairs; its size
        #[arg(long, value_name = "WxH", num_args = 0..=1, default_missing_value = "1280x720", value_parser = parse_size)]
        draw: Option<(u32, u32)>,
        /// With --draw: the last picture as a PNG
        #[arg(long, value_name = "FILE.png", requires = "draw")]
        shot: Option<PathBuf>,
        /// Order of XPBD's sweep: coloured, jacobi or patch
        #[arg(long, value_name = "ORDER")]
        order: Option<String>,
        /// Another parameter of the solver, such as omega=1.2; may be given again
        #[arg(long, value_name = "PARAM=VALUE", value_parser = parse_param)]
        set: Vec<(String, f32)>,
        /// Every solver at its defaults, in turns, at 64 and 128 particles a side: time, residual and stretch
        #[arg(long, conflicts_with_all = ["n", "kind", "substeps", "iterations", "budget", "solver", "order", "set", "path", "adapter", "passes", "draw"], group = "table")]
        all: bool,
        /// Hair with the solvers made for it, 1,000 strands of 32 particles; with --path gpu up to 100,000 and a picture of as many hairs
        #[arg(long, conflicts_with_all = ["n", "kind", "substeps", "iterations", "solver", "order", "set", "draw"], group = "table")]
        strands: bool,
        /// With --all, one more run, such as vbd:substeps=100,stiffest=10
        #[arg(long, requires = "all", value_name = "SOLVER:PARAM=VALUE,…")]
        row: Vec<String>,
        /// With --all and --strands, write the rows to this CSV file
        #[arg(long, requires = "table")]
        out: Option<PathBuf>,
    },
}

impl Common {
    /// What a session is opened with; `live`: it takes in what is saved.
    pub(super) fn options(self, scene: PathBuf, live: bool) -> Options {
        Options {
            scene,
            solver: self.solver,
            threads: self.threads,
            set: self.set,
            live,
            ..Options::default()
        }
    }
}

pub(super) fn parse_set(text: &str) -> Result<(String, String), String> {
    let (path, value) =
        text.split_once('=').ok_or("write it as PATH=VALUE, such as wind.velocity=(3,0,0)")?;
    Ok((path.trim().to_string(), value.trim().to_string()))
}

/// At most as many as the solvers can have; 0: one for each core.
pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    let count = text.parse().map_err(|_| "give a whole number; 0: one for each core".to_string())?;
    if count > Threads::MOST { Err(format!("at most {}", Threads::MOST)) } else { Ok(count) }
}

/// A number above 0, and not infinite.
pub(super) fn parse_positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "give a number above 0".to_string())
}

/// 1 or more.
pub(super) fn parse_count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "give a whole number above 0".to_string())
}

fn parse_param(text: &str) -> Result<(String, f32), String> {
    let (name, value) = text.split_once('=').ok_or("write it as PARAM=VALUE, such as omega=1.2")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a number"))?;
    Ok((name.trim().to_string(), value))
}

pub(super) fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match parts {
        Some((w, h)) if (16..=8192).contains(&w) && (16..=8192).contains(&h) => Ok((w, h)),
        _ => Err("write it as WIDTHxHEIGHT in pixels, 16 to 8192 each, such as 1280x720".into()),
    }
}
