//! `weft run`: a scene without a window.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use weft_core::{command::CommandError, say};
use weft_draw::Palette;
use weft_proof::runs::{RunsOptions, Spec};
use weft_session::{Options, rescue::Resume};

use weft_window::view::{Overlays, Quantity};

use super::{
    arguments::{Common, parse_size},
    path::{Path, Where},
    runs::side_by_side,
};
use crate::{
    headless::{self, RunOptions, SHOT_SIZE},
    link,
    poster::{self, PosterOptions},
};

#[derive(Args)]
#[command(group(clap::ArgGroup::new("picture").multiple(true)))]
#[expect(clippy::struct_excessive_bools, reason = "one for each switch")]
pub(super) struct RunScene {
    /// Left out with --state and --resume, which have their own
    #[arg(required_unless_present_any = ["state", "resume"])]
    scene: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    on: Where,
    /// Frames to simulate, with --state so many more, with --resume from the start on [default: 300; with --watch: without end]; A..B: those that --film shows, after the ones before
    #[arg(long, value_name = "N", value_parser = parse_frames)]
    frames: Option<Frames>,
    /// Record frame timings; the extension says the format: .weft for report, compare and replay, .csv, .trace.json for Perfetto
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Draw the last frame to a PNG
    #[arg(long, value_name = "FILE.png", group = "picture")]
    shot: Option<PathBuf>,
    #[arg(long, value_parser = Quantity::named, default_value = Quantity::look().name, requires = "picture")]
    #[arg(help = format!("What the picture shows on the cloth:{}", Quantity::list()))]
    view: &'static Quantity,
    /// Colours of the numbers that it shows
    #[arg(long, value_enum, default_value_t, requires = "picture")]
    palette: Palette,
    #[arg(long, value_name = "LIST", value_parser = Overlays::named, default_value = "", requires = "picture")]
    #[arg(hide_default_value = true, help = format!("Lines and dots over the picture, apart by commas, or all:{}", Overlays::list()))]
    overlay: Overlays,
    /// Draw the frames as a film, in real time
    #[arg(long, value_name = "FILE.gif", group = "picture", conflicts_with_all = ["watch", "runs"])]
    film: Option<PathBuf>,
    /// Size of the picture [default: 1280x720; of a film 640x360]
    #[arg(long, value_name = "WxH", value_parser = parse_size, requires = "picture")]
    size: Option<(u32, u32)>,
    /// Print one line of JSON instead of the table
    #[arg(long)]
    json: bool,
    /// Print how the tables lie in memory, too: bytes, colours, and the strides that lanes load as they lie
    #[arg(long, short, conflicts_with_all = ["json", "runs"])]
    verbose: bool,
    /// Reload code and scene while it runs, in real time, and print what happens
    #[arg(long)]
    pub(super) watch: bool,
    /// Compare with the scene's `expect` when it is due, and fail if it does not hold
    #[arg(long, conflicts_with = "watch")]
    check: bool,
    /// Write the last frame as a mesh: .obj, .ply, .glb (glTF) or .usda (USD). With #### in the name, which become its number,
    /// each frame; .glb and .usda hold all frames of --frames A..B
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    mesh: Option<PathBuf>,
    /// Run until a condition over the readings holds, such as 'stretch_max > 0.2 || max_speed > 10'; the table is of that
    /// frame
    #[arg(long, value_name = "CONDITION", conflicts_with = "watch")]
    until: Option<String>,
    /// Solvers side by side, such as xpbd,vbd:iterations=20,explicit@gpu or all: one table, with --shot one picture [default:
    /// those in the scene's `runs`, if it has any and nothing here is for one run]
    #[arg(long, value_name = "LIST", conflicts_with_all = ["solver", "record", "watch", "check", "until", "mesh", "state"])]
    runs: Option<String>,
    /// With --runs: substeps, or iterations, such that each costs what the first one does over the first frames
    #[arg(long, requires = "runs")]
    same_ms: bool,
    #[command(flatten)]
    resume: Resume,
}

