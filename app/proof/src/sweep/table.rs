//! The table of a sweep: CSV, a row after each run, so that an interrupted one goes on where it was.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet, hash_map::Entry},
    fs::OpenOptions,
    io::Write as _,
    path::{Path, PathBuf},
};

use weft_core::{csv, files, say};

use super::Cell;

/// Columns behind those of the axes.
pub(super) const MEASURED: [&str; 16] = [
    "frames",
    "threads",
    "particles",
    "constraints",
    "ms_mean",
    "ms_p50",
    "ms_p95",
    "ms_p99",
    "ms_max",
    "stutter [%]",
    "stretch_p95 [%]",
    "stretch_max [%]",
    "residual",
    "energy [J]",
    "state_hash",
    "failure",
];

/// A run, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub scene: String,
    pub solver: String,
    /// The value of each axis.
    pub set: Vec<(String, String)>,
    pub frames: u64,
    pub threads: usize,
    pub particles: usize,
    pub constraints: usize,
    /// Of a step, warm-up left out [ms]; quantiles as `weft report` takes them.
    pub ms_mean: f64,
    pub ms_p50: f64,
    pub ms_p95: f64,
    pub ms_p99: f64,
    pub ms_max: f64,
    /// Time in steps that took more than 2.5 times what those around take [%].
    pub stutter: f64,
    /// Mean of the 95th percentile over the second half, and the largest there [%].
    pub stretch_p95: f64,
    pub stretch_max: f64,
    /// Of the last step, by the solver's own equation; NaN where it gives none.
    pub residual: f64,
    /// After the last step [J].
    pub energy: f64,
    pub hash: String,
    /// Why it stopped; empty where it did not.
    pub failure: String,
}

impl Row {
    pub(super) fn new(cell: &Cell, frames: u64, threads: usize) -> Self {
        Self {
            scene: cell.scene.display().to_string(),
            solver: cell.solver.clone(),
            set: cell.set.clone(),
            frames,
            threads,
            particles: 0,
            constraints: 0,
            ms_mean: f64::NAN,
            ms_p50: f64::NAN,
            ms_p95: f64::NAN,
            ms_p99: f64::NAN,
            ms_max: f64::NAN,
            stutter: f64::NAN,
            stretch_p95: f64::NAN,
            stretch_max: f64::NAN,
            residual: f64::NAN,
            energy: f64::NAN,
            hash: String::new(),
            failure: String::new(),
        }
    }

    fn key(&self) -> String {
        key(&self.scene, &self.solver, &self.set, self.frames, self.threads)
    }

    /// `vbd substeps=20 iterations=2`.
    pub fn name(&self) -> String {
        let set =
            self.set.iter().map(|(path, value)| format!(" {}={value}", path.trim_start_matches("solver.")));
        format!("{}{}", self.solver, set.collect::<String>())
    }

    pub(super) fn values(&self) -> Vec<String> {
        let number = |value: f64| if value.is_finite() { format!("{value:.6}") } else { String::new() };
        let mut values = vec![self.scene.clone(), self.solver.clone()];
        values.extend(self.set.iter().map(|set| set.1.clone()));
        values.extend([self.frames.to_string(), self.threads.to_string()]);
        values.extend([self.particles.to_string(), self.constraints.to_string()]);
        let times = [self.ms_mean, self.ms_p50, self.ms_p95, self.ms_p99, self.ms_max, self.stutter];
        values.extend(times.map(number));
        values.extend([self.stretch_p95, self.stretch_max].map(number));
        // Of a hair it is billionths of a joule.
        let wide = |value: f64| if value.is_finite() { format!("{value:.6e}") } else { String::new() };
        values.extend([self.residual, self.energy].map(wide));
        values.extend([self.hash.clone(), self.failure.clone()]);
        values
    }

