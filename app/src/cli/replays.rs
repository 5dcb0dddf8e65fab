//! `weft replay` and `weft bisect`: what recordings say about the code.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use weft_core::say;
use weft_draw::Palette;
use weft_proof::replay::{
    self, ReplayOptions,
    generations::{self, GenerationsOptions},
};
use weft_timings::bisect::{self, BisectOptions};

use weft_session::{Options, history, player::CodeChoice, rescue::Resume};
use weft_window::{
    app::{self, WindowOptions},
    view::{Overlays, Quantity, Scale},
};

use super::arguments::{parse_size, parse_threads};
use crate::{headless::SHOT_SIZE, outputs::check_file, shot::Studio};

/// Exit code of a replay that came out otherwise, and of a question that cannot be answered, as of a wrong command line.
const DIVERGED: u8 = 1;
const USAGE: u8 = 2;

/// Run a recording again and compare: hashes, and every column of the states that it holds.
///
/// A .weft recording has the state that it starts from, the scene with its meshes, every input, and the code that was saved
/// meanwhile, which runs from the frame where it came in. Where that cannot run here, which is said, the code of this program
/// does. Exit code: 0 the same bits, 1 they diverged, 2 it cannot be replayed.
#[derive(Args)]
pub(super) struct Replay {
    /// A recording (.weft), of `weft run --record` or of the window's key t
    file: PathBuf,
    /// Threads of the solver; 0: one for each core. The result does not depend on it
    #[arg(long, value_name = "T", default_value_t = 0, value_parser = parse_threads)]
    threads: usize,
    /// Stop when this frame is there
    #[arg(long, value_name = "FRAME")]
    until: Option<u64>,
    /// This generation of the code in every frame, with the recording's other inputs; 0: the code of this program
    #[arg(long, value_name = "NUMBER")]
    generation: Option<u32>,
    /// Run code from a recording that another user or machine made: it has all the rights of your own programs
    #[arg(long)]
    trust: bool,
    /// Play it in a window, with a time line over all of it; `weft FILE.weft` does the same
    #[arg(long, group = "picture", conflicts_with_all = ["until", "shot"])]
    window: bool,
    /// Draw the last frame to a PNG
    #[arg(long, group = "picture", value_name = "FILE.png")]
    shot: Option<PathBuf>,
    #[arg(long, value_parser = Quantity::named, default_value = Quantity::look().name, requires = "shot")]
    #[arg(help = format!("What the picture shows on the cloth:{}", Quantity::list()))]
    view: &'static Quantity,
    /// Colours of the numbers that it shows
    #[arg(long, value_enum, default_value_t, requires = "shot")]
    palette: Palette,
    /// Size of the picture [default: 1280x720], or of the window
    #[arg(long, value_name = "WxH", value_parser = parse_size, requires = "picture")]
    size: Option<(u32, u32)>,
}

/// Find the first commit with which a recording diverges, or the first saved generation of the code that does otherwise.
///
/// Commits: each that is asked is built under target/ab; follows the first parents from GOOD to BAD, and what does not build or
/// cannot replay is left out. Generations: each that is asked runs all of the recording. Exit code: 0 found, 2 a wrong question.
#[derive(Args)]
pub(super) struct Bisect {
    /// A recording (.weft)
    file: PathBuf,
    /// A commit that replays it, and a later one that does not
    #[arg(last = true, required_unless_present = "generations", value_name = "GOOD..BAD")]
    range: Option<String>,
    /// Of the code that was saved while it was recorded: the first whose bits are others than those of FROM
    #[arg(long, value_name = "FROM..TO", num_args = 0..=1, default_missing_value = "..", conflicts_with = "range")]
    generations: Option<String>,
    /// The first generation with which this holds in a frame, such as 'stretch_max > 0.3'
    #[arg(long, value_name = "CONDITION", requires = "generations")]
    when: Option<String>,
    /// Run code from a recording that another user or machine made
    #[arg(long, requires = "generations")]
    trust: bool,
}

impl Replay {
    pub(super) fn run(self) -> ExitCode {
        match self.played() {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => DIVERGED.into(),
            Err(why) => {
                say::warn(why.trim_end());
                USAGE.into()
            }
        }
    }

    fn played(self) -> Result<bool, String> {
        let Self { file, threads, until, generation, trust, window, shot, view, palette, size } = self;
        let code = CodeChoice { trust, only: generation };
        if window {
            return open((file, code), (threads, history::DEFAULT_MB), size, None).map(|()| true);
        }
        shot.as_deref().map_or(Ok(()), |shot| check_file("--shot", shot, "png"))?;
        let (played, session) = replay::run(&ReplayOptions { file, threads, until, code })?;
        let same = replay::print(&played);
        if let Some(shot) = shot {
            let mut studio = Studio::new(&session, Scale::new(view, palette), Overlays::default())?;
            studio.save(&session, size.unwrap_or(SHOT_SIZE), &shot)?;
        }
        Ok(same)
    }
}

/// Plays a recording in a window; `history` [MB] is for the session that goes on from it.
pub(super) fn open(
    (file, code): (PathBuf, CodeChoice),
    (threads, history): (usize, usize),
    size: Option<(u32, u32)>,
    frames: Option<u64>,
) -> Result<(), String> {
    if let Err(why) = weft_draw::display() {
        return Err(format!("{why}: `weft replay {}` needs none", file.display()));
    }
    Ok(app::open(WindowOptions {
        session: Options { threads, live: true, ..Options::default() },
        gpu: None,
        device: weft_gpu::GpuOptions::default(),
        record: None,
        recording: Some((file, code)),
        frames,
        history,
        size,
        fresh: false,
        resume: Resume::default(),
        named: true,
        at: None,
    })?)
}

impl Bisect {
    pub(super) fn run(self) -> ExitCode {
        match self.found() {
            Ok(found) => {
                say::say(found);
                ExitCode::SUCCESS
            }
            Err(why) => {
                say::warn(why.trim_end());
                USAGE.into()
            }
        }
    }

    fn found(self) -> Result<String, String> {
        let Self { file, range, generations, when, trust } = self;
        if let Some(range) = generations {
            let options = GenerationsOptions { file, range, when, trust };
            return generations::run(&options).map(|found| found.to_string());
        }
        let range = range.unwrap_or_default();
        bisect::run(&BisectOptions { file, range }).map(|found| found.to_string())
    }
}
