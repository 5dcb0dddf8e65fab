//! `weft run`: a scene without a window.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use weft_draw::Palette;
use weft_proof::runs::RunsOptions;
use weft_session::rescue::Resume;

use weft_window::view::{Overlays, Quantity};

use super::{
    arguments::{Common, Path, Where, parse_size},
    runs::side_by_side,
};
use crate::{
    headless::{self, RunOptions},
    link,
    poster::{self, PosterOptions},
};

#[derive(Args)]
pub(super) struct RunScene {
    scene: PathBuf,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    on: Where,
    /// Frames to simulate [default: 300; with --watch: without end]
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Record frame timings; the extension says the format: .weft for report and compare, .csv, .trace.json for Perfetto
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Draw the last frame to a PNG
    #[arg(long, value_name = "FILE.png")]
    shot: Option<PathBuf>,
    #[arg(long, value_parser = Quantity::named, default_value = Quantity::look().name, requires = "shot")]
    #[arg(help = format!("What the picture shows on the cloth:{}", Quantity::list()))]
    view: &'static Quantity,
    /// Colours of the numbers that it shows
    #[arg(long, value_enum, default_value_t, requires = "shot")]
    palette: Palette,
    #[arg(long, value_name = "LIST", value_parser = Overlays::named, default_value = "", requires = "shot")]
    #[arg(hide_default_value = true, help = format!("Lines and dots over the picture, apart by commas, or all:{}", Overlays::list()))]
    overlay: Overlays,
    /// Size of the picture
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    size: (u32, u32),
    /// Print one line of JSON instead of the table
    #[arg(long)]
    json: bool,
    /// Reload code and scene while it runs, in real time, and print what happens
    #[arg(long)]
    pub(super) watch: bool,
    /// Compare with the scene's `expect` when it is due, and fail if it does not hold
    #[arg(long, conflicts_with = "watch")]
    check: bool,
    /// Write the last frame as a mesh (.obj); with #### in the name, which become its number, each frame
    #[arg(long, value_name = "FILE.obj", conflicts_with = "watch")]
    mesh: Option<PathBuf>,
    /// Run until a condition over the readings holds, such as 'stretch_max > 0.2 || max_speed > 10'; the table is of that
    /// frame
    #[arg(long, value_name = "CONDITION", conflicts_with = "watch")]
    until: Option<String>,
    /// Solvers side by side, such as xpbd,vbd:iterations=20,explicit@gpu or all: one table, with --shot one picture
    #[arg(long, value_name = "LIST", conflicts_with_all = ["solver", "record", "watch", "check", "until", "mesh"])]
    runs: Option<String>,
    /// With --runs: substeps, or iterations, such that each costs what the first one does
    #[arg(long, requires = "runs")]
    same_ms: bool,
    #[command(flatten)]
    resume: Resume,
}

impl RunScene {
    pub(super) fn run(self) -> Result<ExitCode, String> {
        let Self { on, view, palette, overlay, size, json, shot, .. } = self;
        if self.resume.asked() && !self.watch {
            return Err("--resume goes with --watch, or with the window".into());
        }
        let link = link::read(&self.scene)?;
        // As many frames as the link has, so that it ends in the same state.
        let (scene, frames) = match link {
            Some(link) => (link.scene, self.frames.or(Some(link.frame))),
            None => (self.scene, self.frames),
        };
        let session = self.common.options(scene, self.watch);
        if let Some(runs) = self.runs {
            let specs = side_by_side(&runs, on.path)?;
            let gpu = Where { path: Path::Gpu, ..on }.gpu().unwrap_or_default();
            let runs =
                RunsOptions { session, specs, gpu, frames: frames.unwrap_or(300), same_ms: self.same_ms };
            poster::run(&PosterOptions { runs, json, shot, view, palette, overlay, size })?;
            return Ok(ExitCode::SUCCESS);
        }
        headless::run(RunOptions {
            session,
            gpu: on.gpu(),
            frames,
            record: self.record,
            shot,
            view,
            palette,
            overlay,
            size,
            json,
            check: self.check,
            mesh: self.mesh,
            until: self.until,
            resume: self.resume,
        })
    }
}