impl RunScene {
    pub(super) fn run(self) -> Result<ExitCode, CommandError> {
        let why_one = self.why_one();
        let Self { on, view, palette, overlay, size, json, shot, .. } = self;
        if self.resume.resume.is_some() && !self.watch {
            return Err(CommandError::usage(
                "--resume goes on from what a live program saved each second: `weft run --watch --resume`, or `weft --resume` \
                 in a window; --state NAME goes on from a state that was saved by name",
            ));
        }
        let scene = self.scene.unwrap_or_default();
        let link = link::read(&scene)?;
        let (range, frames) =
            (self.frames.and_then(|frames| frames.first), self.frames.map(|frames| frames.last));
        if range.is_some() && self.film.is_none() && self.mesh.is_none() {
            return Err(CommandError::usage(
                "--frames A..B: a range is for --film and --mesh; without them give the last frame",
            ));
        }
        // As many frames as the link has, so that it ends in the same state.
        let (scene, frames) = match link {
            Some(link) => (link.scene, frames.or(Some(link.frame))),
            None => (scene, frames),
        };
        let session = self.common.options(scene, self.watch);
        let specs = match &self.runs {
            Some(list) => Some(side_by_side(list, on.path)?),
            None => listed(&session, on.path, why_one),
        };
        if let Some(specs) = specs {
            on.fits(specs.iter().any(|spec| spec.gpu))?;
            let gpu = on.device()?;
            let runs =
                RunsOptions { session, specs, gpu, frames: frames.unwrap_or(300), same_ms: self.same_ms };
            let size = size.unwrap_or(SHOT_SIZE);
            let option = "--shot";
            poster::run(&PosterOptions { runs, json, shot, option, view, overlay, palette, size })?;
            return Ok(ExitCode::SUCCESS);
        }
        headless::run(RunOptions {
            session,
            gpu: on.gpu()?,
            frames,
            record: self.record,
            shot,
            view,
            palette,
            overlay,
            size,
            film: self.film.map(|film| (film, range.unwrap_or(1))),
            json,
            verbose: self.verbose,
            check: self.check,
            mesh: self.mesh.map(|mesh| (mesh, range)),
            until: self.until,
            resume: self.resume,
        })
    }
}

impl RunScene {
    /// What is said that goes with one run alone.
    fn why_one(&self) -> Option<&'static str> {
        let said = [
            (self.common.solver.is_some(), "--solver"),
            (self.record.is_some(), "--record"),
            (self.film.is_some(), "--film"),
            (self.verbose, "--verbose"),
            (self.watch, "--watch"),
            (self.check, "--check"),
            (self.mesh.is_some(), "--mesh"),
            (self.until.is_some(), "--until"),
            (self.resume.asked(), "a saved state"),
        ];
        said.into_iter().find(|(said, _)| *said).map(|(_, name)| name)
    }
}

/// The runs that the scene lists, which is said; `None` where it lists none, or where `why_one` keeps it to one run.
fn listed(session: &Options, path: Path, why_one: Option<&str>) -> Option<Vec<Spec>> {
    let mut specs = Spec::of_scene(session)?;
    if let Some(why) = why_one {
        let others = specs.len() - 1;
        say::warn(format_args!("the scene lists {others} more run(s): left out, {why} is for one"));
        return None;
    }
    let first = &specs[0].solver;
    say::warn(format_args!("side by side, as the scene lists them; --solver {first} is the first alone"));
    specs.iter_mut().for_each(|spec| spec.gpu |= path == Path::Gpu);
    Some(specs)
}

/// `N`: up to that frame; `A..B`: from A to B.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frames {
    first: Option<u64>,
    last: u64,
}

fn parse_frames(text: &str) -> Result<Frames, String> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let frames = match text.split_once("..") {
        Some((first, last)) => {
            number(first).zip(number(last)).map(|(first, last)| Frames { first: Some(first), last })
        }
        None => number(text).map(|last| Frames { first: None, last }),
    };
    let frames = frames.ok_or("write it as N, or as A..B, such as 60..180")?;
    match frames {
        Frames { first: Some(0), .. } => Err("frames are counted from 1".into()),
        Frames { first: Some(first), last } if first >= last => {
            Err(format!("{first} to {last} is no range of frames"))
        }
        _ => Ok(frames),
    }
}