    /// An error says why these are no values of a row.
    fn read(values: &[Cow<'_, str>], axes: &[String]) -> Result<Self, String> {
        let columns = 2 + axes.len() + MEASURED.len();
        let cells = || format!("{} cells, where the first line has {columns}", values.len());
        let (head, rest) = values.split_at_checked(2 + axes.len()).ok_or_else(cells)?;
        let rest: &[Cow<'_, str>; MEASURED.len()] = rest.try_into().map_err(|_| cells())?;
        let text = |value: &Cow<'_, str>| value.clone().into_owned();
        let wrong = |index: usize| format!("`{}` as `{}`", rest[index], MEASURED[index]);
        let count = |index: usize| rest[index].parse().map_err(|_| wrong(index));
        let number = |index: usize| match rest[index].as_ref() {
            "" => Ok(f64::NAN),
            text => text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| wrong(index)),
        };
        Ok(Self {
            scene: text(&head[0]),
            solver: text(&head[1]),
            set: axes.iter().zip(&head[2..]).map(|(axis, value)| (axis.clone(), text(value))).collect(),
            frames: rest[0].parse().map_err(|_| wrong(0))?,
            threads: count(1)?,
            particles: count(2)?,
            constraints: count(3)?,
            ms_mean: number(4)?,
            ms_p50: number(5)?,
            ms_p95: number(6)?,
            ms_p99: number(7)?,
            ms_max: number(8)?,
            stutter: number(9)?,
            stretch_p95: number(10)?,
            stretch_max: number(11)?,
            residual: number(12)?,
            energy: number(13)?,
            hash: text(&rest[14]),
            failure: text(&rest[15]),
        })
    }
}

/// The file, with what it has.
pub(super) struct Table {
    path: PathBuf,
    axes: Vec<String>,
    rows: Vec<Row>,
    /// Where the row of a run is.
    known: HashMap<String, usize>,
}

impl Cell {
    /// What tells the runs of a table apart.
    fn key(&self, frames: u64, threads: usize) -> String {
        key(&self.scene.display().to_string(), &self.solver, &self.set, frames, threads)
    }
}

fn key(scene: &str, solver: &str, set: &[(String, String)], frames: u64, threads: usize) -> String {
    let set: Vec<&str> = set.iter().map(|(_, value)| value.as_str()).collect();
    format!("{scene}\0{solver}\0{}\0{frames}\0{threads}", set.join("\0"))
}

impl Table {
    /// A table of these axes, or the one that is there. A last row that was cut is dropped; another row that cannot be read is an
    /// error, since the table is written anew.
    pub(super) fn open(path: &Path, axes: &[&str]) -> Result<Self, String> {
        let (table, text, unread) = Self::with_text(path, axes)?;
        if let Some(unread) = unread.first() {
            return Err(format!("{unread}; mend the line, or take it out: its run is done again then"));
        }
        if table.text() != text {
            table.write()?;
        }
        Ok(table)
    }

    /// The same of a file that another process may be writing: it stays as it is, and rows that cannot be read are told.
    pub(super) fn read(path: &Path, axes: &[&str]) -> Result<Self, String> {
        let (table, _, unread) = Self::with_text(path, axes)?;
        unread.iter().for_each(|unread| say::warn(format_args!("{unread}; its run is done again")));
        Ok(table)
    }

