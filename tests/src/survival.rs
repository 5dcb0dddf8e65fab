//! What became of a program that crashed: whether it lives, with which state, how long it stood still, and what it said.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use crate::{
    places,
    process::{PATIENCE, Running, zombies},
};

/// What there is to go on from.
#[derive(Clone, Copy, PartialEq)]
pub enum Left {
    Everything,
    /// The texture of the cloth is removed while the program runs.
    NoTexture,
    /// There is a file where the folder of autosaves is to be.
    NoFolder,
    /// No file may be longer than 4 KB.
    NoRoom,
}

impl Left {
    pub const ALL: [(Self, &str); 4] = [
        (Self::Everything, "everything there"),
        (Self::NoTexture, "texture gone"),
        (Self::NoFolder, "autosave unwritable"),
        (Self::NoRoom, "disk full"),
    ];

    /// The command in such a place; `autosaves` is the folder of its autosaves.
    ///
    /// # Panics
    /// If there cannot be a file in its place.
    pub fn command(self, weft: Command, autosaves: &Path) -> Command {
        if self == Self::NoFolder {
            let _ = fs::remove_dir_all(autosaves);
            fs::create_dir_all(autosaves.parent().expect("a folder in one")).expect("a folder of the test");
            fs::write(autosaves, "").expect("a file of the test");
        }
        if self != Self::NoRoom {
            return weft;
        }
        // A write beyond the limit fails as on a full disk.
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]);
        shell.arg(weft.get_program()).args(weft.get_args());
        shell.envs(weft.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.current_dir(weft.get_current_dir().unwrap_or(Path::new(".")));
        shell
    }

    /// The folder may be made again.
    pub fn put_back(self, autosaves: &Path) {
        if self == Self::NoFolder {
            let _ = fs::remove_file(autosaves);
        }
    }

    /// Whether no state can be kept.
    pub fn keeps_nothing(self) -> bool {
        matches!(self, Self::NoFolder | Self::NoRoom)
    }
}

/// One program.
#[derive(Debug, Default)]
pub struct Row {
    alive: String,
    zombies: usize,
    state: String,
    /// Longest time without a frame, or from a crash to the first word of the process after it [ms].
    freeze: f64,
    said: String,
}

impl Row {
    /// Waits for so many crashes of `program`, and for what the process after each says.
    pub fn follow(program: &mut Running, times: u32) -> Self {
        let mut row = Self::alive();
        for _ in 0..times {
            let crashed = |line: &str| line.starts_with("weft: SIG").then_some(());
            if program.0.wait(PATIENCE, crashed).is_none() {
                row.dies(program);
                break;
            }
            let start = Instant::now();
            let said = program.0.wait(PATIENCE, |line| {
                let word = line.starts_with("[rescue] restarted after ") || line.contains("stopped: ");
                word.then(|| line.to_string())
            });
            let Some(said) = said else {
                row.dies(program);
                break;
            };
            row.restarted(Some(start), &said);
            if said.contains("stopped: ") {
                row.alive = "ended in words".into();
                let kept = said.contains("tries again");
                row.state = if kept { "in its autosave" } else { "lost" }.into();
                break;
            }
        }
        // Left by the process before are waited for within a tick of the watchdog.
        thread::sleep(Duration::from_millis(300));
        row.zombies = zombies(program.id());
        row
    }

    /// Nothing has come of it yet.
    pub fn alive() -> Self {
        Self { alive: "yes".into(), ..Self::default() }
    }

    /// The process after a crash at that time has said this.
    pub fn restarted(&mut self, crashed: Option<Instant>, line: &str) {
        let freeze = crashed.map_or(0.0, |crashed| crashed.elapsed().as_secs_f64() * 1e3);
        self.freeze = self.freeze.max(freeze);
        self.state =
            if line.contains("from the start of the scene") { "from the start" } else { "kept" }.into();
        self.said(line);
    }

    /// The same process went back to the state before, and said this.
    pub fn rolled_back(&mut self, line: &str) {
        self.state = "kept".into();
        self.said(line);
    }

    /// It went on by itself, or from before a crash, and said these lines, the last of them when good code was back.
    pub fn went_on(&mut self, freeze: Duration, lines: &[String]) {
        self.stood_still(freeze);
        // What a swap, a refusal and a way back say of the state.
        let keeps = ["unchanged", "the same code as before", "[rollback] ", " of frame "];
        self.state = if lines.iter().any(|line| line.contains("from the start of the scene")) {
            "from the start"
        } else if lines.iter().any(|line| keeps.iter().any(|word| line.contains(word))) {
            "kept"
        } else {
            "nothing is said of it"
        }
        .into();
    }

    /// For so long at once.
    pub fn stood_still(&mut self, freeze: Duration) {
        self.freeze = self.freeze.max(freeze.as_secs_f64() * 1e3);
    }

    pub fn count_zombies(&mut self, zombies: usize) {
        self.zombies += zombies;
    }

    /// It lives, and is not as it must be.
    pub fn wrong(&mut self, why: &str) {
        self.alive = format!("yes; {why}");
    }

    pub fn dies(&mut self, program: &mut Running) {
        self.alive = "died".into();
        self.said(&program.seen().join(" | "));
    }

    /// What it said last; files of the tree from its root on, as rows are read elsewhere.
    pub fn said(&mut self, line: &str) {
        let root = format!("{}/", places::root().display());
        self.said = line.replace(&root, "").replace('"', "'");
    }

    pub fn lives(&self) -> bool {
        self.alive == "yes"
    }

    /// Whether it waits for a save.
    pub fn paused(&self) -> bool {
        self.lives() && self.said.contains("three crashes in a row: paused")
    }

    /// It came to its end, in order and with the bits of a run without a crash, or not.
    pub fn ended(&mut self, in_order: bool, same_bits: bool) {
        if !in_order {
            self.alive = "died".into();
        }
        if same_bits {
            self.state.push_str(", same bits in the end");
        } else {
            self.state.push_str(", other bits in the end");
        }
    }
}

/// Rows of a table, and those that are not as they must be.
#[derive(Default)]
pub struct Rows {
    csv: String,
    wrong: Vec<String>,
}

impl Rows {
    /// `wanted`: what may come of it.
    pub fn add(&mut self, what: &str, when: &str, condition: &str, row: Row, wanted: &[&str]) {
        let Row { alive, zombies, state, freeze, said } = row;
        let what = if what.contains(',') { format!("\"{what}\"") } else { what.to_string() };
        let line = format!("{what},{when},{condition},{alive},{zombies},\"{state}\",{freeze:.0},\"{said}\"");
        // Another path has other bits, and says that it goes on.
        let other_bits = state.contains("other bits") && !said.contains("the CPU goes on");
        if !wanted.contains(&alive.as_str()) || zombies > 0 || other_bits {
            self.wrong.push(line.clone());
        }
        let _ = writeln!(self.csv, "{line}");
    }

    /// Writes the rows, and fails if one is not as it must be.
    ///
    /// # Panics
    /// Then.
    pub fn keep(&self, name: &str) {
        let head = "what,when,condition,alive,zombies,state,longest freeze ms,said";
        places::keep(name, &format!("{head}\n{}", self.csv));
        assert!(self.wrong.is_empty(), "{} of them:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}
