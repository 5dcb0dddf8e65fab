//! `weft soak`: random saves, good and hostile, of a copy of the source tree while the program runs on it.
//!
//! Every few seconds one of the edits is saved; what the program says must be what the edit's outcome promises, and it
//! must live. Then the file is put back, and the good one must run again. The report is written after every save, so
//! that nothing is lost however the soak ends: at its time, by Ctrl-C or SIGTERM, or killed.

pub mod again;
pub mod edits;
pub mod mistakes;
pub mod passes;
pub mod process;
pub mod program;
mod report;
pub mod save;
pub mod scenes;
pub mod shaders;
mod stop;
pub mod tree;

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use weft_core::{project::Project, say};

use crate::validate::random::Random;

pub use again::AGAIN;
pub use edits::{Edit, GOOD, HOSTILE, Outcome};
pub use mistakes::{MISTAKES, Mistake};
pub use passes::BAD_PASSES;
pub use process::PROCESS;
use program::Program;
use report::{Report, Row};
use save::save;
pub use scenes::SCENES;
pub use shaders::{BAD_SHADERS, GOOD_SHADERS};
use tree::Tree;

/// Longest wait for the first live library: all that it depends on may have to be built.
const FIRST_BUILD: Duration = Duration::from_mins(10);

pub struct SoakOptions {
    /// From when the program is up on its first live library.
    pub minutes: f64,
    /// From one save to the next, at least [s].
    pub every: f64,
    pub seed: u64,
    /// `soak.csv` and `soak.md` are written here.
    pub out: Option<PathBuf>,
    /// Without a window, although there is a display.
    pub headless: bool,
    /// The copy that is edited; what was built there is used again.
    pub tree: Option<PathBuf>,
}

impl SoakOptions {
    /// The folder of the report, which is there from now on.
    fn out_folder(&self) -> Result<Option<&Path>, String> {
        let Some(folder) = &self.out else { return Ok(None) };
        weft_core::files::make_folder(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Some(folder))
    }
}

pub fn run(options: &SoakOptions) -> Result<(), String> {
    let project = Project::find().ok_or("no source tree found here: there is nothing to edit")?;
    options.out_folder()?;
    let tree = match &options.tree {
        Some(folder) => Tree::copy_to_named(&project.root, folder)?,
        None => Tree::copy(&project.root, project.root.join("target/soak/tree"))?,
    };
    stop::listen();
    let window = !options.headless && weft_draw::display().is_ok();
    let arguments: &[&str] = if window {
        &["scenes/flag.ron", "--size", "800x600", "--history", "32"]
    } else {
        &["run", "scenes/flag.ron", "--watch"]
    };
    say::say("building the live library of the copy; the time counts from its first step");
    let program = start(&tree, arguments)?;
    let load = program.load().unwrap_or_default();
    let report = Report {
        window,
        seed: options.seed,
        seconds: 0.0,
        loads: [load; 2],
        rows: Vec::new(),
        deaths: Vec::new(),
    };
    let mut soak = Soak { tree, arguments, program, report, start: Instant::now() };
    let mut random = Random(options.seed);
    let end = Duration::from_secs_f64(options.minutes * 60.0);
    while soak.start.elapsed() < end && !stop::asked() {
        let next = Instant::now() + Duration::from_secs_f64(options.every);
        let (kind, edit) = pick(&mut random, window);
        soak.save(kind, edit)?;
        soak.write(options)?;
        while Instant::now() < next && soak.start.elapsed() < end && !stop::asked() {
            thread::sleep(Duration::from_millis(20));
        }
    }
    soak.write(options)?;
    say::say(soak.report.page().trim_end());
    match (soak.report.deaths.len(), soak.report.wrong()) {
        (0, 0) => Ok(()),
        (deaths, wrong) => Err(format!("{deaths} death(s), {wrong} save(s) came out otherwise")),
    }
}

/// The next edit, and of which kind it is.
fn pick(random: &mut Random, window: bool) -> (&'static str, &'static Edit) {
    let any = |random: &mut Random, list: &'static [Edit]| &list[random.below(list.len() as u32) as usize];
    let mistake =
        |random: &mut Random, list: &'static [Mistake]| &list[random.below(list.len() as u32) as usize].edit;
    match random.below(if window { 9 } else { 7 }) {
        0 => ("good code", any(random, GOOD)),
        1 | 2 => ("hostile code", any(random, HOSTILE)),
        3 => ("hostile code", any(random, AGAIN)),
        4 => ("hostile code", any(random, PROCESS)),
        5 => ("bad code", mistake(random, MISTAKES)),
        6 => ("scene", any(random, SCENES)),
        7 => ("good shader", any(random, GOOD_SHADERS)),
        _ => ("bad shader", mistake(random, BAD_SHADERS)),
    }
}

/// The program on its first live library.
fn start(tree: &Tree, arguments: &[&str]) -> Result<Program, String> {
    let mut program = Program::this(&tree.root, arguments)?;
    let first = program.wait(FIRST_BUILD, |line| line.starts_with("[first step]").then_some(()));
    first.ok_or_else(|| {
        let why = if stop::asked() { "asked to stop before" } else { "the program did not come to" };
        format!("{why} a first step of a live library:\n{}", program.seen().join("\n"))
    })?;
    Ok(program)
}

struct Soak<'a> {
    tree: Tree,
    arguments: &'a [&'a str],
    program: Program,
    report: Report,
    start: Instant,
}

impl Soak<'_> {
    fn save(&mut self, kind: &'static str, edit: &'static Edit) -> Result<(), String> {
        let (at, lines) = (self.start.elapsed().as_secs_f64(), self.program.seen().len());
        let saved = save(&self.tree, &mut self.program, edit)?;
        if stop::asked() && !saved.keeps(edit) {
            // It was given no time to answer, or to settle.
            return Ok(());
        }
        let came = saved.came.map_or("nothing", Outcome::name);
        say::say(format_args!("{at:7.1} s  {kind}, {}: {came}, {:.0} ms", edit.name, saved.ms));
        let restarted = |row: &Row| row.edit.name == edit.name && row.saved.came == Some(Outcome::Restarted);
        let known = self.report.rows.iter().any(restarted);
        self.report.rows.push(Row { at, kind, edit, known, saved });
        if let Some(end) = self.program.ended() {
            let tail = self.program.seen()[lines..].join("\n");
            self.report.deaths.push(format!("after `{}`: {end}\n{tail}", edit.name));
            self.program = start(&self.tree, self.arguments)?;
        }
        Ok(())
    }

    fn write(&mut self, options: &SoakOptions) -> Result<(), String> {
        self.report.seconds = self.start.elapsed().as_secs_f64();
        self.report.loads[1] = self.program.load().unwrap_or_default();
        let Some(folder) = options.out_folder()? else { return Ok(()) };
        for (name, text) in [("soak.md", self.report.page()), ("soak.csv", self.report.csv())] {
            let file = folder.join(name);
            std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        }
        Ok(())
    }
}