    /// The table, its text, and what is wrong with which other lines.
    fn with_text(path: &Path, axes: &[&str]) -> Result<(Self, String, Vec<String>), String> {
        let axes = axes.iter().map(ToString::to_string).collect();
        let mut table = Self { path: path.to_path_buf(), axes, rows: Vec::new(), known: HashMap::new() };
        if !path.exists() {
            return Ok((table, String::new(), Vec::new()));
        }
        let text = weft_core::text::read(path).map_err(|why| table.failed(&why))?;
        let mut lines = text.split_inclusive('\n');
        if lines.next() != Some(table.head().as_str()) {
            return Err(table.failed(&"it is the table of another sweep: give --out another name"));
        }
        let mut unread = Vec::new();
        for (index, line) in lines.enumerate().filter(|(_, line)| line.ends_with('\n')) {
            match Row::read(&csv::cells(line), &table.axes) {
                Ok(row) => table.take(row),
                Err(why) => {
                    unread.push(format!(
                        "{}:{}: this is no row of the sweep: {why}",
                        path.display(),
                        index + 2
                    ));
                }
            }
        }
        Ok((table, text, unread))
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> String {
        format!("{}: {why}", self.path.display())
    }

    /// A run that is there already stays as it is.
    fn take(&mut self, row: Row) {
        if let Entry::Vacant(free) = self.known.entry(row.key()) {
            free.insert(self.rows.len());
            self.rows.push(row);
        }
    }

    /// The row of a cell that was run before as long and on as many threads.
    pub(super) fn find(&self, cell: &Cell, frames: u64, threads: usize) -> Option<&Row> {
        self.known.get(&cell.key(frames, threads)).map(|&row| &self.rows[row])
    }

    pub(super) fn add(&mut self, row: Row) -> Result<(), String> {
        let text = csv::line(row.values().iter().map(String::as_str));
        let file = OpenOptions::new().append(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|why| self.failed(&why))?;
        self.take(row);
        Ok(())
    }

    /// Forgets those of these runs that failed.
    pub(super) fn retry(&mut self, cells: &[Cell], frames: u64, threads: usize) -> Result<(), String> {
        let failed =
            |cell: &&Cell| self.find(cell, frames, threads).is_some_and(|row| !row.failure.is_empty());
        let again: Vec<&Cell> = cells.iter().filter(failed).collect();
        let keys: HashSet<String> = again.iter().map(|cell| cell.key(frames, threads)).collect();
        let rows = std::mem::take(&mut self.rows);
        self.known.clear();
        rows.into_iter().filter(|row| !keys.contains(&row.key())).for_each(|row| self.take(row));
        self.write()
    }

    /// Takes over what another table of these axes has, and says whether any of it is new.
    pub(super) fn merge(&mut self, other: Self) -> bool {
        let before = self.rows.len();
        other.rows.into_iter().for_each(|row| self.take(row));
        self.rows.len() > before
    }

    /// Writes the file anew, these runs at its end in their order.
    pub(super) fn sort(&mut self, cells: &[Cell], frames: u64, threads: usize) -> Result<(), String> {
        let order: Vec<String> = cells.iter().map(|cell| cell.key(frames, threads)).collect();
        let places: HashMap<&str, usize> =
            order.iter().enumerate().map(|(i, key)| (key.as_str(), i + 1)).collect();
        let place = |row: &Row| places.get(row.key().as_str()).copied().unwrap_or(0);
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by_key(place);
        self.known.clear();
        rows.into_iter().for_each(|row| self.take(row));
        self.write()
    }

    fn head(&self) -> String {
        csv::line(["scene", "solver"].into_iter().chain(self.axes.iter().map(String::as_str)).chain(MEASURED))
    }

    fn text(&self) -> String {
        let lines = self.rows.iter().map(|row: &Row| csv::line(row.values().iter().map(String::as_str)));
        self.head() + &lines.collect::<String>()
    }

    /// The file is whole at any moment.
    pub(super) fn write(&self) -> Result<(), String> {
        files::write(&self.path, self.text()).map_err(|why| self.failed(&why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_back_as_they_were_written() {
        let cell = Cell {
            scene: "a, \"b\".ron".into(),
            solver: "xpbd".into(),
            set: vec![("wind.velocity".into(), "(1,2,3)".into())],
        };
        let mut row = Row::new(&cell, 60, 2);
        row.failure = "frame 3: \"x\", and more".into();
        let written = csv::line(row.values().iter().map(String::as_str));
        let read = Row::read(&csv::cells(&written), &["wind.velocity".to_string()]).expect("it reads");
        assert_eq!((&read.scene, &read.set, &read.failure), (&row.scene, &row.set, &row.failure));
        assert!(read.ms_p50.is_nan());
        (row.ms_p50, row.stretch_p95, row.failure) = (1.25, 3.5, String::new());
        let read = Row::read(
            &csv::cells(&csv::line(row.values().iter().map(String::as_str))),
            &["wind.velocity".to_string()],
        );
        assert_eq!(read.map(|read| (read.ms_p50, read.stretch_p95)), Ok((1.25, 3.5)));
        assert!(Row::read(&csv::cells("a,b"), &[]).is_err_and(|why| why.contains("2 cells")));
    }
}
