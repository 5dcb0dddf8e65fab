//! What a soak came to, as a page and as a table of all saves.

use std::fmt::Write as _;

use weft_timings::statistics;

use super::{Edit, Outcome, program::Load, save::Saved};

const OUTCOMES: [Outcome; 5] =
    [Outcome::Runs, Outcome::DoesNotCompile, Outcome::Refused, Outcome::RolledBack, Outcome::Restarted];

/// One save and what came of it.
pub(super) struct Row {
    /// Since the program was up [s].
    pub at: f64,
    /// `good code`, `bad shader` …
    pub kind: &'static str,
    pub edit: &'static Edit,
    /// It had started the program again before: the same code is refused then, untried.
    pub known: bool,
    pub saved: Saved,
}

impl Row {
    fn good(&self) -> bool {
        self.saved.keeps(self.edit) || self.known && self.saved.is_known_to_crash()
    }

    fn wanted(&self) -> Outcome {
        if self.known && self.saved.is_known_to_crash() { Outcome::Refused } else { self.edit.outcome }
    }
}

pub(super) struct Report {
    /// The window was open.
    pub window: bool,
    pub seed: u64,
    /// Since the program was up [s].
    pub seconds: f64,
    /// When the program was up, and at the end.
    pub loads: [Load; 2],
    pub rows: Vec<Row>,
    /// The last lines of each program that ended.
    pub deaths: Vec<String>,
}

impl Report {
    /// Saves that came out otherwise.
    pub(super) fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| !row.good()).count()
    }

    pub(super) fn csv(&self) -> String {
        let mut text = "at_s,kind,edit,wanted,came,ms,memory_mb,threads\n".to_string();
        for row in &self.rows {
            let Saved { came, ms, load, .. } = &row.saved;
            let came = came.map_or("nothing", Outcome::name);
            let (wanted, Load { memory, threads }) = (row.wanted().name(), load);
            let _ = writeln!(
                text,
                "{:.1},{},{},{wanted},{came},{ms:.0},{memory:.1},{threads}",
                row.at, row.kind, row.edit.name
            );
        }
        text
    }

    pub(super) fn page(&self) -> String {
        let mut text = String::new();
        let how = if self.window { "the window open" } else { "no window" };
        let _ = writeln!(
            text,
            "# Soak: {} saves in {:.1} minutes, {how}, seed {}\n\nDeaths: {}. Saves that came out otherwise: {}.\n",
            self.rows.len(),
            self.seconds / 60.0,
            self.seed,
            self.deaths.len(),
            self.wrong(),
        );
        let mut kinds: Vec<&str> = self.rows.iter().map(|row| row.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let _ = writeln!(text, "| saved | outcome | saves | median ms | longest ms |\n|---|---|---|---|---|");
        for kind in kinds {
            for outcome in OUTCOMES {
                let came = |row: &&Row| row.kind == kind && row.saved.came == Some(outcome);
                let times = self.rows.iter().filter(came).map(|row| row.saved.ms);
                let (count, longest) = (times.clone().count(), weft_core::statistics::largest(times.clone()));
                if count > 0 {
                    let (name, median) = (outcome.name(), statistics::median(times));
                    let _ = writeln!(text, "| {kind} | {name} | {count} | {median:.0} | {longest:.0} |");
                }
            }
        }
        let [a, b] = self.loads;
        let _ = writeln!(
            text,
            "\nMemory {:.0} MB when the program was up, {:.0} MB at the end; threads {} and {}.",
            a.memory, b.memory, a.threads, b.threads
        );
        for row in self.rows.iter().filter(|row| !row.good()) {
            let came = row.saved.came.map_or("nothing", Outcome::name);
            let back = if row.saved.settled { "" } else { "; the good file did not come back" };
            let (Edit { name, outcome, .. }, line) = (row.edit, &row.saved.line);
            let _ = writeln!(text, "- `{name}`: wanted {}, came {came}{back}: {line}", outcome.name());
        }
        self.deaths.iter().for_each(|death| _ = writeln!(text, "\n```text\n{death}\n```"));
        text
    }
}
