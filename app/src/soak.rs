//! `weft soak`: random saves, good and hostile, of a copy of the source tree while the program runs on it.
//!
//! Every few seconds one of [`edits`] is saved; what the program says must be what the edit's outcome promises, and it
//! must live. Then the file is put back, and the good code must run again.

pub mod edits;
mod program;
mod tree;

use std::{
    fmt::Write as _,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use crate::{app, live::Project, say, validate::random::Random};

pub use edits::{Edit, GOOD, HOSTILE, Outcome};
use program::{Load, Program};
use tree::Tree;

/// Longest wait for what must come of a save. A contract that changed builds the whole library.
const PATIENCE: Duration = Duration::from_mins(2);

pub struct SoakOptions {
    pub minutes: f64,
    /// From one save to the next, at least [s].
    pub every: f64,
    pub seed: u64,
    /// `soak.csv` and `soak.md` are written here.
    pub out: Option<PathBuf>,
    /// Without a window, although there is a display.
    pub headless: bool,
}

/// One save and what came of it.
struct Row {
    /// Since the start [s].
    at: f64,
    edit: &'static str,
    wanted: Outcome,
    came: Option<Outcome>,
    /// From the save to the line that says it [ms].
    ms: f64,
    load: Load,
}

impl Row {
    fn good(&self) -> bool {
        self.came == Some(self.wanted)
    }
}

pub fn run(options: &SoakOptions) -> Result<(), String> {
    let project = Project::find().ok_or("no source tree found here: there is nothing to edit")?;
    let tree = Tree::copy(&project.root, project.root.join("target/soak/tree"))?;
    let mut arguments = vec!["scenes/flag.ron"];
    let window = !options.headless && app::display().is_ok();
    if !window {
        arguments = vec!["run", "scenes/flag.ron", "--watch"];
    }
    let mut soak = Soak {
        program: start(&tree, &arguments)?,
        arguments,
        tree,
        rows: Vec::new(),
        deaths: Vec::new(),
        start: Instant::now(),
    };
    let mut random = Random(options.seed);
    while soak.start.elapsed().as_secs_f64() < options.minutes * 60.0 {
        let list = if random.below(3) == 0 { GOOD } else { HOSTILE };
        let edit = &list[random.below(list.len() as u32) as usize];
        let next = Instant::now() + Duration::from_secs_f64(options.every);
        soak.save(edit)?;
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    let report = soak.report(options, window);
    say::say(report.trim_end());
    if let Some(folder) = &options.out {
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text)
                .map_err(|e| format!("{}: {e}", folder.join(name).display()))
        };
        write("soak.md", &report)?;
        write("soak.csv", &soak.csv())?;
    }
    let wrong = soak.rows.iter().filter(|row| !row.good()).count();
    match (soak.deaths.len(), wrong) {
        (0, 0) => Ok(()),
        (deaths, wrong) => Err(format!("{deaths} death(s), {wrong} save(s) came out otherwise")),
    }
}

/// The program on its first live library.
fn start(tree: &Tree, arguments: &[&str]) -> Result<Program, String> {
    let mut program = Program::start(&tree.root, arguments)?;
    let first = program.wait(PATIENCE * 2, |line| line.starts_with("[first step]").then_some(()));
    first
        .ok_or_else(|| format!("the program did not come to a live library:\n{}", program.tail.join("\n")))?;
    Ok(program)
}

struct Soak {
    tree: Tree,
    arguments: Vec<&'static str>,
    program: Program,
    rows: Vec<Row>,
    /// The last lines of a program that ended.
    deaths: Vec<String>,
    start: Instant,
}

