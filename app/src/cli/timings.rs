//! `weft report`, `weft compare`, `weft ab`: what recordings say.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use super::arguments::parse_positive;
use weft_core::{command::CommandError, files, say};
use weft_session::ring;
use weft_timings::{
    ab::{self, AbOptions},
    compare::{self, Comparison, MARGIN, Rules},
    read,
};

#[derive(Args)]
pub(super) struct Report {
    /// Recordings: .weft or .csv
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print a line of JSON for each instead of the table
    #[arg(long)]
    json: bool,
    /// Write a page with plots, which needs nothing but itself
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// Frames a second below which time is counted
    #[arg(long, value_name = "FPS", default_value_t = 30.0, value_parser = parse_positive)]
    below: f64,
}

#[derive(Args)]
struct Verdict {
    /// A ratio this near to 1 is no difference that matters
    #[arg(long, value_name = "SHARE", default_value_t = MARGIN)]
    margin: f64,
    /// Stage that decides, such as step
    #[arg(long, value_name = "STAGE", default_value = "frame")]
    by: String,
    /// Compare different scenes too, or one that read other meshes, textures or parts
    #[arg(long)]
    force: bool,
    /// Print one line of JSON instead of the table
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct Compare {
    /// Recordings of A
    #[arg(required = true)]
    a: Vec<PathBuf>,
    /// Recordings of B
    #[arg(required = true, last = true)]
    b: Vec<PathBuf>,
    #[command(flatten)]
    verdict: Verdict,
}

#[derive(Args)]
pub(super) struct Ab {
    scene: PathBuf,
    /// Arguments of `weft run` for A, in one text
    #[arg(long, value_name = "ARGS", default_value = "", allow_hyphen_values = true)]
    a: String,
    /// The same for B
    #[arg(long, value_name = "ARGS", default_value = "", allow_hyphen_values = true)]
    b: String,
    /// Runs of each, in the order ABBA
    #[arg(long, value_name = "N", default_value_t = 6)]
    pairs: usize,
    /// Frames of a run
    #[arg(long, value_name = "N", default_value_t = 300)]
    frames: u64,
    /// For A the program of this revision of the source tree, which is built under target/ab
    #[arg(long, value_name = "REV")]
    a_rev: Option<String>,
    /// The same for B
    #[arg(long, value_name = "REV")]
    b_rev: Option<String>,
    /// Folder of the recordings [default: a new one under target/ab of the source tree, or weft-ab]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    verdict: Verdict,
}

impl Report {
    pub(super) fn run(&self) -> Result<(), CommandError> {
        let recordings = self.files.iter().map(|file| read(file)).collect::<Result<Vec<_>, String>>()?;
        if let Some(out) = &self.html {
            if !out.extension().is_some_and(|end| end == "html" || end == "htm") {
                let text = format!("--html {}: the page's name must end in .html", out.display());
                return Err(CommandError::Usage(text));
            }
            let page = weft_timings::html(&recordings, self.below)?;
            files::write(out, page).map_err(|error| format!("cannot write {}: {error}", out.display()))?;
            say::warn(format_args!("wrote {}", out.display()));
        }
        for (i, recording) in recordings.iter().enumerate() {
            if self.json {
                say::say(weft_timings::json(recording, self.below)?);
            } else if self.html.is_none() {
                let gap = if i == 0 { "" } else { "\n" };
                say::say(format_args!("{gap}{}", weft_timings::text(recording, self.below)?));
            }
        }
        Ok(())
    }
}

impl Compare {
    pub(super) fn run(self) -> ExitCode {
        let json = self.verdict.json;
        let option = |file: &&PathBuf| file.to_string_lossy().starts_with('-') && !file.exists();
        if let Some(option) = self.b.iter().find(option) {
            let why = format!(
                "{option}: what stands behind `--` are recordings of B; options come before: weft compare {option} A.weft -- B.weft",
                option = option.display()
            );
            return print(Err(why), json);
        }
        let mut all: Vec<PathBuf> =
            self.a.iter().chain(&self.b).filter_map(|file| file.canonicalize().ok()).collect();
        all.sort();
        if let Some(twice) = all.windows(2).find(|pair| pair[0] == pair[1]) {
            let why = format!("{}: it is named twice; each recording is one run", twice[0].display());
            return print(Err(why), json);
        }
        let read =
            |files: &[PathBuf]| files.iter().map(|file| read(file)).collect::<Result<Vec<_>, String>>();
        let both = read(&self.a).and_then(|a| Ok((a, read(&self.b)?)));
        print(both.and_then(|(a, b)| compare::compare(&a, &b, &self.verdict.rules(), false)), json)
    }
}

impl Ab {
    pub(super) fn run(self) -> ExitCode {
        let Self { scene, a, b, pairs, frames, a_rev, b_rev, out, verdict } = self;
        let json = verdict.json;
        if let Err(why) = ring::known_stage(&verdict.by).map_err(|why| format!("--by {why}")) {
            return print(Err(why), json);
        }
        let rules = verdict.rules();
        print(ab::run(&AbOptions { scene, a, b, a_rev, b_rev, pairs, frames, out, rules }), json)
    }
}

impl Verdict {
    fn rules(self) -> Rules {
        let Self { margin, by, force, .. } = self;
        Rules { margin, by, force }
    }
}

fn print(comparison: Result<Comparison, String>, json: bool) -> ExitCode {
    let comparison = match comparison {
        Ok(comparison) => comparison,
        Err(why) => {
            say::warn(why.trim_end());
            // The question itself was wrong, as a command line is.
            return CommandError::USAGE.into();
        }
    };
    if json {
        say::say(comparison.json());
    } else {
        say::say(compare::text(&comparison));
    }
    comparison.verdict.exit_code().into()
}
