//! Two variants of a run in turns, ABBA, each a process of its own: `weft ab`. What drifts slowly — clocks, heat, neighbours —
//! meets both alike.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use weft_core::{child::ends_with_us, files, project::Project, say};

use crate::{
    compare::{self, Comparison, Rules},
    reader,
    recording::Recording,
    revision,
};

/// What to run.
pub struct AbOptions {
    pub scene: PathBuf,
    /// Arguments of `weft run` behind the scene, as a shell would split them.
    pub a: String,
    pub b: String,
    /// Revisions of the source tree to build and run instead of this program.
    pub a_rev: Option<String>,
    pub b_rev: Option<String>,
    pub pairs: usize,
    pub frames: u64,
    /// Folder of the recordings, `a-1.weft` and so on.
    pub out: Option<PathBuf>,
    pub rules: Rules,
}

/// One side: a program, where it runs and with what.
struct Side {
    name: &'static str,
    program: PathBuf,
    folder: PathBuf,
    scene: PathBuf,
    arguments: Vec<String>,
}

/// Runs and compares.
pub fn run(options: &AbOptions) -> Result<Comparison, String> {
    let AbOptions { pairs, frames, rules, .. } = options;
    if *pairs < 2 {
        return Err(format!("--pairs {pairs}: at least 2, and 6 to find 3 %"));
    }
    compare::check(usize::try_from(*frames).unwrap_or(usize::MAX), rules)?;
    let tree = Project::find().map(|project| project.root);
    let sides = [
        Side::of("a", &options.a, options.a_rev.as_deref(), &options.scene, tree.as_deref())?,
        Side::of("b", &options.b, options.b_rev.as_deref(), &options.scene, tree.as_deref())?,
    ];
    let out = folder(options, tree.as_deref())?;
    let mut end = "weft";
    let mut recordings: [Vec<Recording>; 2] = Default::default();
    for pair in 0..*pairs {
        let turn = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
        for (place, index) in turn.into_iter().enumerate() {
            let side = &sides[index];
            say::warn(format_args!(
                "run {} of {}: {}",
                2 * pair + place + 1,
                2 * pairs,
                side.name.to_uppercase()
            ));
            let record = |end: &str| {
                let file = out.join(format!("{}-{}.{end}", side.name, pair + 1));
                // One of an earlier comparison must not be taken for this run's.
                let _ = fs::remove_file(&file);
                side.record(&file, *frames).map(|()| file)
            };
            let file = match record(end) {
                // A revision from before there were .weft files.
                Err(why) if end == "weft" && why.contains("must end in .csv, not `.weft`") => {
                    end = "csv";
                    record(end)?
                }
                file => file?,
            };
            let recording = reader::read(&file)?;
            compare::check_stage(&recording, rules)?;
            recordings[index].push(recording);
        }
    }
    say::warn(format_args!("recordings are in {}", out.display()));
    let [a, b] = recordings;
    compare::compare(&a, &b, rules, true)
}

/// The folder that is asked for, or a new one: below `target/ab` of the source tree, or below the working folder.
fn folder(options: &AbOptions, tree: Option<&Path>) -> Result<PathBuf, String> {
    let stem = options.scene.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let above = tree.map_or_else(|| PathBuf::from("weft-ab"), |tree| tree.join("target/ab"));
    let free =
        || (1_u32..=u32::MAX).map(|n| above.join(format!("{stem}-{n}"))).find(|folder| !folder.exists());
    let out = options.out.clone().or_else(free).unwrap_or_default();
    let fail = |error| format!("{}: {error}", out.display());
    files::make_folder(&out).map_err(fail)?;
    // A revision runs in its own tree.
    fs::canonicalize(&out).map_err(fail)
}

impl Side {
    fn of(
        name: &'static str,
        arguments: &str,
        revision: Option<&str>,
        scene: &Path,
        tree: Option<&Path>,
    ) -> Result<Self, String> {
        let split = shlex::split(arguments);
        let arguments =
            split.ok_or_else(|| format!("--{name} {arguments}: a quotation mark is not closed"))?;
        let taken = ["--record", "--frames", "--watch", "--json", "--help", "-h"];
        let is =
            |argument: &String, name: &&str| argument == *name || argument.starts_with(&format!("{name}="));
        if let Some(bad) = arguments.iter().find(|argument| taken.iter().any(|name| is(argument, name))) {
            return Err(format!(
                "--{name}: {bad} is none of its arguments: `weft ab` records by itself (see --frames)"
            ));
        }
        let scene = fs::canonicalize(scene).map_err(|error| format!("{}: {error}", scene.display()))?;
        let (program, folder) = match (revision, tree) {
            (Some(revision), Some(tree)) => revision::build(tree, revision)?,
            (Some(revision), None) => {
                return Err(format!("--{name}-rev {revision}: there is no source tree here to take it from"));
            }
            (None, _) => {
                let program =
                    std::env::current_exe().map_err(|error| format!("this program's file: {error}"))?;
                (program, std::env::current_dir().unwrap_or_default())
            }
        };
        Ok(Self { name, program, folder, scene, arguments })
    }

    fn record(&self, file: &Path, frames: u64) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        command.arg("run").arg(&self.scene).args(&self.arguments).arg("--record").arg(file);
        command.args(["--frames", &frames.to_string()]).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = ends_with_us(&mut command).output();
        let output = output.map_err(|error| format!("cannot start {}: {error}", self.program.display()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!("a run of {} failed ({}):\n{}", self.name.to_uppercase(), output.status, said.trim_end()))
    }
}