impl Soak {
    fn save(&mut self, edit: &'static Edit) -> Result<(), String> {
        let before = self.tree.read(edit.file)?;
        if !before.contains(edit.from) {
            return Err(format!(
                "the edit `{}` does not fit: {} has no `{}`",
                edit.name, edit.file, edit.from
            ));
        }
        let at = self.start.elapsed().as_secs_f64();
        let saved = Instant::now();
        self.tree.write(edit.file, &before.replacen(edit.from, edit.to, 1))?;
        let came = self.program.wait(PATIENCE, |line| came_of(line, edit));
        let ms = saved.elapsed().as_secs_f64() * 1e3;
        // A place at which two threads of the program may be: what it takes is read once it has settled.
        let load = self.program.load().unwrap_or_default();
        if came == Some(Outcome::Runs) {
            self.program.wait(PATIENCE, settled);
        }
        self.rows.push(Row { at, edit: edit.name, wanted: edit.outcome, came, ms, load });
        self.tree.write(edit.file, &before)?;
        let back = self.program.wait(PATIENCE, settled);
        if let Some(end) = self.program.ended() {
            self.deaths.push(format!("after `{}`: {end}\n{}", edit.name, self.program.tail.join("\n")));
            self.program = start(&self.tree, &self.arguments)?;
        } else if back.is_none()
            && let Some(row) = self.rows.last_mut()
        {
            row.came = None;
        }
        Ok(())
    }

    fn csv(&self) -> String {
        let mut text = "at_s,edit,wanted,came,ms,memory_mb,threads\n".to_string();
        for row in &self.rows {
            let came = row.came.map_or("nothing", Outcome::name);
            let (load, wanted) = (row.load, row.wanted.name());
            let _ = writeln!(
                text,
                "{:.1},{},{wanted},{came},{:.0},{:.1},{}",
                row.at, row.edit, row.ms, load.memory, load.threads
            );
        }
        text
    }

    fn report(&self, options: &SoakOptions, window: bool) -> String {
        let mut text = String::new();
        let how = if window { "the window open" } else { "no window" };
        let wrong = self.rows.iter().filter(|row| !row.good()).count();
        let _ = writeln!(
            text,
            "# Soak: {} saves in {:.1} minutes, {how}, seed {}\n\nDeaths: {}. Saves that came out otherwise: {wrong}.\n",
            self.rows.len(),
            self.start.elapsed().as_secs_f64() / 60.0,
            options.seed,
            self.deaths.len(),
        );
        let _ = writeln!(text, "| outcome | saves | median ms | longest ms |\n|---|---|---|---|");
        for outcome in [
            Outcome::Runs,
            Outcome::DoesNotCompile,
            Outcome::Refused,
            Outcome::RolledBack,
            Outcome::Restarted,
        ] {
            let mut times: Vec<f64> =
                self.rows.iter().filter(|row| row.came == Some(outcome)).map(|row| row.ms).collect();
            times.sort_by(f64::total_cmp);
            if let (Some(median), Some(longest)) = (times.get(times.len() / 2), times.last()) {
                let _ =
                    writeln!(text, "| {} | {} | {median:.0} | {longest:.0} |", outcome.name(), times.len());
            }
        }
        if let (Some(first), Some(last)) = (self.rows.first(), self.rows.last()) {
            let (a, b) = (first.load, last.load);
            let _ = writeln!(
                text,
                "\nMemory {:.0} MB after the first save, {:.0} MB after the last; threads {} and {}.",
                a.memory, b.memory, a.threads, b.threads
            );
        }
        for row in self.rows.iter().filter(|row| !row.good()) {
            let came = row.came.map_or("nothing", Outcome::name);
            let _ = writeln!(text, "- `{}`: wanted {}, came {came}", row.edit, row.wanted.name());
        }
        self.deaths.iter().for_each(|death| _ = writeln!(text, "\n```text\n{death}\n```"));
        text
    }
}

/// The line after which good code runs.
pub fn settled(line: &str) -> Option<()> {
    (line.starts_with("[first step]") || line.contains("the same code as before")).then_some(())
}

/// What a line of the program says came of an edit; `None` for other lines.
pub fn came_of(line: &str, edit: &Edit) -> Option<Outcome> {
    let (kind, text) = line.strip_prefix('[')?.split_once("] ")?;
    let outcome = match kind {
        "reload" if text.contains(" runs: ") => Outcome::Runs,
        "build" if text.contains("compile error") => Outcome::DoesNotCompile,
        "reload" if text.contains("refused") => Outcome::Refused,
        "rollback" => Outcome::RolledBack,
        "rescue" => Outcome::Restarted,
        _ => return None,
    };
    // Later ones run at first.
    let waits = matches!(edit.outcome, Outcome::RolledBack | Outcome::Restarted) && outcome == Outcome::Runs;
    let says = outcome != edit.outcome || text.contains(edit.says);
    (!waits && says).then_some(outcome)
}
